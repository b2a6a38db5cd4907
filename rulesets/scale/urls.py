from django.urls import path

from rulesets.scale.views import burns, oracles, scale

urlpatterns = [
    path("c/<slug:slug>/burns/<uuid:burn_id>/take/", burns.take, name="burn_take"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/bank/", burns.bank, name="burn_bank"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/spend/", burns.spend, name="burn_spend"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/effect/", burns.effect, name="burn_effect"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/choose/", burns.choose, name="burn_choose"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/decide/", burns.decide, name="burn_decide"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/narration/", burns.narration, name="burn_narration"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/narrate/", burns.narrate, name="burn_narrate"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/defer/", burns.defer, name="burn_defer"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/see/", burns.see, name="burn_see"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/mark/<slug:oracle>/", burns.mark, name="burn_mark"),
    path("c/<slug:slug>/activations/<uuid:character_id>/use/", burns.activate, name="activation_use"),
    path("c/<slug:slug>/scale/", scale.scale, name="scale"),
    path("c/<slug:slug>/scale/<uuid:scale_id>/undo/", burns.undo, name="scale_undo"),
    path("c/<slug:slug>/oracles/", oracles.oracles, name="oracles"),
    path("c/<slug:slug>/oracles/<slug:name>/", oracles.oracle, name="oracle"),
    path("c/<slug:slug>/oracles/<slug:name>/reset/", oracles.oracle_reset, name="oracle_reset"),
]
