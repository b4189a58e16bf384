"""The registry of actions and the way from a key to one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.settings import resolve
from memtui.tui.actions import ACTIONS, GLOBAL, INBOX, MOVE, NEVER_BOUND, PLACES
from memtui.tui.dispatch import chord_line
from memtui.tui.empty import offer_lines
from memtui.tui.footer import Hint, choose
from memtui.tui.keys import at_position, keymap, name_of, shown
from memtui.tui.settle import Settle
from memtui.tui.words import age, ago, meter

PLACES_OF_THE_INBOX = (INBOX, "diff", MOVE, GLOBAL)


def found(key: str, own: dict[str, str] | None = None) -> str:
    action = keymap(own or {}).find(PLACES_OF_THE_INBOX, key)
    return "" if action is None else action.id


@pytest.mark.parametrize(
    ("key", "id"),
    [
        ("a", "approve"),
        ("r", "reject"),
        ("ф", "approve"),  # Russian
        ("к", "reject"),
        ("О", "next_item"),
        ("α", "approve"),  # Greek
        ("ש", "approve"),  # Hebrew
        ("ش", "approve"),  # Arabic
        ("g i", "go_inbox"),
        ("п ш", "go_inbox"),
        ("g g", "top"),
        ("1", "go_inbox"),
        ("space", "mark"),
        ("s", ""),
        ("D", ""),
        ("backspace", ""),
        ("delete", ""),
    ],
)
def test_a_key_finds_its_action_in_any_layout(key: str, id: str) -> None:
    assert found(key) == id


def test_the_keys_of_ctrl_h_i_j_m_are_never_bound() -> None:
    bound = {part for action in ACTIONS for key in action.keys for part in key.split(" ")}
    assert not bound & set(NEVER_BOUND)
    assert keymap({"approve": "ctrl+m"}).problems == (
        "keys.approve: ctrl+m cannot be told from enter, tab or backspace in a terminal",
    )
    assert found("a", {"approve": "ctrl+j"}) == "approve"


def test_a_key_of_the_persons_own_replaces_the_default_and_wins_over_others() -> None:
    assert found("a", {"approve": "y"}) == ""
    assert found("y", {"approve": "y"}) == "approve"
    assert found("r", {"approve": "r"}) == "approve"
    assert "there is no such action" in keymap({"aprove": "y"}).problems[0]


def test_no_two_actions_of_one_place_share_a_key() -> None:
    seen: dict[tuple[str, str], str] = {}
    for action in ACTIONS:
        for key in action.keys:
            assert (action.where, key) not in seen, (action.id, seen[action.where, key], key)
            seen[action.where, key] = action.id


def test_every_action_stands_in_a_place_that_the_help_names() -> None:
    assert {action.where for action in ACTIONS} <= set(PLACES)


@pytest.mark.parametrize(
    ("key", "character", "name"),
    [
        ("colon", ":", ":"),
        ("question_mark", "?", "?"),
        ("A", "A", "A"),
        ("escape", None, "esc"),
        ("space", " ", "space"),
        ("ctrl+s", None, "ctrl+s"),
        ("ctrl+ы", None, "ctrl+s"),
        ("enter", "\r", "enter"),
    ],
)
def test_a_key_event_gets_the_name_of_the_registry(key: str, character: str | None, name: str) -> None:
    assert name_of(key, character) == name


def test_keys_are_shown_short() -> None:
    assert [shown(key) for key in ("ctrl+q", "g n", "down")] == ["^q", "gn", "↓"]
    assert at_position("ф") == "a"


def test_the_footer_drops_whole_hints_by_priority() -> None:
    hints = [Hint(action, "x", action.short) for action in ACTIONS if action.where == INBOX and action.short]
    for cells in range(10, 200, 7):
        left, right = choose(hints, cells)
        kept = [*left, *right]
        assert sum(hint.cells + 2 for hint in kept) <= cells
        dropped = [hint for hint in hints if hint not in kept]
        assert not dropped or max(h.action.priority for h in kept or dropped) <= max(
            h.action.priority for h in dropped
        )


def test_a_dropped_key_restarts_the_settle_time() -> None:
    settle = Settle(0.25)
    assert not settle.admit(0.0)
    settle.begin(1.0)
    assert not settle.admit(1.2)
    assert not settle.admit(1.4)
    assert settle.left(1.4) == pytest.approx(0.25)
    assert settle.admit(1.66)
    settle.lose()
    assert not settle.admit(9.0)


@pytest.mark.parametrize(
    ("seconds", "short", "long"),
    [
        (5, "now", "just now"),
        (125, "2m", "2 min ago"),
        (3600 * 6, "6h", "6 hours ago"),
        (86400, "1d", "1 day ago"),
        (86400 * 800, "2y", "2 years ago"),
    ],
)
def test_ages_are_short_in_rows_and_words_in_headers(seconds: float, short: str, long: str) -> None:
    assert (age(seconds), ago(seconds)) == (short, long)


def test_the_meter_counts_in_units_of_1024_bytes() -> None:
    assert meter(1843, 2048) == "1.8/2.0K"


def test_keys_of_a_workspaces_settings_do_not_count_and_that_is_said(tmp_path: Path) -> None:
    read = resolve(tmp_path, {"keys": {"approve": "y"}}, {}, trusted=True)
    assert read.keys == {}
    assert read.complaints == ("keys count in your own settings only: put them there",)
    assert resolve(tmp_path, {}, {"keys": {"approve": "y"}}, trusted=True).complaints == ()


def test_no_choice_of_a_chord_is_lost_where_room_is_short() -> None:
    choices = [("g", "To the top"), ("i", "Inbox"), ("n", "Notes"), ("h", "Health of the folder")]
    wide = "".join(text for text, _ in chord_line(choices, 80))
    assert wide == "g To the top  i Inbox  n Notes  h Health of the folder  "
    for cells in range(12, 60):
        drawn = "".join(text for text, _ in chord_line(choices, cells))
        assert len(drawn) <= max(cells, 12)
        assert [part.split(" ")[0] for part in drawn.split("  ") if part] == ["g", "i", "n", "h"]


def test_the_offer_of_a_workspace_is_never_cut() -> None:
    lines = offer_lines(36, Path("/tmp/notes"))
    text = " ".join("".join(part for part, _ in line).strip() for line in lines)
    assert "makes .memtui/ and nothing else: no note is touched" in text
    assert all(sum(len(part) for part, _ in line) <= 36 for line in lines)
