"""The health check: links of notes that lead nowhere, and chains of successors."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.notes.folder import Folder
from memtui.reading.health import check
from memtui.reading.library import Library

TAGS = "## L1\n\n- **#x** — x.\n- **#y** — y.\n"


def entry(title: str, *, status: str = "active", more: str = "", body: str = "Body.") -> str:
    fields = f"title: {title}\ntags: [x, y]\ntype: fact\nconfidence: high\nstatus: {status}\n"
    return f"---\n{fields}created: 2024-01-01\nupdated: 2024-01-01\n{more}---\n\n{body}\n"


def found(root: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    """File and message of every fault of the kind "link"; other faults must not be there."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    folder = Folder(root)
    faults = [finding for finding in check(folder, Library(folder, 2048)) if not finding.advice]
    assert {finding.kind for finding in faults} <= {"link"}
    return [(finding.file, finding.message) for finding in faults]


@pytest.mark.parametrize(
    "link",
    [
        "[x](people/lina.md)",
        "[x](people/lina.md#part)",
        "[x](people/lina.md?raw)",
        "[x](people/lina)",
        "[x](people/)",
        "[x](people)",
        "[x](./people/../people/lina.md)",
        "[x](<people/two words.md>)",
        "[x](people/two%20words.md)",
        "[x](%70eople/lina.md)",
        "[x](why%3F.md)",
        "[x](why?.md)",
        "[x](#part)",
        "[x](https://example.org/gone.md)",
        "[x](mailto:lina@example.org)",
        "[x](/absolute/gone.md)",
        "[x](../outside/gone.md)",
        "[x](picture.png)",
        "`[x](gone.md)`",
        "    [x](gone.md)",
        "```\n[x](gone.md)\n```",
        "<!-- [x](gone.md) -->",
        "<a title='[x](gone.md)'>",
        "\\[x](gone.md)",
        "[^1]: gone.md",
        "[[gone]]",
        "## Change log\n- 2024-01-01 — made; see [x](kept.md)",
    ],
)
def test_a_link_that_leads_somewhere_and_what_is_no_link_are_no_finding(tmp_path: Path, link: str) -> None:
    files = {"people/lina.md": "x\n", "people/two words.md": "x\n", "why?.md": "x\n", "kept.md": "x\n"}
    assert found(tmp_path, {**files, "a.md": f"Text.\n\n{link}\n"}) == []


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("[x](gone.md)", "gone.md"),
        ("[x](gone.md#part)", "gone.md#part"),
        ("[x](gone.md?raw)", "gone.md?raw"),
        ("[x](gone)", "gone"),
        ("[x](Lina.md)", "Lina.md"),
        ("![x](deep/gone.md 'title')", "deep/gone.md"),
        ("[x](<two words.md>)", "<two words.md>"),
        ("[x](gone%20too.md)", "gone%20too.md"),
        ("[x]: gone.md\n\n[x]", "gone.md"),
        ("> [x](gone.md)", "gone.md"),
        ("- [x](\n  gone.md)", "gone.md"),
        ("[x](gone.md) and [y](gone.md) `[z](other.md)`", "gone.md"),
    ],
)
def test_a_link_that_leads_nowhere_is_named_once(tmp_path: Path, link: str, named: str) -> None:
    [(file, message)] = found(tmp_path, {"p/a.md": f"Text.\n\n{link}\n", "p/lina.md": "x\n"})
    assert file == "p/a.md"
    assert message == f"its link to {named} leads nowhere: correct it or take it out"


def test_a_link_is_meant_from_the_folder_of_its_note(tmp_path: Path) -> None:
    files = {"p/a.md": "[x](../b.md) [y](b.md)\n", "b.md": "x\n"}
    assert found(tmp_path, files) == [("p/a.md", "its link to b.md leads nowhere: correct it or take it out")]


def test_a_change_log_may_link_to_what_is_gone(tmp_path: Path) -> None:
    log = "Body.\n\n## Change log\n- 2024-01-01 — marked deprecated: old; see [B](b.md)"
    index = "## Entries\n- [A](a.md) — fact, [x, y], hook\n"
    files = {"a.md": entry("A", body=log), "index.md": index, "tags.md": TAGS}
    assert found(tmp_path, files) == []


def test_a_link_in_a_pages_own_text_is_named_and_an_index_line_is_not_named_twice(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "index.md").write_text(
        "See [the plan](plan.md).\n\n## Entries\n- [A](a.md) — fact, [x, y], hook\n", encoding="utf-8"
    )
    told = [(finding.kind, finding.message) for finding in check(folder, Library(folder, 2048))]
    assert told == [
        ("index", "a line names a.md, which does not exist: remove it"),
        ("link", "its link to plan.md leads nowhere: correct it or take it out"),
    ]


# --- successors ----------------------------------------------------------------------------------


def chain(root: Path, **successors: str) -> list[tuple[str, str]]:
    """Faults of deprecated entries by name, each with what its `superseded_by` says."""
    files, lines = {"tags.md": TAGS}, ["## Entries"]
    for name, successor in successors.items():
        files[f"{name}.md"] = entry(
            name.upper(), status="deprecated", more=f"superseded_at: 2024-01-01\nsuperseded_by: {successor}\n"
        )
        lines.append(f"- [{name.upper()}]({name}.md) — fact, [x, y], hook [deprecated]")
    files["end.md"] = entry("End")
    lines.append("- [End](end.md) — fact, [x, y], hook")
    return found(root, files | {"index.md": "\n".join(lines) + "\n"})


@pytest.mark.parametrize(
    "successors", [{"a": "b.md", "b": "c.md", "c": "end.md"}, {"a": "./b.md", "b": "'end.md '"}]
)
def test_a_chain_that_ends_is_no_finding(tmp_path: Path, successors: dict[str, str]) -> None:
    assert chain(tmp_path, **successors) == []


@pytest.mark.parametrize(
    ("successors", "files"),
    [
        ({"a": "a.md"}, ["a.md"]),
        ({"a": "b.md", "b": "a.md"}, ["a.md", "b.md"]),
        ({"a": "b.md", "b": "c.md", "c": "b.md"}, ["b.md", "c.md"]),
    ],
)
def test_a_chain_that_comes_back_is_named_at_each_of_its_links(
    tmp_path: Path, successors: dict[str, str], files: list[str]
) -> None:
    told = chain(tmp_path, **successors)
    assert [file for file, _ in told] == files
    assert all("comes back to itself" in message for _, message in told)


def test_a_successor_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert chain(tmp_path, a="gone.md") == [("a.md", "its successor gone.md does not exist: drop the link")]


def test_a_list_of_successors_is_named(tmp_path: Path) -> None:
    assert chain(tmp_path, a="[b.md]") == [
        ("a.md", "its superseded_by is no plain text: name one file there")
    ]


# --- wiki links ----------------------------------------------------------------------------------


def advised(root: Path, text: str) -> list[str]:
    """What is advised about the wiki links of a note, among others that it may name."""
    for path, written in {
        "people/lina.md": "---\ntitle: My daughter\n---\nx\n",
        "b.md": "x\n",
        "a.md": text,
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(written, encoding="utf-8")
    folder = Folder(root)
    findings = check(folder, Library(folder, 2048))
    assert [f for f in findings if not f.advice] == []
    assert check(folder, Library(folder, 2048), advice=False) == ()
    return [finding.message for finding in findings if finding.kind == "wiki-link"]


@pytest.mark.parametrize(
    "text",
    [
        "[[lina]] [[people/lina|x]] [[LINA#part]] [[my daughter]] [[b.md]]",
        "`[[gone]]` <!-- [[gone]] -->\n\n    [[gone]]\n",
        "![[picture.png]] [[Table.base#View]]",
        "[[#part]]",
    ],
)
def test_wiki_links_that_lead_somewhere_or_to_no_note_are_passed_over(tmp_path: Path, text: str) -> None:
    assert advised(tmp_path, text) == []


def test_wiki_links_to_notes_yet_to_be_written_are_advice_a_sentence_a_note(tmp_path: Path) -> None:
    assert advised(tmp_path, "[[gone]] [[gone|x]]\n") == [
        "its wiki link [[gone]] leads to no note: write it, or correct the link"
    ]
    names = " ".join(f"[[g{n}]]" for n in range(7))
    assert advised(tmp_path, names) == [
        "its wiki links [[g0]], [[g1]], [[g2]], [[g3]], [[g4]] and 2 more lead to no note: write them, or correct the"
        " links"
    ]
