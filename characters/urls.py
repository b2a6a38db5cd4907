from django.urls import path

from characters.views import cards, say, sheet

urlpatterns = [
    path("c/<slug:slug>/characters/", cards.characters, name="characters"),
    path("c/<slug:slug>/characters/new/", cards.character_new, name="character_new"),
    path("c/<slug:slug>/characters/<uuid:character_id>/", sheet.character, name="character"),
    path("c/<slug:slug>/characters/<uuid:character_id>/card/", cards.character_card, name="character_card"),
    path("c/<slug:slug>/characters/<uuid:character_id>/field/", sheet.character_field, name="character_field"),
    path("c/<slug:slug>/characters/<uuid:character_id>/retire/", cards.character_retire, name="character_retire"),
    path("c/<slug:slug>/characters/<uuid:character_id>/return/", cards.character_return, name="character_return"),
    path("c/<slug:slug>/say/", say.say, name="say"),
]
