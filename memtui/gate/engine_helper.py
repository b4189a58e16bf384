"""The scanner in a process of its own: one JSON line in, one out, until the pipe is closed.

In: `{"text": TEXT}`. Out: `{"rules": COUNT, "version": TEXT}` once it is loaded, then for each text
`{"found": [[RULE, START, END], …]}`, offsets in characters. It runs as a script and imports nothing of memtui. Only
`scan` is ever called, which uses no network (the scanner's validator would); sockets of Python's are refused too.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any


def _refuse_sockets(event: str, _arguments: object) -> None:
    if event.startswith("socket."):
        raise PermissionError("the scanner works offline")


def _found(scanner: Any, text: str) -> Iterator[tuple[str, int, int]]:
    # One byte or more for each character, and nothing by which the scanner would take it for another encoding.
    data = text.replace("\ufeff", " ").replace("\0", " ").encode("utf-8", "replace")
    for finding in scanner.scan(data, timeout=5):
        place = finding.location
        name = re.sub(r"^[a-z]+\.(?:secrets/)?", "", finding.rule_id)
        if finding.visible and not re.search(r"-id(?:\.\d+)?$", name):  # an id alone opens nothing
            start = len(data[: place["start_offset"]].decode("utf-8", "ignore"))
            length = len(data[place["start_offset"] : place["end_offset"]].decode("utf-8", "ignore"))
            yield name, start, start + length


def main() -> None:
    sys.addaudithook(_refuse_sockets)
    import kingfisher_sdk

    rules = kingfisher_sdk.Rules()
    scanner = kingfisher_sdk.Scanner(rules, base64=False)
    _answer({"rules": len(rules), "version": kingfisher_sdk.__version__})
    for line in sys.stdin.buffer:
        try:
            found = list(_found(scanner, json.loads(line)["text"]))
        except (TimeoutError, RuntimeError, ValueError):
            _answer({"failed": True})
        else:
            _answer({"found": found})


def _answer(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
