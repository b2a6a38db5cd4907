from django.urls import path

from characters.views import (
    cards,
    characters,
    creation,
    exchange,
    history,
    ledger,
    marks,
    portraits,
    sheet,
    templates,
)
from characters.views import lifecycle as standing

urlpatterns = [
    path("c/<slug:slug>/characters/", characters.characters, name="characters"),
    path("c/<slug:slug>/characters/new/", creation.character_new, name="character_new"),
    path("c/<slug:slug>/characters/new/<slug:system>/", creation.character_guided, name="character_guided"),
    path("c/<slug:slug>/characters/npc/", creation.npc_new, name="npc_new"),
    path("c/<slug:slug>/characters/templates/", templates.character_templates, name="character_templates"),
    path(
        "c/<slug:slug>/characters/templates/<uuid:template_id>/",
        templates.character_template,
        name="character_template",
    ),
    path(
        "c/<slug:slug>/characters/templates/<uuid:template_id>/drop/",
        templates.character_template_drop,
        name="character_template_drop",
    ),
    path(
        "c/<slug:slug>/characters/templates/<uuid:template_id>/new/",
        creation.character_from_template,
        name="character_from_template",
    ),
    path("c/<slug:slug>/settings/creation/", templates.creation_settings, name="creation_settings"),
    path("c/<slug:slug>/characters/<uuid:character_id>/", sheet.character, name="character"),
    path("c/<slug:slug>/characters/<uuid:character_id>/card/", cards.character_card, name="character_card"),
    path("c/<slug:slug>/characters/<uuid:character_id>/field/", sheet.character_field, name="character_field"),
    path("c/<slug:slug>/characters/<uuid:character_id>/rows/", sheet.row_add, name="row_add"),
    path("c/<slug:slug>/characters/<uuid:character_id>/rows/remove/", sheet.row_remove, name="row_remove"),
    path("c/<slug:slug>/characters/<uuid:character_id>/undo/", sheet.character_undo, name="character_undo"),
    path("c/<slug:slug>/characters/<uuid:character_id>/marks/", marks.character_marks, name="character_marks"),
    path("c/<slug:slug>/characters/<uuid:character_id>/in-play/", marks.character_in_play, name="character_in_play"),
    path("c/<slug:slug>/party/", marks.party, name="party"),
    path("c/<slug:slug>/characters/<uuid:character_id>/mark/", sheet.character_mark, name="character_mark"),
    path("c/<slug:slug>/characters/<uuid:character_id>/history/", history.field_history, name="field_history"),
    path(
        "c/<slug:slug>/characters/<uuid:character_id>/portrait/",
        portraits.character_portrait,
        name="character_portrait",
    ),
    path(
        "c/<slug:slug>/characters/<uuid:character_id>/portrait/remove/",
        portraits.character_portrait_remove,
        name="character_portrait_remove",
    ),
    path("c/<slug:slug>/characters/<uuid:character_id>/portrait/<str:picture>/", portraits.portrait, name="portrait"),
    path(
        "c/<slug:slug>/characters/<uuid:character_id>/portrait/<str:picture>/icon/",
        portraits.portrait,
        {"part": "icon"},
        name="portrait_icon",
    ),
    path(
        "c/<slug:slug>/characters/<uuid:character_id>/hand-over/", cards.character_hand_over, name="character_hand_over"
    ),
    path("c/<slug:slug>/characters/<uuid:character_id>/copy/", cards.character_copy, name="character_copy"),
    path("c/<slug:slug>/characters/<uuid:character_id>/retire/", standing.character_retire, name="character_retire"),
    path("c/<slug:slug>/characters/<uuid:character_id>/die/", standing.character_die, name="character_die"),
    path("c/<slug:slug>/characters/<uuid:character_id>/return/", standing.character_return, name="character_return"),
    path("c/<slug:slug>/characters/<uuid:character_id>/delete/", standing.character_delete, name="character_delete"),
    path("c/<slug:slug>/characters/import/", exchange.character_import, name="character_import"),
    path("c/<slug:slug>/characters/<uuid:character_id>/export/", exchange.character_export, name="character_export"),
    path("c/<slug:slug>/characters/<uuid:character_id>/advances/", ledger.advances, name="advances"),
    path("c/<slug:slug>/characters/<uuid:character_id>/advances/buy/", ledger.advance_buy, name="advance_buy"),
    path(
        "c/<slug:slug>/characters/<uuid:character_id>/advances/<uuid:entry_id>/refund/",
        ledger.advance_refund,
        name="advance_refund",
    ),
    path("c/<slug:slug>/characters/<uuid:character_id>/claims/", ledger.claim_make, name="claim_make"),
    path("c/<slug:slug>/characters/<uuid:character_id>/claims/new/", ledger.claim_new, name="claim_new"),
    path("c/<slug:slug>/claims/<uuid:claim_id>/confirm/", ledger.claim_confirm, name="claim_confirm"),
    path("c/<slug:slug>/claims/<uuid:claim_id>/refuse/", ledger.claim_refuse, name="claim_refuse"),
    path("c/<slug:slug>/xp/", ledger.awards, name="awards"),
]
