"""What each operation needs, and what its fields may say (SPEC.md section 3)."""

from __future__ import annotations

from typing import Any

import pytest

from memtui.proposals.model import (
    Add,
    Contradiction,
    Delete,
    Edit,
    NewTag,
    Rename,
    Replace,
    Supersede,
    TextEdit,
    Update,
    Write,
)
from tests.proposals.examples import (
    ADD,
    CONTRADICTION,
    DELETE,
    EDIT,
    EVERY,
    RENAME,
    REPLACE,
    SUPERSEDE,
    UPDATE,
    WRITE,
    one,
    problems,
)

# --- operations ----------------------------------------------------------------------------------


def test_each_operation_becomes_its_own_kind_of_proposal() -> None:
    kinds = [type(one(fields)) for fields in EVERY]
    assert kinds == [Add, Write, Update, Supersede, Delete, Contradiction, Edit, Replace, Rename]


def test_memory_write_is_write() -> None:
    made = one({**WRITE, "operation": "memory_write"})
    assert isinstance(made, Write)
    assert made.operation == "write"


@pytest.mark.parametrize("operation", ["remember", "Write", "", None, 7, ["add"]])
def test_an_unknown_operation_is_a_problem(operation: object) -> None:
    assert set(problems({"operation": operation})) == {"operation"}


def test_an_unknown_operation_lists_the_known_ones() -> None:
    message = problems({"operation": "remember"})["operation"]
    assert "write, add, update" in message


@pytest.mark.parametrize(
    ("fields", "needed"),
    [
        (WRITE, ["path", "summary", "content"]),
        (ADD, ["title", "body", "type", "confidence", "context"]),
        (UPDATE, ["filename", "reason", "body"]),
        (SUPERSEDE, ["filename", "reason"]),
        (DELETE, ["filename", "reason", "user_command"]),
        (CONTRADICTION, ["filename", "statement", "reason"]),
        (EDIT, ["path", "edits", "reason"]),
        (REPLACE, ["path", "text", "reason"]),
        (RENAME, ["path", "new_path", "reason"]),
    ],
)
def test_each_missing_field_is_named_once_and_alone(fields: dict[str, Any], needed: list[str]) -> None:
    for name in needed:
        found = problems({key: value for key, value in fields.items() if key != name})
        assert list(found) == [name]
        assert found[name].startswith(f"`{name}` is missing")
    assert set(problems({"operation": fields["operation"]})) == set(needed) | (
        {"refinement"} if fields is CONTRADICTION else set()
    )


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        (WRITE, "summary"),
        (ADD, "title"),
        (ADD, "body"),
        (ADD, "context"),
        (UPDATE, "body"),
        (UPDATE, "reason"),
        (DELETE, "user_command"),
        (CONTRADICTION, "statement"),
        (RENAME, "new_path"),
    ],
)
def test_a_blank_field_is_a_problem(fields: dict[str, Any], name: str) -> None:
    assert problems({**fields, name: " \n\t "}) == {name: problems({**fields, name: ""})[name]}


def test_delete_without_the_persons_words_says_why_they_are_needed() -> None:
    message = problems({**DELETE, "user_command": None})["user_command"]
    assert "explicit words" in message


def test_every_wrong_field_is_told_at_once() -> None:
    fields = {**ADD, "title": 5, "type": "idea", "confidence": "sure", "tags": "a, b", "attended": "yes"}
    assert list(problems(fields)) == ["title", "type", "confidence", "tags", "attended"]


@pytest.mark.parametrize("value", [5, 1.5, True, ["a"], {"a": 1}])
def test_text_is_never_made_from_something_else(value: object) -> None:
    for name in ("title", "body", "context", "hook", "agent", "created"):
        assert list(problems({**ADD, name: value})) == [name]


def test_one_line_fields_are_collapsed() -> None:
    made = one({**ADD, "title": " a\n b ", "hook": "c\td", "context": "e\r\nf", "reason": "g\u2028h"})
    assert isinstance(made, Add)
    assert (made.title, made.hook, made.context, made.reason) == ("a b", "c d", "e f", "g h")
    update = one({**UPDATE, "change": "a\nb", "fields": {"title": "c\nd"}})
    assert isinstance(update, Update)
    assert (update.change, update.fields["title"]) == ("a b", "c d")


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x9b"])
def test_a_control_character_in_a_line_is_a_problem_of_its_field(character: str) -> None:
    text = f"a{character}b"
    for fields, names in (
        (ADD, ("title", "context", "hook", "reason")),
        (UPDATE, ("reason", "change", "hook")),
        (WRITE, ("summary",)),
    ):
        for name in names:
            told = problems({**fields, name: text})
            assert list(told) == [name]
            assert f"U+{ord(character):04X}" in told[name]
    assert list(problems({**UPDATE, "fields": {"title": text}})) == ["fields.title"]
    assert list(problems({**ADD, "new_tags": [{"tag": "a", "description": text}]})) == [
        "new_tags[0].description"
    ]
    assert one({**ADD, "agent": text, "body": text, "title": "a\tb\r\nc"})


def test_tags_are_normalised_and_each_kept_once() -> None:
    made = one({**ADD, "tags": ["#Health", "food", "health", "long  run"]})
    assert isinstance(made, Add)
    assert made.tags == ("health", "food", "long-run")


@pytest.mark.parametrize(
    ("tags", "field"),
    [
        ("health, food", "tags"),
        ([1], "tags[0]"),
        (["a", " "], "tags[1]"),
        (["a, b"], "tags[0]"),
        ([["a"]], "tags[0]"),
    ],
)
def test_tags_that_are_no_list_of_words_are_a_problem(tags: object, field: str) -> None:
    assert list(problems({**ADD, "tags": tags})) == [field]


def test_new_tags_are_read_whole() -> None:
    given = {"tag": "Music", "level": 2, "parent": "#culture", "not_to_be_confused_with": ["sound"]}
    made = one({**ADD, "new_tags": [given, {"tag": "art"}]})
    assert isinstance(made, Add)
    assert made.new_tags == (NewTag("music", 2, "culture", "", ("sound",)), NewTag("art"))


@pytest.mark.parametrize(
    ("new_tags", "field"),
    [
        ([{"level": 1}], "new_tags[0].tag"),
        ([{"tag": "a", "level": 4}], "new_tags[0].level"),
        ([{"tag": "a", "level": True}], "new_tags[0].level"),
        ([{"tag": "a", "colour": "red"}], "new_tags[0].colour"),
        (["a"], "new_tags[0]"),
        ({"tag": "a"}, "new_tags"),
    ],
)
def test_new_tags_that_are_wrong_name_the_field(new_tags: object, field: str) -> None:
    assert list(problems({**ADD, "new_tags": new_tags})) == [field]


@pytest.mark.parametrize(
    "path",
    ["../x.md", "/etc/x.md", "a/../../x.md", "x.txt", ".hidden.md", "a/.b/x.md", "", "a\x00b.md", "./x.md"],
)
def test_a_path_that_cannot_be_a_note_is_a_problem(path: str) -> None:
    assert list(problems({**WRITE, "path": path})) == ["path"]
    assert list(problems({**DELETE, "filename": path})) == ["filename"]
    assert list(problems({**RENAME, "new_path": path})) == ["new_path"]


@pytest.mark.parametrize("path", ["x:y.md", "back\\s.md", "a\u202eb.md", "con.md"])
def test_a_name_that_may_exist_is_left_to_the_plan(path: str) -> None:
    assert one({**WRITE, "path": path}).target == path
    assert one({**DELETE, "filename": path}).target == path


@pytest.mark.parametrize("path", ["index.md", "tags.md", "Index.MD".replace("MD", "md"), "TAGS.md"])
def test_index_and_tags_are_never_a_target(path: str) -> None:
    for fields, name in ((WRITE, "path"), (UPDATE, "filename"), (DELETE, "filename"), (RENAME, "new_path")):
        assert list(problems({**fields, name: path})) == [name]
    assert one({**WRITE, "path": f"folder/{path}"})


@pytest.mark.parametrize(
    "body", ["---\nx: 1\n---\nHi", "\n\n--- \nHi", "text\n\n## Change log\n- x", "# change LOG"]
)
def test_a_body_with_its_own_frontmatter_or_log_is_a_problem(body: str) -> None:
    assert list(problems({**ADD, "body": body})) == ["body"]
    assert list(problems({**UPDATE, "body": body})) == ["body"]


def test_a_body_may_speak_of_a_change_log_in_a_code_block() -> None:
    assert one({**ADD, "body": "How it looks:\n```\n## Change log\n```\n"})


def test_content_is_capped_in_bytes_and_opens_without_yaml() -> None:
    assert one({**WRITE, "content": "é" * (32 * 1024)})
    assert list(problems({**WRITE, "content": "é" * (32 * 1024) + "x"})) == ["content"]
    assert list(problems({**WRITE, "content": "---\na: b\n---\n"})) == ["content"]
    assert one({**WRITE, "content": ""})
    assert one({**WRITE, "content": "----\nnot yaml"})


@pytest.mark.parametrize("name", ["status", "created", "updated", "superseded_at", "superseded_by"])
def test_what_memtui_keeps_cannot_be_updated(name: str) -> None:
    assert list(problems({**UPDATE, "fields": {name: "x"}})) == [f"fields.{name}"]


def test_update_checks_the_fields_it_knows_and_takes_others_as_text() -> None:
    made = one({**UPDATE, "fields": {"type": "goal", "tags": ["A b"], "aliases": ["x", "y"], "mood": "ok"}})
    assert isinstance(made, Update)
    assert made.fields == {"type": "goal", "tags": ("a-b",), "aliases": ("x", "y"), "mood": "ok"}
    wrong = {
        "type": "idea",
        "confidence": "sure",
        "title": " ",
        "mood": 5,
        "a:b": "x",
        "tags": None,
        "1x": "x",
    }
    assert set(problems({**UPDATE, "fields": wrong})) == {f"fields.{name}" for name in wrong}
    assert "no name for a field" in problems({**UPDATE, "fields": {"title ": "x"}})["fields.title"]
    assert one({**UPDATE, "fields": {"date seen": "x"}})


def test_update_needs_something_to_change() -> None:
    assert list(problems({**UPDATE, "body": None, "fields": {}})) == ["body"]
    assert one({**UPDATE, "body": None, "hook": "new"})
    assert one({**UPDATE, "body": None, "fields": {"confidence": "low"}})


def test_supersede_refuses_the_entry_itself_as_successor() -> None:
    assert list(problems({**SUPERSEDE, "successor": "1-run.md"})) == ["successor"]
    assert list(problems({**SUPERSEDE, "successor": "ref:new"})) == ["successor"]
    assert one({**SUPERSEDE, "successor": "2-run.md"})


def test_members_of_a_contradiction_inherit() -> None:
    made = one(CONTRADICTION)
    assert isinstance(made, Contradiction)
    assert made.refinement is not None
    assert made.replacement is not None
    assert (made.refinement.filename, made.refinement.reason) == ("1-vegetarian.md", "conflicts")
    assert (made.refinement.agent, made.replacement.agent, made.replacement.reason) == (
        "claude-code",
        "claude-code",
        "conflicts",
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"refinement": None, "replacement": None}, "refinement"),
        ({"refinement": "x"}, "refinement"),
        ({"refinement": {"change": "x"}}, "refinement.body"),
        ({"refinement": {"body": "x", "filename": "2.md"}}, "refinement.filename"),
        ({"refinement": {"operation": "delete", **DELETE}}, "refinement.operation"),
        ({"replacement": {"title": "x"}}, "replacement.type"),
    ],
)
def test_a_wrong_member_of_a_contradiction_names_the_field(change: dict[str, Any], field: str) -> None:
    assert field in problems({**CONTRADICTION, **change})


def test_what_a_member_inherits_is_told_once() -> None:
    assert list(problems({**CONTRADICTION, "reason": None, "source": "rumour"})) == ["reason", "source"]


@pytest.mark.parametrize(
    ("edits", "field"),
    [
        ([], "edits"),
        ("x", "edits"),
        (["x"], "edits[0]"),
        ([{"old": "", "new": "x"}], "edits[0].old"),
        ([{"old": "a"}], "edits[0].new"),
        ([{"old": "a", "new": "b"}, {"old": "a", "new": "a"}], "edits[1].new"),
        ([{"old": "a", "new": "b", "replace_all": True}], "edits[0].replace_all"),
    ],
)
def test_wrong_edits_name_the_field(edits: object, field: str) -> None:
    assert list(problems({**EDIT, "edits": edits})) == [field]


def test_edits_keep_every_blank() -> None:
    made = one({**EDIT, "edits": [{"old": " \n", "new": ""}]})
    assert isinstance(made, Edit)
    assert made.edits == (TextEdit(" \n", ""),)


def test_a_rename_onto_itself_is_a_problem() -> None:
    assert list(problems({**RENAME, "new_path": "a.md"})) == ["new_path"]


def test_types_of_the_persons_own_are_known() -> None:
    assert "type" in problems({**ADD, "type": "idea"})
    assert one({**ADD, "type": "idea"}, types=("idea",))


# --- claims --------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["user", "conversation", "file", "web", "inferred"])
def test_known_sources(source: str) -> None:
    assert one({**ADD, "source": source}).source == source


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("source", "rumour"),
        ("attended", "true"),
        ("attended", 1),
        ("base_sha256", "abc"),
        ("base_sha256", "g" * 64),
        ("agent", "x" * 1001),
        ("cwd", "x" * 1001),
        ("agent", "you"),
        ("agent", " You "),
    ],
)
def test_a_wrong_claim_is_a_problem(name: str, value: object) -> None:
    assert list(problems({**ADD, name: value})) == [name]


def test_the_hash_is_kept_in_lower_case() -> None:
    assert one({**ADD, "base_sha256": "AB" * 32}).base_sha256 == "ab" * 32


def test_unknown_fields_are_kept() -> None:
    made = one({**ADD, "mood": {"a": [1, None, True, 1.5]}, "path": "x"})
    assert made.unknown == {"mood": {"a": [1, None, True, 1.5]}, "path": "x"}


def test_null_is_as_good_as_absent() -> None:
    assert one({**ADD, "hook": None, "agent": None, "attended": None, "tags": None}) == one(
        {key: value for key, value in ADD.items() if key != "tags"}
    )
