"""Commands that read the notes: catalog, list, search, check."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from memtui.commands.common import DONE, FAILED, USAGE, CommandError, out, print_json, workspace
from memtui.proposals.model import Json
from memtui.reading.library import Library, open_library
from memtui.review.items import NoteRow
from memtui.safe_text import safe, safe_lines


def _library(args: argparse.Namespace) -> Library:
    return open_library(workspace(args))


def catalog(args: argparse.Namespace) -> int:
    """The catalog as an agent reads it: without secrets."""
    from memtui.gate.screen import open_screen

    with open_screen(workspace(args)) as screen:
        found = _library(args).catalog(screen)
        text = screen.redact(found.text)
        dropped: list[Json] = [screen.redact(path) for path in found.dropped]
    if args.json:
        print_json({"catalog": text, "dropped": dropped, "bytes": found.used, "budget": found.budget})
    elif text:
        out(safe_lines(text).rstrip("\n"))
    return DONE


def list_notes(args: argparse.Namespace) -> int:
    """Every note, one line each."""
    return _print_rows(_library(args).rows(), "no notes yet", as_json=args.json)


def search(args: argparse.Namespace) -> int:
    """Notes that hold every word of the query."""
    query = " ".join(args.query)
    if not query.strip():
        raise CommandError("search wants a word", USAGE)
    return _print_rows(_library(args).search(query), f"no note holds {query}", as_json=args.json)


def _print_rows(rows: Sequence[NoteRow], nothing: str, *, as_json: bool) -> int:
    if as_json:
        print_json([_row_json(row) for row in rows])
        return DONE
    for row in rows:
        mark = "  [deprecated]" if row.status == "deprecated" else ""
        out(safe(f"{row.path} — {row.summary}{mark}"))
    if not rows:
        out(safe(nothing))
    return DONE


def _row_json(row: NoteRow) -> Json:
    return {
        "path": row.path,
        "title": row.headline,
        "summary": row.summary,
        "kind": row.kind,
        "type": row.type,
        "tags": list(row.tags),
        "status": row.status,
        "confidence": row.confidence,
        "modified": row.modified,
    }


def check(args: argparse.Namespace) -> int:
    """Health of the folder: exit 1 where something is wrong; advice stands below, and exits 0."""
    from memtui.gate.screen import open_screen
    from memtui.reading.health import check as find
    from memtui.review.screening import screen_findings

    found = workspace(args)
    library = open_library(found)
    with open_screen(found) as screen:
        findings = (*find(library.folder, library, found.settings.types), *screen_findings(screen))
    faults = [finding for finding in findings if not finding.advice]
    if args.json:
        print_json(
            [{"file": f.file, "kind": f.kind, "message": f.message, "advice": f.advice} for f in findings]
        )
    else:
        if not faults:
            out("index and notes are in step")
        for finding in findings:
            mark = "advice: " if finding.advice else ""
            out(safe(f"{mark}{finding.file or finding.kind}: {finding.message}"))
    return FAILED if faults else DONE
