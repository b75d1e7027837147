"""The results of `run.py` as the page `docs/benchmarks.md`. Pure."""

from __future__ import annotations

from typing import Any

from report_search import search

Result = dict[str, Any]
HEAD = """# Benchmarks

Written by `make bench` (`python bench/run.py`; parts by `--only loop,stream,latency,start,search,web`, a short run by `--quick`). CPU times count
all threads of the measured process and not those of the model server. On a busy machine all figures grow: compare ratios.
"""
LOOP = """One turn: 4 model requests, 6 tool calls, an answer of 40 pieces, against a model server that answers at once. Famulus streams and keeps its
durable log; `bare aiohttp` is the least that any client can do: no log, no checks, no stream; the row below it reads the same streams as Famulus does. These three are measured in one run in which blocks of 200 turns alternate, so that all meet the same
machine: times and ratios are medians over the rounds. Peers run after them, in their own environment with the same tools.
"""
PEER_NAMES: dict[str, str] = {"openai_agents": "openai-agents", "pydantic_ai": "pydantic-ai"}


def page(results: dict[str, Result]) -> str:
    parts = [HEAD]
    for name, (title, body) in SECTIONS.items():
        if name in results:
            about = results[name]
            short = " A short run." if about["quick"] else ""
            parts.append(f"## {title}\n\n{body(about['figures'])}\n{about['date']}, {about['machine']}.{short}\n")
    return "\n".join(parts)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def loop(figures: Result) -> str:
    floor, ours = figures["floor"], figures["famulus"]
    named: dict[str, Result | None] = {"bare aiohttp": floor}
    if "streaming" in figures:
        named["bare aiohttp that streams"] = figures["streaming"]
    named["**Famulus**"] = ours
    peers: dict[str, Result | None] = figures["peers"]
    named |= {PEER_NAMES.get(name, name): found for name, found in peers.items()}
    rows: list[list[str]] = []
    for name, found in named.items():
        if found is None:
            rows.append([name, "not measured: not installed, or it failed", "", ""])
            continue
        crowd = found["crowd_cpu_ms"]
        against = found.get("times") or (crowd / floor["crowd_cpu_ms"] if floor else None)
        rows.append([name, f"{crowd:.1f}", f"{found['alone_cpu_ms']:.1f}", f"{against:.1f}" if against else ""])
    text = LOOP + "\n" + table(["", "CPU ms a turn, 100 in flight", "one at a time", "times bare aiohttp"], rows)
    best = min((found["crowd_cpu_ms"] for found in figures["peers"].values() if found), default=None)
    if ours and best:
        text += f"\nThe best peer takes {best / ours['crowd_cpu_ms']:.1f} times as much as Famulus.\n"
    if ours:
        text += f"{ours['at_once']:.0f} turns at once: none lost, memory grew by {ours['growth_mb']:.0f} MB.\n"
    return text


def stream(figures: Result) -> str:
    rows = [
        ["one answer as fast as it comes", f"{figures.get('burst_us', '?')}"],
        ["many answers at once, each piece written by itself", f"{figures.get('apart_us', '?')}"],
        ["the same, a bare aiohttp client that only reads it", f"{figures.get('bare_us', '?')}"],
    ]
    return (
        "From the model's socket to the browser's, through `famulus serve`: CPU of the whole server process.\n\n"
        + table(["", "µs CPU a streamed piece"], rows)
    )


def latency(figures: Result) -> str:
    named = {"request → first event": "first_event_ms", "request → model request received": "model_request_ms"}
    rows = [[label, *(f"{value}" for value in figures.get(key, ["?", "?"]))] for label, key in named.items()]
    return "Over HTTP, with a real server process, one run at a time.\n\n" + table(["", "median ms", "p95 ms"], rows)


def start(figures: Result) -> str:
    named = {
        "`famulus --help`": ("help", "0.25 s"),
        "`famulus serve` until health answers, new data folder": ("health", "2.5 s"),
        "an empty Python program, for comparison": ("python", ""),
    }
    rows = [[label, *(f"{value:.2f} s" for value in figures[key]), goal] for label, (key, goal) in named.items()]
    rows.append(["`import famulus`", "", f"{figures['import_cpu_s']:.4f} s", "0.3 s CPU"])
    told = "Every start but the very first one, which compiles the modules when the installer has not.\n\n"
    return told + table(["", "median", "CPU", "goal"], rows)


WEB = """`famulus serve` and a headless Chromium without a graphics card on the same machine: both, the scripted model server and whatever else runs share its cores.
`main thread` is CPU of the page itself, which a busy machine changes least: a frame is late by the page's own fault only where a task of it takes longer than 16.7 ms.
"""
DRAWN = [
    "",
    "frames/s, median",
    "95th percentile of a frame",
    "frames over 33 ms",
    "main thread",
    "its tasks over 16.7 ms CPU",
    "the longest",
    "long tasks (wall)",
    "DOM nodes",
]


def drawn(name: str, row: Result) -> list[str]:
    share = f"{row['late'] * 100:.1f} %"
    return [
        name,
        f"{row['fps']:.0f}",
        f"{row['p95_ms']:.0f} ms",
        share,
        f"{row['busy'] * 100:.0f} %",
        f"{row['over_frame']:.0f} of {row['frames']:.0f} frames",
        f"{row['longest_task_ms']:.0f} ms",
        f"{row['long_tasks']:.0f}",
        f"{row['nodes']:.0f}",
    ]


def web(figures: Result) -> str:
    if not figures:
        return "Not measured: no browser, or the page is not built.\n"
    visits = {
        "load": "first visit, empty cache",
        "load_again": "second visit",
        "load_phone": "first visit, a quarter of the speed, 10 Mbit/s, 40 ms away",
    }
    loads = [
        [
            label,
            f"{row['first_js_bytes'] / 1000:.0f} kB",
            f"{row['fcp']:.0f} ms",
            f"{row['composer']:.0f} ms",
            f"{row['cpu_ms']:.0f} ms",
        ]
        for key, label in visits.items()
        for row in [figures[key]]
    ]
    told = (
        WEB
        + "\n"
        + table(
            ["", "compressed scripts", "first paint", "the composer takes text", "main thread until all is quiet"],
            loads,
        )
    )
    count = f"{figures['count']:,}"
    streams = {
        "idle": "a page at rest",
        "stream": f"an answer of {figures['stream']['pieces_per_s']} pieces a second",
        "stream_slow": "the same at a quarter of the speed",
    }
    lists = figures["lists"]
    rows = [drawn(label, figures[key]) for key, label in streams.items()]
    rows += [drawn(f"scrolling {count} {kind}, 3,000 pixels a second", row) for kind, row in lists.items()]
    told += "\n" + table(DRAWN, rows)
    opened = [
        [
            f"{count} {kind}",
            f"{row['opened_ms']} ms",
            f"{row['all_s']} s",
            f"{row['blank'] * 100:.0f} %",
            f"{row['rest_busy'] * 100:.0f} %",
            f"{row['requests']}",
        ]
        for kind, row in lists.items()
    ]
    head = [
        "",
        "first rows after opening",
        "all read, page by page",
        "looks at the moving list that found no row",
        "main thread at rest, all read",
        "requests meanwhile",
    ]
    told += "\n" + table(head, opened)
    long = figures["conversation"]
    return told + (
        f"\nA conversation of {long['turns']} turns shows its newest answer {long['opened_ms']} ms after it was opened; until all was quiet the main thread worked "
        f"{long['cpu_ms']} ms, and {long['runs_read']} runs were read. {long['nodes']} DOM nodes.\n"
    )


SECTIONS = {
    "loop": ("Loop overhead", loop),
    "stream": ("Streaming", stream),
    "latency": ("First event, first model request", latency),
    "start": ("Start", start),
    "search": ("Search", search),
    "web": ("Web page", web),
}
