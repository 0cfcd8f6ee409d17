"""`ready` and `idle`: how soon the service answers, and what it costs while nobody plays."""

from __future__ import annotations

import http.client
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.bench.figure import Baseline, Figure, Run, Target, median
from controller.bench.process import BenchError, RunningService, Started, Usage, run_python

READY_TARGET_S = 3.0
CPU_TARGET = 10.0  # per cent of one core
MEMORY_TARGET_MB = 250.0
PICTURE_S = 5.0  # how often the page asks for a picture of a still tray
SETTLE_S = 3.0  # the board's hello and the first pictures: all over by then
THROW_LIMIT_S, LOOK_S = 30.0, 0.5  # a throw takes two seconds, on a machine that has nothing else to do

_IMPORTS = "import flask, cv2, numpy"
_ASLEEP = "import signal, controller.runtime.wiring; print('asleep', flush=True); signal.pause()"


def ready_figures(run: Run) -> Iterator[Figure]:
    """The figure `ready`."""
    ready, plain = [], []
    for _ in range(run.count(3, 1)):
        with _service(run) as service:
            ready.append(service.ready_s)
        plain.append(run.time(lambda: run_python("-c", _IMPORTS)))
    yield Figure(
        "ready",
        "From the start of the process to an answer of /healthz, virtual table; the median.",
        "s",
        median(ready),
        Baseline(f'python -c "{_IMPORTS}"', median(plain)),
        Target(READY_TARGET_S),
        (f"{len(ready)} starts, the slowest {max(ready):.2f} s",),
    )


def idle_figures(run: Run) -> Iterator[Figure]:
    """The figures `idle …`: processor at rest, with dice lying, with a page open, and memory after all that."""
    asleep_cpu, asleep = _asleep(run)
    nothing = Baseline("the same imports, asleep", asleep_cpu)
    with _service(run) as service:
        service.busy_share(run.seconds(SETTLE_S, 1.0))
        yield _cpu("idle", "an empty tray", service.busy_share(run.seconds(10.0)), nothing)
        _throw(service)
        yield _cpu("idle dice", "five dice lying", service.busy_share(run.seconds(5.0)), nothing)
        with page_open(service):
            yield _cpu("idle page", "one page open", service.busy_share(run.seconds(6.0)), nothing)
        resident = service.used().resident_mb
    yield Figure(
        "idle memory",
        "Memory resident in the service after all that.",
        "MB",
        resident,
        Baseline("the same imports, asleep", asleep.resident_mb),
        Target(MEMORY_TARGET_MB),
    )


@contextmanager
def _service(run: Run) -> Iterator[RunningService]:
    with tempfile.TemporaryDirectory(prefix="cowboard-bench-") as name, RunningService(run.now, Path(name)) as service:
        yield service


def _cpu(name: str, where: str, value: float, baseline: Baseline) -> Figure:
    what = f"Share of one core that the service uses at rest with {where}, at 10 pictures a second."
    return Figure(name, what, "%", value, baseline, Target(CPU_TARGET))


def _asleep(run: Run) -> tuple[float, Usage]:
    with Started(run.now, "-c", _ASLEEP) as asleep:
        asleep.first_line()
        return asleep.busy_share(run.seconds(2.0)), asleep.used()


def _throw(service: RunningService) -> None:
    """Throw five dice and wait until they lie there, read."""
    service.ask("POST", "/api/hands", {"do": "throw"})
    for _ in range(round(THROW_LIMIT_S / LOOK_S)):
        service.busy_share(LOOK_S)
        if len(service.state()["dice"]) == 5:
            return
    raise BenchError(f"idle: five dice were thrown and not seen to lie within {THROW_LIMIT_S:.0f} s")


@contextmanager
def page_open(service: RunningService) -> Iterator[None]:
    """What an open page asks for: the stream of events, and a picture every few seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=1.0)
    connection.request("GET", "/api/events")
    stream = connection.getresponse()
    if stream.status != 200:
        raise BenchError(f"GET /api/events: answered {stream.status}")
    is_over = threading.Event()

    def look() -> None:
        while not is_over.wait(PICTURE_S):
            service.ask("GET", "/api/picture.jpg")

    def listen() -> None:
        while not is_over.is_set():
            try:
                stream.readline()
            except TimeoutError:  # nothing happens: that is what is measured
                return

    threads = [threading.Thread(target=work, name=work.__name__, daemon=True) for work in (look, listen)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
        connection.close()
