"""A proposal's fields, both ways: what goes out comes back just so."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.proposals.decode import decode
from memtui.proposals.fields import from_fields, text_fields, to_fields, to_markdown
from memtui.proposals.model import Contradiction, Proposal

CHARACTERS = st.characters(exclude_categories=("Cs",))
ODD = st.sampled_from(
    [
        "true",
        "null",
        "~",
        "5",
        "1e3",
        "---",
        "...",
        "'",
        '"',
        "\\",
        "{a}",
        "[b]",
        "!t",
        "&a",
        "*a",
        "|",
        "%",
        "@",
    ]
) | st.sampled_from(
    [
        "`",
        "<<",
        "#x",
        "- a",
        "a: b",
        " a",
        "a ",
        "\n a",
        "a\n\n",
        "\ta\n b",
        "\ufeff",
        "a\r\nb",
        "\x85",
        "\u2028\nb",
    ]
)
TEXT = st.text(CHARACTERS, max_size=12) | ODD | st.lists(ODD, max_size=4).map("\n".join)
FULL = TEXT.filter(lambda text: text.strip())
PATH = st.sampled_from(["a.md", "people/lina.md", "Ünï cöde — x.md", "a'b: c.md", "1-run.md"])
TAGS = st.lists(
    st.sampled_from(["health", "еда", "long-run", "c++", "true", "2024"]), max_size=3, unique=True
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
CLAIMS = {
    "agent": TEXT.filter(lambda text: text.strip().casefold() != "you"),
    "session": TEXT,
    "source": st.sampled_from(["user", "web"]),
    "attended": st.booleans(),
    "base_sha256": st.just("a1" * 32),
    "ref": TEXT,
}
NEW_TAGS = st.lists(
    st.fixed_dictionaries({"tag": st.just("music")}, optional={"level": st.just(2), "description": TEXT}),
    max_size=2,
)
ADD = {
    "title": FULL,
    "body": FULL,
    "type": st.just("goal"),
    "confidence": st.just("low"),
    "context": FULL,
    "tags": st.none() | TAGS,
    "hook": st.none() | TEXT,
    "new_tags": NEW_TAGS,
}
UPDATE = {
    "body": FULL,
    "fields": st.fixed_dictionaries(
        {}, optional={"title": FULL, "tags": TAGS, "x": TEXT, "y z": st.lists(TEXT, max_size=2)}
    ),
    "change": st.none() | TEXT,
    "hook": TEXT,
}


def operation(name: str, fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda unknown, known: {**{f"x{key}"[:90]: value for key, value in unknown.items()}, **known},
        st.dictionaries(TEXT, VALUES, max_size=2),
        st.fixed_dictionaries({"operation": st.just(name), "reason": FULL, **fields}, optional=CLAIMS),
    )


FIELDS = st.one_of(
    operation("write", {"path": PATH, "summary": FULL, "content": TEXT}),
    operation("add", ADD),
    operation("update", {"filename": PATH, **UPDATE}),
    operation("supersede", {"filename": PATH, "successor": st.sampled_from(["", "b.md", "ref:new"])}),
    operation("delete", {"filename": PATH, "user_command": FULL}),
    operation(
        "contradiction",
        {
            "filename": PATH,
            "statement": FULL,
            "refinement": st.fixed_dictionaries(UPDATE, optional={"reason": FULL, "extra": VALUES}),
            "replacement": st.none() | st.fixed_dictionaries(ADD, optional={"agent": FULL, "extra": VALUES}),
        },
    ),
    operation(
        "edit",
        {
            "path": PATH,
            "edits": st.lists(
                st.builds(lambda a, b: {"old": a + "x", "new": b}, TEXT, TEXT), min_size=1, max_size=3
            ),
        },
    ),
    operation("replace", {"path": PATH, "text": TEXT}),
    operation("rename", {"path": PATH, "new_path": st.just("z/new.md")}),
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(FIELDS)
def test_fields_and_markdown_give_the_proposal_again(fields: dict[str, Any]) -> None:
    made = from_fields(fields, id="x", batch="b")
    if not isinstance(made, Proposal):
        return
    assert from_fields(to_fields(made), id="x", batch="b") == made
    text = to_markdown(made)
    decoded = decode("edited.md", text.encode(), id="x", batch="b", edited=True)
    assert decoded.proposals == (made,), (decoded.problems, text)
    assert repr(decoded.proposals[0].unknown) == repr(made.unknown)


def example() -> Proposal:
    made = from_fields(
        {
            "operation": "edit",
            "path": "prefs/coding.md",
            "edits": [{"old": "tabs", "new": "four\nspaces"}],
            "reason": "corrected",
            "agent": "codex",
            "card": {"number": 4111, "notes": ["a", True, None]},
        },
        id="x",
    )
    assert isinstance(made, Proposal)
    return made


def test_the_markdown_form_reads_well() -> None:
    assert to_markdown(example()) == (
        "---\n"
        "operation: edit\n"
        "path: prefs/coding.md\n"
        "edits:\n"
        "  - old: tabs\n"
        "    new: |-\n"
        "      four\n"
        "      spaces\n"
        "reason: corrected\n"
        "agent: codex\n"
        "card:\n"
        "  number: 4111\n"
        "  notes:\n"
        "    - a\n"
        "    - true\n"
        "    - null\n"
        "---\n"
    )


def test_a_body_stands_under_the_frontmatter() -> None:
    made = from_fields(
        {"operation": "write", "path": "a.md", "summary": "s", "content": "One\n\nTwo"}, id="x"
    )
    assert isinstance(made, Proposal)
    assert to_markdown(made).endswith("summary: s\n---\nOne\n\nTwo")


def test_every_text_of_a_proposal_is_found_by_its_path() -> None:
    assert text_fields(example()) == {
        "id": "x",
        "operation": "edit",
        "path": "prefs/coding.md",
        "edits[0].old": "tabs",
        "edits[0].new": "four\nspaces",
        "reason": "corrected",
        "agent": "codex",
        "card.number": "4111",
        "card.notes[0]": "a",
    }


def test_the_members_of_a_contradiction_are_found_too() -> None:
    made = from_fields(
        {
            "operation": "contradiction",
            "filename": "a.md",
            "statement": "s",
            "reason": "r",
            "refinement": {"body": "b", "fields": {"mood": "ok"}, "extra": "e"},
        },
        id="x",
    )
    assert isinstance(made, Proposal)
    found = text_fields(made)
    assert (found["refinement.body"], found["refinement.fields.mood"], found["refinement.extra"]) == (
        "b",
        "ok",
        "e",
    )


def test_a_blank_claim_of_a_member_is_inherited() -> None:
    member = {"title": "t", "body": "b", "type": "goal", "confidence": "low", "context": "c"}
    fields = {
        "operation": "contradiction",
        "filename": "a.md",
        "statement": "s",
        "reason": "r",
        "agent": "codex",
        "replacement": {**member, "agent": "\uaaf7", "reason": " "},
    }
    made = from_fields(fields, id="x")
    assert isinstance(made, Contradiction)
    assert made.replacement is not None
    assert (made.replacement.agent, made.replacement.reason) == ("codex", "r")
