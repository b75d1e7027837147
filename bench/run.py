"""Everything that `make bench` measures, and the tables of `docs/benchmarks.md`.

    python bench/run.py [--only loop,stream,latency,start,search,web] [--quick] [--chunks 14000,200000]

Each part takes at most a few minutes. Results are kept in `.bench/results.json`, so that parts can be measured at different
times; the page is written anew from all of them. Peers run in an environment of their own (`.bench/venv`, made when it is missing).
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from report import page
from served import cpu_s, free_port, until_healthy_once
from taking_turns import Program, in_turn, times

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".bench"
PEERS = ("haystack", "smolagents", "openai_agents", "langgraph", "pydantic_ai")
Result = dict[str, Any]
PART_S = 240
# The engines build their indexes first.
SEARCH_S = 540
# Sizes of the search part; the other engines are measured at the first one.
CHUNKS = ["14000"]


def python_of_peers() -> Path:
    """The peers' own interpreter; made from requirements-bench.txt when it is missing."""
    python = CACHE / "venv/bin/python"
    if not python.exists():
        print("making .bench/venv from requirements-bench.txt …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(CACHE / "venv")], check=True)
        install = [str(python), "-m", "pip", "install", "-q", "-r", str(ROOT / "requirements-bench.txt")]
        if subprocess.run(install).returncode:
            print("the peers could not be installed; only what is there is measured", flush=True)
    return python


@contextmanager
def model_server() -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen([sys.executable, str(ROOT / "bench/fake_model.py"), str(port)])
    try:
        until_healthy_once(f"http://127.0.0.1:{port}/v1/models", process)
        yield port
    finally:
        process.terminate()
        process.wait()


def json_line(command: list[str], limit_s: float = PART_S) -> Result | None:
    """The last line of a program as JSON; None when it failed, with its last words on the screen."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s)
    except subprocess.TimeoutExpired:
        print(f"  {command[1:3]}: not done after {limit_s} s", flush=True)
        return None
    if done.returncode or not done.stdout.strip():
        print("  " + (done.stderr.strip().splitlines() or ["no output"])[-1], flush=True)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def loop(quick: bool) -> Result:
    """CPU of a turn: the two bare loops and the product in turn, then each peer."""
    python = str(python_of_peers())
    peer = [python, str(ROOT / "bench/peers/turns.py")]
    with model_server() as port:
        url = f"http://127.0.0.1:{port}/v1"
        commands = {
            "floor": [*peer, "bare_aiohttp", url, "--blocks"],
            "streaming": [*peer, "bare_streaming", url, "--blocks"],
            "famulus": [sys.executable, str(ROOT / "bench/product_turns.py"), url, "100" if quick else "1000"],
        }
        programs = started(commands)
        alone = in_turn(programs, 3, 30, 1)
        crowd = in_turn(programs, 3 if quick else 15, 200, 100)
        rows: Result = dict.fromkeys(commands)
        for name, program in programs.items():
            middle = {
                "alone_cpu_ms": statistics.median(alone[name]),
                "crowd_cpu_ms": statistics.median(crowd[name]),
            }
            against = {"times": times(crowd[name], crowd["floor"])} if "floor" in crowd else {}
            rows[name] = {**program.end(PART_S), **middle, **against}
        peers = ("haystack",) if quick else PEERS
        rows["peers"] = {name: json_line([*peer, name, url]) for name in peers}
    return rows


def started(commands: dict[str, list[str]]) -> dict[str, Program]:
    """Those programs that could be started; the others tell why."""
    programs: dict[str, Program] = {}
    for name, command in commands.items():
        try:
            programs[name] = Program(command)
        except RuntimeError as error:
            print(f"  {error}", flush=True)
    return programs


def served(what: str) -> Callable[[bool], Result]:
    def measure(quick: bool) -> Result:
        with model_server() as port:
            command = [sys.executable, str(ROOT / "bench/served.py"), what, str(port)]
            return json_line(command + ["--quick"] * quick) or {}

    return measure


def start(quick: bool) -> Result:
    """Seconds, each the median of a few starts of a program whose modules are compiled, as they are from its second start on."""
    times = 3 if quick else 7
    famulus = [sys.executable, "-m", "famulus"]
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(CACHE / "compiled")
    until_health(famulus)
    importing = "import time; t = time.process_time(); import famulus; print(time.process_time() - t)"
    imported = [float(subprocess.check_output([sys.executable, "-c", importing])) for _ in range(times)]
    return {
        "import_cpu_s": statistics.median(imported),
        "help": both([seconds([*famulus, "--help"]) for _ in range(times)]),
        "health": both([until_health(famulus) for _ in range(times)]),
        "python": both([seconds([sys.executable, "-c", ""]) for _ in range(times)]),
    }


def both(measured: list[tuple[float, float]]) -> list[float]:
    """Median wall time and median CPU time."""
    return [statistics.median(column) for column in zip(*measured, strict=True)]


def seconds(command: list[str]) -> tuple[float, float]:
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - started, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def until_health(famulus: list[str]) -> tuple[float, float]:
    """From the start of the process to its first answer, with a new data folder."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        command = [*famulus, "serve", "--port", str(port), "--data", folder + "/data"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            until_healthy_once(f"http://127.0.0.1:{port}/api/v1/health", process)
            return time.perf_counter() - started, cpu_s(process.pid)
        finally:
            process.terminate()
            process.wait()


def search(quick: bool) -> Result:
    """What the two search programs print, line by line."""
    texts: Result = {}
    programs = {"famulus": [sys.executable, str(ROOT / "bench/search_speed.py"), *CHUNKS]}
    if not quick:
        programs["peers"] = [str(python_of_peers()), str(ROOT / "bench/search_peers.py"), CHUNKS[0]]
    for name, command in programs.items():
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SEARCH_S, cwd=ROOT)
            texts[name] = done.stdout.strip() or f"failed: {(done.stderr.strip().splitlines() or ['?'])[-1]}"
        except subprocess.TimeoutExpired as late:
            told = late.stdout or b""
            texts[name] = (
                told.decode() if isinstance(told, bytes) else told
            ).strip() + f"\n(stopped after {SEARCH_S} s)"
    return texts


def web(quick: bool) -> Result:
    """The page in a browser; empty where there is none, or the page is not built."""
    return json_line([sys.executable, str(ROOT / "bench/web.py"), *["--quick"] * quick], 2 * PART_S) or {}


PARTS: dict[str, Callable[[bool], Result]] = {
    "loop": loop,
    "stream": served("stream"),
    "latency": served("latency"),
    "start": start,
    "search": search,
    "web": web,
}


def machine() -> str:
    kind = next(
        (line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), ": unknown CPU"
    )
    cores, load = os.cpu_count(), os.getloadavg()[0]
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{kind.split(':', 1)[1].strip()}, {cores} cores, {system}; load average {load:.1f} at the start"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and peers")
    parser.add_argument("--chunks", default=CHUNKS[0], help="sizes of the search part, separated by commas")
    options = parser.parse_args()
    CHUNKS[:] = options.chunks.split(",")
    CACHE.mkdir(exist_ok=True)
    for name in options.only.split(","):
        if name not in PARTS:
            raise SystemExit(f"there is no part {name!r}; parts: {', '.join(PARTS)}")
        print(f"{name} …", flush=True)
        about = {"machine": machine(), "date": f"{datetime.datetime.now(datetime.UTC).date()}", "quick": options.quick}
        figures = PARTS[name](options.quick)
        print("  " + json.dumps(figures, indent=2).replace("\n", "\n  "), flush=True)
        # Read again: another part may have been measured at the same time.
        kept = CACHE / "results.json"
        results: dict[str, Result] = json.loads(kept.read_text()) if kept.exists() else {}
        results[name] = {**about, "figures": figures}
        kept.write_text(json.dumps(results, indent=2))
        (ROOT / "docs/benchmarks.md").write_text(page({part: results[part] for part in PARTS if part in results}))


if __name__ == "__main__":
    main()
