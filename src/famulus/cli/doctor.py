"""`famulus doctor`: checks the installation and says what to do about what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from famulus.cli import common, hints

if TYPE_CHECKING:
    from famulus.app.checkup import Checkup
    from famulus.app.health import Finding


@click.command()
@common.data_option
@common.json_option
@common.command
async def doctor(data: str | None, as_json: bool) -> int:
    """Check the installation, the models and how far the documents are.

    Each row that is not well says what to do next. Nothing is changed, no model is loaded, and no other machine is asked; a server may
    be running. The exit code is 1 when a row has `failed`.
    """
    from famulus.app.checkup import check_up

    settings = common.settings_for(data)
    found = await check_up(settings)
    if as_json:
        common.print_json({"data": str(settings.data), **_json(found)})
    else:
        click.echo(f"famulus {found.version}, data in {common.printable(str(settings.data))}")
        for finding in (*found.checks, *found.bases):
            click.echo(_row(finding))
    return 0 if found.sound else common.FAILED


def _row(finding: Finding) -> str:
    line = f"  {finding.status:7} {common.one_line(f'{finding.name}: {finding.detail}', 500)}"
    if finding.next is None:
        return line
    return f"{line}\n          → {hints.completed(common.one_line(finding.next, 500))}"


def _json(found: Checkup) -> dict[str, object]:
    bases = [
        {
            **_finding(finding),
            "id": standing.base.id,
            "name": standing.base.name,
            "documents": standing.documents,
            "embedded": standing.embedded,
            "passages": standing.passages,
        }
        for finding, standing in zip(found.bases, found.standings, strict=False)
    ]
    return {
        "status": "ok" if found.sound else "degraded",
        "version": found.version,
        "server": found.address,
        "checks": {finding.name: _finding(finding) for finding in found.checks},
        "knowledge_bases": bases,
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "status": finding.status,
        "detail": finding.detail,
        "next": hints.completed(finding.next) if finding.next else None,
    }
