"""Plan of a supersede: an entry marked deprecated (seed 004)."""

from __future__ import annotations

import posixpath

import pytest
from markdown_it import MarkdownIt

from memtui.notes import entry, index
from memtui.proposals.context import INDEX
from memtui.proposals.model import Add, FileChange, Plan
from memtui.review.planning import Pending, Planner, Siblings
from tests.proposals.plans import (
    INDEX_PAGE,
    LINA,
    MOVE,
    MOVE_NOTE,
    RUN,
    RUN_NOTE,
    SEEN,
    TODAY,
    Memory,
    add,
    applied,
    check_sentence,
    done,
    folder,
    notices,
    planned,
    problem,
    rename,
    supersede,
)

NEXT = "1790000000-walks.md"
NEXT_NOTE = RUN_NOTE.replace("title: Run 5K under 25 minutes", "title: Walks now")
BACK_NOTE = NEXT_NOTE.replace("---\n\n", f"superseded_by: {RUN}\n---\n\n")
RUN_LINE = f"- [Run 5K under 25 minutes]({RUN}) — goal, [sport, running], 5K target for the year"
MOVE_LINE = f"- [Moved to Lisbon]({MOVE}) — event, [biography, travel], spring 2024"


def test_the_entry_is_marked_and_nothing_else_changes() -> None:
    after = done(supersede())
    assert after[RUN] == (
        RUN_NOTE.replace("status: active", "status: deprecated").replace(
            "updated: 2024-04-22\n", f"updated: {TODAY}\nsuperseded_at: {TODAY}\n"
        )
        + f"- {TODAY} — marked deprecated: stopped running\n"
    )
    assert after[INDEX] == INDEX_PAGE.replace(RUN_LINE + "\n", "") + f"\n{RUN_LINE}\n"
    assert planned(supersede()).result == {"filename": RUN, "superseded_by": None}


def test_a_successor_is_named_and_linked() -> None:
    on = folder({NEXT: NEXT_NOTE})
    made = planned(supersede(successor=NEXT), on)
    after = applied(made, on)[RUN].decode()
    assert f"superseded_at: {TODAY}\nsuperseded_by: {NEXT}\n---\n" in after
    assert after.endswith(f"- {TODAY} — marked deprecated: stopped running; see [Walks now]({NEXT})\n")
    assert made.result["superseded_by"] == NEXT
    assert applied(made, on)[NEXT] == NEXT_NOTE.encode()


@pytest.mark.parametrize(
    "title",
    [
        "a]b",
        "[x](y)",
        "a\\",
        "`a",
        "`a` b",
        "*a* _b_",
        "<b>",
        "`` > ?> b",
        "<!-- a",
        "a & &amp; b",
        "ä — 漢",
        "“q”",
    ],
)
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (NEXT, "stopped"),
        ("a b.md", "the ` key is gone"),
        ("(x).md", 'see <a href="'),
        ("sub/ä%20b.md", "open ["),
        ("a#b.md", "![one <!A"),
        ("a:b.md", "<?x `` \\"),
    ],
)
def test_the_successor_link_reads_back_as_commonmark(title: str, name: str, reason: str) -> None:
    from urllib.parse import unquote

    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    on = folder({name: NEXT_NOTE.replace("title: Walks now", f'title: "{quoted}"')})
    after = done(supersede(successor=name, reason=reason), on)[RUN]
    assert entry.read_entry(after.encode()).superseded_by == name  # type: ignore[union-attr]
    last = after.rstrip("\n").split("\n")[-1]
    [inline] = [t for t in MarkdownIt().parse(last) if t.type == "inline"]
    children = inline.children or []
    [start] = [n for n, child in enumerate(children) if child.type == "link_open"]
    [end] = [n for n, child in enumerate(children) if child.type == "link_close"]
    assert unquote(str(children[start].attrs["href"])) == name
    assert "".join(child.content for child in children[start + 1 : end]) == title


@pytest.mark.parametrize(
    ("at", "successor", "href"),
    [
        ("sub/run.md", NEXT, f"../{NEXT}"),
        ("sub/run.md", "sub/walks.md", "walks.md"),
        ("a/b/run.md", "a/c/my walks.md", "../c/my%20walks.md"),
        ("run.md", "a/walks.md", "a/walks.md"),
    ],
)
def test_the_successor_link_is_relative_to_the_entry_and_follows_a_rename(
    at: str, successor: str, href: str
) -> None:
    on = folder({at: RUN_NOTE, successor: NEXT_NOTE})
    after = applied(planned(supersede(filename=at, successor=successor), on), on)
    assert after[at].decode().endswith(f"; see [Walks now]({href})\n")
    assert f"superseded_by: {successor}\n" in after[at].decode().replace('"', "")
    moved = done(rename(successor, "z/new.md"), Memory(after))
    assert moved[at].endswith(
        f"; see [Walks now]({posixpath.relpath('z/new.md', posixpath.dirname(at) or '.')})\n"
    )


# --- the index's own form ------------------------------------------------------------------------

OLD = "- [Old](old.md) — fact, [a, b], gone"
MARKED = "- [Old](old.md) — fact, [deprecated], [a, b], gone"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            f"## Entries\n\n{RUN_LINE}\n{MOVE_LINE}\n\n## Deprecated\n\n{OLD}\n",
            f"## Entries\n\n{MOVE_LINE}\n\n## Deprecated\n\n{OLD}\n{RUN_LINE}\n",
        ),
        (
            f"## Entries\n\n{RUN_LINE}\n{MOVE_LINE}\n\n### Deprecated\n\n{OLD}\n",
            f"## Entries\n\n{MOVE_LINE}\n\n### Deprecated\n\n{OLD}\n{RUN_LINE}\n",
        ),
        (
            f"## Entries\n\n{RUN_LINE}\n{MOVE_LINE}\n{OLD} [deprecated]\n",
            f"## Entries\n\n{RUN_LINE} [deprecated]\n{MOVE_LINE}\n{OLD} [deprecated]\n",
        ),
        (
            f"## Entries\n\n{RUN_LINE}\n{MARKED}\n",
            f"## Entries\n\n{RUN_LINE.replace('goal, [', 'goal, [deprecated], [')}\n{MARKED}\n",
        ),
        (
            f"## Entries\n\n{RUN_LINE}\n- [deprecated] {OLD[2:]}\n",
            f"## Entries\n\n- [deprecated] {RUN_LINE[2:]}\n- [deprecated] {OLD[2:]}\n",
        ),
        (
            f"## Entries\r\n\r\n{RUN_LINE}\r\n{MOVE_LINE}\r\n\r\n### Deprecated\r\n",
            f"## Entries\r\n\r\n{MOVE_LINE}\r\n\r\n### Deprecated\r\n\r\n{RUN_LINE}\r\n",
        ),
    ],
)
def test_the_files_own_form_for_deprecated_entries_is_kept(page: str, expected: str) -> None:
    on = folder({INDEX: page})
    after = done(supersede(), on)[INDEX]
    assert after == expected
    found = index.read_index(after.encode()).get(RUN)
    assert found is not None
    assert found.deprecated
    assert (found.title, found.hook) == ("Run 5K under 25 minutes", "5K target for the year")


def test_an_index_without_any_form_gets_a_section() -> None:
    page = f"# I\n\n## Entries\n\n{RUN_LINE}\n{MOVE_LINE}\n\n## Mine\n\ntext\n"
    after = done(supersede(), folder({INDEX: page}), exact=False)[INDEX]
    assert after == f"# I\n\n## Entries\n\n{MOVE_LINE}\n\n## Deprecated\n\n{RUN_LINE}\n\n## Mine\n\ntext\n"


@pytest.mark.parametrize(
    ("page", "word"), [(None, "no line"), (f"## Entries\n{RUN_LINE}\n{RUN_LINE}\n", "two lines")]
)
def test_no_line_or_two_are_reported_and_left(page: str | None, word: str) -> None:
    on = folder({INDEX: page})
    made = planned(supersede(), on)
    assert word in notices(made)["index"]
    assert applied(made, on).get(INDEX) == (page.encode() if page else None)


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("type_", ["event", "Event", '"event"'])
def test_events_never_deprecate_and_it_says_why(type_: str) -> None:
    on = folder({MOVE: MOVE_NOTE.replace("type: event", f"type: {type_}")})
    field, message = problem(supersede(filename=MOVE), on)
    assert field == "filename"
    assert "events never deprecate" in message


@pytest.mark.parametrize(
    ("fields", "files", "field", "word"),
    [
        ({"filename": "gone.md"}, {}, "filename", "does not exist"),
        ({"filename": LINA}, {}, "filename", "not a typed entry"),
        ({}, {RUN: RUN_NOTE.replace("status: active", "status: deprecated")}, "filename", "already"),
        ({"successor": "gone.md"}, {}, "successor", "does not exist"),
        ({"successor": RUN}, {}, "successor", "own successor"),
        ({"successor": NEXT}, {NEXT: BACK_NOTE}, "successor", "superseded by"),
        ({"successor": "ref:new"}, {}, "successor", "new"),
        ({}, {RUN: RUN_NOTE.replace("title: Run", "title: [Run")}, "filename", "cannot be read"),
        ({}, {RUN: "\ufeff" + RUN_NOTE.replace("title:", "title: !x")}, "filename", "tags"),
        ({"filename": "index.md"}, {}, "filename", "follows"),
    ],
)  # fmt: skip
def test_the_seed_refuses(fields: dict[str, str], files: dict[str, str], field: str, word: str) -> None:
    told, message = problem(supersede(**fields), folder(files))
    assert told == field
    assert word in message


def test_a_chain_of_successors_that_comes_back_is_refused() -> None:
    link = "superseded_by: {}\n---\n\n"
    files = {
        "b.md": NEXT_NOTE.replace("---\n\n", link.format("c.md")),
        "c.md": NEXT_NOTE.replace("---\n\n", link.format(RUN)),
        "d.md": NEXT_NOTE.replace("---\n\n", link.format("d.md")),
        "e.md": NEXT_NOTE.replace("---\n\n", link.format("../e.md")),
    }
    assert "superseded by" in problem(supersede(successor="b.md"), folder(files))[1]
    assert planned(supersede(successor="d.md"), folder(files)).ready, "a circle elsewhere is not this one's"
    on = folder(files, unreadable=["../e.md"])
    assert planned(supersede(successor="e.md"), on).ready, "a link out of the folder leads not back"


def test_a_sibling_is_the_successor_once_it_has_a_name() -> None:
    on = folder({NEXT: NEXT_NOTE})
    made = planned(supersede(successor="ref:new"), on, refs={"new": NEXT})
    assert f"superseded_by: {NEXT}\n" in applied(made, on)[RUN].decode()
    assert isinstance(add(), Add)


@pytest.mark.parametrize("note", [RUN_NOTE.replace("\n", "\r\n"), "\ufeff" + RUN_NOTE, RUN_NOTE.rstrip("\n")])
def test_bytes_stay_in_odd_files(note: str) -> None:
    after = done(supersede(), folder({RUN: note}))[RUN]
    ending = "\r\n" if "\r\n" in note else "\n"
    back = after.replace("status: deprecated", "status: active").replace(
        f"superseded_at: {TODAY}{ending}", ""
    )
    back = back.replace(f"updated: {TODAY}", "updated: 2024-04-22")
    line = f"- {TODAY} — marked deprecated: stopped running"
    assert back in (note + line + ending, note + ending + line)


def test_leftover_successor_keys_are_set_in_place() -> None:
    note = RUN_NOTE.replace("type: goal", "superseded_by: ''\nsuperseded_at:\ntype: goal")
    after = done(supersede(successor=NEXT), folder({RUN: note, NEXT: NEXT_NOTE}))[RUN]
    assert f"superseded_by: '{NEXT}'\nsuperseded_at: {TODAY}\ntype: goal" in after


# --- siblings of a batch -------------------------------------------------------------------------


def siblings_plan(siblings: Siblings, on: Memory | None = None) -> Plan:
    member = supersede(successor="ref:new", batch="b")
    planner = Planner(on or folder(), (), lambda: 1796000000.0)
    return planner.plan(Pending(member, "b.json", "", SEEN), siblings, today=TODAY)


def test_a_member_waits_for_the_sibling_that_it_names() -> None:
    waiting = Pending(add(ref="new", batch="b"), "b.json", "", SEEN)
    made = siblings_plan(Siblings(waiting={"new": waiting}))
    assert made.wants == ("sibling",)
    assert f"superseded_by: {SEEN}-runs-in-the-park.md".encode() in applied_file(made)


def applied_file(made: Plan) -> bytes:
    [data] = [change.after for change in made.changes if isinstance(change, FileChange)]
    assert data is not None
    return data


def test_an_approved_sibling_is_the_successor() -> None:
    made = siblings_plan(Siblings(made={"new": NEXT}), folder({NEXT: NEXT_NOTE}))
    assert made.ready
    assert f"superseded_by: {NEXT}".encode() in applied_file(made)


@pytest.mark.parametrize(
    ("siblings", "word"),
    [
        (Siblings(lost={"new": "rejected"}), "was rejected"),
        (Siblings(), "has the ref"),
        (Siblings(waiting={"new": Pending(add(type="x", ref="new"), "", "", SEEN)}), "cannot be approved"),
    ],
)
def test_a_sibling_that_is_lost_or_unsound_is_a_problem(siblings: Siblings, word: str) -> None:
    made = siblings_plan(siblings)
    [found] = made.problems
    check_sentence(found.message)
    assert (found.field, word in found.message, made.changes) == ("successor", True, ())


def test_a_rewritten_file_is_a_notice() -> None:
    pending = Pending(supersede(), "p.json", "", SEEN, rewritten=True)
    made = Planner(folder(), (), lambda: 0.0).plan(pending, today=TODAY)
    assert set(notices(made)) == {"changed"}


def test_an_unreadable_target_has_its_path_as_headline() -> None:
    planner = Planner(folder(unreadable=[RUN]), (), lambda: 0.0)
    assert planner.headline(supersede()) == RUN
    assert planner.headline(supersede(filename=MOVE)) == "Moved to Lisbon"


def test_without_a_successor_a_stale_one_goes() -> None:
    stale = RUN_NOTE.replace("status: active\n", f"status: active\nsuperseded_by: {MOVE}\n")
    after = done(supersede(), folder({RUN: stale}))[RUN]
    assert "superseded_by" not in after
    assert "status: deprecated" in after
