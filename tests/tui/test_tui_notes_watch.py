"""Notes that somebody else writes, changes or removes appear by themselves."""

from __future__ import annotations

from tests.tui.driver import Opener

LINA = "people/lina.md"


async def test_notes_added_changed_and_removed_outside_appear(opened: Opener) -> None:
    async with opened() as app:
        await app.sees("Notes 6")
        await app.press("g", "n")
        await app.sees("Coding style")
        memory = app.workspace.memory
        (memory / "deep/er").mkdir(parents=True)
        (memory / "deep/er/new.md").write_text("---\ndescription: added outside\n---\nx\n")
        await app.sees("added outside")
        await app.sees("Notes 7")
        (memory / "deep/er/new.md").write_text("---\ndescription: another word\n---\nx\n")
        await app.sees("another word")
        (memory / "deep/er/new.md").unlink()
        await app.sees("Notes 6")
        await app.misses("another word")


async def test_health_follows(opened: Opener) -> None:
    async with opened() as app:
        await app.press("g", "h")
        await app.sees("no faults")
        (app.workspace.memory / "bad.md").write_text("---\ntitle: [unclosed\ntype: fact\n---\nx\n")
        await app.misses("no faults")
        await app.misses("Health 0")


async def test_the_editor_says_that_its_note_was_changed_outside(opened: Opener) -> None:
    async with opened() as app:
        await app.press("g", "n", "/", *"coding", "enter")
        await app.until(lambda: getattr(app.app.main.pane, "shown", None))
        shown = app.app.main.pane.shown
        await app.press("e")
        await app.until(lambda: app.app.main.typing)
        path = app.workspace.memory / shown.row.path
        path.write_text(path.read_text() + "\nA line of somebody else's.\n")
        await app.sees("changed outside")


async def test_a_note_shows_the_date_that_it_gives_itself(opened: Opener) -> None:
    async with opened() as app:
        await app.press("g", "n")
        await app.sees("Vegetarian since 2019")
        assert app.lines[app.row_of("Vegetarian")][:33].rstrip().endswith("y")
