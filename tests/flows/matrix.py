"""The rows of the permission matrix: the addresses of a campaign, how each is asked, and by whom; and every service."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from campaigns.models import Role

GET, POST, BOTH = "GET", "POST", "GET POST"
ALL, PLAYERS, GMS = Role.SPECTATOR, Role.PLAYER, Role.GM

# name: (HTTP method, the least role, what it names in the played campaign)
MATRIX: dict[str, tuple[str, Role, str]] = {
    "table": (GET, ALL, ""),
    "compose": (POST, PLAYERS, ""),
    "older": (GET, ALL, "uid"),
    "chain": (GET, ALL, ""),
    "log": (GET, ALL, ""),
    "log_day": (GET, ALL, ""),
    "log_export": (GET, ALL, ""),
    "log_amend": (BOTH, PLAYERS, "uid"),
    "log_refile": (BOTH, PLAYERS, "uid"),
    "log_event": (GET, ALL, "uid"),
    "moment_pin": (POST, PLAYERS, "uid"),
    "moment_unpin": (POST, PLAYERS, "uid"),
    "line_undo": (POST, GMS, "uid"),
    "roll": (POST, PLAYERS, ""),
    "witness_ask": (POST, GMS, ""),
    "witness_give": (POST, PLAYERS, "roll_id"),
    "odds": (GET, PLAYERS, ""),
    "roll_form": (GET, PLAYERS, ""),
    "kept_rolls": (GET, PLAYERS, "character_id"),
    "roll_save": (POST, PLAYERS, ""),
    "roll_forget": (POST, PLAYERS, "saved_id"),
    "roll_void": (POST, GMS, "roll_id"),
    "roll_correction": (GET, GMS, "roll_id"),
    "roll_correct": (POST, GMS, "roll_id"),
    "roll_reveal": (POST, GMS, "roll_id"),
    "descriptors_keys": (GET, ALL, ""),
    "descriptors_key_hit": (POST, PLAYERS, "character_id"),
    "descriptors_clinging": (GET, ALL, ""),
    "descriptors_clinging_change": (POST, PLAYERS, ""),
    "request_ask": (POST, GMS, ""),
    "request_new": (GET, GMS, ""),
    "request_form": (GET, GMS, "request_id"),
    "request_change": (POST, GMS, "request_id"),
    "request_close": (POST, GMS, "request_id"),
    "request_withdraw": (POST, PLAYERS, "request_id"),
    "procedure_new": (GET, PLAYERS, "system kind"),
    "procedure_open": (POST, PLAYERS, "system kind"),
    "procedure_act": (POST, PLAYERS, "procedure_id"),
    "procedure_form": (GET, PLAYERS, "procedure_id step"),
    "procedure_on_card": (GET, PLAYERS, "procedure_id step"),
    "procedure_back": (POST, GMS, "procedure_id"),
    "procedure_close": (POST, GMS, "procedure_id"),
    "burn_take": (POST, PLAYERS, "burn_id"),
    "burn_bank": (POST, PLAYERS, "burn_id"),
    "burn_spend": (POST, PLAYERS, "burn_id"),
    "burn_effect": (GET, PLAYERS, "burn_id"),
    "burn_choose": (POST, PLAYERS, "burn_id"),
    "burn_decide": (POST, GMS, "burn_id"),
    "burn_narration": (GET, GMS, "major_id"),
    "burn_narrate": (POST, GMS, "major_id"),
    "burn_defer": (POST, GMS, "major_id"),
    "burn_see": (POST, PLAYERS, "major_id"),
    "burn_mark": (POST, PLAYERS, "major_id oracle"),
    "activation_use": (POST, PLAYERS, "character_id"),
    "scale": (GET, ALL, ""),
    "scale_moves": (GET, ALL, "scale_id"),
    "rules_settings": (BOTH, GMS, ""),
    "oracles": (GET, GMS, ""),
    "oracle": (BOTH, GMS, "name"),
    "oracle_reset": (POST, GMS, "name"),
    "characters": (GET, ALL, ""),
    "character_new": (BOTH, PLAYERS, ""),
    "character_guided": (BOTH, PLAYERS, "system"),
    "npc_new": (BOTH, GMS, ""),
    "character_templates": (BOTH, GMS, ""),
    "character_template": (POST, GMS, "kept_id"),
    "character_template_drop": (POST, GMS, "kept_id"),
    "character_from_template": (BOTH, PLAYERS, "kept_id"),
    "creation_settings": (BOTH, GMS, ""),
    "character": (GET, ALL, "character_id"),
    "character_card": (BOTH, PLAYERS, "character_id"),
    "character_field": (POST, PLAYERS, "character_id"),
    "row_add": (POST, PLAYERS, "character_id"),
    "row_remove": (POST, PLAYERS, "character_id"),
    "character_marks": (BOTH, PLAYERS, "character_id"),
    "character_in_play": (GET, PLAYERS, "character_id"),
    "party": (GET, ALL, ""),
    "character_undo": (POST, PLAYERS, "character_id"),
    "character_mark": (BOTH, PLAYERS, "character_id"),
    "field_history": (GET, ALL, "character_id"),
    "character_retire": (POST, PLAYERS, "character_id"),
    "character_return": (POST, PLAYERS, "character_id"),
    "character_die": (POST, PLAYERS, "character_id"),
    "character_copy": (POST, PLAYERS, "character_id"),
    "character_delete": (POST, PLAYERS, "character_id"),
    "character_take": (POST, PLAYERS, "character_id"),
    "character_hand_over": (POST, GMS, "character_id"),
    "character_portrait": (BOTH, PLAYERS, "character_id"),
    "portrait": (GET, ALL, "character_id picture"),
    "portrait_icon": (GET, ALL, "character_id picture"),
    "character_export": (GET, ALL, "character_id"),
    "character_import": (BOTH, PLAYERS, ""),
    "advances": (GET, ALL, "character_id"),
    "advance_buy": (POST, PLAYERS, "character_id"),
    "advance_refund": (POST, GMS, "character_id entry_id"),
    "claim_new": (GET, PLAYERS, "character_id"),
    "claim_make": (POST, PLAYERS, "character_id"),
    "claim_confirm": (POST, GMS, "claim_id"),
    "claim_refuse": (POST, GMS, "claim_id"),
    "awards": (BOTH, GMS, ""),
    "campaign_settings": (BOTH, GMS, ""),
    "tokens": (BOTH, ALL, ""),
    "token_revoke": (POST, ALL, "token_id"),
    "webhooks": (BOTH, GMS, ""),
    "webhook": (GET, GMS, "webhook_id"),
    "webhook_switch": (POST, GMS, "webhook_id"),
    "webhook_remove": (POST, GMS, "webhook_id"),
    "webhook_test": (POST, GMS, "webhook_id"),
    "delivery_again": (POST, GMS, "delivery_id"),
    "campaign_notices": (BOTH, ALL, ""),
    "campaign_cover": (POST, GMS, ""),
    "cover": (GET, ALL, "digest"),
    "cover_small": (GET, ALL, "digest"),
    "cover_icon": (GET, ALL, "digest"),
    "scene_cover": (POST, GMS, "number scene_number"),
    "campaign_archive": (POST, GMS, ""),
    "campaign_export": (POST, GMS, ""),
    "campaign_reopen": (POST, GMS, ""),
    "members": (GET, ALL, ""),
    "leave": (POST, ALL, ""),
    "member_role": (POST, GMS, "member_id"),
    "member_remove": (POST, GMS, "member_id"),
    "member_hand_over": (POST, GMS, "member_id"),
    "member_erase": (POST, ALL, "member_id"),
    "see_as": (POST, ALL, ""),
    "shared_picture": (GET, ALL, "picture_id"),
    "shared_picture_small": (GET, ALL, "picture_id"),
    "picture_show": (POST, PLAYERS, "line"),
    "picture_see": (POST, ALL, "showing"),
    "picture_scene": (POST, GMS, "line"),
    "handout_keep": (POST, GMS, "line"),
    "handout_reveal": (POST, GMS, "line"),
    "handout_drop": (POST, GMS, "line"),
    "handout_add": (POST, GMS, ""),
    "handout_take": (POST, GMS, ""),
    "handouts": (GET, ALL, ""),
    "play_pause": (POST, ALL, ""),
    "play_resume": (POST, GMS, ""),
    "boundaries": (BOTH, ALL, ""),
    "pause_words": (POST, GMS, ""),
    "invitations": (BOTH, GMS, ""),
    "invitation_revoke": (POST, GMS, "invitation_id"),
    "spectator_link": (POST, GMS, ""),
    "sessions": (GET, ALL, ""),
    "session_start": (POST, GMS, ""),
    "session_end": (POST, GMS, ""),
    "dates": (GET, ALL, ""),
    "dates_propose": (POST, GMS, ""),
    "date_answer": (POST, PLAYERS, "date_id"),
    "date_set": (POST, GMS, "date_id"),
    "date_withdraw": (POST, GMS, "date_id"),
    "calendar_link": (POST, ALL, ""),
    "session_title": (BOTH, GMS, "number"),
    "session": (GET, ALL, "number"),
    "session_totals": (GET, ALL, "number"),
    "search": (GET, ALL, ""),
    "session_remember": (BOTH, PLAYERS, "number"),
    "recap": (BOTH, GMS, "number"),
    "statistics": (GET, ALL, ""),
    "verify": (GET, ALL, "number"),
    "session_lines": (GET, ALL, "number"),
    "replay": (GET, ALL, "number"),
    "replay_events": (GET, ALL, "number"),
    "scene_open": (BOTH, GMS, ""),
    "scene_close": (POST, GMS, ""),
    "scene_closing": (GET, ALL, ""),
    "scene_keep": (POST, GMS, ""),
    "scene_title": (BOTH, GMS, "number scene_number"),
    "storylines": (GET, ALL, ""),
    "storyline_new": (BOTH, GMS, ""),
    "storyline": (BOTH, GMS, "storyline_id"),
    "storyline_resolve": (POST, GMS, "storyline_id"),
    "storyline_reopen": (POST, GMS, "storyline_id"),
    "storyline_move": (POST, GMS, "storyline_id"),
    "pages": (GET, ALL, ""),
    "page_new": (POST, PLAYERS, ""),
    "page_names": (GET, ALL, ""),
    "page": (GET, ALL, "page_id"),
    "page_card": (GET, ALL, "page_id"),
    "page_edit": (BOTH, PLAYERS, "page_id"),
    "page_versions": (GET, ALL, "page_id"),
    "page_tell": (POST, GMS, "page_id"),
    "page_show": (POST, GMS, "page_id"),
    "page_hide": (POST, GMS, "page_id"),
    "page_remove": (POST, GMS, "page_id"),
    "page_picture_set": (POST, PLAYERS, "page_id"),
    "page_picture": (GET, ALL, "page_id page_digest"),
    "page_icon": (GET, ALL, "page_id page_digest"),
    "roll_tables": (GET, GMS, ""),
    "roll_table_new": (BOTH, GMS, ""),
    "roll_table_take": (POST, GMS, ""),
    "roll_table": (BOTH, GMS, "table_id"),
    "roll_table_roll": (POST, GMS, "table_id"),
    "roll_table_delete": (POST, GMS, "table_id"),
    "clocks": (GET, ALL, ""),
    "clock_new": (BOTH, GMS, ""),
    "clock": (GET, ALL, "clock_id"),
    "clock_edit": (BOTH, GMS, "clock_id"),
    "clock_tick": (BOTH, PLAYERS, "clock_id"),
    "clock_card": (BOTH, PLAYERS, "uid"),
    "clock_move": (POST, GMS, "clock_id"),
    "clock_archive": (POST, GMS, "clock_id"),
    "clock_restore": (POST, GMS, "clock_id"),
    "clock_keep": (POST, GMS, "clock_id"),
    "clock_template_drop": (POST, GMS, "template_id"),
}
# Several things that addresses call alike
SAME = {"major_id": "burn_id", "kept_id": "template_id", "line": "uid", "showing": "uid", "page_digest": "picture"}
# A GM leaves it in the role of the member as whom they see it, and the view itself checks who that really is; a step's
# form is for those who may take the step: tests/rolls/views/test_procedures.py.
ASKS_ITSELF = {"see_as", "procedure_form"}
# Who has no account has nothing of their own to set.
OF_ACCOUNTS = {"campaign_notices"}
# Outside campaigns: pages of one's own account, public ones (such as the rules and the odds), or those of the site's
# machinery.
ELSEWHERE = {
    "home",
    "home_waiting",
    "home_seen",
    "profile",
    "profile_delete",
    "usersessions_list",
    "mfa_list_webauthn",
    "elsewhere",
    "notices",
    "notices_device",
    "notices_off",
    "campaign_new",
    "campaign_import",
    "join",
    "join_link",
    "join_cover",
    "watch",
    "date_link",
    "calendar",
    "overlay",
    "healthz",
    "readyz",
    "metrics",
    "manifest",
    "service_worker",
    "away",
    "demo_sign_in",
    "api_docs",
}
ELSEWHERE |= {"guide", "guide_system", "odds_page", "odds_system"}

# The least role that each service asks for, by the app or game that has it
SERVICES: dict[Role, dict[str, str]] = {
    GMS: {
        "campaigns": """
            add_storyline archive_campaign archive_clock change_clock change_role change_storyline choose_pause_words close_scene
            drop_handout drop_template edit_campaign end_session hand_out hand_over invite keep_handout keep_open keep_template
            make_clock move_clock move_storyline narrate open_scene propose_dates remove_member reopen_campaign reopen_storyline
            resolve_storyline restore_clock resume_play revoke_invitation set_cover set_date show_handout show_scene
            start_session start_watching stop_watching take_over title_scene title_session withdraw_date write_recap
        """,
        "characters": """
            award_xp change_creation change_template confirm_claim drop_template hand_over keep_template lock_sheet refund_advance
            refuse_claim unlock_sheet
        """,
        "rolls": """
            ask_every_player ask_for_roll ask_witness change_request change_settings close_procedure close_request correct_roll
            delete_table lay_out reveal_roll roll_table take_back_step take_tables tell_seed undo_line undo_newest void_roll
            write_table
        """,
        "scale": "change_oracle decide_activation defer_burn narrate_burn reset_oracle",
        "webhooks": "add_webhook remove_webhook send_again send_test switch_webhook",
        "world": "hide_page remove_page show_page tell_page",
    },
    PLAYERS: {
        "campaigns": "amend_words answer_date pin refile remember say show_picture tick_clock unpin whisper",
        "characters": """
            add_row buy_advance change_character copy_character delete_character import_character kill_character make_character
            make_claim make_from_template make_guided mark_complete mark_resources remove_row retire_character
            return_character say_as set_field set_portrait take_character undo_change
        """,
        "descriptors": "change_clinging hit_key",
        "rolls": """
            act announce_roll forget_roll give_witness make_roll mark_oracle open_procedure save_roll withdraw_roll
        """,
        "scale": "bank_burn choose_effect see_burn spend_banked take_burn use_free_activation",
        "world": "make_page set_picture write_page",
    },
    ALL: {"campaigns": "erase_words leave make_token revoke_token see_picture write_boundaries"},
}


def routes(below: URLResolver | None = None, without: Collection[str] = ()) -> Iterator[URLPattern]:
    """Yield every address of ours, or those below one, without these: what stands in the URLconf itself."""
    for pattern in (below or get_resolver()).url_patterns:
        if not isinstance(pattern, URLResolver):
            yield pattern
        elif not {pattern.namespace, str(pattern.pattern)} & {*without}:
            yield from routes(pattern, without)
