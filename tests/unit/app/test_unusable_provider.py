"""A provider whose key is not there refuses by itself; the others are listed and used."""

from pathlib import Path

import pytest

from famulus.app.providers import open_models
from famulus.app.unusable import KeyMissing
from famulus.config import load_settings
from famulus.messages.values import Principal


async def test_only_the_provider_without_its_key_fails(tmp_path: Path) -> None:
    listed = "[[providers.models]]\nname='m'\n"
    text = f"[[providers]]\nname='a'\nkind='perplexity'\napi_key='env:ABSENT'\n{listed}"
    text += "[[providers]]\nname='ollama'\nkind='ollama'\nbase_url='http://127.0.0.1:9'\n"
    (tmp_path / "famulus.toml").write_text(text)
    room = await open_models(load_settings(tmp_path, environ={}))
    try:
        names = [info.name for info in await room.gateway.models(Principal("t", "u", "admin"))]
        assert names == ["builtin/extractive"]
        with pytest.raises(
            KeyMissing, match=r"'a' cannot be used: the environment variable 'ABSENT' is not set; set it"
        ):
            await room.gateway.info("a/m")
    finally:
        await room.net.aclose()
