"""Gate: what is asked, allowed or denied."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.gate.policy import Asking, Policy, Ruled, matches, why_asked
from memtui.proposals.model import (
    OPERATIONS,
    Add,
    Contradiction,
    Delete,
    Edit,
    FileChange,
    LineChange,
    NewTag,
    Notice,
    Plan,
    Problem,
    Proposal,
    Rename,
    Replace,
    Supersede,
    TextEdit,
    Update,
    Write,
)
from memtui.rulings import _OPERATIONS
from memtui.settings import NEVER_ALLOWED, Rule, Ruling

WRITE = Write(id="a", path="people/lina.md", summary="s", content="c", agent="me", source="user")
CHANGE = FileChange("people/lina.md", b"old\n", b"new\n")
PLAN = Plan(changes=(CHANGE,))
CHAT = Policy(spools={"": "ask", "chat": "allow", "shut": "deny"})


def ruled(policy: Policy, proposal: Proposal = WRITE, plan: Plan = PLAN, spool: str = "") -> Ruling:
    return policy.rule(Asking(proposal, plan, spool)).ruling


def rules(*listed: Rule) -> Policy:
    return Policy(listed, {"": "ask", "chat": "ask"})


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("people/*", "people/lina.md", True),
        ("people/*", "people/family/lina.md", False),
        ("people/**", "people/family/lina.md", True),
        ("people/*", "people", False),
        ("people/*", "peoples/lina.md", False),
        ("**", "a/b/c.md", True),
        ("*.md", "a/b.md", False),
        ("*.md", "a.md", True),
        ("a?.md", "ab.md", True),
        ("a?c", "a/c", False),
        ("a/[b].md", "a/b.md", False),
        ("a/[b].md", "a/[b].md", True),
        ("a*b*c", "a-b-b-c", True),
        ("**a*b", "xa/ab", True),
        ("", "", True),
        ("", "a", False),
        ("people/lina.md", "people/lina.md", True),
        ("people/*", "people/a\nb.md", True),
    ],
)
def test_a_pattern_fits_whole_paths_and_a_star_stays_in_its_folder(
    pattern: str, text: str, fits: bool
) -> None:
    assert matches(pattern, text) is fits


@given(st.text("ab/*?", max_size=12), st.text("ab/", max_size=12))
def test_patterns_say_what_a_plain_search_says(pattern: str, text: str) -> None:
    def plain(p: str, t: str) -> bool:
        if not p:
            return not t
        if p[:2] == "**":
            return plain(p[2:], t) or (bool(t) and plain(p, t[1:]))
        if p[0] == "*":
            return plain(p[1:], t) or (t[:1] not in ("", "/") and plain(p, t[1:]))
        return bool(t) and (t[0] == p[0] or (p[0] == "?" and t[0] != "/")) and plain(p[1:], t[1:])

    assert matches(pattern, text) is plain(pattern, text)


def test_no_pattern_hangs() -> None:
    assert not matches("*a" * 100, "a" * 4000 + "b")


def test_without_rules_everything_is_asked_about_whatever_a_proposal_says_of_itself() -> None:
    for attended in (None, True, False):
        said = Write(
            id="a", path="a.md", summary="s", content="c", agent="you", attended=attended, source="user"
        )
        assert ruled(Policy(), said) == "ask"
        assert ruled(Policy(), said, spool="nightly") == "ask"


def test_the_first_rule_that_matches_counts_and_else_the_spool() -> None:
    policy = Policy(
        (
            Rule("deny", path=("people/lina.md",)),
            Rule("allow", path=("people/*",)),
            Rule("ask", path=("**",)),
        ),
        {"": "deny"},
    )
    assert policy.rule(Asking(WRITE, PLAN)) == Ruled("deny", "rule people/lina.md")
    other = Plan(changes=(FileChange("people/eva.md", None, b"x\n"),))
    eva = Write(id="b", path="people/eva.md", summary="s", content="c")
    assert policy.rule(Asking(eva, other)) == Ruled("allow", "rule people/*")
    assert ruled(policy, Write(id="c", path="x.md", summary="s", content="c"), Plan()) == "ask"
    assert Policy((), {"": "deny"}).rule(Asking(WRITE, PLAN)) == Ruled("deny", "spool ")


@pytest.mark.parametrize(
    ("rule", "spool", "expected"),
    [
        (Rule("allow", spool=("chat",)), "chat", "allow"),
        (Rule("allow", spool=("chat",)), "", "ask"),
        (Rule("allow", spool=("",)), "", "allow"),
        (Rule("allow", spool=("",)), "chat", "ask"),
        (Rule("allow", operation=("write", "edit")), "", "allow"),
        (Rule("allow", operation=("edit",)), "", "ask"),
        (Rule("allow", spool=("chat",), agent=("me",)), "chat", "allow"),
        (Rule("allow", spool=("chat",), agent=("m*",)), "chat", "allow"),
        (Rule("allow", spool=("chat",), agent=("other",)), "chat", "ask"),
        (Rule("allow", spool=("chat",), source=("web",)), "chat", "ask"),
        (Rule("deny", agent=("ME",)), "", "deny"),
        (Rule("deny", source=("user",)), "", "deny"),
    ],
)
def test_a_rule_counts_where_everything_that_it_names_fits(rule: Rule, spool: str, expected: Ruling) -> None:
    assert ruled(rules(rule), spool=spool) == expected


@pytest.mark.parametrize("path", ["People/lina.md", "people/LINA.md", "ｐeople/lina.md"])
def test_an_allowing_rule_fits_to_the_letter(path: str) -> None:
    plan = Plan(changes=(FileChange(path, None, b"x\n"),))
    said = Write(id="a", path=path, summary="s", content="c")
    assert ruled(rules(Rule("allow", path=("people/lina.md",))), said, plan) == "ask"


@pytest.mark.parametrize(
    "path", ["Private/x.md", "PRIVATE/x.md", "./private//x.md", "people/../private/x.md", "private/x.md"]
)
def test_a_denying_rule_fits_every_spelling_of_a_path(path: str) -> None:
    said = Write(id="a", path=path, summary="s", content="c")
    policy = Policy((Rule("deny", path=("private/*",)), Rule("allow", spool=("",))))
    assert ruled(policy, said, Plan()) == "deny"


def test_a_rename_is_denied_by_either_end_and_allowed_only_by_both() -> None:
    moved = Rename(id="a", path="people/lina.md", new_path="private/lina.md", reason="r")
    plan = Plan(changes=(FileChange("private/lina.md", b"x", b"x", "people/lina.md"),))
    assert ruled(rules(Rule("deny", path=("private/*",))), moved, plan) == "deny"
    assert ruled(rules(Rule("deny", path=("people/*",))), moved, plan) == "deny"
    assert ruled(rules(Rule("allow", path=("people/*",))), moved, plan) == "ask"
    assert ruled(rules(Rule("allow", path=("people/*", "private/*"))), moved, plan) == "allow"


def test_every_note_that_a_plan_touches_must_be_allowed() -> None:
    plan = Plan(changes=(CHANGE, FileChange("work/team.md", b"a", b"b")))
    assert ruled(rules(Rule("allow", path=("people/*",))), plan=plan) == "ask"
    assert ruled(rules(Rule("deny", path=("work/*",))), plan=plan) == "deny"
    lines = Plan(changes=(CHANGE, LineChange("index.md", "people/lina.md", None, None)))
    assert ruled(rules(Rule("allow", path=("people/*",))), plan=lines) == "allow", "the index follows"


NEVER = [
    (Delete(id="a", filename="people/lina.md", user_command="u", reason="r"), PLAN),
    (Supersede(id="a", filename="people/lina.md", reason="r"), PLAN),
    (Contradiction(id="a", filename="people/lina.md", statement="s", reason="r"), PLAN),
    (Write(id="a", path="p.md", summary="s", content="c", attended=False), PLAN),
    (WRITE, PLAN.with_notices(Notice("stale", "old"))),
    (WRITE, PLAN.with_notices(Notice("gate", "failed"))),
    (WRITE, Plan(changes=(CHANGE,), problems=(Problem("", "x"),))),
    (WRITE, Plan(changes=(CHANGE,), wants=("tags",))),
    (WRITE, Plan(changes=(CHANGE,), choices=("both",))),
    (WRITE, Plan(changes=(CHANGE,), new_tags=(NewTag("x"),))),
    (WRITE, Plan()),
    (WRITE, Plan(changes=(LineChange("index.md", "x", None, None),))),
    (WRITE, Plan(changes=(CHANGE, FileChange("people/eva.md", b"x", None)))),
]


@pytest.mark.parametrize(("proposal", "plan"), NEVER)
def test_what_must_be_seen_is_never_allowed(proposal: Proposal, plan: Plan) -> None:
    assert why_asked(Asking(proposal, plan))
    assert ruled(CHAT, proposal, plan, "chat") == "ask"
    assert (
        ruled(rules(Rule("allow", path=("people/*",), operation=(proposal.operation,))), proposal, plan)
        == "ask"
    )
    assert ruled(CHAT, proposal, plan, "shut") == "deny", "a denial stands"


@pytest.mark.parametrize(
    "proposal",
    [
        WRITE,
        Add(id="a", title="t", body="b", type="fact", confidence="high", context="c"),
        Update(id="a", filename="people/lina.md", reason="r", body="b"),
        Edit(id="a", path="people/lina.md", reason="r", edits=(TextEdit("a", "b"),)),
        Replace(id="a", path="people/lina.md", text="t", reason="r"),
    ],
)
def test_the_other_operations_can_be_allowed(proposal: Proposal) -> None:
    assert ruled(CHAT, proposal, spool="chat") == "allow"


def test_the_settings_know_every_operation() -> None:
    assert set(_OPERATIONS) == set(OPERATIONS)
    assert set(NEVER_ALLOWED) < set(OPERATIONS)


CLAIMS = st.fixed_dictionaries(
    {
        "agent": st.sampled_from(["", "you", "me", "chat", "allow"]),
        "session": st.sampled_from(["", "s"]),
        "source": st.sampled_from(["", "user", "web"]),
        "attended": st.sampled_from([None, True, False]),
        "cwd": st.sampled_from(["", "/"]),
    }
)


@given(CLAIMS, CLAIMS, st.sampled_from(["", "chat", "nightly"]), st.booleans())
def test_no_claim_lets_anything_through_that_its_spool_does_not(
    one: dict[str, object], other: dict[str, object], spool: str, named: bool
) -> None:
    facts = {"spool": ("chat",)} if named else {}
    policy = Policy(
        (Rule("ask", source=("web",)), Rule("allow", agent=("me",), **facts)) if named else (),
        {"chat": "allow" if not named else "ask"},
    )
    for claims in (one, other):
        said = Write(id="a", path="people/lina.md", summary="s", content="c", **claims)  # type: ignore[arg-type]
        if ruled(policy, said, spool=spool) == "allow":
            assert spool == "chat"
