from django.urls import path

from api.api import api, docs

urlpatterns = [
    path("api/v1/docs", docs, name="api_docs"),
    path("api/v1/", api.urls),
]
