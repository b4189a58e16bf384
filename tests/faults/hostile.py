"""Contents that would break a careless reader: bombs, depths, numbers, encodings; each a file of its own.

`python -m tests.faults.hostile` prints how long memtui takes to answer each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memtui.config import init

_WRITE = {"operation": "write", "path": "a.md", "summary": "s", "content": "c\n"}
_ADD = "operation: add\ntitle: t\nbody: b\ntype: fact\nconfidence: high\ncontext: c\n"


def _json(**fields: object) -> bytes:
    return json.dumps({**_WRITE, **fields}).encode()


def _raw(field: str, value: str) -> bytes:
    """A write with one more field, whose value is put in as it is."""
    return _json()[:-1] + f', "{field}": {value}}}'.encode()


_LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
)
_MERGES = "m0: &m0 {k: v}\n" + "".join(
    f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 9)}]}}\n" for n in range(1, 10)
)

PROPOSALS: dict[str, bytes] = {
    "an alias bomb.yaml": _LAUGHS.encode() + b"operation: write\n",
    "an alias bomb.md": b"---\n" + _LAUGHS.encode() + b"---\nx\n",
    "a merge bomb.yaml": _MERGES.encode() + b"operation: write\n",
    "a merge bomb.md": b"---\n" + _MERGES.encode() + b"---\nx\n",
    "an alias to itself.yaml": b"a: &a [*a]\noperation: write\n",
    "brackets.json": b"[" * 5_000,
    "closed brackets.json": b"[" * 5_000 + b"]" * 5_000,
    "brackets in a field.json": _raw("x", "[" * 5_000 + "]" * 5_000),
    "objects in a field.json": _raw("x", '{"a":' * 5_000 + "1" + "}" * 5_000),
    "brackets.yaml": b"a: " + b"[" * 5_000,
    "closed brackets.yaml": b"a: " + b"[" * 5_000 + b"]" * 5_000 + b"\n",
    "braces.yaml": b"{a: " * 5_000,
    "dashes.yaml": b"- " * 5_000 + b"a\n",
    "indents.yaml": b"".join(b" " * n + b"a:\n" for n in range(1_200)),
    "brackets in the head.md": b"---\na: " + b"[" * 5_000 + b"]" * 5_000 + b"\n---\nx\n",
    "quotes in the body.md": b"---\noperation: write\npath: a.md\nsummary: s\n---\n" + b"> " * 20_000 + b"x\n",
    "nested arrays.json": _raw("x", "[" * 100_000 + "]" * 100_000),
    "many arrays.json": _raw("x", "[" + ",".join(["[]"] * 100_000) + "]"),
    "many arrays.yaml": b"operation: write\nx: [" + b"[], " * 100_000 + b"[]]\n",
    "many members.json": b'{"proposals": [' + b",".join([b"{}"] * 100_000) + b"]}",
    "many fields.json": json.dumps({**_WRITE, **{f"f{n}": n for n in range(10_000)}}).encode(),
    "many edits.json": json.dumps(
        {"operation": "edit", "path": "a.md", "reason": "r", "edits": [{"old": "a", "new": "b"}] * 20_000}
    ).encode(),
    "many tags.json": json.dumps({"operation": "add", "title": "t", "body": "b", "type": "fact",
                                  "confidence": "high", "context": "c", "tags": ["x"] * 100_000}).encode(),
    "an impossible date.yaml": _ADD.encode() + b"created: 2026-02-31\n",
    "a date before time.yaml": _ADD.encode() + b"created: 0000-00-00\n",
    "a far date.json": _json(created="99999-12-31T99:99:99Z"),
    "digits.json": _raw("x", "9" * 5_000),
    "digits.yaml": b"operation: write\nx: " + b"9" * 5_000 + b"\n",
    "hex digits.yaml": b"operation: write\nx: 0x" + b"f" * 5_000 + b"\n",
    "digits of base sixty.yaml": b"operation: write\nx: " + b"1:" * 5_000 + b"1\n",
    "an exponent.json": _raw("x", "1e999999999"),
    "an exponent.yaml": b"operation: write\nx: 1e999999999\n",
    "half a character.json": _raw("summary", '"\\ud800"'),
    "half a character in the name of a field.json": _raw("\\ud800", "1"),
    "half a character.yaml": b'operation: write\nsummary: "\\ud800"\n',
    "raw half a character.json": _json().replace(b'"s"', b'"\xed\xa0\x80"'),
    "NaN.json": _raw("x", "NaN"),
    "infinity.json": _raw("x", "-Infinity"),
    "NaN.yaml": b"operation: write\nx: .nan\ny: -.inf\n",
    "a doubled key.json": _raw("summary", '"other"'),
    "doubled keys.json": b"{" + b'"operation": "write", ' * 20_000 + b'"path": "a.md"}',
    "a doubled key.yaml": b"operation: write\noperation: delete\n",
    "doubled keys.yaml": b"operation: write\n" * 20_000,
    "a doubled key.md": b"---\noperation: write\noperation: delete\n---\nx\n",
    "no proposal.json": b"null",
    "a number.json": b"1",
    "nothing.json": b"",
    "nothing.yaml": b"",
    "nothing.md": b"",
    "only NUL.json": b"\0" * 60_000,
    "only NUL.md": b"\0" * 60_000,
    "latin-1.json": json.dumps({**_WRITE, "summary": "caf\u00e9"}, ensure_ascii=False).encode("latin-1"),
    "latin-1.md": "---\noperation: write\nsummary: caf\u00e9\n---\n\u00e9\n".encode("latin-1"),
    "UTF-16.json": json.dumps(_WRITE).encode("utf-16"),
    "UTF-32.json": json.dumps(_WRITE).encode("utf-32"),
    "UTF-16.yaml": _ADD.encode("utf-16"),
    "an overlong form.json": _json().replace(b'"s"', b'"\xc0\xaf"'),
    "half a sequence.md": b"---\noperation: write\n---\n\xf0\x9f\x98",
    "a BOM in the middle.json": _json()[:20] + b"\xef\xbb\xbf" + _json()[20:],
    "a long line.json": _json(content="x" * 65_536),
    "a longer line.json": _json(content="x" * 65_537),
    "a long line of words.json": _json(content="ab " * 21_845),
    "a long line.md": b"---\noperation: write\npath: a.md\nsummary: s\n---\n" + b"x" * 60_000,
    "a long key.yaml": b"x" * 65_536 + b": y\n",
    "a long title.json": json.dumps({"operation": "add", "title": "t" * 65_536, "body": "b", "type": "fact",
                                     "confidence": "high", "context": "c", "tags": ["health", "food"]}).encode(),
    "stars.json": _json(content="*" * 60_000),
    "links.json": _json(content="[" * 30_000 + "](" * 10_000),
    "ticks.json": _json(content="`" * 20_001 + " " + "`" * 20_000),
    "entities.json": _json(content="&#" * 30_000),
    "percents.json": _json(content="%25" * 20_000),
    "escapes.json": _json(content="\\u005c" * 10_000),
    "base64.json": _json(content="QUJD" * 15_000),
    "combining.json": _json(content="e" + "\u0301" * 30_000),
    "zero width.json": _json(content="a\u200b" * 15_000),
    "a YAML tag.yaml": b"!!python/object/apply:os.system ['true']\n",
    "a YAML tag in a field.yaml": b"operation: !!python/name:os.system\n",
    "documents.yaml": b"---\na: b\n" * 20_000,
    "comments.yaml": b"# x\n" * 100_000 + b"operation: write\n",
    "a mebibyte.json": b" " * ((1 << 20) - len(_json())) + _json(),
    "a mebibyte of anything.yaml": b"x: y\n" * 209_715,
    "more than a mebibyte.json": b" " * (1 << 20) + _json(),
}  # fmt: skip

NOTES: dict[str, bytes] = (
    {name: data for name, data in PROPOSALS.items() if name.endswith(".md") and len(data) <= 1 << 20}
    | {
        f"{name.rpartition('.')[0]} as head.md": b"---\n" + data + b"\n---\nbody\n"
        for name, data in PROPOSALS.items()
        if name.endswith(".yaml")
    }
    | {
        f"{name.rpartition('.')[0]} as body.md": data
        for name, data in PROPOSALS.items()
        if name.endswith(".json")
    }
)
"""The same as notes of the memory folder: as frontmatter, and as text."""

SETTINGS: dict[str, bytes] = {
    "brackets": b"x = " + b"[" * 5_000,
    "closed brackets": b"x = " + b"[" * 5_000 + b"]" * 5_000,
    "tables": b"x = " + b"{a = " * 5_000 + b"1" + b"}" * 5_000,
    "dotted keys": b".".join([b"a"] * 5_000) + b" = 1\n",
    "a deep table": b"[" + b".".join([b"a"] * 5_000) + b"]\n",
    "many keys": b"".join(b"k%d = 1\n" % n for n in range(20_000)),
    "doubled keys": b'memory = "a"\nmemory = "b"\n',
    "digits": b"catalog_budget = " + b"9" * 5_000,
    "an impossible date": b"x = 2026-02-31\n",
    "NaN": b"catalog_budget = nan\n",
    "infinity": b"catalog_budget = inf\n",
    "half a character": b'memory = "\\ud800"\n',
    "NUL": b'memory = "a\\u0000b"\n',
    "raw NUL": b"\0" * 1_000,
    "latin-1": 'memory = "caf\u00e9"\n'.encode("latin-1"),
    "UTF-16": 'memory = "a"\n'.encode("utf-16"),
    "a long line": b'theme = "' + b"x" * 65_536 + b'"\n',
    "ten mebibytes": b"# x\n" * 2_500_000,
}
"""The same as settings of a workspace."""


# --- how long each takes -------------------------------------------------------------------------


def main() -> None:
    """Prints of each content how long `memtui propose` takes to answer, in seconds, and its memory, in MB."""
    with tempfile.TemporaryDirectory(prefix="memtui-hostile-") as room:
        root = Path(room) / "ws"
        (root / "memory").mkdir(parents=True)
        init(root)
        propose(root, "warm.json", _json())
        rows = [(propose(root, name, data), name) for name, data in PROPOSALS.items()]
    for (spent, wall, size), name in sorted(rows):
        print(f"{spent:6.2f} s of work, {wall:6.2f} s, {size:4} MB  {name}")


def propose(root: Path, name: str, data: bytes) -> tuple[float, float, int]:
    """Seconds of work, seconds until the answer, and MB at most, of one `memtui propose`."""
    file = root / name
    file.write_bytes(data)
    begun = time.monotonic()
    done = subprocess.Popen(
        [sys.executable, "-m", "memtui", "propose", str(file), "--workspace", str(root)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "HOME": str(root)},
    )
    assert done.stderr is not None
    said = done.stderr.read()
    _, _, used = os.wait4(done.pid, 0)
    assert b"Traceback" not in said, said
    assert b"a fault of memtui" not in said, said
    return used.ru_utime + used.ru_stime, time.monotonic() - begun, used.ru_maxrss // 1024


if __name__ == "__main__":
    main()
