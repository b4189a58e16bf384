"""Several spools in one workspace: who asks is known by the spool, and none holds up another."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from memtui.config import Workspace, load, trust
from memtui.desk import Desk, DeskError
from memtui.review.answers import record_item

SETTINGS = """
[[spools]]
name = "chat"

[[spools]]
name = "nightly"
path = "drop/nightly"
"""


@pytest.fixture
def several(workspace: Workspace) -> Workspace:
    workspace.config.write_text(SETTINGS)
    trust(workspace.root)
    (workspace.root / "drop/nightly").mkdir(parents=True)
    return load(workspace.root)


def place(workspace: Workspace, spool: str) -> Path:
    return next(place.path for place in workspace.spools if place.name == spool)


def note(path: str = "people/eva.md", **more: object) -> dict[str, object]:
    return {"operation": "write", "path": path, "summary": "s", "content": "Text.\n", **more}


def drop(workspace: Workspace, spool: str, name: str, fields: dict[str, object]) -> None:
    folder = place(workspace, spool)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f".{name}.tmp").write_text(json.dumps(fields))
    (folder / f".{name}.tmp").rename(folder / f"{name}.json")


def answer(workspace: Workspace, spool: str, id: str) -> Any:
    return json.loads((place(workspace, spool) / "decisions" / f"{id}.json").read_text())


def came_from(desk: Desk) -> dict[str, str]:
    return {item.id: item.spool for item in desk.items()}


def test_each_spool_is_taken_in_and_its_items_know_it(several: Workspace) -> None:
    for spool in ("", "chat", "nightly"):
        drop(several, spool, f"from-{spool or 'own'}", note(f"n/{spool or 'own'}.md"))
    with Desk(several) as desk:
        assert desk.take_in() == 3
        assert came_from(desk) == {"from-own": "", "from-chat": "chat", "from-nightly": "nightly"}
        assert not desk.intake.is_behind()


def test_the_spools_own_folder_is_made_private(several: Workspace) -> None:
    with Desk(several) as desk:
        desk.take_in()
    for folder in (several.dot / "spools", several.dot / "spools/chat"):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_every_answer_goes_to_the_spool_that_asked(several: Workspace) -> None:
    with Desk(several) as desk:
        for number, verdict in enumerate(("approved", "rejected")):
            drop(several, "nightly", verdict, note(f"n/{number}.md"))
        drop(several, "nightly", "refused", note("no-markdown.txt"))
        drop(several, "nightly", "gone", note("n/gone.md"))
        drop(several, "nightly", "blocked", note(content="the key is AKIA" + "QZ7K3M2P5V9XLR4T"))
        members = [note(f"n/b{number}.md") for number in range(2)]
        drop(several, "nightly", "batch", {"proposals": members})
        desk.take_in()
        assert desk.approve("approved", desk.preview("approved").plan.hash).ok
        assert desk.reject("rejected", "no").ok
        for id in ("batch.1", "batch.2"):
            assert desk.reject(id, "no").ok
        (place(several, "nightly") / "gone.json").unlink()
        desk.take_in()
        assert answer(several, "nightly", "approved")["result"]["path"] == "n/0.md"
        for verdict in ("approved", "rejected", "refused"):
            assert answer(several, "nightly", verdict)["verdict"] == verdict
        assert answer(several, "nightly", "gone")["verdict"] == "withdrawn"
        assert answer(several, "nightly", "blocked")["verdict"] == "blocked"
        assert answer(several, "nightly", "batch")["verdict"] == "rejected"
        assert {refusal.spool for refusal in desk.refusals()} == {"nightly"}
    assert [path.name for path in place(several, "nightly").iterdir()] == ["decisions"]
    assert not list(several.decisions.iterdir())


def test_an_undone_one_goes_back_to_its_own_spool(several: Workspace) -> None:
    with Desk(several) as desk:
        drop(several, "nightly", "eva", note())
        desk.take_in()
        desk.approve("eva", desk.preview("eva").plan.hash)
        assert desk.undo().ok
        assert came_from(desk) == {"eva": "nightly"}
        assert answer(several, "nightly", "eva")["verdict"] == "undone"
        assert (place(several, "nightly") / "eva.json").exists()


def test_the_same_bytes_in_another_spool_do_not_move_an_undone_one_there(several: Workspace) -> None:
    several.config.write_text(SETTINGS.replace('name = "chat"', 'name = "chat"\nruling = "allow"'))
    trust(several.root)
    with Desk(load(several.root)) as desk:
        drop(several, "nightly", "eva", note())
        desk.take_in()
        desk.approve("eva", desk.preview("eva").plan.hash)
        drop(several, "chat", "other", note())
        desk.take_in()
        desk.undo()
        assert came_from(desk)["eva"] == "nightly"


@pytest.mark.parametrize("id", ["same", None])
def test_one_name_in_two_spools_is_two_proposals_with_ids_of_their_own(
    several: Workspace, id: str | None
) -> None:
    more = {} if id is None else {"id": id}
    with Desk(several) as desk:
        drop(several, "chat", "same", note("n/a.md", **more))
        desk.take_in()
        drop(several, "nightly", "same", note("n/b.md", **more))
        desk.take_in()
        found = came_from(desk)
        assert found.pop("same") == "chat"
        if id is None:
            [(other, spool)] = found.items()
            assert other.startswith("same-")
            assert spool == "nightly"
            assert desk.approve(other, desk.preview(other).plan.hash).ok
            assert answer(several, "nightly", other)["verdict"] == "approved"
        else:
            [refusal] = desk.refusals()
            assert (refusal.spool, refusal.problems[0].field) == ("nightly", "id")
        assert (several.memory / "n/a.md").exists() is False
        (place(several, "chat") / "same.json").unlink()
        desk.take_in()
        assert answer(several, "chat", "same")["verdict"] == "withdrawn"


def test_the_same_bytes_sent_through_another_spool_get_the_same_answer(several: Workspace) -> None:
    with Desk(several) as desk:
        drop(several, "chat", "eva", note(id="eva"))
        desk.take_in()
        desk.reject("eva", "no")
        drop(several, "nightly", "eva", note(id="eva"))
        desk.take_in()
        assert desk.items() == ()
        assert answer(several, "nightly", "eva")["verdict"] == "rejected"


def test_a_missing_spool_is_listed_and_holds_up_no_other(several: Workspace) -> None:
    with Desk(several) as desk:
        drop(several, "nightly", "eva", note())
        desk.take_in()
        shutil.move(several.root / "drop/nightly", several.root / "away")
        drop(several, "chat", "lina", note("n/l.md"))
        desk.take_in()
        assert came_from(desk) == {"lina": "chat"}
        [listed] = desk.refusals()
        assert listed.id == "nightly"
        assert "1 proposals" in listed.problems[0].message
        shutil.move(several.root / "away", several.root / "drop/nightly")
        desk.take_in()
        assert came_from(desk) == {"eva": "nightly", "lina": "chat"}
        assert desk.refusals() == ()


def test_a_spool_that_is_no_folder_is_listed_and_holds_up_no_other(several: Workspace) -> None:
    (several.root / "drop/nightly").rmdir()
    (several.root / "drop/nightly").write_text("x")
    with Desk(several) as desk:
        drop(several, "chat", "lina", note("n/l.md"))
        desk.take_in()
        assert came_from(desk) == {"lina": "chat"}
        assert [listed.id for listed in desk.refusals()] == ["nightly"]


def test_a_spool_that_leaves_the_settings_withdraws_nothing(several: Workspace) -> None:
    drop(several, "nightly", "eva", note())
    with Desk(several) as desk:
        desk.take_in()
    several.config.unlink()
    with Desk(load(several.root)) as desk:
        desk.take_in()
        assert came_from(desk) == {}
    assert not (several.root / "drop/nightly/decisions/eva.json").exists()
    with Desk(several) as desk:
        desk.take_in()
        assert came_from(desk) == {"eva": "nightly"}


def test_a_spool_that_no_setting_names_takes_nothing(several: Workspace) -> None:
    with Desk(several) as desk:
        with pytest.raises(
            DeskError, match=r"No spool is called elsewhere: the settings know chat, nightly\."
        ):
            desk.propose(json.dumps(note()).encode(), spool="elsewhere")
        for name in ("../../memory", "chat/decisions", "CHAT"):
            with pytest.raises(DeskError, match="No spool"):
                desk.propose(json.dumps(note()).encode(), spool=name)


def test_after_a_crash_the_spool_that_asked_is_told(several: Workspace) -> None:
    drop(several, "nightly", "eva", note())
    with Desk(several) as desk:
        desk.take_in()
        pending = desk.intake.pending["eva"]
        item = record_item("eva", "write", "rejected", at=1.0, file=pending.file, file_sha256=pending.sha256)
        desk.journal.begin(kind="answer", items=(item,))
    with Desk(several) as desk:
        desk.take_in()
        assert desk.items() == ()
    assert answer(several, "nightly", "eva")["verdict"] == "rejected"
    assert not (place(several, "nightly") / "eva.json").exists()
    assert not list(several.decisions.iterdir())


# --- what agents write ---------------------------------------------------------------------------


def test_no_word_in_a_spool_decides_anything(several: Workspace) -> None:
    claims: dict[str, object] = {
        "verdict": "approved",
        "spool": "chat",
        "ruling": "allow",
        "approved": True,
        "grant": "people/*",
        "agent": "chat",
        "attended": True,
        "source": "user",
    }
    drop(several, "nightly", "eva", note(id="eva", **claims))
    for spool in ("", "chat", "nightly"):
        folder = place(several, spool) / "decisions"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "eva.json").write_text(json.dumps({"id": "eva", "verdict": "approved"}))
        drop(several, spool, "decided", {"id": "eva", "verdict": "approved", "plan": "0" * 64})
    with Desk(several) as desk:
        desk.take_in()
        assert desk.apply_allowed() == ()
        assert came_from(desk)["eva"] == "nightly"
        assert not (several.memory / "people/eva.md").exists()
        desk.reject("eva", "no")
    assert answer(several, "nightly", "eva")["verdict"] == "rejected"


def test_a_link_to_another_spool_is_no_way_into_it(several: Workspace) -> None:
    several.config.write_text(SETTINGS.replace('name = "chat"', 'name = "chat"\nruling = "allow"'))
    trust(several.root)
    with Desk(load(several.root)) as desk:
        desk.take_in()
        drop(several, "nightly", "eva", note())
        (place(several, "chat") / "linked.json").symlink_to(place(several, "nightly") / "eva.json")
        desk.take_in()
        assert desk.apply_allowed() == ()
        assert came_from(desk) == {"eva": "nightly"}
