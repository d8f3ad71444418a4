"""Cupel from Python: labelled tables in, classification models and predictions out. One file, Python 3.9 or later, nothing to install.

    from cupel import Cupel

    cupel = Cupel("https://cupel.example.org", "cupel_…")      # or user="ada@example.org", password="…"
    model = cupel.train("customers.csv", label="churned")      # uploads, reads, trains, waits
    print(model)                                               # how good, beside guessing, and what that rests on
    model.predict("new.csv", to="answers.csv", reasons=3)      # a file, in constant memory
    model.predict({"tenure": 14, "plan": "basic"}).label       # a row, answered at once
    model.predict(frame)                                       # a pandas frame gives a frame
    model.save("churn.cupel")                                  # the model, for machines without the server
    Model.load("churn.cupel").predict(rows)                    # there

Tables are paths of CSV files, open files, bytes, lists of dictionaries or pandas frames. pandas is used where you give or ask for
frames, and never otherwise.

`refine` finds the columns that carry signal; `train(..., refine=True)` does both. `datasets`, `refinements`, `trainings`, `models`
and `predictions` go through what is there, page by page; `dataset(key)`, `model(key)` and so on name one thing.
`model.train_successor()` learns labels that came later (`prediction.outcomes.add`), and compares the new model with the old one.

Without arguments, `Cupel()` takes CUPEL_URL and CUPEL_KEY, or CUPEL_USER and CUPEL_PASSWORD, from the environment.

What goes wrong is a `CupelError` with a `code` that is stable. Broken connections and busy servers (429, 502, 503, 504) are tried
again with growing pauses; what creates something carries an Idempotency-Key, so that it is created once. Ctrl-C ends the waiting
alone: the server goes on, and the message says how to fetch what it makes.
"""

from __future__ import annotations

import base64
import contextlib
import csv
import datetime
import decimal
import difflib
import email.utils
import html
import http.client
import importlib
import importlib.util
import inspect
import io
import ipaddress
import json
import math
import os
import random
import re
import shutil
import socket
import ssl
import sys
import tempfile
import threading
import time as clock
import types
import urllib.parse
import urllib.request
import uuid
from functools import partial
from typing import (
    IO,
    Any,
    BinaryIO,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)

__all__ = [
    "Answer",
    "Cupel",
    "CupelError",
    "Dataset",
    "LocalModel",
    "Model",
    "OutcomeFigures",
    "Outcomes",
    "Prediction",
    "Refinement",
    "Successor",
    "Training",
]
__version__ = "0.1.0"

Json = Dict[str, Any]
Path = Union[str, "os.PathLike[str]"]
Say = Callable[[str], None]
T = TypeVar("T")

CHUNK_BYTES = 64 * 1024
# Tables made from rows, frames and open files stay in memory up to this size; larger ones go to a temporary file.
SPOOL_BYTES = 8 * 1024 * 1024
# Rows and bytes of one request that is answered at once: the server takes 1,000 rows and 8 MiB.
MOST_ROWS, MOST_ROWS_BYTES = 1_000, 7 * 1024 * 1024
# From this size on, files go in pieces where the server takes them (tus 1.0), so that a broken upload goes on where it broke.
RESUMABLE_BYTES = 8 * 1024 * 1024
TUS = {"Tus-Resumable": "1.0.0"}
# After these, an upload in pieces goes on from where the server is.
GOES_ON = ("UNREACHABLE", "UPLOAD_INTERRUPTED", "OFFSET_CONFLICT", "UPLOAD_BUSY", "REQUEST_TOO_SLOW")
PAGE_ITEMS = 100
# Statuses of servers and proxies that may answer otherwise in a while.
BUSY = (429, 502, 503, 504)
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 30.0
# Codes that answer a repeated request whose first attempt had succeeded.
DONE_BEFORE = {"DELETE": ("NOT_FOUND",), "PATCH": ("NOT_CANCELLABLE",), "POST": ("ALREADY_STARTED",), "PUT": ("UPLOAD_CLOSED",)}
# A server that asks for more than this is not waited for: the error says how long it wants.
LONGEST_RETRY_AFTER_SECONDS = 120.0
# The server closes connections that are idle for 30 seconds; proxies do so earlier.
MOST_IDLE_SECONDS = 4.0
# A token is renewed this long before it ends, so that none ends on its way.
RENEWAL_SECONDS = 60.0
FIRST_POLL_SECONDS, LONGEST_POLL_SECONDS = 0.1, 2.0


class CupelError(Exception):
    """Says what went wrong, and what to do.

    - `code`: stable, for programs: a code of the server (its /docs/problems lists them), or one of this client's own: UNREACHABLE,
      TLS, REDIRECTED, NOT_CUPEL, BAD_INPUT, NO_READER, DATASET_FAILED, TRAINING_FAILED, REFINEMENT_FAILED, PREDICTION_FAILED,
      CANCELLED, NOT_READY
    - `status`: of the HTTP answer; None where there was none
    - `title`, `detail`: as the server says them; `errors`: fields or places of a file, each with `field`, `code`, `message` and
      perhaps `line` and `column`
    - `request_id`: how the server's log calls the request; `retry_after`: seconds to wait, where the server asks for it
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: Optional[int] = None,
        title: str = "",
        errors: Sequence[Json] = (),
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        self.code, self.status, self.title, self.detail = code, status, title, detail
        self.errors, self.request_id, self.retry_after = list(errors), request_id, retry_after
        super().__init__(code, detail)

    def __str__(self) -> str:
        told = [self.detail or self.title]
        if self.code == "VALIDATION_FAILED":
            told += [str(error["message"]) for error in self.errors if str(error.get("message", "")) not in self.detail]
        marks = [self.code] + ([f"status {self.status}"] if self.status else [])
        marks += [f"request {self.request_id}"] if self.request_id else []
        return f"{' '.join(told)} ({', '.join(marks)})"


class Answer(NamedTuple):
    """A model's answer for a row: the decided label, its probability, the probability of each label.

    `reasons`: the columns that moved the decision the most, each with `column` and `effect` (added to the log-odds of the label;
    below 0 against it). `odd_cells`: cells that could not be taken as they stand, each with `column` and `code`.
    """

    label: str
    confidence: float
    probabilities: Dict[str, float]
    reasons: Sequence[Json] = ()
    odd_cells: Sequence[Json] = ()


class OutcomeFigures(NamedTuple):
    """The labels that came later for a prediction, added up, beside all those of the model's version.

    `rows`: with a label, of which `right` were decided rightly; `accuracy` and `interval` (95%) are None without any. `without_label`:
    rows without one so far; `unmatched`: labels whose key no row has; `unknown_labels`: rows whose label the model does not know,
    which count as wrong. `confusion`: rows by actual, then by predicted label, in the order of `labels`.

    `state`: of the version: AS_PROMISED, WORSE_THAN_PROMISED (`since` a day), TOO_FEW or NO_PROMISE; `message` says it in words.
    `info`: all that the server says.
    """

    rows: int
    right: int
    accuracy: Optional[float]
    interval: Optional[Tuple[float, float]]
    without_label: int
    unmatched: int
    unknown_labels: int
    labels: List[str]
    confusion: List[List[int]]
    state: str
    since: Optional[str]
    message: str
    info: Json


# ---- Tables that are sent


class _Source:
    """A file to send: its name, its size, and its bytes as often as they are asked for."""

    def __init__(self, name: str, size: int, open_again: Callable[[], BinaryIO], path: Optional[str] = None) -> None:
        self.name, self.size, self.path = name, size, path
        self._open_again = open_again

    def chunks(self, start: int = 0) -> Iterator[bytes]:
        """The bytes from `start` on."""
        left = self.size - start
        with contextlib.ExitStack() as stack:
            file = self._open_again()
            if self.path is not None:
                stack.enter_context(file)
            file.seek(start)
            while left > 0:
                chunk = file.read(min(CHUNK_BYTES, left))
                if not chunk:
                    raise CupelError("BAD_INPUT", f"{self.name} has become shorter while it was sent. Send it again.")
                left -= len(chunk)
                yield chunk


def _is_frame(data: Any) -> bool:
    return type(data).__module__.split(".")[0] == "pandas" and hasattr(data, "to_csv") and hasattr(data, "columns")


@contextlib.contextmanager
def _source_of(data: Any, name: Optional[str] = None) -> Iterator[_Source]:
    """The bytes of a table: a path, an open file, bytes, dictionaries or a pandas frame."""
    if isinstance(data, (str, os.PathLike)):
        path = os.fspath(data)
        if "\n" in path:
            raise CupelError("BAD_INPUT", "A text is taken as the path of a file. Give CSV text as io.StringIO(text).")
        yield _Source(name or os.path.basename(path), os.stat(path).st_size, lambda: open(path, "rb"), path)
        return
    with tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES) as spool:
        _write_table(data, cast(BinaryIO, spool))
        size = spool.tell()

        def rewound() -> BinaryIO:
            spool.seek(0)
            return cast(BinaryIO, spool)

        own_name = getattr(data, "name", None)
        yield _Source(name or (os.path.basename(own_name) if isinstance(own_name, str) else "table.csv"), size, rewound)


def _write_table(data: Any, out: BinaryIO) -> None:
    if isinstance(data, (bytes, bytearray, memoryview)):
        out.write(data)
    elif _is_frame(data):
        data.to_csv(_Text(out), index=False)
    elif hasattr(data, "read"):
        while True:
            chunk = data.read(CHUNK_BYTES)
            if not chunk:
                return
            out.write(chunk.encode("utf-8") if isinstance(chunk, str) else chunk)
    else:
        rows = _rows_of(data)
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.writer(_Text(out), lineterminator="\n")
        writer.writerow(names)
        writer.writerows([_cell_text(row.get(name)) for name in names] for row in rows)


class _Text:
    """Text into a binary file. io.TextIOWrapper takes no temporary files before Python 3.11."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(text.encode("utf-8"))

    def flush(self) -> None:
        self._out.flush()


class _Chunks(io.RawIOBase):
    """Pieces of bytes as a file."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self._rest = iter(chunks), memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = memoryview(chunk)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """The lines of a text in UTF-8, with their ends, as csv wants them."""
    buffered = io.BufferedReader(_Chunks(chunks), CHUNK_BYTES)
    return iter(io.TextIOWrapper(buffered, encoding="utf-8-sig", newline=""))


def _is_list_of_labels(data: Any) -> bool:
    """A pandas series counts as one."""
    if type(data).__module__.split(".")[0] == "pandas":
        return not hasattr(data, "columns")
    is_table = isinstance(data, (str, bytes, bytearray, memoryview, os.PathLike, Mapping)) or hasattr(data, "read")
    return not is_table and isinstance(data, Sequence) and len(data) > 0 and not any(isinstance(one, Mapping) for one in data)


def _rows_of(data: Any) -> List[Mapping[str, Any]]:
    """A list of dictionaries. Raises CupelError BAD_INPUT for anything else."""
    if isinstance(data, Mapping) or not isinstance(data, Iterable):
        kind = type(data).__name__
        raise CupelError(
            "BAD_INPUT", f"A table is a path, an open file, bytes, a list of dictionaries or a pandas frame, not a {kind}."
        )
    rows = list(data)
    if not rows:
        raise CupelError("BAD_INPUT", "There are no rows. Give one dictionary of values by column name for each row.")
    for at, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            kind = type(row).__name__
            raise CupelError("BAD_INPUT", f"Row {at} is a {kind}. Give a dictionary of values by column name.")
    return rows


def _value(value: Any) -> Union[str, int, float, bool, None]:
    """A cell as JSON has it; None for what pandas and numpy call missing, too."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        own = value.item()
        # numpy's times of nanoseconds are numbers there: their text is the time.
        return str(value) if type(value).__name__ == "datetime64" else _value(own)
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            return None
        # Database drivers give keys as decimals too: whole ones keep all their digits.
        return _value(int(value) if value.adjusted() < 40 and value == value.to_integral_value() else float(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)


def _date_text(value: Any, order: Optional[str]) -> Any:
    form = {"dmy": "%d.%m.%Y", "mdy": "%m/%d/%Y"}.get(order or "")
    if form is None or not isinstance(value, datetime.date) or type(value).__name__ == "NaTType":
        return value
    return value.strftime(f"{form} %H:%M:%S" if isinstance(value, datetime.datetime) else form)


def _number_text(value: Any, form: Json) -> Any:
    """A number as a file of this form has it; other values as they are. No form that groups thousands has an exponent."""
    if isinstance(value, datetime.time) and form["affix"] == "h:mm" and value.second == 0:
        return value.strftime("%H:%M")
    own = _value(value)
    if isinstance(own, bool) or not isinstance(own, (int, float)):
        return value
    if form["affix"] in ("h:mm", "h:mm:ss"):
        return _time_text(own, form["affix"])
    text = format(decimal.Decimal(repr(own)).normalize(), ",f" if form["grouping"] else "f")
    return text.translate(str.maketrans({",": form["grouping"], ".": form["decimal"]})) + form["affix"]


def _time_text(value: float, affix: str) -> str:
    """A number as the time that it stands for: 845 as 14:05 where the form is h:mm, 192.5 as 0:03:12.5 where it is h:mm:ss."""
    whole, _, fraction = format(decimal.Decimal(repr(abs(value))).normalize(), "f").partition(".")
    rest, latter = divmod(int(whole), 60)
    text = f"{rest}:{latter:02}" if affix == "h:mm" else f"{rest // 60}:{rest % 60:02}:{latter:02}"
    return ("-" if value < 0 else "") + text + (f".{fraction}" if fraction else "")


def _forms(columns: Iterable[Tuple[str, Json]], *kinds: str) -> Dict[str, Json]:
    """The forms of the columns of these kinds that the training file did not write as Python does. `columns`: names and readings."""
    forms = {name: reading["form"] for name, reading in columns if reading["kind"] in kinds}
    plain = ({"decimal": ".", "grouping": "", "affix": ""}, {"order": "ymd"})
    return {name: form for name, form in forms.items() if form not in plain}


def _as_trained(data: Any, forms: Mapping[str, Json]) -> Any:
    """Rows or a frame with numbers and dates in these forms."""

    def formed(value: Any, name: Any) -> Any:
        form = forms.get(str(name))
        if form is None:
            return value
        return _date_text(value, form["order"]) if "order" in form else _number_text(value, form)

    if not _is_frame(data):
        return [{name: formed(value, name) for name, value in row.items()} for row in _rows_of(data)]
    names = list(data.columns)
    own = data.copy()
    for name in names:
        # A model needs no column whose name repeats.
        if str(name) in forms and names.count(name) == 1:
            own[name] = data[name].astype(object).map(partial(formed, name=name))
    return own


def _is_file(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike, bytes, bytearray, memoryview)) or hasattr(data, "read")


def _cell_text(value: Any) -> str:
    own = _value(value)
    return "" if own is None else repr(own) if isinstance(own, float) else str(own)


# ---- One line of progress


class _Progress:
    """One line that is written over: on terminals and in notebooks, or given to a function, or nowhere."""

    def __init__(self, choice: Union[bool, Say, None]) -> None:
        self._choice = choice
        self._is_open = False

    def _stream(self) -> Optional[IO[str]]:
        if self._choice is False:
            return None
        # Notebooks show what goes to stderr as if it were a fault.
        is_notebook = "ipykernel" in sys.modules
        stream = sys.stdout if is_notebook else sys.stderr
        if stream is None or not (self._choice is True or is_notebook or stream.isatty()):
            return None
        return stream

    def say(self, text: str) -> None:
        # Names and reasons come from the server: nothing in them may steer a terminal.
        text = "".join(character if character.isprintable() else " " for character in text)
        if callable(self._choice) and not isinstance(self._choice, bool):
            self._choice(text)
            return
        stream = self._stream()
        if stream is None:
            return
        width = max(20, shutil.get_terminal_size().columns - 1)
        cut = text if len(text) <= width else text[: width - 1] + "…"
        stream.write("\r" + cut.ljust(width))
        stream.flush()
        self._is_open = True

    def end(self) -> None:
        """Lets the last line stand."""
        if self._is_open:
            self._is_open = False
            stream = self._stream()
            if stream is not None:
                stream.write("\n")
                stream.flush()


# ---- Requests


class _Reply(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    content: bytes


class _Body(NamedTuple):
    size: int
    chunks: Callable[[], Iterator[bytes]]


class _Stream:
    """An answer whose body is read piece by piece. Close it."""

    def __init__(self, response: http.client.HTTPResponse, connection: http.client.HTTPConnection) -> None:
        self._response, self._connection = response, connection
        self.status, self.headers = response.status, response.headers
        length = response.headers.get("content-length")
        self.left = None if length is None else int(length)

    def read(self, count: int) -> bytes:
        """At most `count` bytes; b"" at the end. Raises ConnectionError where the body ends before its length."""
        chunk = self._response.read(count)
        if self.left is not None:
            self.left -= len(chunk)
            if not chunk and self.left > 0:
                raise ConnectionError("the connection broke in the middle of the answer")
        return chunk

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class _Transport:
    """HTTP to one server: one kept connection a thread, proxies of the environment, retries. It follows no redirect, since that
    would take credentials elsewhere."""

    def __init__(self, url: str, ca_file: Optional[Path], timeout: float, retries: int, progress: _Progress) -> None:
        parts = urllib.parse.urlsplit(url.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise CupelError("BAD_INPUT", f'"{url}" is no address of a server. Give one like "https://cupel.example.org".')
        if parts.username or parts.password or parts.query or parts.fragment:
            raise CupelError("BAD_INPUT", "The address holds more than a server and a path. Give credentials as key, or user and password.")
        self.scheme, self.host = parts.scheme, parts.hostname
        self.port = parts.port or (443 if self.scheme == "https" else 80)
        self.base_path = parts.path.rstrip("/")
        self.url = f"{self.scheme}://{parts.netloc}{self.base_path}"
        self.timeout, self.retries, self.progress = timeout, retries, progress
        self._netloc = parts.netloc
        self._local = threading.local()
        self._tls = ssl.create_default_context(cafile=os.fspath(ca_file) if ca_file else None) if self.scheme == "https" else None
        self._proxy = self._find_proxy()

    def is_private(self) -> bool:
        """Whether nobody between here and the server can change what it says: TLS, or the machine itself."""
        if self.scheme == "https" or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def _find_proxy(self) -> Optional[urllib.parse.SplitResult]:
        found = urllib.request.getproxies().get(self.scheme)
        is_own = self.host == "localhost" or self.host.startswith("127.") or self.host == "::1"
        if not found or is_own or urllib.request.proxy_bypass(self.host):
            return None
        return urllib.parse.urlsplit(found if "://" in found else f"http://{found}")

    def _proxy_headers(self) -> Dict[str, str]:
        if self._proxy is None or self._proxy.username is None:
            return {}
        pair = f"{urllib.parse.unquote(self._proxy.username)}:{urllib.parse.unquote(self._proxy.password or '')}"
        return {"Proxy-Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}

    def _connect(self) -> http.client.HTTPConnection:
        host, port = (self.host, self.port) if self._proxy is None else (self._proxy.hostname or "", self._proxy.port or 8080)
        if self._tls is None:
            return http.client.HTTPConnection(host, port, timeout=self.timeout)
        connection = http.client.HTTPSConnection(host, port, timeout=self.timeout, context=self._tls)
        if self._proxy is not None:
            connection.set_tunnel(self.host, self.port, self._proxy_headers())
        return connection

    def _take_kept(self) -> http.client.HTTPConnection:
        kept, self._local.kept = getattr(self._local, "kept", None), None
        if kept is not None:
            connection, since, process = cast(Tuple[http.client.HTTPConnection, float, int], kept)
            # A forked process shares the socket of its parent: it must not speak on it.
            if process == os.getpid() and clock.monotonic() - since < MOST_IDLE_SECONDS:
                return connection
            if process == os.getpid():
                connection.close()
        return self._connect()

    def close(self) -> None:
        kept, self._local.kept = getattr(self._local, "kept", None), None
        if kept is not None:
            kept[0].close()

    def _begin(
        self, connection: http.client.HTTPConnection, method: str, path: str, headers: Mapping[str, str], body: Optional[_Body]
    ) -> Tuple[http.client.HTTPResponse, bool]:
        """The beginning of the answer, and whether all of the body was sent."""
        target = self.base_path + path
        is_plain_proxy = self._proxy is not None and self._tls is None
        connection.putrequest(
            method, f"http://{self._netloc}{target}" if is_plain_proxy else target, skip_host=True, skip_accept_encoding=True
        )
        own = {"Host": self._netloc, "User-Agent": f"cupel-python/{__version__}", "Accept-Encoding": "identity", **headers}
        for name, value in {**own, **(self._proxy_headers() if is_plain_proxy else {})}.items():
            connection.putheader(name, value)
        if body is not None or method != "GET":
            connection.putheader("Content-Length", str(body.size if body is not None else 0))
        connection.endheaders()
        is_sent = True
        for chunk in body.chunks() if body is not None else ():
            try:
                connection.send(chunk)
            except (BrokenPipeError, ConnectionResetError):
                # A server that refuses a body may answer and close before it has read all of it.
                is_sent = False
                break
        return connection.getresponse(), is_sent

    def _once(self, method: str, path: str, headers: Mapping[str, str], body: Optional[_Body]) -> _Reply:
        connection = self._take_kept() if body is None or body.size <= CHUNK_BYTES else self._connect()
        is_reusable = False
        try:
            response, is_sent = self._begin(connection, method, path, headers, body)
            content = response.read()
            is_reusable = is_sent and not response.will_close
            return _Reply(response.status, response.headers, content)
        finally:
            if is_reusable:
                self.close()
                self._local.kept = (connection, clock.monotonic(), os.getpid())
            else:
                connection.close()

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: Optional[_Body] = None, retries: Optional[int] = None
    ) -> _Reply:
        """Raises CupelError for every answer that is no success."""
        turns = 0

        def once() -> _Reply:
            nonlocal turns
            turns += 1
            reply = self._once(method, path, headers, body)
            if not 200 <= reply.status < 300:
                problem = _problem(self.url, reply)
                # The answer to an earlier try may have been lost on its way.
                if turns == 1 or problem.code not in DONE_BEFORE.get(method, ()):
                    raise problem
            return reply

        return self.insist(once, retries)

    def stream(self, path: str, headers: Mapping[str, str]) -> _Stream:
        def once() -> _Stream:
            connection = self._connect()
            try:
                response, _ = self._begin(connection, "GET", path, headers, None)
                if response.status in (200, 206):
                    return _Stream(response, connection)
                raise _problem(self.url, _Reply(response.status, response.headers, response.read()))
            except BaseException:
                connection.close()
                raise

        return self.insist(once)

    def insist(self, once: Callable[[], T], retries: Optional[int] = None) -> T:
        """Tries again after broken connections and where the server or a proxy is busy, with growing pauses that differ, so that
        clients which broke off together do not come back together."""
        most = self.retries if retries is None else retries
        for turn in range(most + 1):
            try:
                return once()
            except CupelError as error:
                is_passing = error.status in BUSY or error.code == "UPLOAD_INTERRUPTED"
                if not is_passing or turn == most or (error.retry_after or 0.0) > LONGEST_RETRY_AFTER_SECONDS:
                    raise
                self.pause(turn, error)
            except ssl.SSLCertVerificationError as error:
                detail = f"The certificate of {self.url} cannot be trusted: {error.verify_message}. Name its authority with ca_file=."
                raise CupelError("TLS", detail) from None
            except (OSError, http.client.HTTPException) as error:
                if isinstance(error, OSError) and error.filename is not None:
                    raise  # A file of this machine, no connection.
                problem = CupelError("UNREACHABLE", f"{self.url} cannot be reached: {_reason(error)}.")
                # Neither a name that nobody knows nor a port that speaks no TLS will be another in a moment.
                is_lasting = isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME
                is_lasting = is_lasting or getattr(error, "reason", None) == "WRONG_VERSION_NUMBER"
                if is_lasting or turn == most:
                    problem.detail += " Check the address and whether the server runs."
                    raise problem from error
                self.pause(turn, problem)
        raise AssertionError("unreachable")

    def pause(self, turn: int, error: CupelError) -> None:
        """Waits before something is tried again, the longer the more often it was."""
        self.progress.say(f"{error.detail or error.title} Trying again.")
        pause = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**turn) * random.uniform(0.5, 1)
        clock.sleep(max(pause, error.retry_after or 0.0))


def _reason(error: BaseException) -> str:
    return str(getattr(error, "strerror", None) or error) or type(error).__name__


def _seconds_of(text: Optional[str]) -> Optional[float]:
    """Retry-After: seconds, or a date."""
    if text is None:
        return None
    if re.fullmatch("[0-9]{1,9}", text.strip()):
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - clock.time())
    except (TypeError, ValueError):
        return None


def _problem(url: str, reply: _Reply) -> CupelError:
    status, headers, content = reply
    if 300 <= status < 400:
        place = headers.get("location", "elsewhere")
        return CupelError("REDIRECTED", f"{url} leads to {place}. Give the address that it leads to.", status=status)
    retry_after = _seconds_of(headers.get("retry-after"))
    try:
        own = json.loads(content)
    except ValueError:
        own = None
    if not isinstance(own, dict) or not isinstance(own.get("code"), str):
        reason = http.client.responses.get(status, "")
        detail = f"{url} answers {status} {reason} and not as Cupel does. Check the address, and the proxies on the way."
        return CupelError("NOT_CUPEL", detail, status=status, title=reason, retry_after=retry_after)
    errors = [error for error in own.get("errors") or [] if isinstance(error, dict)]
    title, request_id, detail = (str(own.get(name, "")) for name in ("title", "requestId", "detail"))
    return CupelError(
        own["code"], detail, status=status, title=title, errors=errors, request_id=request_id, retry_after=retry_after
    )


# ---- The server


class Cupel:
    """A Cupel server.

    - `url`: its address, with the base path if it has one; CUPEL_URL unless given
    - `key`: an API key (scopes read, write and predict for everything here); or `user` and `password`, whose token is renewed by
      itself; CUPEL_KEY, or CUPEL_USER and CUPEL_PASSWORD, unless given
    - `ca_file`: certificates (PEM) of a private authority that signed the server's
    - `timeout`: seconds without a sign of the server after which a connection counts as broken
    - `retries`: how often a request is tried again after a broken connection, or while the server is busy
    - `progress`: None shows a line on terminals and in notebooks, True everywhere, False nowhere; or a function that takes the line

    Threads may share it. It keeps a connection for each; `close`, or `with Cupel(…) as cupel:`, ends this thread's.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        user: Optional[str] = None,
        password: Optional[str] = None,
        ca_file: Optional[Path] = None,
        timeout: float = 120.0,
        retries: int = 8,
        progress: Union[bool, Say, None] = None,
    ) -> None:
        url = url or os.environ.get("CUPEL_URL")
        if not url:
            raise CupelError("BAD_INPUT", "There is no address. Give url=, or set CUPEL_URL.")
        if key is None and user is None and password is None:
            key, user = os.environ.get("CUPEL_KEY"), os.environ.get("CUPEL_USER")
            password = os.environ.get("CUPEL_PASSWORD")
        self._key = key.strip() if key else None
        self._login = (user, password) if not key and user is not None and password is not None else None
        if self._key is None and self._login is None:
            detail = "There is no credential. Give key=, or user= and password=, or set CUPEL_KEY, or CUPEL_USER and CUPEL_PASSWORD."
            raise CupelError("BAD_INPUT", detail)
        if self._key is not None and not re.fullmatch("[!-~]+", self._key):
            raise CupelError("BAD_INPUT", "The API key holds characters that none has. Copy it again.")
        self._progress = _Progress(progress)
        self._transport = _Transport(url, ca_file, timeout, retries, self._progress)
        self._lock = threading.Lock()
        self._token: Optional[str] = None
        self._token_until = 0.0

    @property
    def url(self) -> str:
        """The server's address."""
        return self._transport.url

    def __repr__(self) -> str:
        return f"<Cupel {self.url}>"

    def __enter__(self) -> "Cupel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection of this thread; the next request opens another."""
        self._transport.close()

    # -- What people do

    @overload
    def train(self, data: Any, label: Optional[str] = None, *, wait: Literal[True] = True, **settings: Any) -> "Model": ...

    @overload
    def train(
        self, data: Any, label: Optional[str] = None, *, wait: Literal[False], **settings: Any
    ) -> "Union[Training, Refinement]": ...

    def train(
        self,
        data: Any,
        label: Optional[str] = None,
        *,
        name: Optional[str] = None,
        refine: bool = False,
        scaling: Optional[int] = None,
        target: Optional[float] = None,
        objective: Optional[str] = None,
        costs: Optional[Mapping[Any, float]] = None,
        group: Optional[str] = None,
        time: Optional[str] = None,
        without: Sequence[str] = (),
        keep_key_columns: Optional[bool] = None,
        wait: bool = True,
        **table: Any,
    ) -> "Union[Model, Training, Refinement]":
        """Trains models on a table and gives the best one, a `Model`; with `wait=False` the `Training` that is under way, or the
        `Refinement` that comes before it.

        - `data`: a table, or a `Dataset`
        - `label`: the column to predict; the last one unless given
        - `name`: what the dataset is called, 3 to 30 characters; else after the file
        - `refine`: first find the columns that carry signal, and train on those; goes without the settings in the next four lines
        - `scaling`: search width, 1 + N attempts, 0 to 499; 19 unless given
        - `target`: stop at the end of the first round in which a version reaches this accuracy, 0 to 1
        - `objective`: "accuracy", "balanced-accuracy", "f1" or "cost"
        - `costs`: what mistakes cost: {"bad": 5} for a missed bad, {("bad", "good"): 5} for one kind of mistake
        - `group`, `time`: columns to judge by: rows of one machine together, newest rows last
        - `without`: columns to learn nothing from; `keep_key_columns`: learn from those of `group` and `time` too
        - further ones, of the file: as of `upload`; with a `Dataset` `kind` and `missing_in` alone, in place of its own

        Raises CupelError TRAINING_FAILED, or CANCELLED, where there is no model.
        """
        keys = _given(groupColumn=group, timeColumn=time, keepKeyColumns=keep_key_columns, withoutColumns=list(without) or None)
        search = _given(scalingFactor=scaling)
        judged = _given(performanceThreshold=target, objective=objective, costs=_costs_of(costs))
        if costs is not None:
            judged.setdefault("objective", "cost")
        if refine and judged:
            detail = "After a refinement, trainings have a target of their own and the accuracy as objective. Leave these settings out, or train on refinement.dataset()."
            raise CupelError("BAD_INPUT", detail)
        settings = {**keys, **_dataset_settings(label, table)} if isinstance(data, Dataset) else {}
        dataset = data.wait() if isinstance(data, Dataset) else self._read_table(data, label, name, keys, table)
        if refine:
            run = self._refine_dataset(dataset, {**settings, "thenTrain": search})
            return run.model() if wait else run
        answer = self._create(f"/api/v1/training/datasets/{dataset.key}", {**settings, **search, **judged})
        training = Training(self, answer["trainingJobKey"])
        return training.wait() if wait else training

    def refine(
        self,
        data: Any,
        label: Optional[str] = None,
        *,
        test: Any = None,
        name: Optional[str] = None,
        buckets: Optional[int] = None,
        remove_leaks: Optional[bool] = None,
        group: Optional[str] = None,
        time: Optional[str] = None,
        without: Sequence[str] = (),
        keep_key_columns: Optional[bool] = None,
        wait: bool = True,
        **table: Any,
    ) -> "Refinement":
        """Finds the columns that carry signal.

        - `data`: a table, or a `Dataset`; `test`: a table of labelled rows that judge alone, else a fifth of the rows
        - `name`: what the run is called (letters, digits, blanks, _ and -); `buckets`: 4, 10 or 20
        - `remove_leaks`: remove columns that give the label away, rather than flag them
        - the others: as of `train`

        Raises CupelError REFINEMENT_FAILED, or CANCELLED, where there is no result.
        """
        keys = _given(groupColumn=group, timeColumn=time, keepKeyColumns=keep_key_columns, withoutColumns=list(without) or None)
        asked = _given(name=name, numberOfBuckets=buckets, removeLeaks=remove_leaks)
        if test is not None:
            if isinstance(data, Dataset):
                raise CupelError("BAD_INPUT", "With test=, the data is a table too, no dataset.")
            run = self._refine_pair(data, test, {**asked, **keys, **_table_settings(label, table)})
        else:
            if isinstance(data, Dataset):
                asked = {**asked, **keys, **_dataset_settings(label, table)}
                dataset = data.wait()
            else:
                dataset = self._read_table(data, label, None, keys, table)
            run = self._refine_dataset(dataset, asked)
        return run.wait() if wait else run

    def upload(
        self,
        data: Any,
        label: Optional[str] = None,
        *,
        name: Optional[str] = None,
        description: Optional[str] = None,
        buckets: Optional[int] = None,
        positive: Optional[str] = None,
        missing: Optional[Sequence[str]] = None,
        kind: Optional[Mapping[str, str]] = None,
        missing_in: Optional[Mapping[str, Union[str, Sequence[str]]]] = None,
        header: Optional[bool] = None,
        group: Optional[str] = None,
        time: Optional[str] = None,
        without: Sequence[str] = (),
        keep_key_columns: Optional[bool] = None,
        wait: bool = True,
    ) -> "Dataset":
        """Makes a dataset of a table, for several trainings.

        - `buckets`: granularity, 4 to 1000; `positive`: of two labels the one that precision and recall are about
        - `missing`: texts that mean "no value", in place of the usual ones; `missing_in`: {"oil": "-9999"} for further ones in a column
        - `kind`: {"plant": "category"} reads a column as "number", "date", "category" or "text"
        - `header=False`: the first row is data, columns are column_1, column_2, …
        - the others: as of `train`

        Raises CupelError DATASET_FAILED, or the code of what is wrong, where the file cannot be used.
        """
        keys = _given(groupColumn=group, timeColumn=time, keepKeyColumns=keep_key_columns, withoutColumns=list(without) or None)
        table = _given(description=description, buckets=buckets, positive=positive, missing=missing, header=header)
        table.update(_given(kind=kind, missing_in=missing_in))
        send = self._read_table if wait else self._upload_table
        return send(data, label, name, keys, table)

    def load(self, path: Path) -> "LocalModel":
        """A model file, to score with on this machine; the reader comes from the server where it is not here yet."""
        return Model.load(path, cupel=self)

    def save_reader(self, to: Path = "cupel_reader.py") -> str:
        """Saves the program that scores by model files, for machines without a server. Returns its path."""
        return self._download("/api/v1/readers/python", to)

    # -- What is there

    def datasets(self, search: Optional[str] = None) -> Iterator["Dataset"]:
        """Your datasets, newest first; those with `search` in the name."""
        return (Dataset(self, own["datasetKey"], own) for own in self._pages("/api/v1/datasets", "datasets", search=search))

    def refinements(self, search: Optional[str] = None) -> Iterator["Refinement"]:
        """Your refinements, newest first; those with `search` in the name."""
        found = self._pages("/api/v1/feature-refinery", "refinements", search=search)
        return (Refinement(self, own["featureRefinementKey"], own) for own in found)

    def trainings(self) -> Iterator["Training"]:
        """Your trainings, newest first."""
        return (Training(self, own["trainingJobKey"], own) for own in self._pages("/api/v1/training", "trainingJobs"))

    def models(self) -> Iterator["Model"]:
        """Your models, newest first."""
        return (Model(self, own["modelKey"], own) for own in self._pages("/api/v1/models", "models"))

    def predictions(self) -> Iterator["Prediction"]:
        """Your predictions, newest first."""
        return (Prediction(self, own["predictionKey"], own) for own in self._pages("/api/v1/predictions", "predictions"))

    def dataset(self, key: str) -> "Dataset":
        """The dataset of a key. Nothing is asked of the server yet; the same holds for the next five."""
        return Dataset(self, key)

    def refinement(self, key: str) -> "Refinement":
        """The refinement of a key."""
        return Refinement(self, key)

    def training(self, key: str) -> "Training":
        """The training of a key."""
        return Training(self, key)

    def model(self, key: str) -> "Model":
        """The model of a key."""
        return Model(self, key)

    def prediction(self, key: str) -> "Prediction":
        """The prediction of a key."""
        return Prediction(self, key)

    def successor(self, key: str) -> "Successor":
        """The successor of a key."""
        return Successor(self, key)

    def limits(self) -> Json:
        """The server's limits."""
        return self._json("GET", "/api/v1/limits")

    def usage(self) -> Json:
        """How much room your files take."""
        return self._json("GET", "/api/v1/usage")

    # -- Requests

    def _authorization(self) -> Dict[str, str]:
        if self._login is None:
            return {"Authorization": f"Bearer {self._key}"}
        with self._lock:
            if self._token is None or clock.monotonic() > self._token_until:
                user, password = self._login
                content = json.dumps({"username": user, "password": password}).encode()
                reply = self._transport.request("POST", "/api/login", _JSON_HEADERS, _body_of(content))
                answer = _read_json(self.url, reply)
                self._token = answer["access_token"]
                self._token_until = clock.monotonic() + max(0.0, answer["expires_in"] - RENEWAL_SECONDS)
            return {"Authorization": f"Bearer {self._token}"}

    def _authorized(self, ask: Callable[[Dict[str, str]], T]) -> T:
        """Asks with the credential; once more with a new token where the server knows the old one no longer."""
        own = self._authorization()
        try:
            return ask(own)
        except CupelError as error:
            if error.status != 401 or self._login is None:
                raise
            with self._lock:
                if own["Authorization"] == f"Bearer {self._token}":
                    self._token = None
        return ask(self._authorization())

    def _request(
        self,
        method: str,
        path: str,
        headers: Optional[Mapping[str, str]] = None,
        body: Optional[_Body] = None,
        retries: Optional[int] = None,
    ) -> _Reply:
        return self._authorized(
            lambda own: self._transport.request(method, path, {**(headers or {}), **own}, body, retries)
        )

    def _json(self, method: str, path: str, content: Optional[Json] = None, headers: Optional[Mapping[str, str]] = None) -> Json:
        body = None if content is None else _body_of(json.dumps(content, allow_nan=False).encode())
        own = {"Accept": "application/json"} if body is None else _JSON_HEADERS
        return _read_json(self.url, self._request(method, path, {**own, **(headers or {})}, body))

    def _create(self, path: str, content: Json) -> Json:
        return self._json("POST", path, content, _creating())

    def _delete(self, path: str) -> None:
        self._request("DELETE", path)

    def _pages(self, path: str, field: str, **query: Any) -> Iterator[Json]:
        """The items of a list, each once, also where they are deleted on the way or others come."""
        offset: Optional[int] = 0
        total, seen = 0, set()
        while offset is not None:
            page = self._json("GET", _with_query(path, offset=offset, limit=PAGE_ITEMS, **query))
            gone, total = total - page["total"], page["total"]
            if gone > 0:
                # Items were deleted: those after them have moved up.
                offset = max(0, offset - gone)
                continue
            for own in page[field]:
                key = next(iter(own.values()))
                if field == "attempts" or key not in seen:
                    seen.add(key)
                    yield own
            offset = page.get("nextOffset")

    def _download(self, path: str, to: Any, **query: Any) -> str:
        """Writes an answer to a file, which appears whole or not at all, or to something with `write`. Returns the path, or ""."""
        target = _with_query(path, **query)
        return _write_whole(self._chunks(target), to)

    def _chunks(self, target: str) -> Iterator[bytes]:
        """The bytes of an answer; a broken connection goes on where it broke, as long as the file is the same."""
        have, broken = 0, 0
        mark: Optional[str] = None
        while True:
            headers = {"Accept": "*/*", **({"Range": f"bytes={have}-", "If-Range": mark} if have and mark else {})}
            stream = self._authorized(partial(self._open, target, headers))
            try:
                if have and not (stream.headers.get("content-range") or "").startswith(f"bytes {have}-"):
                    detail = "The connection broke, and the file is another one now or cannot be fetched in parts. Fetch it again."
                    raise CupelError("FILE_CHANGED", detail)
                mark = stream.headers.get("etag")
                while True:
                    chunk = stream.read(CHUNK_BYTES)
                    if not chunk:
                        return
                    have, broken = have + len(chunk), 0
                    yield chunk
            except (OSError, http.client.HTTPException) as error:
                broken += 1
                if broken > self._transport.retries:
                    raise CupelError("UNREACHABLE", f"{self.url} breaks off again and again: {_reason(error)}.") from error
            finally:
                stream.close()

    def _open(self, target: str, headers: Mapping[str, str], own: Mapping[str, str]) -> _Stream:
        return self._transport.stream(target, {**headers, **own})

    def _wait(
        self, fetch: Callable[[], Json], is_over: Callable[[Json], bool], words: Callable[[Json], str], later: str, timeout: Optional[float]
    ) -> Json:
        """Asks until something is over. `later`: how to go on with it after Ctrl-C."""
        pause, since = FIRST_POLL_SECONDS, clock.monotonic()
        try:
            while True:
                answer = fetch()
                self._progress.say(words(answer))
                if is_over(answer):
                    return answer
                seconds = float(answer.get("nextPollAfterSeconds") or pause)
                if timeout is not None and clock.monotonic() - since + seconds > timeout:
                    detail = f"It is not over after {timeout:g} seconds; the server goes on. Later: {later}"
                    raise CupelError("NOT_READY", detail)
                clock.sleep(seconds)
                pause = min(LONGEST_POLL_SECONDS, pause * 1.5)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"The server goes on. Later: {later}") from None
        finally:
            self._progress.end()

    # -- Uploads

    def _read_table(self, data: Any, label: Optional[str], name: Optional[str], keys: Json, table: Json) -> "Dataset":
        """Removes the dataset again where its file cannot be used: the error has the reason, and the name is free."""
        dataset = self._upload_table(data, label, name, keys, table)
        try:
            return dataset.wait()
        except CupelError:
            if (dataset._whole or {}).get("status") == "FAILED":
                with contextlib.suppress(CupelError):
                    dataset.delete()
            raise

    def _upload_table(self, data: Any, label: Optional[str], name: Optional[str], keys: Json, table: Json) -> "Dataset":
        table = dict(table)
        asked = {**_given(description=table.pop("description", None)), **keys, **_table_settings(label, table)}
        with _source_of(data) as source:
            created = self._create_named("/api/v1/datasets", asked, name, source.name)
            dataset = Dataset(self, created["datasetKey"])
            slot = created["datasetUploadInfo"]
            try:
                self._upload(slot["uploadUrl"], slot["extraHeaders"], source)
            except CupelError:
                # Without its file it would only take up a name.
                with contextlib.suppress(CupelError):
                    self._request("DELETE", dataset._path, retries=0)
                raise
            return dataset

    def _create_named(self, path: str, asked: Json, name: Optional[str], file_name: str) -> Json:
        if name is not None:
            return self._create(path, {**asked, "name": name})
        stem = "".join(character for character in os.path.splitext(file_name)[0] if character.isprintable()).strip()
        stem = stem if len(stem) >= 3 else f"{stem} table".strip()
        for turn in range(1, 8):
            suffix = "" if turn == 1 else f" {turn}" if turn < 5 else f" {uuid.uuid4().hex[:6]}"
            try:
                return self._create(path, {**asked, "name": stem[: 30 - len(suffix)].strip() + suffix})
            except CupelError as error:
                if error.code != "NAME_TAKEN":
                    raise
        return self._create(path, {**asked, "name": f"table {uuid.uuid4().hex[:12]}"})

    def _upload(self, url: str, headers: Mapping[str, str], source: _Source) -> None:
        """Sends a file to a signed address. The address that reached the server reaches it for files too, whatever a proxy made of
        its name, and the signature is of the path behind it."""
        parts = urllib.parse.urlsplit(url)
        at = parts.path.find("/api/v1/uploads/")
        if at < 0:
            raise CupelError("NOT_CUPEL", f"{self.url} gives an upload address that is none of Cupel's.")
        target = f"{parts.path[at:]}?{parts.query}"
        try:
            place = self._begin_pieces(target, source) if source.size >= RESUMABLE_BYTES else None
            if place is not None:
                self._send_pieces(place, source)
                return
            own = {"Content-Type": "text/csv", **headers}
            self._transport.request("PUT", target, own, _Body(source.size, partial(self._reported, source)))
        finally:
            self._progress.end()

    def _send_form(self, path: str, source: _Source, part: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> Json:
        # Fixed for the call: a retry must be the same to the last byte, or it would count as another request.
        boundary = uuid.uuid4().hex
        shown = re.sub(r'[^ !#-\[\]-~]', "_", source.name)[:200]
        parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()]
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{part}"; filename="{shown}"\r\nContent-Type: text/csv\r\n\r\n')
        head, tail = "".join(parts).encode(), f"\r\n--{boundary}--\r\n".encode()

        def chunks() -> Iterator[bytes]:
            yield head
            yield from self._reported(source)
            yield tail

        own = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Accept": "application/json", **headers}
        body = _Body(len(head) + source.size + len(tail), chunks)
        try:
            return _read_json(self.url, self._request("POST", path, own, body))
        finally:
            self._progress.end()

    def _begin_pieces(self, target: str, source: _Source) -> Optional[str]:
        """Where the pieces of a file go; None where the server takes none."""
        try:
            reply = self._transport.request("POST", target, {**TUS, "Upload-Length": str(source.size)})
        except CupelError as error:
            if error.status not in (404, 405):
                raise
            return None
        parts = urllib.parse.urlsplit(reply.headers.get("location") or "")
        return f"{parts.path[max(0, parts.path.find('/api/v1/uploads/')) :]}?{parts.query}"

    def _send_pieces(self, place: str, source: _Source) -> None:
        offset, stalled = 0, 0
        while offset < source.size:
            headers = {**TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}
            body = _Body(source.size - offset, partial(self._reported, source, offset))
            try:
                reply = self._transport.request("PATCH", place, headers, body, retries=0)
                offset = int(reply.headers.get("upload-offset") or source.size)
            except CupelError as error:
                if error.code not in GOES_ON and error.status not in BUSY:
                    raise
                known = int(self._transport.request("HEAD", place, TUS).headers.get("upload-offset") or 0)
                stalled = 0 if known > offset else stalled + 1
                if stalled > self._transport.retries:
                    raise
                offset = known
                self._transport.pause(stalled, error)

    def _reported(self, source: _Source, start: int = 0) -> Iterator[bytes]:
        sent, told = start, -1
        for chunk in source.chunks(start):
            yield chunk
            sent += len(chunk)
            share = sent * 100 // source.size
            if share != told:
                told = share
                self._progress.say(f"Sending {source.name}: {share}% of {_bytes_words(source.size)}")

    def _refine_dataset(self, dataset: "Dataset", asked: Json) -> "Refinement":
        answer = self._create(f"/api/v1/feature-refinery/datasets/{dataset.key}", asked)
        return Refinement(self, answer["featureRefinementKey"])

    def _refine_pair(self, train: Any, test: Any, asked: Json) -> "Refinement":
        with _source_of(train) as train_source, _source_of(test) as test_source:
            sources = {"TRAIN": train_source, "TEST": test_source}
            names = {"trainFileName": train_source.name[:260], "testFileName": test_source.name[:260]}
            created = self._create("/api/v1/feature-refinery", {**asked, **names})
            run = Refinement(self, created["featureRefinementKey"])
            for target in created["uploadTargets"]:
                name, _, value = target["requiredHeader"].partition(": ")
                self._upload(target["url"], {name: value}, sources[target["kind"]])
        self._request("POST", f"{run._path}/start")
        return run


_JSON_HEADERS = {"Accept": "application/json", "Content-Type": "application/json"}


def _creating() -> Dict[str, str]:
    """Made once a call, so that all its retries carry the same one."""
    return {"Idempotency-Key": str(uuid.uuid4())}


def _body_of(content: bytes) -> _Body:
    return _Body(len(content), lambda: iter((content,)))


def _read_json(url: str, reply: _Reply) -> Json:
    try:
        answer = json.loads(reply.content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise CupelError("NOT_CUPEL", f"{url} does not answer as Cupel does. Check the address.", status=reply.status)
    return answer


def _with_query(path: str, **query: Any) -> str:
    own = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items() if value is not None}
    return f"{path}?{urllib.parse.urlencode(own)}" if own else path


def _given(**fields: Any) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


_CHOICES = ("kind", "missing_in")
_TABLE_FIELDS = {"buckets": "numberOfBuckets", "positive": "positiveLabel", "missing": "missingValues", "header": "hasHeader"}


def _table_settings(label: Optional[str], table: Mapping[str, Any]) -> Json:
    unknown = [name for name in table if name not in (*_TABLE_FIELDS, *_CHOICES)]
    if unknown:
        known = [*inspect.signature(Cupel.train).parameters, *_TABLE_FIELDS, *_CHOICES]
        near = [match for name in unknown for match in difflib.get_close_matches(name, known, 1)]
        hint = f" Did you mean {', '.join(near)}?" if near else f" Of the file there are {', '.join((*_TABLE_FIELDS, *_CHOICES))}."
        raise TypeError(f"There is no setting {', '.join(unknown)}.{hint}")
    own = {field: table[name] for name, field in _TABLE_FIELDS.items() if table.get(name) is not None}
    if "missingValues" in own:
        own["missingValues"] = list(own["missingValues"])
    return _given(labelColumn=label, columnChoices=_choices_of(table.get("kind"), table.get("missing_in")), **own)


def _dataset_settings(label: Optional[str], table: Mapping[str, Any]) -> Json:
    """Of what is said of a file, how single columns are read may be said of a dataset too."""
    others = [name for name in table if name not in _CHOICES]
    if others:
        raise CupelError("BAD_INPUT", f"A dataset has its settings already: leave out {', '.join(others)}.")
    return _table_settings(label, table)


def _choices_of(kind: Optional[Mapping[str, str]], missing_in: Optional[Mapping[str, Any]]) -> Optional[List[Json]]:
    if kind is None and missing_in is None:
        return None
    kinds, missing = kind or {}, missing_in or {}
    # A text alone is one text, not its letters; numbers stand as Python writes them.
    texts = {name: [str(one) for one in ([own] if isinstance(own, (str, int, float)) else own)] for name, own in missing.items()}
    return [{"name": name, **_given(kind=kinds.get(name), missingTexts=texts.get(name))} for name in {**kinds, **missing}]


def _costs_of(costs: Optional[Mapping[Any, float]]) -> Optional[List[Json]]:
    if costs is None:
        return None
    return [
        {"actual": own[0], "predicted": own[1], "cost": cost} if isinstance(own, tuple) else {"actual": own, "cost": cost}
        for own, cost in costs.items()
    ]


# ---- Things of the server


class _Thing:
    """Something of the server that a key names. `info` is what the server last said of it; `refresh` asks again."""

    _room = ""
    _word = ""

    def __init__(self, cupel: Cupel, key: str, known: Optional[Json] = None) -> None:
        if not re.fullmatch("[0-9A-Za-z-]{1,64}", key):
            raise CupelError("BAD_INPUT", f'"{key}" is no key. Keys are like 4af9bc93-18ed-4e14-a49b-f5e01eafb70d.')
        self._cupel, self.key = cupel, key
        self._known = known
        self._whole: Optional[Json] = None

    @property
    def _path(self) -> str:
        return f"{self._room}/{self.key}"

    @property
    def _later(self) -> str:
        return f'cupel.{self._word}("{self.key}").wait()'

    @property
    def info(self) -> Json:
        """The server's answer about it, with its own names; asked once."""
        return self._whole if self._whole is not None else self.refresh()

    def refresh(self) -> Json:
        """Asks the server again."""
        self._whole = self._cupel._json("GET", self._path)
        return self._whole

    def delete(self) -> None:
        """Removes it from the server."""
        self._cupel._delete(self._path)

    def __repr__(self) -> str:
        known = self._whole or self._known or {}
        told = [str(known[name]) for name in ("name", "status", "state") if known.get(name) is not None]
        return f"<{type(self).__name__} {' '.join([self.key, *told])}>"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.key == self.key

    def __hash__(self) -> int:
        return hash((type(self), self.key))


class Dataset(_Thing):
    """A table on the server, ready for trainings once it is read."""

    _room, _word = "/api/v1/datasets", "dataset"

    @property
    def name(self) -> str:
        """Its name."""
        return str((self._known or self.info)["name"])

    @property
    def label(self) -> Optional[str]:
        """The column to predict."""
        return cast(Optional[str], self.info["labelColumn"])

    @property
    def warnings(self) -> List[str]:
        """Warnings of the server about the file."""
        return [warning["message"] for warning in self.info["warnings"]]

    def wait(self, timeout: Optional[float] = None) -> "Dataset":
        """Waits until it is read. Raises CupelError with the code and the place of what is wrong with the file."""
        own = self._cupel._wait(self.refresh, _is_over("PENDING", "PROCESSING"), _dataset_words, self._later, timeout)
        if own["status"] != "COMPLETED":
            raise CupelError(own.get("errorCode") or "DATASET_FAILED", own.get("errorReason") or "The file cannot be used.")
        return self

    def relabel(self, label: str, positive: Optional[str] = None) -> "Dataset":
        """Chooses another column to predict, and waits until the table is read again."""
        self._cupel._json("PATCH", self._path, _given(labelColumn=label, positiveLabel=positive))
        return self.wait()

    def preview(self) -> List[Dict[str, str]]:
        """Its first rows, by column name."""
        own = self._cupel._json("GET", f"{self._path}/preview")
        return [dict(zip(own["columns"], row)) for row in own["rows"]]

    def train(self, label: Optional[str] = None, **settings: Any) -> "Model":
        """Trains on it: settings as of `Cupel.train`. `label`: refuse where the dataset has another by now."""
        return self._cupel.train(self, label, wait=True, **settings)

    def refine(self, **settings: Any) -> "Refinement":
        """Refines it: settings as of `Cupel.refine`."""
        return self._cupel.refine(self, **settings)

    def models(self) -> Iterator["Model"]:
        """The models that were trained on it, newest first."""
        found = self._cupel._pages(f"/api/v1/models/datasets/{self.key}", "models")
        return (Model(self._cupel, own["modelKey"], own) for own in found)


class Refinement(_Thing):
    """A search for the columns that carry signal."""

    _room, _word = "/api/v1/feature-refinery", "refinement"

    def wait(self, timeout: Optional[float] = None) -> "Refinement":
        """Waits until there is a result. Raises CupelError REFINEMENT_FAILED or CANCELLED."""
        own = self._cupel._wait(
            lambda: self._cupel._json("GET", f"{self._path}/progress"),
            lambda own: own["state"] in ("REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"),
            _refinement_words,
            self._later,
            timeout,
        )
        if own["state"] == "CANCELLED":
            raise CupelError("CANCELLED", "The refinement was cancelled.")
        if own["state"] != "REFINEMENT_COMPLETED":
            raise CupelError("REFINEMENT_FAILED", own.get("errorReason") or "The refinement ended without a result.")
        return self

    def cancel(self) -> None:
        """Ends it without a result."""
        self._cupel._request("PATCH", f"{self._path}/cancel")

    def result(self) -> Json:
        """A decision and a reason for every column, the target that was reached, and the files."""
        return self._cupel._json("GET", f"{self._path}/result")

    @property
    def kept(self) -> List[str]:
        """The columns that carry signal."""
        return list(self.result()["keptColumns"])

    @property
    def removed(self) -> Dict[str, str]:
        """The other columns, each with the reason why it goes."""
        return {own["name"]: own["reason"] for own in self.result()["columns"] if own["decision"] == "REMOVE"}

    def save(self, to: Any, kind: str = "TRAIN") -> str:
        """Saves the reduced file of `kind` TRAIN or TEST. Returns its path."""
        return self._cupel._download(f"{self._path}/files/{urllib.parse.quote(kind, safe='')}", to)

    def dataset(self, name: Optional[str] = None) -> Dataset:
        """Makes a dataset of the kept columns, and waits until it is read."""
        made = self._cupel._create_named(f"/api/v1/datasets/feature-refinery/{self.key}", {}, name, f"{self.info['name']}.csv")
        return Dataset(self._cupel, made["datasetKey"]).wait()

    def train(self, *, scaling: Optional[int] = None) -> "Model":
        """Trains on the kept columns, once they are found, towards the target that the refinement recommends."""
        self._cupel._json("POST", f"{self._path}/planned-training", _given(scalingFactor=scaling))
        return self.model()

    def model(self, timeout: Optional[float] = None) -> "Model":
        """Waits for the training that was planned for it, and gives its model."""
        until = None if timeout is None else clock.monotonic() + timeout
        self.wait(timeout)
        later = f'cupel.refinement("{self.key}").model()'
        own = self._cupel._wait(
            self.refresh,
            lambda own: not own.get("plannedTraining") or own["plannedTraining"]["status"] not in ("WAITING", "PREPARING"),
            lambda own: "Preparing the training on the kept columns",
            later,
            None if until is None else max(0.0, until - clock.monotonic()),
        )
        planned = own.get("plannedTraining")
        if not planned:
            raise CupelError("BAD_INPUT", "No training was planned for this refinement. Call train().")
        if planned["trainingJobKey"] is None:
            raise CupelError("TRAINING_FAILED", planned.get("errorReason") or "The planned training was cancelled.")
        training = Training(self._cupel, planned["trainingJobKey"])
        return training.wait(None if until is None else max(0.0, until - clock.monotonic()))

    def _repr_html_(self) -> str:
        own = self._cupel._json("GET", f"{self._path}/progress")
        if own["state"] != "REFINEMENT_COMPLETED":
            return f"<p>{_escaped(_refinement_words(own))}</p>"
        rows = [(one["name"], one["decision"].lower(), one["reason"]) for one in self.result()["columns"]]
        return f"<p>{_escaped(_refinement_words(own))}</p>{_table(('Column', 'Decision', 'Reason'), rows)}"


class Training(_Thing):
    """A competition of algorithms on a dataset."""

    _room, _word = "/api/v1/training", "training"

    @property
    def status(self) -> str:
        """PENDING, RUNNING, COMPLETED, TIMED_OUT, NOT_COMPLETED, CANCELLED or FAILED; asked each time."""
        return str(self.refresh()["status"])

    def progress(self) -> Json:
        """How far it is."""
        return self._cupel._json("GET", f"{self._path}/progress")

    def wait(self, timeout: Optional[float] = None) -> "Model":
        """Waits for its end and gives its model, the best so far where it ended early (`status` says so).

        Raises CupelError TRAINING_FAILED or CANCELLED where there is none.
        """
        # A cancelled training is over once the model of its finished attempts is made: only the hint of the next poll tells.
        own = self._cupel._wait(
            self.progress, lambda own: own.get("nextPollAfterSeconds") is None, _training_words, self._later, timeout
        )
        key = self.refresh()["modelKey"]
        if key is not None:
            return Model(self._cupel, key)
        if own["status"] == "CANCELLED":
            raise CupelError("CANCELLED", "The training was cancelled before a model was made.")
        raise CupelError("TRAINING_FAILED", own.get("errorReason") or f"The training ended {own['status']} without a model.")

    def cancel(self) -> None:
        """Ends it; the model of the attempts that have finished is made."""
        self._cupel._request("PATCH", f"{self._path}/cancel")

    def attempts(self) -> Iterator[Json]:
        """Its attempts, the best first."""
        return self._cupel._pages(f"{self._path}/attempts", "attempts")

    def _repr_html_(self) -> str:
        own = self.progress()
        key = self.refresh()["modelKey"]
        told = f"<p>{_escaped(_training_words(own))}</p>"
        return told if key is None else told + Model(self._cupel, key)._repr_html_()


class Model(_Thing):
    """A trained model: up to three versions, of which the champion answers."""

    _room, _word = "/api/v1/models", "model"
    _details: Optional[Json] = None

    @staticmethod
    def load(path: Path, cupel: Optional[Cupel] = None) -> "LocalModel":
        """A model file (`.cupel`), to score with on this machine, without a server.

        That takes the reader, cupel_reader.py: it is used where Python finds it, or where it lies beside this file; else it comes
        from `cupel`, a server that was named, over TLS or from this machine alone, since it is a program that runs here. Raises
        CupelError NO_READER where it is nowhere.
        """
        return LocalModel(path, _reader(cupel))

    @property
    def versions(self) -> List[Json]:
        """Its versions, best first, each with `version`, `algorithm`, `achievedPerformance`, `confirmedPerformance`, …"""
        return list(self.info["versions"])

    @property
    def accuracy(self) -> float:
        """The champion's accuracy on the rows that were kept aside, 0 to 1."""
        return float((self._whole or self._known or self.info)["achievedPerformance"])

    @property
    def interval(self) -> Tuple[float, float]:
        """Where its accuracy lies with 95% certainty."""
        held = _champion(self.details(), self.info)["heldOutPerformance"]
        return held["low"], held["high"]

    @property
    def majority(self) -> float:
        """The accuracy of always answering the most frequent label."""
        return float(self.details()["baseline"]["accuracy"])

    @property
    def doubts(self) -> List[str]:
        """Why the accuracy may not hold on new rows, worst first, each with what to do."""
        verdict = self.details().get("verdict")
        return [f"{own['message']} {own['remedy']}" for own in verdict["doubts"]] if verdict else []

    @property
    def label(self) -> str:
        """The column that it predicts."""
        return str(self.details()["label"])

    @property
    def labels(self) -> List[str]:
        """The labels that it answers with."""
        return [own["label"] for own in self.details()["classes"]]

    @property
    def columns(self) -> List[str]:
        """The columns that it needs."""
        return [own["name"] for own in self.details()["columns"]]

    @property
    def training(self) -> Training:
        """The training that made it."""
        return Training(self._cupel, self.info["trainingJobKey"])

    def details(self) -> Json:
        """The evidence behind it: every measure of every version, columns, warnings. Asked once."""
        if self._details is None:
            self._details = self._cupel._json("GET", f"{self._path}/details")
        return self._details

    def refresh(self) -> Json:
        """Asks the server again."""
        self._details = None
        return super().refresh()

    def example(self) -> Json:
        """A row to begin with, by column name."""
        return cast(Json, self._cupel._json("GET", f"{self._path}/example-row")["row"])

    @overload
    def predict(self, data: Mapping[str, Any], *, to: None = None, reasons: int = 0) -> Answer: ...

    @overload
    def predict(self, data: Sequence[Mapping[str, Any]], *, to: None = None, reasons: int = 0) -> List[Answer]: ...

    @overload
    def predict(
        self, data: Union[Path, bytes, IO[Any]], *, to: Any = None, reasons: int = 0, filter_columns: bool = False, wait: bool = True
    ) -> "Prediction": ...

    @overload
    def predict(
        self, data: Any, *, to: Any = None, reasons: int = 0, filter_columns: bool = False, wait: bool = True
    ) -> Any: ...

    def predict(self, data: Any, *, to: Any = None, reasons: int = 0, filter_columns: bool = False, wait: bool = True) -> Any:
        """Answers rows by the champion.

        - a dictionary gives an `Answer`, a list of dictionaries gives a list of them, at once: the server stores nothing
        - a pandas frame gives a frame: its columns and index, then prediction, confidence and a probability for each label, and
          reasons; labels are numbers or truth values where all of them are
        - a path, an open file or bytes give a `Prediction`, finished, or under way with `wait=False`
        - `to`: a path, or something with `write`, where the result goes as CSV: the rows as they were, then the same columns. With
          it, rows and frames give a `Prediction` too; their numbers are written there as in the training file
        - `reasons`: how many columns to name for each row that moved its decision the most, 0 to 10
        - `filter_columns`: strip the columns that the refinement dropped, by position

        Raises CupelError COLUMN_MISMATCH where the columns are not the model's, UNREADABLE_COLUMN, PREDICTION_FAILED.
        """
        is_row = isinstance(data, Mapping)
        if (is_row or not (_is_file(data) or _is_frame(data))) and to is None:
            answers = self._predict_rows([data] if is_row else _rows_of(data), reasons)
            return answers[0] if is_row else answers
        prediction = self._predict_file([data] if is_row else data, to, reasons, filter_columns)
        if not wait:
            if to is not None:
                raise CupelError("BAD_INPUT", "With to=, the result is waited for. Leave out wait=False, or call save later.")
            return prediction
        prediction.wait()
        if to is not None:
            prediction.save(to)
            return prediction
        return _joined(data, prediction.frame()) if _is_frame(data) else prediction

    def _predict_rows(self, rows: Sequence[Mapping[str, Any]], reasons: int) -> List[Answer]:
        answers: List[Answer] = []
        path = _with_query(f"/api/v1/predictions/models/{self.key}/rows", reasons=reasons or None)
        for batch in _batches(self._dated(rows)):
            content = b'{"rows":[' + b",".join(batch) + b"]}"
            try:
                reply = self._cupel._request("POST", path, _JSON_HEADERS, _body_of(content))
            except CupelError as error:
                if answers:
                    error.detail = f"In the rows from {len(answers) + 1} on: {error.detail}"
                raise
            answers += [
                Answer(own["label"], own["confidence"], own["probabilities"], own.get("reasons", []), own.get("oddCells", []))
                for own in _read_json(self._cupel.url, reply)["predictions"]
            ]
        return answers

    def _dated(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Dates and times as the training file wrote them: the server reads none otherwise."""
        if not any(isinstance(value, (datetime.date, datetime.time)) for row in rows for value in row.values()):
            return rows
        forms = self._forms("date", "number")
        own = {name: form for name, form in forms.items() if "order" in form or form["affix"] == "h:mm"}
        return cast(Sequence[Mapping[str, Any]], _as_trained(rows, own))

    def _forms(self, *kinds: str) -> Dict[str, Json]:
        return _forms(((own["name"], own["reading"]) for own in self.details()["columns"]), *kinds)

    def _predict_file(self, data: Any, to: Any, reasons: int, filter_columns: bool) -> "Prediction":
        if not _is_file(data):
            # The server would look for signs such as € in texts, and may take a point for one between thousands.
            data = _as_trained(data, self._forms("number"))
        with _source_of(data) as source:
            _refuse_own_input(source.path, to)
            sent = self._predict_in_pieces(source, reasons, filter_columns) if source.size >= RESUMABLE_BYTES else None
            if sent is not None:
                return sent
            if filter_columns:
                path = _with_query("/api/v1/predictions", modelKey=self.key, filterColumns=True, reasons=reasons or None)
            else:
                path = _with_query(f"/api/v1/predictions/models/{self.key}", reasons=reasons or None)
            made = self._cupel._send_form(path, source, "_file" if filter_columns else "file", {}, _creating())
            return Prediction(self._cupel, made["predictionKey"])

    def _predict_in_pieces(self, source: _Source, reasons: int, filter_columns: bool) -> Optional["Prediction"]:
        """None where the server takes no pieces of files to predict."""
        asked = {"reasons": reasons, "filterColumns": filter_columns}
        try:
            made = self._cupel._create(f"/api/v1/predictions/models/{self.key}/uploads", asked)
        except CupelError as error:
            if error.status not in (404, 405):
                raise
            # A model that is not there is named by the request that follows.
            return None
        slot = made["predictionUploadInfo"]
        self._cupel._upload(slot["uploadUrl"], slot["extraHeaders"], source)
        return Prediction(self._cupel, made["predictionKey"])

    def predictions(self) -> Iterator["Prediction"]:
        """The predictions by it, newest first."""
        found = self._cupel._pages(f"/api/v1/predictions/models/{self.key}", "predictions")
        return (Prediction(self._cupel, own["predictionKey"], own) for own in found)

    def promote(self, version: int) -> "Model":
        """Makes another version the champion."""
        self._cupel._json("POST", f"/api/v1/training/{self.info['trainingJobKey']}/champion", {"version": version})
        self.refresh()
        return self

    def train_successor(
        self,
        *,
        predictions: Optional[Iterable["Prediction"]] = None,
        old_rows: Optional[int] = None,
        promote_when_better: bool = False,
        wait: bool = True,
    ) -> "Successor":
        """Trains again with rows whose labels came later (`prediction.outcomes.add`), once there are 100, and compares both models.

        - `predictions`: whose labelled rows to learn from; those of this model unless given
        - `old_rows`: how many rows of the model's dataset to learn from, its last ones; all unless given, 0 for the new rows alone
        - `promote_when_better`: promote it by itself where a test finds it better by the model's objective

        Raises CupelError LABELS_UNFIT, SUCCESSOR_UNDER_WAY, SUCCESSOR_FAILED or CANCELLED.
        """
        asked = _given(oldRows=old_rows, promote="WHEN_BETTER" if promote_when_better else None)
        if predictions is not None:
            asked["predictions"] = [own.key for own in predictions]
        own = self._cupel._create(f"{self._path}/successors", asked)
        successor = Successor(self._cupel, own["successorKey"], own)
        return successor.wait() if wait else successor

    def successors(self) -> Iterator["Successor"]:
        """Its successors and those of the models that came of it, newest first."""
        found = self._cupel._pages(f"{self._path}/successors", "successors")
        return (Successor(self._cupel, own["successorKey"], own) for own in found)

    def set_threshold(self, threshold: Optional[float], version: Optional[int] = None) -> Json:
        """With two labels, decides for the positive one above another probability; None takes the training's own again."""
        path = f"{self._path}/versions/{version or self.info['version']}/threshold"
        return self._cupel._json("PUT", path, {"threshold": threshold})

    def save(self, to: Any, *, version: Optional[int] = None, format: str = "cupel") -> str:
        """Saves the model file of the champion, or of a version: "cupel" or "onnx". Returns its path."""
        path = f"{self._path}/versions/{version or self.info['version']}/file"
        return self._cupel._download(path, to, format=None if format == "cupel" else format)

    def save_report(self, to: Any, version: Optional[int] = None) -> str:
        """Saves the report of its training, one HTML file. Returns its path."""
        return self._cupel._download(f"{self._path}/versions/{version or self.info['version']}/report", to)

    def __str__(self) -> str:
        figure, judged, doubts = self._figures()
        return "\n".join([f"Model {self.key}", figure, judged, *doubts])

    def _figures(self) -> Tuple[str, str, List[str]]:
        details, info = self.details(), self.info
        own, base, rows = _champion(details, info), details["baseline"], details["holdout"]["rows"]
        version = _champion(info, info)
        always = f'always answering "{base["label"]}": {_percent(base["accuracy"])}'
        estimate = _estimate(own["heldOutPerformance"])
        figure = f"Accuracy {estimate} on {rows:,} held-out rows: {version['falseDecisions']:,} wrong; {always}"
        confirmed = version["confirmedPerformance"]
        judged = "Not confirmed on further splits" if confirmed is None else f"Confirmed {_estimate(confirmed)}"
        return figure, f"{judged}, {_judged_words(details.get('verdict'))}; {own['algorithm']}", self.doubts

    def _repr_html_(self) -> str:
        figure, judged, doubts = self._figures()
        rows = [
            (
                f"v{own['version']}{' (champion)' if own['champion'] else ''}",
                own["algorithm"],
                _percent(own["achievedPerformance"]),
                _estimate(own["confirmedPerformance"]) if own["confirmedPerformance"] else "",
                own["falseDecisions"],
            )
            for own in self.info["versions"]
        ]
        told = "".join(f"<li>{_escaped(doubt)}</li>" for doubt in doubts)
        table = _table(("Version", "Algorithm", "Accuracy", "Confirmed", "Wrong"), rows)
        return f"<p><strong>{_escaped(figure)}</strong></p><p>{_escaped(judged)}</p>{f'<ul>{told}</ul>' if told else ''}{table}"


class Successor(_Thing):
    """A model that learns rows whose labels came later, and is compared with the one before it, the champion."""

    _room, _word = "/api/v1/successors", "successor"

    def __init__(self, cupel: Cupel, key: str, known: Optional[Json] = None) -> None:
        super().__init__(cupel, key, known)
        # Lists, and the answer to the request for it, tell all of it.
        self._whole = known

    def wait(self, timeout: Optional[float] = None) -> "Successor":
        """Waits for the comparison. Raises CupelError SUCCESSOR_FAILED or CANCELLED."""
        own = self._cupel._wait(
            self.refresh,
            _is_over("JOINING", "READING", "TRAINING", "COMPARING"),
            lambda own: f"Successor: {own['status'].lower()}",
            self._later,
            timeout,
        )
        if own["status"] != "COMPLETED":
            code = "CANCELLED" if own["status"] == "CANCELLED" else "SUCCESSOR_FAILED"
            raise CupelError(code, own.get("errorReason") or f"The successor ended {own['status']}.")
        return self

    @property
    def champion(self) -> Model:
        """The model before it."""
        return Model(self._cupel, self.info["champion"]["modelKey"])

    @property
    def model(self) -> Model:
        """The model that it trained. Raises CupelError NOT_READY where there is none yet."""
        if self.info["challenger"] is None:
            raise CupelError("NOT_READY", "It has trained no model yet. Call wait().")
        return Model(self._cupel, self.info["challenger"]["modelKey"])

    @property
    def comparison(self) -> Json:
        """How both models decide the rows that were kept aside. Raises CupelError NOT_READY where that is not known yet."""
        if self.info["comparison"] is None:
            raise CupelError("NOT_READY", "Both models are not compared yet. Call wait().")
        return cast(Json, self.info["comparison"])

    @property
    def outcome(self) -> str:
        """CHALLENGER_BETTER, CHAMPION_BETTER or WITHIN_CHANCE, by a test at 5%."""
        return str(self.comparison["outcome"])

    def promote(self) -> "Successor":
        """Lets its model answer at the first model's address: programs go on calling that one."""
        return self._let_answer(self.model)

    def take_back(self) -> "Successor":
        """Lets the champion answer there again."""
        return self._let_answer(self.champion)

    def _let_answer(self, model: Model) -> "Successor":
        # Promoting twice is promoting once.
        self._cupel._json("POST", f"{model._path}/promote")
        self.refresh()
        return self

    def __str__(self) -> str:
        return "\n".join([f"Successor {self.key}", *self.comparison["statements"]])


class Prediction(_Thing):
    """A file that a model answers, or has answered."""

    _room, _word = "/api/v1/predictions", "prediction"

    @property
    def model(self) -> Model:
        """The model that answered."""
        return Model(self._cupel, (self._known or self.info)["modelKey"])

    @property
    def warnings(self) -> List[str]:
        """Warnings of the model about the file."""
        return [warning["message"] for warning in self.info["warnings"]]

    def refresh(self) -> Json:
        """Asks the server again."""
        self._whole = self._cupel._json("GET", self._path, headers={"Accept": "application/json"})
        return self._whole

    def wait(self, timeout: Optional[float] = None) -> "Prediction":
        """Waits for the result. Raises CupelError PREDICTION_FAILED."""
        self._cupel._wait(
            lambda: self._cupel._json("GET", f"{self._path}/progress"),
            _is_over("PENDING", "RUNNING"),
            lambda own: own.get("waitingReason") or f"Prediction: {own['status'].lower()}",
            self._later,
            timeout,
        )
        own = self.refresh()
        if own["status"] != "COMPLETED":
            raise CupelError("PREDICTION_FAILED", own.get("errorReason") or f"The prediction ended {own['status']}.")
        return self

    def save(self, to: Any, *, spreadsheet_safe: bool = False) -> str:
        """Saves the result as CSV to a path, or to something with `write`; a broken connection goes on where it broke. Returns the
        path. `spreadsheet_safe` prefixes cells that a spreadsheet would run as a formula."""
        return self._cupel._download(f"{self._path}/file", to, spreadsheetSafe=spreadsheet_safe or None)

    def rows(self) -> Iterator[Dict[str, str]]:
        """The rows of the result, by column name, as they arrive."""
        return csv.DictReader(_lines(self._cupel._chunks(f"{self._path}/file")))

    def frame(self) -> Any:
        """The result as a pandas frame; labels are numbers or truth values where all of them are."""
        content = io.BytesIO()
        self.save(content)
        return _read_frame(content, self.model.labels)

    def shift(self) -> Json:
        """The file beside the training rows: what has shifted, worst first."""
        return self._cupel._json("GET", f"{self._path}/shift")

    @property
    def outcomes(self) -> "Outcomes":
        """The true labels of its rows, once they are known: `outcomes.add(labels)`, `outcomes.get()`, `outcomes.delete()`."""
        return Outcomes(self)

    def _repr_html_(self) -> str:
        own = self.refresh()
        told = "".join(f"<li>{_escaped(warning)}</li>" for warning in self.warnings)
        counts = [(one["label"], one["count"]) for one in own.get("labelCounts") or []]
        words = f"Prediction {own['status'].lower()}, {own.get('rowCount') or 0:,} rows"
        return f"<p>{_escaped(words)}</p>{f'<ul>{told}</ul>' if told else ''}{_table(('Label', 'Rows'), counts) if counts else ''}"


class Outcomes:
    """The labels that came for a prediction."""

    def __init__(self, prediction: Prediction) -> None:
        self._cupel, self._path = prediction._cupel, f"{prediction._path}/outcomes"

    def add(
        self, labels: Any, *, label: Optional[str] = None, key: Optional[str] = None, header: Optional[bool] = None
    ) -> OutcomeFigures:
        """Tells what the rows really were, in place of all labels that came before, and returns what that says.

        - `labels`: a list or a pandas series with a label for each predicted row, in their order; None where it is not known yet. Or a
          table, as elsewhere
        - `label`: the table's column of labels; by default the one named as the model's label, or the only one beside the keys
        - `key`: a column of both files that names their rows, so that some of them are enough. "" for the rows' order
        - `header`: False if the first row of a file is data

        Raises CupelError FILE_UNUSABLE where labels do not fit the rows, NOT_READY, FILE_REMOVED once the result is gone.
        """
        is_list = _is_list_of_labels(labels)
        # A list has no keys, whatever column the prediction was made with.
        own_key = "" if key is None and is_list else key
        fields = _given(labelColumn=label, keyColumn=own_key, hasHeader=None if header is None else str(header).lower())
        with _source_of([{"label": one} for one in labels] if is_list else labels) as source:
            # Sent again after a lost answer, it replaces what it was itself.
            return _outcome_figures(self._cupel._send_form(self._path, source, "file", fields, {}))

    def get(self) -> OutcomeFigures:
        """The labels added up, if there are any."""
        return _outcome_figures(self._cupel._json("GET", self._path))

    def delete(self) -> None:
        """Takes the labels out of every figure."""
        self._cupel._delete(self._path)


def _outcome_figures(info: Json) -> OutcomeFigures:
    own, version = info["outcomes"] or {}, info["ofVersion"]
    share = own.get("accuracy")
    return OutcomeFigures(
        rows=own.get("rowCount", 0),
        right=own.get("rightCount", 0),
        accuracy=share and share["mean"],
        interval=share and (share["low"], share["high"]),
        without_label=own.get("withoutLabel", 0),
        unmatched=own.get("unmatched", 0),
        unknown_labels=own.get("unknownLabels", 0),
        labels=info["labels"],
        confusion=own.get("confusion", []),
        state=version["state"],
        since=version["since"],
        message=version["message"],
        info=info,
    )


# ---- Without a server


class LocalModel:
    """A model file in memory: the server's answers on this machine. Made by `Model.load`."""

    def __init__(self, path: Path, reader: types.ModuleType) -> None:
        self._reader = reader
        self._model = self._own(lambda: reader.Model.load(os.fspath(path)))

    def _own(self, do: Callable[[], T]) -> T:
        try:
            return do()
        except self._reader.CupelError as error:
            raise CupelError("BAD_INPUT", str(error)) from None
        except csv.Error as error:
            raise CupelError("BAD_INPUT", f"The file cannot be read as CSV: {error}.") from None
        except UnicodeDecodeError:
            raise CupelError("BAD_INPUT", "The file is not UTF-8. Save it as UTF-8.") from None

    @property
    def label(self) -> str:
        """The column that it predicts."""
        return str(self._model.label)

    @property
    def labels(self) -> List[str]:
        """The labels that it answers with."""
        return list(self._model.labels)

    @property
    def columns(self) -> List[str]:
        """The columns that it needs."""
        return [column.name for column in self._model.columns]

    def predict(self, data: Any, *, to: Any = None, reasons: int = 0) -> Any:
        """Answers rows as `Model.predict` does, without reasons. A file needs `to`, whose path is returned; it is scored in constant
        memory. Cells are read as the training file writes them."""
        if reasons:
            raise CupelError("BAD_INPUT", "Reasons are the server's and the program's: leave out reasons=, or use a model of a server.")
        if to is not None:
            return self._predict_file([data] if isinstance(data, Mapping) else data, to)
        if isinstance(data, Mapping):
            return self._answers([data])[0]
        if not _is_frame(data):
            if _is_file(data):
                raise CupelError("BAD_INPUT", "Say where the answers of a file go: to=.")
            return self._answers(_rows_of(data))
        content = io.BytesIO()
        self._predict_file(data, content)
        return _joined(data, _read_frame(content, self.labels))

    def _answers(self, rows: Sequence[Mapping[str, Any]]) -> List[Answer]:
        return [Answer(**answer) for answer in self._own(lambda: self._model.score(rows))]

    def _predict_file(self, data: Any, to: Any) -> str:
        if not _is_file(data):
            columns = ((column.name, column.reading) for column in self._model.columns)
            data = _as_trained(data, _forms(columns, "number", "date"))
        with _source_of(data) as source:
            _refuse_own_input(source.path, to)
            limit = csv.field_size_limit(2**24)
            try:
                lines = self._reader.score_lines(self._model, _lines(source.chunks()))
                return self._own(lambda: _write_whole((line.encode("utf-8") for line in lines), to))
            finally:
                csv.field_size_limit(limit)


_fetched_reader: Optional[types.ModuleType] = None


def _reader(cupel: Optional[Cupel]) -> types.ModuleType:
    """The module that scores by model files."""
    global _fetched_reader
    try:
        return importlib.import_module("cupel_reader")
    except ModuleNotFoundError as error:
        if error.name != "cupel_reader":
            raise
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cupel_reader.py")
    if os.path.exists(beside):
        spec = importlib.util.spec_from_file_location("cupel_reader", beside)
        if spec is not None and spec.loader is not None:
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            sys.modules["cupel_reader"] = module
            return module
    if _fetched_reader is not None:
        return _fetched_reader
    way = "Save it beside this program: Cupel(…).save_reader(), or GET /api/v1/readers/python of a server."
    if cupel is None:
        raise CupelError("NO_READER", f"There is no cupel_reader.py, which scores by model files. {way}")
    # It runs here: whoever sits between this machine and the server must not be able to change it.
    if not cupel._transport.is_private():
        raise CupelError("NO_READER", f"There is no cupel_reader.py, and none is run that came without TLS. {way}")
    source = cupel._request("GET", "/api/v1/readers/python").content.decode("utf-8")
    module = types.ModuleType("cupel_reader")
    exec(compile(source, f"{cupel.url}/api/v1/readers/python", "exec"), module.__dict__)
    _fetched_reader = module
    return module


# ---- Small parts


def _write_whole(chunks: Iterable[bytes], to: Any) -> str:
    """To something with `write`, or to a file, which appears whole or not at all. Returns its path, or ""."""
    if hasattr(to, "write"):
        for chunk in chunks:
            to.write(chunk)
        return ""
    place = str(os.fspath(to))
    part = f"{place}.{uuid.uuid4().hex[:8]}.part"
    try:
        with open(part, "xb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)
        raise
    return place


def _refuse_own_input(path: Optional[str], to: Any) -> None:
    if path is not None and to is not None and not hasattr(to, "write") and os.path.exists(to) and os.path.samefile(path, to):
        raise CupelError("BAD_INPUT", f"{os.fspath(to)} is the file that is read. Name another one for the result.")


def _batches(rows: Sequence[Mapping[str, Any]]) -> Iterator[List[bytes]]:
    """The rows as JSON, in parts that one request may have."""
    batch: List[bytes] = []
    size = 0
    for row in rows:
        own = json.dumps({str(name): _value(value) for name, value in row.items()}, allow_nan=False).encode()
        if batch and (len(batch) == MOST_ROWS or size + len(own) > MOST_ROWS_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(own)
        size += len(own) + 1
    yield batch


def _pandas() -> Any:
    try:
        return importlib.import_module("pandas")
    except ModuleNotFoundError:
        raise CupelError("BAD_INPUT", "Frames take pandas, which is not installed here. Use rows() or save().") from None


def _label_reader(labels: Sequence[str]) -> Callable[[str], Any]:
    """Labels as pandas reads them, but by all labels of the model, not by those that happen to be in a file."""
    if all(re.fullmatch("-?(?:0|[1-9][0-9]{0,17})", label) for label in labels):
        return int
    if set(labels) == {"True", "False"}:
        return "True".__eq__
    return str


def _read_frame(file: BinaryIO, labels: Sequence[str]) -> Any:
    pandas = _pandas()
    file.seek(0)
    names = next(csv.reader(_lines([file.readline()])), [])
    decided = [name for name in names if re.fullmatch("prediction(?:_[0-9]+)?", name)][-1:]
    file.seek(0)
    return pandas.read_csv(file, converters={name: _label_reader(labels) for name in decided})


def _joined(data: Any, answered: Any) -> Any:
    if len(answered) != len(data):
        raise CupelError("NOT_CUPEL", f"{len(data)} rows were sent and {len(answered)} came back.")
    added = answered.iloc[:, len(data.columns) :].set_axis(data.index, axis=0)
    return _pandas().concat([data, added], axis=1)


def _is_over(*unfinished: str) -> Callable[[Json], bool]:
    return lambda own: own["status"] not in unfinished


def _champion(listing: Json, info: Json) -> Json:
    return cast(Json, next(own for own in listing["versions"] if own["version"] == info["version"]))


def _percent(share: float) -> str:
    return f"{share * 100:.1f}%"


def _estimate(own: Json) -> str:
    return f"{_percent(own['mean'])} [{own['low'] * 100:.1f}, {own['high'] * 100:.1f}]"


def _bytes_words(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count:,} bytes"


def _judged_words(verdict: Optional[Json]) -> str:
    if verdict is None:
        return "judged on rows that were kept aside"
    own = verdict["judgedBy"]
    return {
        "random": "judged on rows drawn at random",
        "groups": f'judged on values of "{own["groupColumn"]}" that it has not seen',
        "time": f'judged on the newest rows by "{own["timeColumn"]}"',
    }.get(own["kind"], f'judged on the newest rows by "{own["timeColumn"]}", of new values of "{own["groupColumn"]}"')


def _dataset_words(own: Json) -> str:
    return own.get("waitingReason") or f"Reading {own['name']}: {own['status'].lower()}"


def _training_words(own: Json) -> str:
    if own.get("waitingReason"):
        return str(own["waitingReason"])
    told = [f"Training: {own['status'].lower().replace('_', ' ')}"]
    if own["attemptsTotal"] is not None:
        told.append(f"{own['attemptsCompleted']} of {own['attemptsTotal']} attempts")
    if own["bestPerformance"] is not None:
        told.append(f"best {_percent(own['bestPerformance'])} ({own['bestAlgorithm']})")
    if own["baselinePerformance"] is not None:
        told.append(f"guessing {_percent(own['baselinePerformance'])}")
    return ", ".join([*told, f"{own['elapsedSeconds']} s"])


def _refinement_words(own: Json) -> str:
    if own.get("waitingReason"):
        return str(own["waitingReason"])
    told = [f"Refinement: {own['state'].lower().replace('_', ' ')}"]
    if own["progressTotal"]:
        told.append(f"{100 * (own['progressCompleted'] or 0) // own['progressTotal']}%")
    best = next((row["accuracy"] for row in own["currentTopPerformances"] if row["best"]), None)
    if best is not None:
        told.append(f"best {_percent(best)}")
    return ", ".join([*told, f"{own['elapsedSeconds']} s"])


def _escaped(text: Any) -> str:
    return html.escape(str(text))


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    def line(cells: Sequence[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{_escaped(cell)}</{tag}>" for cell in cells) + "</tr>"

    return f"<table><thead>{line(head, 'th')}</thead><tbody>{''.join(line(row, 'td') for row in rows)}</tbody></table>"
