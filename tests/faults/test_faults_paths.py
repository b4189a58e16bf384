"""Paths that lead astray, in every field that names a note: refused with one sentence, and nothing outside is touched.

The cases are those that a file system rooted by descriptor has to stand: links in every component, chains and loops of
them, `..` on either side of one, other kinds of files as leaf and as parent, and names that some system cannot hold.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.config import Workspace
from memtui.desk import Choices, Desk, Wanted
from tests.faults.harm import PROJECT, has_strace
from tests.faults.layout import everything, lay
from tests.support import allow_without_terminal, memtui

LINKS: dict[str, tuple[tuple[str, ...], str]] = {
    "a link": (("link.md => target.md",), "link.md"),
    "a link out": (("link.md => ../outside/n.md",), "link.md"),
    "an absolute link out": (("link.md => $OUT/n.md",), "link.md"),
    "an absolute link in": (("link.md => $IN/target.md",), "link.md"),
    "a link out and in again": (("link.md => ../memory/target.md",), "link.md"),
    "a link to itself": (("loop.md => loop.md",), "loop.md"),
    "a folder that is a link to itself": (("loop => loop",), "loop/a.md"),
    "two links to each other": (("one => two", "two => one"), "one/a.md"),
    "a chain": (
        ("link.md => a/b/c/t.md", "a/b => e", "a/e => ../f", "f => g/h/i", "g/h/i => ..", "g/c/"),
        "link.md",
    ),
    "a chain that leads out": (
        ("link.md => a/b/c/n.md", "a/b => e", "a/e => ../../outside", "c/"),
        "link.md",
    ),
    "a linked folder": (("d => people",), "d/lina.md"),
    "a linked folder outside": (("d => ../outside",), "d/n.md"),
    "a linked folder deep down": (("x/y/d => ../../../outside",), "x/y/d/n.md"),
    "a link that ends in a slash": (("d => ../outside/",), "d/n.md"),
    "a link that ends in a dot": (("d => people/.",), "d/lina.md"),
    "a link to the folder itself": (("d => .",), "d/target.md"),
    "a link to the folder above": (("d => ../",), "d/outside/n.md"),
    "a link to what is not there": (("d.md => nowhere.md",), "d.md"),
    "a link to what is not there outside": (("d.md => ../outside/new.md",), "d.md"),
    "a folder that is a link to what is not there": (("d => ../outside/new",), "d/x.md"),
    "a link into the process": (("d => /proc/self/cwd",), "d/n.md"),
    "a link to a descriptor": (("d.md => /dev/fd/0",), "d.md"),
    "dots after a link": (("d => people",), "d/../target.md"),
    "dots before a link": (("d => people",), "people/../d/lina.md"),
    "a slash after a link": (("link.md => target.md",), "link.md/"),
    "a slash after a link to a folder": (("link.md => people",), "link.md/"),
    "a slash after a link out and in again": (("link.md => ../memory/target.md",), "link.md/"),
    "a note that is a link to the folder above": (("link.md => ../",), "link.md"),
    "a note that is a link to the one above that": (("dir/link.md => ../../",), "dir/link.md"),
    "dots after a linked folder deep down": (("a => b/c", "b/c/"), "a/../target.md"),
    "dots before a linked folder deep down": (("a => b/c", "b/c/"), "b/../a/target.md"),
}
KINDS: dict[str, tuple[tuple[str, ...], str]] = {
    "a named pipe": (("p.md |",), "p.md"),
    "a named pipe as folder": (("p |",), "p/x.md"),
    "a socket": (("s.md =",), "s.md"),
    "a socket as folder": (("s =",), "s/x.md"),
    "a folder": (("dir.md/",), "dir.md"),
    "a file as folder": ((), "target.md/x.md"),
}
NAMES: dict[str, tuple[tuple[str, ...], str]] = {
    "empty": ((), ""),
    "blank": ((), " "),
    "dot": ((), "."),
    "dots": ((), ".."),
    "dots and a slash": ((), "../"),
    "a slash": ((), "/"),
    "a dot in front": ((), "./target.md"),
    "a dot between": ((), "people/./lina.md"),
    "dots between": ((), "people/../target.md"),
    "dots all over": (("a/b/",), "a/../a/b/../../a/b/../b/target.md"),
    "dots in front of each": (("a/b/",), "./a/./b/./target.md"),
    "down and out": ((), "people/../../"),
    "two slashes": ((), "people//lina.md"),
    "a slash behind": ((), "target.md/"),
    "a folder's name": ((), "people/"),
    "out": ((), "../outside/n.md"),
    "out and in again": ((), "../memory/target.md"),
    "down, out and in again": ((), "people/../../memory/target.md"),
    "absolute": ((), "$IN/target.md"),
    "absolute, outside": ((), "$OUT/n.md"),
    "two slashes in front": ((), "//$OUT/n.md"),
    "backslashes": ((), "..\\outside\\n.md"),
    "a drive": ((), "C:\\n.md"),
    "a place on a drive": ((), "C:n.md"),
    "a stream": ((), "n.md:stream.md"),
    "NUL": ((), "a\0.md"),
    "a newline": ((), "a\nb.md"),
    "an escape": ((), "a\x1b[31m.md"),
    "a direction mark": ((), "a\u202ecod.md"),
    "a zero-width space": ((), "a\u200b.md"),
    "a blank Braille cell": ((), "a\u2800.md"),
    "a letter without ink as folder": ((), "\u3164/x.md"),
    "a selector of nothing": ((), "a\ufe0f.md"),
    "a character of private use": ((), "a\ue000.md"),
    "a byte that is no UTF-8": ((), "a\udcff.md"),
    "half a character": ((), "a\ud800.md"),
    "a device's name": ((), "CON.md"),
    "a device's name as folder": ((), "aux/x.md"),
    "a dot at the end of a folder": ((), "a./x.md"),
    "a space at the end of a folder": ((), "a /x.md"),
    "over-long": ((), "x" * 300 + ".md"),
    "201 bytes": ((), "x" * 198 + ".md"),
    "an over-long folder": ((), "y" * 300 + "/x.md"),
    "thousands of folders": ((), "a/" * 3000 + "x.md"),
    "another case": ((), "TARGET.md"),
    "another case of a folder": ((), "People/new.md"),
    "another case of the index": ((), "Index.md"),
    "the index": ((), "index.md"),
    "the tags": ((), "tags.md"),
    "the index as folder": ((), "index.md/x.md"),
    "the tags as folder, in another case": ((), "Tags.MD/x.md"),
    "decomposed": (("caf\u00e9.md",), "cafe\u0301.md"),
    "another way to write it": (("stra\u00dfe.md",), "STRASSE.md"),
    "hidden": ((), ".hidden.md"),
    "in a hidden folder": ((), ".git/x.md"),
    "no Markdown": ((), "target.txt"),
    "only a suffix": ((), ".md"),
    "a suffix in capitals": ((), "target.MD"),
}
CASES = {**LINKS, **KINDS, **NAMES}


def proposals(path: str) -> list[dict[str, object]]:
    """Every operation, with the path in each of its fields."""
    why: dict[str, object] = {"reason": "r"}
    return [
        {"operation": "write", "path": path, "summary": "s", "content": "c\n"},
        {"operation": "edit", "path": path, "edits": [{"old": "x", "new": "y"}], **why},
        {"operation": "replace", "path": path, "text": "q\n", **why},
        {"operation": "delete", "filename": path, "user_command": "u", **why},
        {"operation": "rename", "path": path, "new_path": "fresh.md", **why},
        {"operation": "rename", "path": "people/lina.md", "new_path": path, **why},
        {"operation": "update", "filename": path, "body": "b", **why},
        {"operation": "supersede", "filename": path, **why},
        {
            "operation": "contradiction",
            "filename": path,
            "statement": "s",
            "refinement": {"body": "b"},
            **why,
        },
    ]


@pytest.fixture
def outside(workspace: Workspace) -> Path:
    """A folder beside the memory folder, which holds one note."""
    shutil.rmtree(workspace.memory)
    lay(workspace.memory, workspace.root / "outside", ("people/lina.md", "target.md"))
    made = workspace.root / "outside"
    made.mkdir()
    (made / "n.md").write_text("x\n")
    return made


def said_in_one_sentence(message: str) -> bool:
    return (
        message.endswith(".") and len(message) < 300 and not re.search(r"Errno|Traceback|\w+Error", message)
    )


@pytest.mark.parametrize("case", list(CASES))
def test_a_path_that_leads_astray_is_refused_in_every_field(
    workspace: Workspace, outside: Path, case: str
) -> None:
    layout, path = CASES[case]
    lay(workspace.memory, outside, layout)
    path = path.replace("$IN", str(workspace.memory)).replace("$OUT", str(outside))
    before = everything(workspace.memory), everything(outside)
    (workspace.spool / "b.json").write_text(json.dumps({"id": "b", "proposals": proposals(path)}))
    with Desk(workspace) as desk:
        desk.take_in()
        assert desk.items() == ()
        refused = {refusal.id: refusal.problems for refusal in desk.refusals()}
    assert len(refused) == len(proposals(path))
    for problems in refused.values():
        assert problems
        assert all(said_in_one_sentence(problem.message) for problem in problems)
    assert (everything(workspace.memory), everything(outside)) == before


def test_a_hard_linked_note_is_written_without_its_other_name(workspace: Workspace, outside: Path) -> None:
    lay(workspace.memory, outside, ("h.md + n.md",))
    before = everything(outside)["n.md"][3]
    (workspace.spool / "h.json").write_text(json.dumps(proposals("h.md")[0]))
    with Desk(workspace) as desk:
        desk.take_in()
        assert desk.approve("h", desk.preview("h").plan.hash).ok
    assert everything(outside)["n.md"][3] == before
    assert b"c\n" in (workspace.memory / "h.md").read_bytes()


# --- what is swapped between the look and the yes --------------------------------------------------


def leaf_to_link(memory: Path, outside: Path) -> None:
    (memory / "people/lina.md").unlink()
    (memory / "people/lina.md").symlink_to(outside / "n.md")


def leaf_to_pipe(memory: Path, _: Path) -> None:
    (memory / "people/lina.md").unlink()
    os.mkfifo(memory / "people/lina.md")


def leaf_to_folder(memory: Path, _: Path) -> None:
    (memory / "people/lina.md").unlink()
    (memory / "people/lina.md").mkdir()


def parent_to_link(memory: Path, outside: Path) -> None:
    shutil.rmtree(memory / "people")
    (outside / "lina.md").write_text("x\n")
    (memory / "people").symlink_to(outside)


def parent_to_pipe(memory: Path, _: Path) -> None:
    shutil.rmtree(memory / "people")
    os.mkfifo(memory / "people")


def root_to_link(memory: Path, outside: Path) -> None:
    memory.rename(memory.with_name("moved"))
    (outside / "people").mkdir()
    (outside / "people/lina.md").write_text("x\n")
    memory.symlink_to(outside)


SWAPS = (leaf_to_link, leaf_to_pipe, leaf_to_folder, parent_to_link, parent_to_pipe)
Swap = Callable[[Path, Path], None]


@pytest.mark.parametrize("swap", list(SWAPS), ids=lambda swap: swap.__name__)
def test_a_place_that_is_swapped_leads_nowhere(workspace: Workspace, outside: Path, swap: Swap) -> None:
    """Through the commands: what waits cannot be approved, what was decided not be undone, and nothing hangs."""
    allow_without_terminal()
    here = ("--workspace", workspace.root)
    first, second = proposals("people/lina.md")[0], proposals("people/lina.md")[3]
    with Desk(workspace) as desk:
        for id, fields in (("first", first), ("second", second)):
            desk.propose(json.dumps({**fields, "id": id}).encode())
        assert desk.approve("first", desk.preview("first").plan.hash).ok
        plan = desk.preview("second").plan.hash
    swap(workspace.memory, outside)
    before = everything(outside)
    for command in (["approve", "second", "--plan", plan], ["undo", "1"]):
        ran = memtui(*command, *here)
        assert ran.status == 1
        assert ran.err.count("\n") == 1
    assert memtui("show", "second", *here).status in (0, 1)
    assert memtui("recover", *here).status == 0
    assert everything(outside) == before


@pytest.mark.parametrize("swap", [*SWAPS, root_to_link], ids=lambda swap: swap.__name__)
@pytest.mark.parametrize("nth", [1, 2])
def test_a_place_that_is_swapped_while_it_is_written_leads_nowhere(
    workspace: Workspace, outside: Path, swap: Swap, nth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first synced file, before anything has its name; and at the first name, before the second."""
    fields = {"proposals": [proposals("people/lina.md")[0], proposals("target.md")[0]]}
    (workspace.spool / "b.json").write_text(json.dumps(fields))
    call, count, seen = ("fsync", "rename")[nth - 1], 0, everything(outside)
    real = getattr(os, call)

    def swapping(*values: object, **named: object) -> object:
        nonlocal count, seen
        count += 1
        if count == 1:
            swap(workspace.memory, outside)
            seen = everything(outside)
        return real(*values, **named)

    with Desk(workspace) as desk:
        desk.take_in()
        shown = desk.preview_together([("b.1", Choices()), ("b.2", Choices())])
        monkeypatch.setattr(os, call, swapping)
        outcomes = desk.approve_together([Wanted(p.item.id, p.plan.hash) for p in shown])
        monkeypatch.undo()
    assert count
    if not outcomes[0].ok:
        assert outcomes[0].message.count("\n") == 0
    assert {name: held for name, (*_, held) in everything(outside).items()} == {
        name: held for name, (*_, held) in seen.items()
    }


@pytest.mark.skipif(not has_strace(), reason="strace is not installed, or may not trace")
@pytest.mark.parametrize(
    "case", ["a linked folder outside", "an absolute link out", "a chain that leads out"]
)
def test_nothing_outside_is_even_opened(
    workspace: Workspace, outside: Path, case: str, tmp_path: Path
) -> None:
    layout, path = LINKS[case]
    lay(workspace.memory, outside, layout)
    (workspace.spool / "b.json").write_text(json.dumps({"proposals": proposals(path)}))
    log = tmp_path / "calls"
    command = ["strace", "-qq", "-f", "-y", "-o", str(log), "-e", "trace=%file,%desc"]
    done = subprocess.run(
        [*command, sys.executable, "-m", "memtui", "inbox", "--workspace", str(workspace.root)],
        cwd=PROJECT, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    opened = [line for line in log.read_text(errors="replace").splitlines() if f"<{outside}" in line]
    assert opened == []
