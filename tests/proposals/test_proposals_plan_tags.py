"""Tag picking: 2 to 5 tags, known to the dictionary or with the person's yes (SPEC.md section 3)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.notes import tags as dictionary
from memtui.proposals.context import INDEX, TAGS
from memtui.proposals.model import NewTag
from tests.proposals.plans import INDEX_PAGE, SEEN, TAGS_PAGE, add, applied, folder, notices, planned, problem

NEW = f"{SEEN}-runs-in-the-park.md"


@pytest.mark.parametrize(
    ("tags", "wants"),
    [
        (None, ("tags",)),
        ((), ("tags",)),
        (("sport",), ("tags",)),
        (("sport", "#Sport", " sport "), ("tags",)),
        (("sport", "running"), ()),
        (("biography", "health", "sport", "travel", "running"), ()),
        (("sport", "music"), ("new_tags",)),
        (("music",), ("tags", "new_tags")),
    ],
)
def test_two_to_five_known_tags_are_wanted(tags: tuple[str, ...] | None, wants: tuple[str, ...]) -> None:
    assert planned(add(tags=tags)).wants == wants


def test_six_are_a_problem() -> None:
    assert problem(add(tags=tuple("abcdef")))[0] == "tags"
    assert problem(add(), tags=tuple("abcdef"))[0] == "tags"


def test_tags_are_written_in_lower_case_with_dashes() -> None:
    on = folder()
    made = planned(add(tags=("#Sport", "Daily  Life", "ЗДОРОВЬЕ")), on, accept_new_tags=True)
    assert "tags: [sport, daily-life, здоровье]\n".encode() in applied(made, on)[NEW]


def test_the_persons_pick_counts_and_not_the_proposals() -> None:
    made = planned(add(tags=("music", "song")), tags=("travel", "health"))
    assert made.ready
    assert not made.new_tags
    assert b"tags: [travel, health]" in applied(made)[NEW]


# --- suggestions ---------------------------------------------------------------------------------


def suggestions(**fields: object) -> dict[str, str]:
    on = fields.pop("on", None)
    return dict(planned(add(tags=None, **fields), on).suggested_tags)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "tag", "reason"),
    [
        ({"title": "A travel diary", "body": "x"}, "travel", "named in the title"),
        ({"title": "A", "body": "Cares for health."}, "health", "named in the body"),
        ({"title": "A", "body": "x", "context": "running shoes"}, "running", "named in the context"),
        ({"title": "A", "body": "Sleeps badly, eats a strict diet."}, "health", "its description says"),
        ({"title": "A", "body": "A target for 5K this year"}, "running", "used by “Run 5K under 25 minutes”"),
    ],
)
def test_tags_are_suggested_with_the_reason(fields: dict[str, str], tag: str, reason: str) -> None:
    assert reason in suggestions(**fields)[tag]


def test_the_best_comes_first_and_at_most_five() -> None:
    page = "## L1\n" + "".join(f"- **#{word}** — x.\n" for word in ("aaa", "bbb", "ccc", "ddd", "eee", "fff"))
    on = folder({TAGS: page})
    found = suggestions(on=on, title="fff", body="aaa bbb ccc ddd eee fff")
    assert len(found) == 5
    assert next(iter(found)) == "fff"


def test_a_tag_that_is_asked_for_already_is_not_suggested() -> None:
    made = planned(add(tags=("sport",), body="Sport and health."))
    assert "sport" not in dict(made.suggested_tags)
    assert "health" in dict(made.suggested_tags)


@pytest.mark.parametrize(
    ("tag", "body"),
    [
        ("食事", "毎日の食事は大切です。"),
        ("音楽", "音楽が好き"),
        ("здоровье", "Про здоровье."),
        ("go", "Plays go."),
        ("еда", "Много думает о еде."),
        ("кот", "У Лины два кота."),
    ],
)
def test_tags_of_any_script_are_found(tag: str, body: str) -> None:
    on = folder({TAGS: f"## L1\n- **#{tag}** — x.\n- **#ego** — y.\n"})
    assert list(suggestions(on=on, title="A", body=body)) == [tag]


def test_common_words_suggest_nothing() -> None:
    on = folder({TAGS: "## L1\n- **#food** — what is eaten and what is not.\n", INDEX: "## Entries\n"})
    assert not suggestions(on=on, title="This and that", body="What was done and what is not.")


def test_unknown_tags_of_similar_entries_are_not_suggested() -> None:
    page = INDEX_PAGE.replace("[sport, running]", "[sport, unknown]")
    assert "unknown" not in suggestions(on=folder({INDEX: page}), title="A target for the year")


# --- new tags ------------------------------------------------------------------------------------


def new_tags(*new: NewTag, tags: tuple[str, ...] = (), page: str | None = TAGS_PAGE) -> str:
    """The dictionary after these tags were accepted; the plan is the same before the yes."""
    on = folder({TAGS: page})
    proposal = add(tags=tags or (*(tag.tag for tag in new), "sport", "running")[:5], new_tags=new)
    before = planned(proposal, on)
    assert before.wants == ("new_tags",)
    assert not before.ready
    made = planned(proposal, on, accept_new_tags=True)
    assert made.ready
    assert made.hash == before.hash
    return applied(made, on, exact=False)[TAGS].decode()


MUSIC = NewTag("music", 1, "", "playing and listening")


@pytest.mark.parametrize(
    ("new", "old", "with_it"),
    [
        (MUSIC, "- **#sport**", "- **#music** — playing and listening.\n- **#sport**"),
        (NewTag("art"), "- **#biography**", "- **#art**\n- **#biography**"),
        (NewTag("work", 1, "", "Career."), "trips and moves.\n", "trips and moves.\n- **#work** — Career.\n"),
        (NewTag("Bike Tours", 2, "Sport", "away"), "- **#running**", "- **#bike-tours** — away.\n- **#running**"),
        (NewTag("yoga", 2, "sport"), "running only.\n", "running only.\n- **#yoga**\n"),
        (NewTag("sleep", 2, "health", "x"), "### under #s", "### under #health\n- **#sleep** — x.\n\n### under #s"),
        (NewTag("zumba", 2, "travel"), " only.\n", " only.\n\n### under #travel\n- **#zumba**\n"),
        (NewTag("ulysses", 3, "", "a book"), " objects\n", " objects\n\n- **#ulysses** — a book.\n"),
    ],
)  # fmt: skip
def test_a_new_tag_stands_in_its_place_of_the_tree(new: NewTag, old: str, with_it: str) -> None:
    assert new_tags(new) == TAGS_PAGE.replace(old, with_it, 1)


def test_a_tag_of_level_3_can_stand_under_one_of_level_2() -> None:
    after = new_tags(NewTag("marathon", 3, "running", "42 km"))
    assert "## L3 — concrete objects\n\n### under #running\n- **#marathon** — 42 km.\n" in after


def test_a_new_parent_that_is_described_comes_along() -> None:
    guitar = NewTag("guitar", 2, "music", "six strings")
    after = new_tags(guitar, MUSIC, tags=("guitar", "sport"))
    assert "- **#music** — playing and listening.\n- **#sport**" in after
    assert "### under #music\n- **#guitar** — six strings.\n\n### under #sport" in after


def test_a_tag_without_a_description_is_new_too() -> None:
    made = planned(add(tags=("sport", "music")))
    assert made.new_tags == (NewTag("music"),)


def test_what_the_proposal_says_of_a_new_tag_is_shown() -> None:
    given = NewTag("Music", 1, "", "playing", ("#Sport",), "plays daily")
    made = planned(add(tags=("music", "sport"), new_tags=(given,)))
    assert made.new_tags == (NewTag("music", 1, "", "playing", ("sport",), "plays daily"),)


def test_not_to_be_confused_with_is_said_on_both() -> None:
    after = new_tags(NewTag("jogging", 2, "sport", "slow runs", ("running", "health")))
    assert "- **#jogging** — slow runs. Not to be confused with #running, #health.\n" in after
    assert "- **#running** — running only. Not to be confused with #jogging.\n" in after
    assert "- **#health** — body, sleep, diet. Not to be confused with #jogging.\n" in after


def test_two_new_tags_say_it_of_each_other_in_any_order() -> None:
    one = NewTag("song", 1, "", "sung", ("tune",))
    other = NewTag("tune", 1, "", "played")
    for pair in ((one, other), (other, one)):
        after = new_tags(*pair)
        assert "- **#song** — sung. Not to be confused with #tune.\n" in after
        assert "- **#tune** — played. Not to be confused with #song.\n" in after


def test_what_is_confused_with_nothing_known_is_told() -> None:
    made = planned(add(tags=("song", "sport"), new_tags=(NewTag("song", 1, "", "x", ("tune", "song")),)))
    assert "#tune" in notices(made)["tag"]
    [line] = [change for change in made.changes if change.path == TAGS]
    assert "#song" not in line.after.text.split("**")[2]  # type: ignore[union-attr]


def test_a_known_tag_on_two_lines_is_left_and_told() -> None:
    page = TAGS_PAGE + "- **#health** — again.\n"
    on = folder({TAGS: page})
    proposal = add(tags=("song", "sport"), new_tags=(NewTag("song", 1, "", "x", ("health",)),))
    made = planned(proposal, on, accept_new_tags=True)
    assert "two lines" in notices(made)["tag"]
    assert applied(made, on)[TAGS].decode().count("- **#health**") == 2


@pytest.mark.parametrize(
    ("new", "word"),
    [
        (NewTag("x", 1, "sport"), "level 1"),
        (NewTag("x", 2), "level 2"),
        (NewTag("x", 2, "gone"), "#gone"),
        (NewTag("x", 2, "running"), "cannot stand under"),
        (NewTag("x", 2, "x"), "cannot stand under"),
        (NewTag("x", 3, "gone"), "#gone"),
    ],
)
def test_a_place_that_is_not_in_the_tree_is_a_problem(new: NewTag, word: str) -> None:
    field, message = problem(add(tags=("x", "sport"), new_tags=(new,)))
    assert (field, word in message) == ("new_tags", True)


def test_parents_in_a_circle_are_a_problem() -> None:
    made = planned(add(tags=("x", "y"), new_tags=(NewTag("x", 2, "y"), NewTag("y", 2, "x"))))
    assert {found.field for found in made.problems} == {"new_tags"}


@pytest.mark.parametrize(
    ("tag", "near", "why"),
    [
        ("sports", "sport", "plural"),
        ("run-ning", "running", "case or dashes"),
        ("runner", "running", "stem"),
        ("helth", "health", "one edit away"),
        ("biographies", "biography", "plural"),
    ],
)
def test_near_duplicates_are_named_with_the_reason(tag: str, near: str, why: str) -> None:
    told = [notice.message for notice in planned(add(tags=(tag, "travel"))).notices]
    assert any(f"#{tag}" in message and f"#{near}" in message and why in message for message in told), told


def test_a_tag_that_means_the_same_is_named() -> None:
    lines = "".join(f"- [E{n}](e{n}.md) — fact, [jogs, running], x\n" for n in range(3))
    on = folder({INDEX: f"## Entries\n{lines}"})
    assert "on the same 3 entries" in notices(planned(add(tags=("jogs", "sport")), on))["tag"]
    alike = NewTag("wellbeing", 1, "", "how body and sleep are")
    assert (
        "#health (described alike)"
        in notices(planned(add(tags=("wellbeing", "sport"), new_tags=(alike,))))["tag"]
    )


def test_new_tags_near_each_other_are_named() -> None:
    made = planned(add(tags=("film", "films")))
    assert "#films is near #film" in notices(made)["tag"]


def test_a_missing_dictionary_is_made() -> None:
    after = new_tags(MUSIC, tags=("music", "sport"), page=None)
    found = dictionary.read_tags(after.encode())
    assert list(found.tags) == ["music", "sport"]


def test_a_dictionary_that_is_not_utf8_is_a_problem_once_it_must_change() -> None:
    on = folder({TAGS: TAGS_PAGE.encode() + b"\xff\n"})
    assert planned(add(), on).ready
    field, message = problem(add(tags=("music", "sport")), on)
    assert (field, "UTF-8" in message) == (TAGS, True)


def test_trouble_in_the_dictionary_is_told_of_it_and_not_of_the_index() -> None:
    deep = "###### L1\n- **#health** — x.\n###### L2\n"
    given_tags = (NewTag("music", 2, "health", "x"),)
    for page in (deep, "## L1\n- **#health** — x.\n## L2\n<!-- never closed\n"):
        made = planned(add(tags=("music", "health"), new_tags=given_tags), folder({TAGS: page}))
        assert [found.field for found in made.problems] == [TAGS]


def test_sample_tags_in_comments_are_unknown() -> None:
    on = folder({TAGS: "## L1\n\n<!-- Example:\n- **#sport** — x.\n- **#running** — y.\n-->\n"})
    assert [new.tag for new in planned(add(), on).new_tags] == ["sport", "running"]


_name = st.text("abcäж-", min_size=1, max_size=6).filter(lambda name: name.strip("-"))


@settings(max_examples=150, deadline=None)
@given(names=st.lists(_name, min_size=2, max_size=5, unique_by=dictionary.normalise), data=st.data())
def test_accepted_tags_are_known_afterwards_and_in_order(names: list[str], data: st.DataObject) -> None:
    given_tags = []
    for name in names:
        level = data.draw(st.integers(1, 3))
        parent = data.draw(st.sampled_from({1: [""], 2: ["sport", "health"], 3: ["", "running"]}[level]))
        apart = tuple(data.draw(st.lists(st.sampled_from([*names, "sport"]), max_size=2)))
        given_tags.append(NewTag(name, level, parent, data.draw(st.text("xy z.#", max_size=8)), apart))
    on = folder()
    made = planned(add(tags=tuple(names), new_tags=tuple(given_tags)), on, accept_new_tags=True)
    after = dictionary.read_tags(applied(made, on, exact=False)[TAGS])
    known = dictionary.read_tags(TAGS_PAGE.encode()).tags
    assert set(after.tags) == {*known, *map(dictionary.normalise, names)}
    assert not after.duplicates
    for new in made.new_tags:
        assert (after.tags[new.tag].level, after.tags[new.tag].parent) == (new.level, new.parent)
        for other in new.not_to_be_confused_with:
            assert new.tag in after.tags[other].not_to_be_confused_with
            assert other in after.tags[new.tag].not_to_be_confused_with
    for level, parent in {(tag.level, tag.parent) for tag in after.tags.values()}:
        listed = [
            name.casefold() for name, tag in after.tags.items() if (tag.level, tag.parent) == (level, parent)
        ]
        assert listed == sorted(listed)
