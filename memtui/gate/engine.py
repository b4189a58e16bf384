"""More rules from `kingfisher-secret-scanner`, where the extra `secrets` is installed (DESIGN.md, Choices).

They take about a second and 85 MB to load: a helper process does, started when a text first holds anything that
could be a token, since ordinary notes do not. A helper that is missing, dies or hangs means that the built-in rules
run alone, and `words` says so. It ends with this process, since its pipe is closed then.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.gate.views import View

if TYPE_CHECKING:
    import subprocess

LOADING, SCANNING = 90.0, 5.0
"""Seconds that the helper may take to load, and for one text. To compile its rules, once on a machine, took 8 (25 on
a busy one); cut short, it would have to begin anew each time.
"""
LARGEST = 1 << 24
"""Bytes of one answer."""
ATTEMPTS = 3
"""Failures after which it is not asked any more."""
OFF = "MEMTUI_SCANNER"
"""Environment variable: `off` leaves the helper out."""

_HELPER = (sys.executable, "-P", str(Path(__file__).with_name("engine_helper.py")))
_RUN = 10
"""Characters without white space from which a word is looked at."""
_PART = 5
_LONG = 20
"""Characters from which what the scanner finds is no placeholder, whatever it looks like (a webhook's URL)."""
# Texts that `re` compiles when they are first wanted, and keeps.
_TOKEN = (
    r"[A-Za-z][0-9]|[0-9][A-Za-z]|[a-z][A-Z]+[a-z]+[A-Z]|[A-Z][a-z]+[A-Z]+[a-z]+[A-Z]"
    r"|[A-Za-z]{21}|[0-9]{14}|://[^/@]*@"
)
_CLAIM = r"(?:session|base_sha256)[\"']?\s*[:=]\s*[\"']?[0-9a-f-]{36,64}\b"
_OWN = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|p-[0-9a-f]{8}(?:\.\w{2,4})?|base_sha256"


def could_hold_token(text: str) -> bool:
    """Whether a text holds anything that the scanner's rules may look for; ordinary prose and names of notes do not.

    That is a word of 10 characters or more in which 5 letters and digits in a row are mixed, or capitals change
    back and forth, or which goes on for very long; or a URL with a user. Of 48,000 texts made from the scanner's own
    patterns 99% pass, and the others are shorter or plainer than real tokens. A session's id, a note's hash and an
    id that memtui made, which proposals carry anyway, are none.
    """
    if "base_sha256" in text or "session" in text:
        text = re.sub(_CLAIM, "", text)
    words = {word for word in text.split() if len(word) >= _RUN}
    return any(_is_mixed(word) for word in words) and not re.fullmatch(_OWN, text)


def _stands_for_one(value: str) -> bool:
    """Whether a value is only put where a secret would be: `https://user:password@host`."""
    from memtui.gate.rule import is_placeholder

    return len(value) < _LONG and is_placeholder(value)


def _is_mixed(word: str) -> bool:
    for match in re.finditer(_TOKEN, word):
        start, end = match.span()
        while start and word[start - 1].isalnum() and end - start < _PART:
            start -= 1
        while end < len(word) and word[end].isalnum() and end - start < _PART:
            end += 1
        if end - start >= _PART:
            return True
    return False


class Engine:
    """The helper of one process. Thread-safe: texts are asked about one after the other."""

    def __init__(self, command: Sequence[str] = _HELPER) -> None:
        self._command = tuple(command)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._about: dict[str, Any] = {}
        self._failures = 0
        self._why = ""
        self._is_missing: bool | None = None

    def find(self, view: View) -> Iterator[tuple[str, int, int]]:
        """Rule, start and end of what the scanner finds in one view; nothing where it cannot be asked."""
        if view.joined or view.is_after("rot13") or self._is_out():
            return
        if not could_hold_token(view.text[::-1] if view.is_after("reversed") else view.text):
            return
        with self._lock:
            answer = self._ask(view.text)
        for rule, start, end in answer.get("found", ()):
            if 0 <= start < end <= len(view.text) and not _stands_for_one(view.text[start:end]):
                yield f"kingfisher {rule}", start, end

    @property
    def running(self) -> bool:
        """Whether it answers at once: it need not be started first."""
        return self._process is not None

    @property
    def loading(self) -> bool:
        """Whether it has been started and does not answer yet."""
        return self._process is not None and not self._about

    @property
    def identity(self) -> str:
        """Which scanner is asked where a text could hold a token; "" for none, "failed" where it could not be asked."""
        if self.failed:
            return "failed"
        if self._is_out():
            return ""
        from importlib.util import find_spec

        spec = find_spec("kingfisher_sdk")
        return str(Path(spec.origin).stat().st_mtime_ns) if spec is not None and spec.origin else "other"

    @property
    def failed(self) -> bool:
        """Whether it could not be asked when it last was wanted."""
        return bool(self._why)

    def words(self) -> str:
        """Which rules run, for the header, `memtui vault` and `memtui status --json`."""
        if self._process is not None and self._about:
            return (
                f"built-in rules, and {self._about.get('rules')} of kingfisher {self._about.get('version')}"
            )
        if self._why:
            return f"built-in rules alone: the scanner {self._why}"
        if not self._command:
            return "built-in rules"
        if self._is_out():
            if os.environ.get(OFF) == "off":
                return f"built-in rules alone: {OFF} is off"
            return "built-in rules alone: the extra `secrets` is not installed"
        return "built-in rules, and kingfisher's where a text could hold a token"

    def close(self) -> None:
        """End the helper."""
        with self._lock:
            self._stop()

    def _is_out(self) -> bool:
        """Whether it is never asked: not installed, switched off, or failed too often."""
        if self._failures >= ATTEMPTS or not self._command or os.environ.get(OFF) == "off":
            return True
        if self._is_missing is None:
            from importlib.util import find_spec

            self._is_missing = find_spec("kingfisher_sdk") is None
        return self._is_missing

    # --- talking to the helper

    def _ask(self, text: str) -> dict[str, Any]:
        if self._failures >= ATTEMPTS:
            return {}
        try:
            if self._process is None:
                self._start()
            return self._talk(json.dumps({"text": text}).encode("ascii") + b"\n", SCANNING)
        except (OSError, ValueError) as failure:
            self._failures += 1
            self._why = str(failure) if isinstance(failure, _Failed) else "could not be started"
            self._stop()
            return {}

    def _start(self) -> None:
        import subprocess  # loaded only where the helper is wanted

        self._about = {}
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # a ctrl+c at the terminal is not for it
        )
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        self._about = self._talk(b"", LOADING)
        self._why = ""

    def _talk(self, data: bytes, seconds: float) -> dict[str, Any]:
        """Send some bytes and give the line that comes back. Raises _Failed, OSError, ValueError."""
        import selectors

        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        end, line, left = time.monotonic() + seconds, bytearray(), memoryview(data)
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if left:
                selector.register(process.stdin, selectors.EVENT_WRITE)
            while not line.endswith(b"\n"):
                ready = selector.select(max(0.0, end - time.monotonic()))
                if not ready:
                    raise _Failed(f"took more than {seconds:g} seconds")
                for key, _ in ready:
                    if key.fileobj is process.stdin:
                        left = left[os.write(key.fd, left[: 1 << 16]) :]
                        if not left:
                            selector.unregister(process.stdin)
                    else:
                        part = os.read(key.fd, 1 << 16)
                        if not part:
                            raise _Failed("ended")
                        line += part
                        if len(line) > LARGEST:
                            raise _Failed("answered far too much")
        answer = json.loads(line)
        if not isinstance(answer, dict) or answer.get("failed"):
            raise _Failed("could not scan a text")
        return answer

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()


class _Failed(OSError):
    """What the helper did wrong, as the end of a sentence."""
