"""What the screen stopped, in the app: never the value, and the person's word that it is no secret."""

from __future__ import annotations

from tests.support import decision
from tests.tui.driver import Driver, Opener, write

TOKEN = "gh" + "p_" + "a7Fk3Lm9Qw2Er5Ty8Ui1Op4As6Df0Gh3Jk7L"


async def see_blocked(app: Driver) -> None:
    """Open the group of problems and stand on its one row."""
    await app.sees("refused for the agents")
    await app.press("G", "enter", "j")
    await app.sees("blocked")


async def test_the_blocked_item_shows_all_but_the_value(opened: Opener) -> None:
    async with opened("01") as app:
        app.drop("t", write("a.md", content=f"first\nso: {TOKEN}\n", agent="web-reader"))
        await see_blocked(app)
        await app.sees("fingerprint")
        words = " ".join(line.partition("│")[2].strip() for line in app.lines)
        assert "GitHub token · content, line 2 · 40 characters" in words
        assert "web-reader · write" in words
        assert TOKEN not in app.text.replace("\n", "")
        assert TOKEN[:12] not in app.text


async def test_m_s_lets_the_value_be_sent_again(opened: Opener) -> None:
    async with opened("01") as app:
        app.drop("t", write("a.md", content=f"so: {TOKEN}\n"))
        await see_blocked(app)
        await app.sees("m s not a secret")
        await app.press("m", "s")
        await app.sees("No secret is…")
        await app.press("enter")
        assert "No secret is…" in app.text
        await app.press("j", "enter")
        await app.sees("is no secret from now on")
        app.drop("t2", write("a.md", content=f"so: {TOKEN}\n"))
        await app.until(lambda: app.app.main.inbox.model.waiting == 2, "the proposal, sent again")
        assert decision(app.workspace, "t")["verdict"] == "blocked"


async def test_m_s_is_not_offered_on_what_was_refused(opened: Opener) -> None:
    async with opened("01", "09") as app:
        await app.sees("refused for the agents")
        await app.press("G", "enter", "j")
        await app.sees("m D discard")
        await app.press("m")
        await app.sees("Discard a problem")
        assert "it is no secret" not in app.text


async def test_health_says_which_rules_look_for_secrets(opened: Opener) -> None:
    async with opened() as app:
        await app.press("g", "h")
        await app.sees("Secrets: built-in rules")
