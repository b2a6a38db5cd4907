from django.conf import settings
from django.urls import path

from people import views

urlpatterns = [
    path("profile/", views.profile, name="profile"),
]

if settings.DEMO:
    urlpatterns += [path("demo/sign-in/", views.demo_sign_in, name="demo_sign_in")]
