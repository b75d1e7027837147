"""Build hook: a wheel or source archive carries the built web page, so that installing needs no Node.js."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebPage(BuildHookInterface[Any]):
    """Builds `src/famulus/web_dist` when it is missing, and adds the sample files. An editable install takes both from the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        page = root / "src" / "famulus" / "web_dist"
        if version == "editable":
            return
        if not (page / "index.html").exists() and (root / "web" / "package.json").exists():
            subprocess.run([sys.executable, str(root / "scripts" / "setup.py"), "--web-only"], check=True)
        if self.target_name == "wheel":
            build_data["force_include"][str(root / "examples" / "office")] = "famulus/sample"
        if page.exists():
            # The folder is not under version control; without this the builder would leave it out.
            build_data["artifacts"].append("src/famulus/web_dist/**")
