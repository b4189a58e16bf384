"""What of an index line follows an update, and what is said where a part of it cannot."""

from __future__ import annotations

import pytest

from tests.proposals.plans import (
    INDEX,
    RUN,
    RUN_NOTE,
    applied,
    delete,
    done,
    folder,
    notices,
    planned,
    problem,
    rename,
    replace_,
    supersede,
    update,
)


def page(line: str) -> dict[str, str]:
    return {
        INDEX: f"## Entries\n\n{line.format(RUN)}\n  wrapped words\n- [M](1711929600-lisbon.md)\n\n## Deprecated\n"
    }


def test_tags_that_cannot_be_told_from_the_hook_stay_and_that_is_said() -> None:
    on = folder(page("- [Run]({}) — goal, running, health, since 2019"))
    made = planned(update(fields={"title": "Jog", "tags": ("sport", "travel")}), on)
    assert applied(made, on)[INDEX].decode() == page("- [Jog]({}) — goal, running, health, since 2019")[INDEX]
    assert notices(made)["index"] == (
        f"On the line of {RUN} in index.md the tags cannot be told from the hook: both stay as they are, so "
        "change them by hand."
    )


def test_a_hook_of_words_that_are_no_tags_is_kept_where_a_tag_is_missing() -> None:
    on = folder(page("- [Run]({}) — goal, running, fast, since 2019"))
    after = done(update(fields={"tags": ("sport", "travel")}), on)[INDEX]
    assert after == page("- [Run]({}) — goal, sport, travel, fast, since 2019")[INDEX]


def test_a_part_that_stays_beside_one_that_changes_is_named() -> None:
    on = folder(page("1. [Run]({}) all about running"))
    made = planned(update(fields={"title": "Jog"}, hook="faster"), on)
    assert applied(made, on)[INDEX].decode() == page("1. [Jog]({}) all about running")[INDEX]
    assert notices(made)["index"] == (
        f"the line of {RUN} in index.md has a form of its own: what it says of hook stays, so change it by hand."
    )


@pytest.mark.parametrize(
    "line",
    [
        "- [Run]({}) — goal, [sport, running],",
        "- [Run]({}) — goal, [sport, running], a race and",
        "- [Run]({}) — goal, sport, running,",
    ],
)
def test_a_hook_that_wraps_stays_whole_and_that_is_said(line: str) -> None:
    on = folder(page(line))
    assert problem(update(hook="faster"), on)[0] == "hook"
    made = planned(update(fields={"title": "Jog", "tags": ("travel", "sport")}, hook="faster"), on)
    after = line.replace("Run", "Jog", 1).replace("sport, running", "travel, sport")
    assert applied(made, on)[INDEX].decode() == page(after)[INDEX]
    assert "what it says of hook stays" in notices(made)["index"]


def test_a_list_below_a_line_is_no_part_of_its_hook() -> None:
    on = folder({INDEX: f"## Entries\n\n- [Run]({RUN}) — goal, [sport, running],\n  - mine\n"})
    after = done(update(hook="faster"), on)[INDEX]
    assert after == f"## Entries\n\n- [Run]({RUN}) — goal, [sport, running], faster\n  - mine\n"


def test_a_row_of_a_table_stays_where_it_is_and_that_is_said() -> None:
    on = folder({INDEX: f"## Entries\n\n| Entry | Type |\n|---|---|\n| [Run]({RUN}) | goal |\n"})
    made = planned(supersede(), on)
    assert "form of its own" in notices(made)["index"]
    gone = done(delete(), on)[INDEX]
    assert gone == "## Entries\n\n| Entry | Type |\n|---|---|\n"


@pytest.mark.parametrize("operation", ["supersede", "delete", "rename"])
def test_the_rest_of_the_item_goes_along(operation: str) -> None:
    text = page("- [Run]({}) — goal, [sport, running], a race")
    proposal = {
        "supersede": supersede(),
        "delete": delete(),
        "rename": rename(RUN, "run.md"),
    }[operation]
    after = done(proposal, folder(text))[INDEX]
    line, rest = text[INDEX].split("\n\n")[1].split("\n  wrapped words\n")
    expected = {
        "supersede": f"## Entries\n\n{rest}\n\n## Deprecated\n\n{line}\n  wrapped words\n",
        "delete": f"## Entries\n\n{rest}\n\n## Deprecated\n",
        "rename": text[INDEX].replace(RUN, "run.md"),
    }
    assert after == expected[operation]


def test_a_replaced_entry_keeps_a_hook_of_short_words() -> None:
    on = folder(page("- [Run 5K under 25 minutes]({}) — goal, sport, running, fast, since 2019"))
    text = RUN_NOTE.replace("28:14.", "27:50.")
    assert done(replace_(text, path=RUN), on)[INDEX] == on.files[INDEX].decode()
