"""An update leaves every byte that it does not name (SPEC.md section 2)."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from memtui.notes import entry, frontmatter
from tests.proposals.plans import RUN, RUN_NOTE, TODAY, applied, done, folder, planned, update


def log(*lines: str) -> str:
    return "".join(f"- {TODAY} — {line}\n" for line in lines)


# --- bytes ---------------------------------------------------------------------------------------

OBSIDIAN = """\
---
# my own comment
aliases: [run, "5k"]
title: 'Run 5K'   # the title
tags:
  - sport
  - running
type:  goal
confidence: "high"
status: active
created: 2024-01-10
cssclasses:
- wide
updated: '2024-04-22'
nested:
  updated: 2020-01-01
  title: not this
---
"""


@pytest.mark.parametrize(
    "note",
    [
        RUN_NOTE,
        RUN_NOTE.replace("\n", "\r\n"),
        "\ufeff" + RUN_NOTE,
        RUN_NOTE.rstrip("\n"),
        "\ufeff" + RUN_NOTE.rstrip("\n").replace("\n", "\r\n"),
        OBSIDIAN + "\n\n\nTarget for the year. Best so far 28:14.\n\n\n## Change log\n- a\n\n\n",
        OBSIDIAN + "Target for the year. Best so far 28:14.\n## Change log",
        OBSIDIAN + "Target for the year. Best so far 28:14.",
        OBSIDIAN
        + "Target for the year. Best so far 28:14.\n\n## Change log  \n* a  \n* b\n\n## More\n\ntext \n",
    ],
)
def test_every_byte_that_is_not_named_stays(note: str) -> None:
    on = folder({RUN: note})
    after = done(update(body="New body.", change="c"), on)[RUN]
    ending = "\r\n" if "\r\n" in note else "\n"
    assert after.count("\r\n") == (after.count("\n") if ending == "\r\n" else 0)
    line = f"- {TODAY} — c: a race"
    assert after.count(line) == 1
    for quote in ("'", ""):
        back = after.replace(f"updated: {quote}{TODAY}{quote}", f"updated: {quote}2024-04-22{quote}")
        if back != after:
            break
    back = back.replace("New body.", "Target for the year. Best so far 28:14.")
    if "## Change log" not in note:
        back = back.replace(f"{ending}{ending}## Change log", "")
    assert back.replace(line + ending, "", 1) == note or back.replace(ending + line, "", 1) == note
    read = YAML(typ="safe").load(StringIO(after.lstrip("\ufeff").replace("\r\n", "\n").split("---\n")[1]))
    assert str(read["updated"]) == TODAY


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        ("Text.\n", "New.\n\n## Change log\n- L\n"),
        ("Text.", "New.\n\n## Change log\n- L"),
        ("Text.\n\n```\n## Change log\n- sample\n```\n", None),
        ("Text.\n\n## Change log\n- a\n\nTail.\n", "New.\n\n## Change log\n- a\n- L\n\nTail.\n"),
        ("Text.\n\n## Change log\n", "New.\n\n## Change log\n- L\n"),
        ("Text.\n\n## CHANGE LOG ##\n- a\n", "New.\n\n## CHANGE LOG ##\n- a\n- L\n"),
        ("Text.\n\n## Change log\n- a\n  wrapped\n", "New.\n\n## Change log\n- a\n  wrapped\n- L\n"),
    ],
)
def test_the_log_is_the_last_heading_outside_fences_and_is_made_when_missing(
    tail: str, expected: str | None
) -> None:
    head = RUN_NOTE.split("\nTarget")[0] + "\n"
    after = done(update(body="New.", change="c"), folder({RUN: head + tail}))[RUN]
    line = f"- {TODAY} — c: a race"
    body = after.split("---\n", 2)[2].lstrip("\n")
    assert body == (expected or "New.\n\n## Change log\n- L\n").replace("- L", line)


def test_an_earlier_log_heading_in_the_body_is_not_the_log() -> None:
    note = RUN_NOTE.replace(
        "28:14.", "28:14.\n\n```\n## Change log\n```\n\n## Change log\n- old\n\n## Notes\n\nx", 1
    )
    after = done(update(fields={"title": "Run"}), folder({RUN: note}))[RUN]
    assert after.endswith("told after a race\n" + log("changed title: a race"))
    assert "## Change log\n- old\n\n## Notes" in after


# --- any entry -----------------------------------------------------------------------------------

_word = st.text("abc äж漢😀'\"#:-[]{}&*!|>%@`\\,", min_size=1, max_size=12)
_key = st.sampled_from(["aliases", "x-y", "mood", "cssclasses", "rating"])
_extra = st.lists(
    st.one_of(
        st.builds("# {}".format, _word),
        st.just(""),
        st.builds(lambda k, v: f"{k}: {v!r}", _key, st.text("abc d", max_size=8)),
        st.builds(lambda k, v: f"{k}:  [{', '.join(v)}]  ", _key, st.lists(st.text("abc", min_size=1), max_size=3)),
        st.builds(lambda k: f"{k}:\n  - a\n  - b", _key),
    ),
    max_size=4,
    unique_by=lambda line: line.split(":")[0],
)  # fmt: skip
_body = st.lists(st.text("ab #-*`~<!>ä\t", max_size=10), max_size=5).map("\n".join)


@settings(max_examples=300, deadline=None)
@given(
    extra=_extra,
    body=_body,
    new=st.text("ab cä", min_size=1, max_size=20).filter(str.strip),
    ending=st.sampled_from(["\n", "\r\n"]),
    bom=st.sampled_from(["", "\ufeff"]),
    final=st.booleans(),
    has_log=st.booleans(),
    title=st.sampled_from([None, "Other", "a: b", "ж"]),
)
def test_an_accepted_update_leaves_all_other_bytes(
    extra: list[str],
    body: str,
    new: str,
    ending: str,
    bom: str,
    final: bool,
    has_log: bool,
    title: str | None,
) -> None:
    lines = ["---", *extra, *RUN_NOTE.split("\n")[1:9], "", body, ""]
    lines += ["## Change log", "- 2024-01-10 — made"] if has_log else []
    note = bom + ending.join("\n".join(lines).split("\n")) + (ending if final else "")
    on = folder({RUN: note})
    old = entry.read_entry(note.encode())
    fields = {"title": title} if title else {}
    made = planned(update(body=new, fields=fields, change="c"), on)
    event("refused" if made.problems or old is None else "accepted")
    if made.problems or old is None:
        return
    after = applied(made, on)[RUN]
    found = entry.read_entry(after)
    assert found is not None
    assert found.body == new.strip("\n")
    assert found.log == (*old.log, f"{TODAY} — c: a race")
    # The named spans set back, the note is the old one, byte for byte.
    back = frontmatter.edit(after, {"updated": "2024-04-22", "title": old.title})
    head = note.encode()[: frontmatter.read(note.encode()).body_start]
    assert back.startswith(head)
    tail = after[frontmatter.read(after).body_start :].decode()
    line = f"- {TODAY} — c: a race"
    assert tail.count(line) == 1
    kept = (
        tail.replace(ending + line, "", 1)
        if not tail.endswith(line + ending)
        else tail.replace(line + ending, "", 1)
    )
    if old.log:
        old_tail = note.encode()[frontmatter.read(note.encode()).body_start :].decode()
        start, end = old_tail.find("## Change log"), kept.find("## Change log")
        assert kept[end:] == old_tail[start:]
