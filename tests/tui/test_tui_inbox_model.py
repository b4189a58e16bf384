"""The inbox as rows: nothing that is looked at moves."""

from __future__ import annotations

import time
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.proposals.model import Contradiction, Delete, Notice, Write
from memtui.review.items import Item, Refusal
from memtui.tui.inbox_ahead import take, take_ahead
from memtui.tui.inbox_model import ORDERS, InboxModel, layout, may_be_marked


def item(id: str, agent: str = "one", path: str = "", seen: float = 0.0, batch: str = "") -> Item:
    target = path or f"{id}.md"
    made = Write(id=id, agent=agent, path=target, summary="s", content="c", batch=batch)
    return Item(made, "+", target, target, seen, "pending")


def keys(model: InboxModel) -> list[str]:
    return [row.key for row in model.rows()]


def test_items_stand_by_agent_and_by_note_oldest_first() -> None:
    items = [
        item("a", "one", "x.md", 1),
        item("b", "two", "y.md", 2),
        item("c", "one", "z.md", 3),
        item("d", "one", "x.md", 4),
    ]
    rows = layout(items, "agent")
    assert [row.key for row in rows] == ["group:one", "a", "d", "c", "group:two", "b"]
    assert [row.key for row in rows if row.same] == ["d"]


def test_a_batch_stays_together_under_a_heading() -> None:
    rows = layout([item("b.1", batch="b"), item("x"), item("b.2", batch="b")], "agent")
    assert [row.key for row in rows] == ["group:one", "batch:b", "b.1", "b.2", "x"]
    assert [row.key for row in rows if row.member] == ["b.1", "b.2"]


def test_an_arrival_that_would_move_a_visible_row_waits() -> None:
    model = InboxModel()
    model.take([item("a", "one"), item("b", "two", seen=1)], ())
    model.take([item("a", "one"), item("b", "two", seen=1), item("c", "one", seen=2)], (), visible=20)
    assert keys(model) == ["group:one", "a", "group:two", "b", "held"]
    model.release()
    assert keys(model) == ["group:one", "a", "c", "group:two", "b"]


def test_an_arrival_below_everything_visible_comes_in_at_once() -> None:
    model = InboxModel()
    model.take([item("a")], ())
    model.take([item("a"), item("b", seen=1)], (), visible=20)
    assert keys(model) == ["group:one", "a", "b"]


def test_a_decided_row_stays_until_the_pane_is_left() -> None:
    model = InboxModel()
    model.take([item("a"), item("b", seen=1)], ())
    model.decide("a", "ok")
    model.take([item("b", seen=1)], (), visible=20)
    assert keys(model) == ["group:one", "a", "b"]
    assert model.waiting == 1
    model.leave()
    assert keys(model) == ["group:one", "b"]


def test_what_was_taken_away_elsewhere_stays_in_place_too() -> None:
    model = InboxModel()
    model.take([item("a"), item("b", seen=1)], ())
    model.take([item("b", seen=1)], (), visible=20)
    assert (keys(model), model.fates) == (["group:one", "a", "b"], {"a": "gone"})


def test_the_cursor_steps_down_and_then_back_to_the_first_that_waits() -> None:
    model = InboxModel()
    model.take([item("a"), item("b", seen=1), item("c", seen=2)], ())
    model.decide("b", "no")
    assert model.next_pending("a") == "c"
    assert model.next_pending("c") == "a"
    assert model.next_pending("c", -1) == "a"
    model.decide("a", "ok")
    assert model.next_pending("c") is None


def test_deletes_choices_and_notices_are_not_marked_together() -> None:
    delete = Item(Delete(id="d", filename="d.md", user_command="x"), "-", "d", "d.md", 0, "pending")
    either = Item(Contradiction(id="k", filename="d.md", statement="x"), "?", "d", "d.md", 0, "pending")
    noted = Item(
        Write(id="n", path="n.md", summary="s", content=""),
        "+",
        "n",
        "n.md",
        0,
        "pending",
        (Notice("tag", "m"),),
    )
    assert [may_be_marked(i) for i in (delete, either, noted, item("a"))] == [False, False, False, True]


def test_marks_survive_a_filter() -> None:
    model = InboxModel()
    model.take([item("a"), item("b", seen=1)], ())
    model.toggle_mark("a")
    model.filter = "b.md"
    assert (model.shown_ids(), model.marks) == (["b"], {"a"})


def test_a_filter_by_age_and_by_notices() -> None:
    model = InboxModel()
    odd = replace(item("odd", seen=time.time() - 7200), notices=(Notice("x", "odd"),))
    bad = replace(item("bad", seen=time.time() - 90_000), notices=(Notice("y", "bad", alarm=True),))
    model.take([item("new", seen=time.time()), odd, bad], ())
    for words, ids in (
        ("age:<1h", ["new"]),
        ("age:>1h", ["odd", "bad"]),
        ("age:>1d", ["bad"]),
        ("age:", ["new", "odd", "bad"]),
        ("!", ["odd", "bad"]),
        ("notices", ["odd", "bad"]),
        ("!!", ["bad"]),
        ("agent:one age:<1h", ["new"]),
    ):
        model.filter = words
        assert sorted(model.shown_ids()) == sorted(ids), words


def test_the_group_of_problems_is_folded_at_the_end() -> None:
    model = InboxModel()
    model.take([item("a")], (Refusal("r", "x", "add", "r.json", "refused", (), 0.0),))
    assert keys(model)[-1] == "problems"
    model.unfolded = True
    assert keys(model)[-1] == "refused:r"


def test_a_take_tells_whether_rows_that_stood_look_different() -> None:
    model = InboxModel()
    first, second = item("a"), item("b", seen=1)
    told = []
    for items in ([first], [first], [first, second], [first, item("b", path="b.md", seen=1)], [second]):
        model.take(items, (), visible=20)
        told.append(model.looks_new)
    assert told == [False, False, False, False, True]
    model.take([second], (Refusal("r", "x", "add", "r.json", "refused", (), 0.0),), visible=20)
    assert model.looks_new
    changed = Item(second.proposal, "+", "another title", "b.md", 1, "pending")
    model.take([changed], model.refusals, visible=20)
    assert model.looks_new
    assert [row.item for row in model.rows() if row.key == "b"] == [changed]


def test_a_filter_looks_in_what_an_item_says_now() -> None:
    model = InboxModel()
    model.take([item("a", path="old.md")], ())
    model.filter = "old"
    assert model.shown_ids() == ["a"]
    model.take([item("a", path="new.md")], ())
    assert model.shown_ids() == []
    model.filter = "NEW agent:one op:write state:pending"
    assert model.shown_ids() == ["a"]
    model.filter = "new agent:two"
    assert model.shown_ids() == []


ARRIVALS = st.lists(
    st.tuples(st.sampled_from(["one", "two", "three"]), st.sampled_from(["x.md", "y.md", ""])), max_size=12
)


@settings(max_examples=100)
@given(first=ARRIVALS, later=ARRIVALS, visible=st.integers(1, 15))
def test_no_visible_row_ever_moves(
    first: list[tuple[str, str]], later: list[tuple[str, str]], visible: int
) -> None:
    items = [item(f"i{n}", agent, path, float(n)) for n, (agent, path) in enumerate([*first, *later])]
    model = InboxModel()
    model.take(items[: len(first)], ())
    before = keys(model)
    model.take(items, (), visible=visible)
    if before:
        assert keys(model)[: min(visible, len(before))] == before[:visible]


STEPS = st.lists(
    st.dictionaries(
        st.sampled_from("abcdefgh"),
        st.tuples(
            st.sampled_from(["one", "two"]), st.sampled_from(["x.md", "y.md", ""]), st.sampled_from(["", "p"])
        ),
        max_size=8,
    ),
    max_size=6,
)


@settings(max_examples=200)
@given(steps=STEPS, order=st.sampled_from(list(ORDERS)))
def test_rows_that_are_kept_are_those_that_would_be_laid_out_anew(
    steps: list[dict[str, tuple[str, str, str]]], order: str
) -> None:
    model = InboxModel(order=order)
    made: dict[object, Item] = {}
    for step in steps:
        items = [
            made.setdefault((id, said), item(id, said[0], said[1], float(ord(id)), said[2]))
            for id, said in step.items()
        ]
        model.take(items, ())
        model.leave()
        assert set(model.items) == set(step)
        assert model.rows() == layout(model.items.values(), order)


WHILE = st.lists(
    st.tuples(
        st.sampled_from(["mark", "look", "decide", "filter", "order", "scroll", "nothing"]),
        st.integers(0, 20),
    ),
    max_size=3,
)


@settings(max_examples=200)
@given(first=ARRIVALS, later=ARRIVALS, gone=st.integers(0, 3), visible=st.integers(0, 15), meanwhile=WHILE)
def test_a_list_laid_out_ahead_is_the_one_that_taking_in_at_once_gives(
    first: list[tuple[str, str]],
    later: list[tuple[str, str]],
    gone: int,
    visible: int,
    meanwhile: list[tuple[str, int]],
) -> None:
    items = [item(f"i{n}", agent, path, float(n)) for n, (agent, path) in enumerate([*first, *later])]
    at_once, ahead = InboxModel(), InboxModel()
    for model in (at_once, ahead):
        model.take(items[: len(first)], ())
    refused = (Refusal("r", "x", "add", "r.json", "refused", (), 0.0),) if gone else ()
    laid = take_ahead(ahead, items[gone:], refused, visible, 0)
    still = visible
    for act, number in meanwhile:
        id = f"i{number}"
        for model in (at_once, ahead):
            if act == "mark":
                model.toggle_mark(id)
            elif act == "look":
                model.unseen.discard(id)
            elif act == "decide" and id in model.items:
                model.decide(id, "ok")
            elif act == "filter":
                model.filter = "one"
            elif act == "order":
                model.order = "newest"
        still = number if act == "scroll" else still
    arrived = take(ahead, laid, still, 0)
    assert arrived == at_once.take(items[gone:], refused, still, 0) or laid.visible > still
    assert set(ahead.items) | set(ahead.held) == set(at_once.items) | set(at_once.held)
    assert (ahead.fates, ahead.marks, ahead.unseen) == (at_once.fates, at_once.marks, at_once.unseen)
    if laid.visible <= still:  # more may be held back where fewer rows have to stay by now
        assert ahead.rows() == at_once.rows()
        assert ahead.held == at_once.held
