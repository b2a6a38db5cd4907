"""The rows of the API's permission matrix: each operation, how it is asked, and by whom (test_permissions.py)."""

from __future__ import annotations

from typing import Any

from campaigns.models import Role

ALL, PLAYERS, GMS = Role.SPECTATOR, Role.PLAYER, Role.GM
GET, POST, PUT, PATCH, DELETE = "get", "post", "put", "patch", "delete"

# operation: (method, the least role, path below the campaign, the body)
MATRIX: dict[str, tuple[str, Role, str, Any]] = {
    "campaign": (GET, ALL, "", None),
    "members": (GET, ALL, "/members", None),
    "characters": (GET, ALL, "/characters", None),
    "character": (GET, ALL, "/characters/{character_id}", None),
    "field": (GET, ALL, "/characters/{character_id}/fields/{field}", None),
    "set_field": (PATCH, PLAYERS, "/characters/{character_id}/fields/{field}", {"value": 1}),
    "add_row": (POST, PLAYERS, "/characters/{character_id}/lists/{rows}", {"columns": {}}),
    "remove_row": (DELETE, PLAYERS, "/characters/{character_id}/lists/{rows}/{row_id}", None),
    "ledger": (GET, ALL, "/characters/{character_id}/ledger", None),
    "buy": (POST, PLAYERS, "/characters/{character_id}/ledger", {"offer": "nothing"}),
    "give_xp": (POST, GMS, "/xp", {"characters": ["{character_id}"], "amount": 1, "reason": "luck"}),
    "events": (GET, ALL, "/events", None),
    "follow": (GET, ALL, "/events/stream", None),
    "export": (GET, ALL, "/export", None),
    "say": (POST, PLAYERS, "/lines", {"text": "Hello."}),
    "event": (GET, ALL, "/events/{uid}", None),
    "undo_event": (POST, GMS, "/events/{uid}/undo", None),
    "streams": (GET, ALL, "/streams", None),
    "stream_events": (GET, ALL, "/streams/{stream}/events", None),
    "stream_lines": (GET, ALL, "/streams/{stream}/lines", None),
    "make_roll": (POST, PLAYERS, "/rolls", {"pool": "5"}),
    "odds": (POST, PLAYERS, "/odds", {"pool": "5"}),
    "void": (POST, GMS, "/rolls/{roll_id}/void", {}),
    "correct": (POST, GMS, "/rolls/{roll_id}/correct", {}),
    "reveal": (POST, GMS, "/rolls/{roll_id}/reveal", None),
    "requests": (GET, ALL, "/requests", None),
    "ask_for": (POST, GMS, "/requests", {"pool": "5"}),
    "answer": (POST, PLAYERS, "/requests/{request_id}/answer", {"pool": "5"}),
    "dates": (GET, ALL, "/dates", None),
    "propose_dates": (POST, GMS, "/dates", {"at": ["2030-01-31T19:30"]}),
    "answer_date": (POST, PLAYERS, "/dates/{date_id}/answer", {"answer": "yes"}),
    "set_date": (POST, GMS, "/dates/{date_id}/set", None),
    "cancel_date": (DELETE, GMS, "/dates/{date_id}/set", None),
    "withdraw_date": (DELETE, GMS, "/dates/{date_id}", None),
    "close": (POST, GMS, "/requests/{request_id}/close", None),
    "withdraw": (POST, PLAYERS, "/requests/{request_id}/withdraw", None),
    "kept_rolls": (GET, PLAYERS, "/characters/{character_id}/rolls", None),
    "rulesets": (GET, ALL, "/rulesets", None),
    "procedures": (GET, ALL, "/procedures", None),
    "procedure": (GET, ALL, "/procedures/{procedure_id}", None),
    "procedure_kinds": (GET, PLAYERS, "/procedure-kinds", None),
    "open_procedure": (POST, PLAYERS, "/procedures", {"system": "storyteller", "kind": "extended"}),
    "take_step": (POST, PLAYERS, "/procedures/{procedure_id}/steps", {"act": "done"}),
    "take_back": (POST, GMS, "/procedures/{procedure_id}/back", {"step": "{step}"}),
    "close_procedure": (POST, GMS, "/procedures/{procedure_id}/close", None),
    "scale": (GET, ALL, "/scale", None),
    "undo_scale": (POST, GMS, "/scale/{scale_id}/undo", {}),
    "take_burn": (POST, PLAYERS, "/burns/{burn_id}/take", None),
    "bank_burn": (POST, PLAYERS, "/burns/{burn_id}/bank", None),
    "spend_burn": (POST, PLAYERS, "/burns/{burn_id}/spend", None),
    "defer_burn": (POST, GMS, "/burns/{major_id}/defer", None),
    "see_burn": (POST, PLAYERS, "/burns/{major_id}/see", None),
    "choose_burn": (POST, PLAYERS, "/burns/{burn_id}/effect", {"effect": "feat"}),
    "decide_burn": (POST, GMS, "/burns/{burn_id}/decision", {"plausible": True}),
    "narrate_major_burn": (POST, GMS, "/burns/{major_id}/narration", {"text": "It burns."}),
    "mark_burn": (POST, PLAYERS, "/burns/{major_id}/oracles/grace/mark", {"choice": "a"}),
    "use_activation": (POST, PLAYERS, "/characters/{character_id}/activation", {}),
    "clocks": (GET, ALL, "/clocks", None),
    "clock": (GET, ALL, "/clocks/{clock_id}", None),
    "make_clock": (POST, GMS, "/clocks", {"name": "Dawn", "kind": "progress", "segments": 4}),
    "change_clock": (PUT, GMS, "/clocks/{clock_id}", {"name": "Dawn", "kind": "progress", "segments": 4}),
    "tick_clock": (POST, PLAYERS, "/clocks/{clock_id}/ticks", {"ticks": 1}),
    "archive_clock": (POST, GMS, "/clocks/{clock_id}/archive", None),
    "restore_clock": (POST, GMS, "/clocks/{clock_id}/restore", None),
    "sessions": (GET, ALL, "/sessions", None),
    "start_session": (POST, GMS, "/sessions", {}),
    "end_session": (POST, GMS, "/sessions/end", None),
    "open_scene": (POST, GMS, "/scenes", {}),
    "close_scene": (POST, GMS, "/scenes/close", None),
    "storylines": (GET, ALL, "/storylines", None),
    "add_storyline": (POST, GMS, "/storylines", {"title": "A debt"}),
    "change_storyline": (PUT, GMS, "/storylines/{storyline_id}", {"title": "A debt"}),
    "resolve_storyline": (POST, GMS, "/storylines/{storyline_id}/resolve", None),
    "reopen_storyline": (POST, GMS, "/storylines/{storyline_id}/reopen", None),
    "handouts": (GET, ALL, "/handouts", None),
    "keep_picture": (POST, GMS, "/events/{uid}/handout", {"title": "A map"}),
    "drop_picture": (DELETE, GMS, "/events/{uid}/handout", None),
    "show_picture": (POST, PLAYERS, "/events/{uid}/show", None),
    "picture": (GET, ALL, "/pictures/{picture_id}", None),
    "pages": (GET, ALL, "/pages", None),
    "page": (GET, ALL, "/pages/{page_id}", None),
    "make_page": (POST, PLAYERS, "/pages", {"name": "The Gull, place"}),
    "write_page": (PATCH, PLAYERS, "/pages/{page_id}", {"note": "An inn."}),
    "tell_page": (POST, GMS, "/pages/{page_id}/tell", {}),
    "show_page": (POST, GMS, "/pages/{page_id}/show", None),
    "hide_page": (POST, GMS, "/pages/{page_id}/hide", None),
    "remove_page": (DELETE, GMS, "/pages/{page_id}", None),
    "roll_tables": (GET, GMS, "/tables", None),
    "roll_table": (GET, GMS, "/tables/{table_id}", None),
    "roll_on_table": (POST, GMS, "/tables/{table_id}/roll", {}),
    "statistics": (GET, ALL, "/statistics", None),
}
CHANGES_NOTHING = {"odds"}
"""Asked with a body, by tokens that only read as well."""
BESIDE_DJANGO = {"follow"}
"""Answered by api/stream.py: tests/api/test_stream.py."""
OF_NO_CAMPAIGN = {"campaigns", "odds_of_system"}
"""Operations without a campaign in the path: that of the token, and public ones."""


def writes(name: str) -> bool:
    return MATRIX[name][0] != GET and name not in CHANGES_NOTHING
