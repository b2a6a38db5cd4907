from django.urls import path

from campaigns.archive.views import campaign_import
from campaigns.views import account, campaigns, chain, clocks, export, invitations, log, members, play, storylines
from campaigns.views import message_edits as wording
from campaigns.views import pins as moments
from campaigns.views import scene_overrides as filing

urlpatterns = [
    path("profile/delete/", account.profile_delete, name="profile_delete"),
    path("join/<str:token>/", invitations.join, name="join"),
    path("watch/<str:token>/", invitations.watch, name="watch"),
    path("c/new/", campaigns.campaign_new, name="campaign_new"),
    path("import/", campaign_import, name="campaign_import"),
    path("c/<slug:slug>/settings/", campaigns.campaign_settings, name="campaign_settings"),
    path("c/<slug:slug>/archive/", campaigns.campaign_archive, name="campaign_archive"),
    path("c/<slug:slug>/reopen/", campaigns.campaign_reopen, name="campaign_reopen"),
    path("c/<slug:slug>/members/", members.members, name="members"),
    path("c/<slug:slug>/members/leave/", members.leave, name="leave"),
    path("c/<slug:slug>/members/<int:member_id>/role/", members.member_role, name="member_role"),
    path("c/<slug:slug>/members/<int:member_id>/remove/", members.member_remove, name="member_remove"),
    path("c/<slug:slug>/members/<int:member_id>/hand-over/", members.member_hand_over, name="member_hand_over"),
    path("c/<slug:slug>/members/<int:member_id>/erase/", members.member_erase, name="member_erase"),
    path("c/<slug:slug>/see-as/", members.see_as, name="see_as"),
    path("c/<slug:slug>/invitations/", invitations.invitations, name="invitations"),
    path(
        "c/<slug:slug>/invitations/<uuid:invitation_id>/revoke/",
        invitations.invitation_revoke,
        name="invitation_revoke",
    ),
    path("c/<slug:slug>/spectator-link/", invitations.spectator_link, name="spectator_link"),
    path("c/<slug:slug>/sessions/", play.sessions, name="sessions"),
    path("c/<slug:slug>/sessions/start/", play.session_start, name="session_start"),
    path("c/<slug:slug>/sessions/end/", play.session_end, name="session_end"),
    path("c/<slug:slug>/sessions/next/", play.session_plan, name="session_plan"),
    path("c/<slug:slug>/sessions/<int:number>/title/", play.session_title, name="session_title"),
    path("c/<slug:slug>/sessions/<int:number>/scenes/<int:scene_number>/title/", play.scene_title, name="scene_title"),
    path("c/<slug:slug>/scenes/open/", play.scene_open, name="scene_open"),
    path("c/<slug:slug>/scenes/close/", play.scene_close, name="scene_close"),
    path("c/<slug:slug>/storylines/", storylines.storylines, name="storylines"),
    path("c/<slug:slug>/storylines/new/", storylines.storyline_new, name="storyline_new"),
    path("c/<slug:slug>/storylines/<uuid:storyline_id>/", storylines.storyline, name="storyline"),
    path(
        "c/<slug:slug>/storylines/<uuid:storyline_id>/resolve/", storylines.storyline_resolve, name="storyline_resolve"
    ),
    path("c/<slug:slug>/storylines/<uuid:storyline_id>/reopen/", storylines.storyline_reopen, name="storyline_reopen"),
    path("c/<slug:slug>/storylines/<uuid:storyline_id>/move/", storylines.storyline_move, name="storyline_move"),
    path("c/<slug:slug>/clocks/", clocks.clocks, name="clocks"),
    path("c/<slug:slug>/clocks/new/", clocks.clock_new, name="clock_new"),
    path("c/<slug:slug>/clocks/<uuid:clock_id>/", clocks.clock, name="clock"),
    path("c/<slug:slug>/clocks/<uuid:clock_id>/edit/", clocks.clock_edit, name="clock_edit"),
    path("c/<slug:slug>/clocks/<uuid:clock_id>/tick/", clocks.clock_tick, name="clock_tick"),
    path("c/<slug:slug>/clocks/<uuid:clock_id>/move/", clocks.clock_move, name="clock_move"),
    path("c/<slug:slug>/clocks/<uuid:clock_id>/archive/", clocks.clock_archive, name="clock_archive"),
    path("c/<slug:slug>/clocks/<uuid:clock_id>/restore/", clocks.clock_restore, name="clock_restore"),
    path("c/<slug:slug>/clocks/<uuid:clock_id>/keep/", clocks.clock_keep, name="clock_keep"),
    path("c/<slug:slug>/clocks/from/<uuid:uid>/", clocks.clock_card, name="clock_card"),
    path(
        "c/<slug:slug>/clocks/templates/<uuid:template_id>/drop/",
        clocks.clock_template_drop,
        name="clock_template_drop",
    ),
    path("c/<slug:slug>/older/<uuid:uid>/", log.older, name="older"),
    path("c/<slug:slug>/chain/", chain.chain, name="chain"),
    path("c/<slug:slug>/log/", log.log, name="log"),
    path("c/<slug:slug>/log/export/", export.log_export, name="log_export"),
    path("c/<slug:slug>/log/day/", log.log_day, name="log_day"),
    path("c/<slug:slug>/log/<uuid:uid>/", log.log_event, name="log_event"),
    path("c/<slug:slug>/log/<uuid:uid>/amend/", wording.log_amend, name="log_amend"),
    path("c/<slug:slug>/log/<uuid:uid>/file/", filing.log_refile, name="log_refile"),
    path("c/<slug:slug>/log/<uuid:uid>/pin/", moments.moment_pin, name="moment_pin"),
    path("c/<slug:slug>/log/<uuid:uid>/unpin/", moments.moment_unpin, name="moment_unpin"),
]
