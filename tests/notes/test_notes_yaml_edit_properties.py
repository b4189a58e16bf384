"""Whatever the note and the value: an accepted edit reads back, leaves the rest, and can be taken back."""

from __future__ import annotations

import io

import ruamel.yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memtui.notes.frontmatter import EditRefused, edit, read, scalar, why_locked

SETTINGS = settings(max_examples=200, deadline=None)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TRICKY_TEXT = st.text(
    "ab019 .:-+_#'\"[]{},&*!|>%@`~=<?\\\t\n\r\u00a0\u0085\u2028\ufeffйxoeEnNyYtT", max_size=12
)


def quotable(value: str) -> bool:
    """Whether single quotes can hold it."""
    return "\\" not in scalar(value).replace("\\\\", "").replace('\\"', "")


def ruamel_load(text: str) -> object:
    return ruamel.yaml.YAML(typ="safe", pure=True).load(io.StringIO(text))


PLAIN = (
    st.text("abcxyzäж😀 ", min_size=1, max_size=10)
    .map(str.strip)
    .filter(bool)
    .filter(lambda s: s.lower() not in "yn")
)
KEYS = st.sampled_from(["title", "tags", "type", "a", "b", "due", "ключ"])


@st.composite
def fields(draw: st.DrawFn) -> tuple[str, str]:
    """A key and the lines of its field."""
    key = draw(KEYS)
    comment = draw(st.sampled_from(["", "  # why", " # a: b", "\t# [x]"]))
    one, two = draw(PLAIN), draw(PLAIN)
    form = draw(
        st.sampled_from(
            [
                "{k}: {a}{c}\n",
                "{k}: '{a}'{c}\n",
                '{k}: "{a}"{c}\n',
                "{k}:   {a}{c}\n",
                "{k}:{c}\n",
                "{k}: 2024-01-10{c}\n",
                "{k}: '2024-01-10'{c}\n",
                "{k}: [{a}, '{b}']{c}\n",
                "{k}: []{c}\n",
                "{k}:{c}\n  - {a}{c}\n  # in between\n  - {b}\n",
                '{k}:\n- {a}\n- "{b}"{c}\n',
                "{k}: |{c}\n  {a}\n\n  # {b}\n",
                "{k}: >-\n  {a}\n   {b}\n\n",
                "{k}: {a}\n  {b}{c}\n",
                "{k}: '{a}\n\n  {b}'{c}\n",
                "{k}:{c}\n  title: {a}\n  a:\n    - {b}\n",
                "{k}: {{title: {a}, tags: [{b}]}}{c}\n",
                "'{k}': {a}{c}\n",
                "# title: {a}\n{k} : {b}{c}\n",
            ]
        )
    )
    return key, form.format(k=key, a=one, b=two, c=comment)


@st.composite
def notes(draw: st.DrawFn) -> tuple[bytes, dict[str, str]]:
    """A note, and the text of each of its fields."""
    made = dict(draw(st.lists(fields(), max_size=5)))
    body = draw(st.sampled_from(["", "\nBody\n", "\na\n---\nb: c\n---\n", "x"]))
    text = "---\n" + "".join(made.values()) + "---\n" + body
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
        made = {key: field.replace("\n", "\r\n") for key, field in made.items()}
    return draw(st.sampled_from(["", "\ufeff"])).encode() + text.encode(), made


VALUES = st.one_of(
    PLAIN,
    ANY_TEXT,
    TRICKY_TEXT,
    st.just("2024-05-06"),
    st.lists(st.one_of(PLAIN, TRICKY_TEXT), max_size=4).map(tuple),
)


@given(notes(), KEYS, st.one_of(st.none(), VALUES))
@SETTINGS
def test_an_accepted_edit_reads_back_and_leaves_every_other_byte(
    note: tuple[bytes, dict[str, str]], key: str, value: str | tuple[str, ...] | None
) -> None:
    data, made = note
    try:
        after = edit(data, {key: value})
    except EditRefused:
        assert why_locked(data) or value is None, "a note that can be edited refused a value"
        return
    expected = dict(read(data).fields)
    if value is None:
        expected.pop(key, None)
    else:
        expected[key] = value if isinstance(value, str) else list(value)
    found = read(after)
    assert list(found.fields.items()) == list(expected.items())
    position = 0
    for other, field in made.items():
        if other != key:
            position = after.index(field.encode(), position) + len(field.encode())
    assert after[found.body_start :] == data[read(data).body_start :]
    assert edit(after, {key: value}) == after
    if isinstance(value, str) and value != "2024-05-06" and read(data).fields.get(key) != value:
        text = after[: found.body_start].decode("utf-8-sig").replace("\r\n", "\n")
        assume("\t#" not in text)  # which ruamel.yaml does not read
        loaded = ruamel_load(text.removeprefix("---\n").removesuffix("---\n"))
        assert isinstance(loaded, dict)
        assert loaded[key] == value


@given(notes(), KEYS, st.one_of(PLAIN, TRICKY_TEXT))
@SETTINGS
def test_editing_back_restores_the_bytes_wherever_one_plain_or_quoted_value_stood(
    note: tuple[bytes, dict[str, str]], key: str, value: str
) -> None:
    data, made = note
    before = read(data).fields.get(key)
    if key not in made:
        before = None
    else:
        assume(isinstance(before, str) and before and "\n" not in made[key].strip())
        assume(key != "title" or before != "2024-01-10")  # a new title like a date is a string
        # Quotes that the new value needs hide whether the old ones were a choice.
        assume('"' not in made[key] or scalar(value) == value)
        assume("'" not in made[key] or quotable(value))
    after = edit(data, {key: value})
    assert edit(after, {key: before}) == data  # type: ignore[dict-item]


@given(st.lists(PLAIN, max_size=5), st.lists(PLAIN, max_size=5), st.booleans(), st.booleans())
@SETTINGS
def test_a_changed_list_keeps_its_style_and_can_be_changed_back(
    old: list[str], new: list[str], in_block: bool, indented: bool
) -> None:
    assume(old and new)
    indent = "  " if indented else ""
    text = "".join(f"\n{indent}- {item}" for item in old) if in_block else f" [{', '.join(old)}]"
    data = f"---\ntags:{text}\nx: y\n---\n".encode()
    after = edit(data, {"tags": tuple(new)})
    assert (b"[" in after) != in_block
    assert read(after).fields["tags"] == new
    assert edit(after, {"tags": tuple(old)}) == data


TAGS = st.lists(st.sampled_from("abcdefg"), max_size=6, unique=True)


@given(TAGS.filter(bool), TAGS)
@SETTINGS
def test_comment_lines_of_a_list_stay_and_an_item_that_stays_keeps_its_own(
    old: list[str], new: list[str]
) -> None:
    lines = [f"  - {item} # own {number}\n  # below {number}\n" for number, item in enumerate(old)]
    data = f"---\ntags:\n  # above\n{''.join(lines)}x: z\n---\n".encode()
    after = edit(data, {"tags": tuple(new)})
    assert read(after).fields["tags"] == new
    text = after.decode()
    comments = ["  # above\n", *(f"  # below {number}\n" for number in range(len(old)))]
    places = [text.index(comment) for comment in comments]
    assert places == sorted(places)
    if new[:1] == old[:1]:
        assert f"  - {old[0]} # own 0\n" in text
    assert text.endswith("x: z\n---\n")
