"""Decode: spool bytes to proposals, or to problems that name their fields (SPEC.md sections 3 and 4)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes import entry, vocabulary
from memtui.proposals.decode import decode, id_of_name
from memtui.proposals.model import Add, Replace, Write
from tests.proposals.examples import ADD, DELETE, EVERY, RENAME, SUPERSEDE, bad, one, problems, read

# --- ids -----------------------------------------------------------------------------------------


def test_an_id_in_the_file_is_explicit() -> None:
    decoded = read({**ADD, "id": "hook-7f3a"})
    assert (decoded.id, decoded.explicit_id, decoded.proposals[0].id) == ("hook-7f3a", True, "hook-7f3a")


@pytest.mark.parametrize("id", ["", ".x", "-x", "a b", "a/b", "ä", "x" * 73, 5, ["a"], "a\n"])
def test_an_id_that_does_not_fit_is_a_problem_under_the_files_name(id: object) -> None:
    decoded = read({**ADD, "id": id}, "note.json")
    assert (decoded.id, decoded.explicit_id) == ("note", False)
    assert [problem.field for problem in decoded.problems["note"]] == ["id"]


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("note.json", "note"),
        ("a.b_c-1.yaml", "a.b_c-1"),
        ("x" * 72 + ".json", "x" * 72),
        ("my note.json", "mynote-e36c8e8b"),
        ("заметка.md", "proposal-dcf74df8"),
    ],
)
def test_the_id_comes_from_the_files_name(name: str, id: str) -> None:
    made = id_of_name(name)
    assert made.rpartition("-")[0] == id.rpartition("-")[0]
    assert len(made) == len(id)
    assert id_of_name(name) == made


@given(st.text(max_size=200))
def test_every_file_name_gives_an_id_that_fits(name: str) -> None:
    id = id_of_name(name.encode("utf-8", "replace").decode())
    assert 1 <= len(id) <= 72
    assert id.isascii()
    assert read({**ADD, "id": id}).explicit_id


def test_an_id_can_be_given_from_outside() -> None:
    decoded = read({**ADD}, id="other")
    assert (decoded.id, decoded.proposals[0].id, decoded.explicit_id) == ("other", "other", False)
    assert problems({**ADD, "agent": "you"}, id="other")
    assert one({**ADD, "agent": "you", "id": "!"}, id="other", edited=True).agent == "you"


def test_a_bad_file_still_tells_id_agent_and_operation() -> None:
    decoded = read({"operation": "add", "id": "a1", "agent": "codex"})
    assert decoded.problems["a1"]
    assert decoded.claims["a1"] == {"operation": "add", "agent": "codex"}


# --- formats -------------------------------------------------------------------------------------


def test_markdown_holds_the_body_under_its_frontmatter() -> None:
    head = (
        "---\noperation: {}\ntitle: 'Coffee: none'\ntype: fact\nconfidence: high\n"
        "context: x\n{}---\n\nTea is fine.\n"
    )
    add = decode("a.md", head.format("add", "tags: [health, food]\n").encode()).proposals[0]
    assert isinstance(add, Add)
    assert (add.body, add.tags, add.title) == ("Tea is fine.\n", ("health", "food"), "Coffee: none")
    write = decode(
        "a.md", b"---\r\noperation: memory_write\r\npath: a.md\r\nsummary: s\r\n---\r\nHi\r\n"
    ).proposals[0]
    assert isinstance(write, Write)
    assert write.content == "Hi\r\n"
    replace = decode(
        "a.md", b"---\noperation: replace\npath: a.md\nreason: r\n---\n\n---\na: b\n---\n"
    ).proposals[0]
    assert isinstance(replace, Replace)
    assert replace.text == "\n---\na: b\n---\n"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("no frontmatter", ""),
        ("---\noperation: add\n", ""),
        ("+++\noperation = 'add'\n+++\n", ""),
        ("---\n- a\n---\n", ""),
        ("---\noperation: rename\npath: a.md\nnew_path: b.md\nreason: r\n---\nbody\n", "body"),
        ("---\noperation: write\npath: a.md\nsummary: s\ncontent: a\n---\nbody\n", "content"),
    ],
)
def test_markdown_that_is_wrong_names_the_place(text: str, field: str) -> None:
    assert bad(decode("a.md", text.encode())) == {"a": [field]}


def test_yaml_scalars_stay_text_where_text_is_wanted() -> None:
    text = (
        "operation: write\npath: a.md\nsummary: 2024-01-10\ncontent: no\n"
        "session: 0600\nattended: true\nextra: 5\nwhen: 2024-01-10\nold: '5'\n"
    )
    made = decode("a.yml", text.encode()).proposals[0]
    assert isinstance(made, Write)
    assert (made.summary, made.content, made.session, made.attended) == ("2024-01-10", "no", "0600", True)
    assert made.unknown == {"extra": 5, "when": "2024-01-10", "old": "5"}


@pytest.mark.parametrize("value", ["yes", "on", "1", "'true'", "[]"])
def test_attended_in_yaml_is_true_or_false(value: str) -> None:
    text = f"operation: write\npath: a.md\nsummary: s\ncontent: c\nattended: {value}\n"
    assert bad(decode("a.yaml", text.encode())) == {"a": ["attended"]}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("{extra}: !!python/object/apply:os.system [x]", "extra"),
        ("extra: &a x", "extra"),
        ("extra: [*a]", "extra[0]"),
        ("<<: {a: b}", "<<"),
        ("reason: a\nreason: b", "reason"),
        ("extra: {a: 1, a: 2}", "extra.a"),
    ],
)
def test_yaml_beyond_plain_data_is_named(text: str, field: str) -> None:
    text = "operation: write\npath: a.md\nsummary: s\ncontent: c\n" + text.replace("{extra}", "extra")
    assert bad(decode("a.yaml", text.encode())) == {"a": [field]}


def test_json_says_where_it_is_cut_off_or_wrong() -> None:
    message = decode("a.json", b'{"operation": "add", "title": "cut off in the mid').problems["a"][0].message
    assert "cut off at line 1, column 50" in message
    message = decode("a.json", b'{"operation": "add",\n "title" 5}').problems["a"][0].message
    assert "line 2, column 10" in message


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('"x": NaN', "x"),
        ('"x": {"y": [-Infinity]}', "x.y[0]"),
        ('"x": 1e999', "x"),
        ('"x": ' + "1" * 5000, "x"),
        ('"x": "\\ud800"', "x"),
        ('"reason": "a", "reason": "b"', "reason"),
        ('"x": [{"a": 1, "a": 2}]', "x[0].a"),
        ('"' + "k" * 101 + '": 1', "k" * 79 + "…"),
        ('"x": ' + "[" * 25 + "]" * 25, "x"),
    ],
)
def test_json_values_that_cannot_be_kept_are_named(text: str, field: str) -> None:
    body = json.dumps(RENAME)[:-1] + ", " + text + "}"
    decoded = decode("a.json", body.replace('"reason": "r", ', "", "reason" in text).encode())
    assert field in bad(decoded)["a"]
    assert not decoded.proposals


def test_a_bom_is_taken_and_other_encodings_are_not() -> None:
    assert decode("a.json", b"\xef\xbb\xbf" + json.dumps(ADD).encode()).proposals
    assert bad(decode("a.json", json.dumps(ADD).encode("utf-16"))) == {"a": [""]}
    assert "byte 3" in decode("a.json", b'{"\xff').problems["a"][0].message


HOSTILE = {
    "arrays.json": b"[" * 100_000,
    "tables.json": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "list.json": b"[1]",
    "large.json": b" " * ((1 << 20) + 1),
    "values.json": b'{"x":[' + b"[]," * 300_000 + b"1]}",
    "names.json": ("{" + ",".join(f'"k{i}":1' for i in range(80_000)) + "}").encode(),
    "common.json": json.dumps({"reason": "x" * 900_000, "proposals": [DELETE] * 500}).encode(),
    "chain.json": json.dumps(
        {"proposals": [{**SUPERSEDE, "ref": f"{i}", "successor": f"ref:{i + 1}"} for i in range(500)]}
    ).encode(),
    "bomb.yaml": b"a: &a [x,x,x]\n" + b"".join(b"k%d: [*a,*a,*a]\n" % i for i in range(30_000)),
    "flow.yaml": b"[" * 1_000_000,
    "dashes.yaml": b"- " * 500_000,
    "marks.yaml": b"? " * 500_000,
    "keys.yaml": b"".join(b"k%d: 1\n" % i for i in range(90_000)),
    "block.yaml": b"operation: replace\ntext: |\n" + b"  a\n" * 250_000,
    "documents.yaml": b"a: 1\n---\nb: 2\n",
    "control.yaml": b"a: \x1b[31m\n",
    "escape.yaml": b'a: "\\UFFFFFFFF"\n',
    "rules.md": b"---\n" * 250_000,
    "blanks.md": b"---\noperation: add\n---\n" + b" \t\n" * 300_000 + b"x",
    "nothing.json": b"",
    "other.txt": b"{}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_are_answered_with_a_problem(name: str) -> None:
    decoded = decode(name, HOSTILE[name])
    assert decoded.problems
    assert not decoded.proposals


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["a.json", "a.yaml", "a.md", "a"]), st.binary(max_size=300))
def test_no_bytes_raise(name: str, data: bytes) -> None:
    assert decode(name, data).problems
    decode("b.md", b"---\noperation: add\n" + data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(EVERY), st.data())
def test_no_values_raise(fields: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(
        st.sampled_from([*fields, "id", "tags", "new_tags", "fields", "attended", "proposals", "ref"])
    )
    decoded = read({**fields, name: data.draw(JSON)})
    assert decoded.proposals or decoded.problems
    for each in decoded.problems.values():
        for problem in each:
            assert "\n" not in problem.message
            assert len(problem.message) < 400
            problem.message.encode()


def test_the_vocabulary_is_that_of_entries() -> None:
    assert (vocabulary.TYPES, vocabulary.CONFIDENCES) == (entry.TYPES, entry.CONFIDENCES)


def test_reading_json_loads_no_yaml() -> None:
    program = (
        "import sys, json; from memtui.proposals.decode import decode;"
        f"assert decode('a.json', {json.dumps(ADD)!r}.encode()).proposals;"
        "sys.exit(bool({'yaml', 'frontmatter', 'anyascii', 'rapidfuzz'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_field_name_over_two_lines_is_named_on_one() -> None:
    decoded = read(
        {"operation": "update", "filename": "a.md", "reason": "r", "body": "b", "fields": {"a\nb": "c"}}
    )
    [[problem]] = decoded.problems.values()
    assert "`fields.a b`" in problem.message


_MANY = {f"f{number}": number for number in range(200)}


@pytest.mark.parametrize(
    ("fields", "name", "said"),
    [
        ({**ADD, **_MANY}, "", f"The file has {len(ADD) + 200} fields: give at most 200 in one table."),
        ({**ADD, "x": _MANY}, "", ""),
        ({**ADD, "x": {**_MANY, "more": 1}}, "", "`x` has 201 fields: give at most 200 in one table."),
        ({**ADD, "x": [0] * 1_900}, "", ""),
        ({**ADD, "x": [0] * 2_000}, "", "`x` has 2,000 values, with which the proposal has more than 2,000"),
        ({**ADD, "tags": ["x"] * 501}, "tags", "`tags` has 501 items: give at most 500."),
        ({**ADD, "tags": ["x"] * 9_000}, "", "`tags` has 9,000 values, with which the proposal has"),
        ({"proposals": [ADD] * 500}, "", ""),
        ({"proposals": [ADD] * 501}, "proposals", "`proposals` has 501 members: send at most 500."),
        ({"proposals": [{**ADD, "x": [0] * 900}] * 30}, "proposals", "holds more than 20,000 values"),
        ({"proposals": [ADD], **_MANY, "f": 0}, "", "The file has 201 fields"),
        ({"proposals": [ADD] * 500, "x": [0] * 90}, "proposals", "common fields counted for each member"),
    ],
)
@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_too_many_of_anything_is_one_problem_that_says_how_many_are_taken(
    fields: dict[str, Any], name: str, said: str, suffix: str
) -> None:
    decoded = read(fields, f"it.{suffix}")  # JSON is YAML
    told = [problem for problems in decoded.problems.values() for problem in problems]
    if not said:
        assert not told
    elif suffix == "json":
        assert [problem.field for problem in told] == [name]
        assert said in told[0].message
    else:
        assert len(told) == 1


def test_a_table_of_very_many_fields_is_refused_at_the_first_one_too_many() -> None:
    [[problem]] = decode("it.yaml", b"x: y\n" * 100_000).problems.values()
    assert problem.message == "The YAML cannot be read at line 201: a table has more than 200 fields."
