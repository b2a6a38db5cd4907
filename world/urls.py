from django.urls import path

from world import views

PAGE = "c/<slug:slug>/world/<uuid:page_id>/"

urlpatterns = [
    path("c/<slug:slug>/world/", views.pages, name="pages"),
    path("c/<slug:slug>/world/new/", views.page_new, name="page_new"),
    path("c/<slug:slug>/world/names/", views.page_names, name="page_names"),
    path(PAGE, views.page, name="page"),
    path(f"{PAGE}card/", views.page_card, name="page_card"),
    path(f"{PAGE}edit/", views.page_edit, name="page_edit"),
    path(f"{PAGE}versions/", views.page_versions, name="page_versions"),
    path(f"{PAGE}tell/", views.page_tell, name="page_tell"),
    path(f"{PAGE}show/", views.page_show, name="page_show"),
    path(f"{PAGE}hide/", views.page_hide, name="page_hide"),
    path(f"{PAGE}remove/", views.page_remove, name="page_remove"),
    path(f"{PAGE}picture/", views.page_picture_set, name="page_picture_set"),
    path(f"{PAGE}picture/<str:picture>/", views.page_picture, name="page_picture"),
    path(f"{PAGE}picture/<str:picture>/icon/", views.page_picture, {"part": "icon"}, name="page_icon"),
]
