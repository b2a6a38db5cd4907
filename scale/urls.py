from django.urls import path

from scale import views

urlpatterns = [
    path("c/<slug:slug>/burns/<uuid:burn_id>/take/", views.take, name="burn_take"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/bank/", views.bank, name="burn_bank"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/spend/", views.spend, name="burn_spend"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/effect/", views.effect, name="burn_effect"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/choose/", views.choose, name="burn_choose"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/decide/", views.decide, name="burn_decide"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/narration/", views.narration, name="burn_narration"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/narrate/", views.narrate, name="burn_narrate"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/defer/", views.defer, name="burn_defer"),
    path("c/<slug:slug>/burns/<uuid:burn_id>/see/", views.see, name="burn_see"),
    path("c/<slug:slug>/activations/<uuid:character_id>/use/", views.activate, name="activation_use"),
    path("c/<slug:slug>/scale/", views.scale, name="scale"),
    path("c/<slug:slug>/scale/<uuid:scale_id>/moves/", views.moves, name="scale_moves"),
    path("c/<slug:slug>/oracles/", views.oracles, name="oracles"),
    path("c/<slug:slug>/oracles/<slug:name>/", views.oracle, name="oracle"),
    path("c/<slug:slug>/oracles/<slug:name>/reset/", views.oracle_reset, name="oracle_reset"),
]
