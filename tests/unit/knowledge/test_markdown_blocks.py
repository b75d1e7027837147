"""Markdown structure: which lines are headings, lists, tables, code, quotes."""

from __future__ import annotations

import pytest

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.markdown import add_markdown_text
from famulus.knowledge.extract.xberg import plain_inline


def kinds(text: str) -> list[tuple[str, str]]:
    builder = TextBuilder()
    add_markdown_text(builder, text)
    found = builder.build("text/markdown", "plain")
    return [(block.kind, found.text[block.start : block.end]) for block in found.blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A #\ntext", [("heading", "# A"), ("text", "text")]),
        ("Title\n===\nSub\n---\nx", [("heading", "# Title"), ("heading", "## Sub"), ("text", "x")]),
        ("- a\n- b\n\n  more\n\nend", [("list", "- a\n- b\n\n  more"), ("text", "end")]),
        (
            "```py\n# no heading\n\n- no list\n```\nx",
            [("code", "```py\n# no heading\n\n- no list\n```"), ("text", "x")],
        ),
        ("```\nnever closed\n\n# x", [("code", "```\nnever closed\n\n# x")]),
        ("> a\n> b", [("quote", "> a\n> b")]),
        ("a|b\n--|--\n1|2\n\nx", [("table", "a|b\n--|--\n1|2"), ("text", "x")]),
        ("in\n1985. A year", [("text", "in\n1985. A year")]),
        ("#no heading", [("text", "#no heading")]),
        ("---\ntitle: x\n---\n# A", [("text", "---\ntitle: x\n---"), ("heading", "# A")]),
        ("text [link](http://a.example) **b**", [("text", "text [link](http://a.example) **b**")]),
    ],
)
def test_block_structure(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_heading_anchor_is_left_out_of_the_section_path() -> None:
    builder = TextBuilder()
    add_markdown_text(builder, "# Kosten { #costs }\n\nx")
    assert builder.build("text/markdown", "plain").blocks[1].section == ("Kosten",)


def test_deeper_path_ends_at_a_higher_heading() -> None:
    builder = TextBuilder()
    add_markdown_text(builder, "# A\n## B\n### C\nx\n## D\ny\n# E\nz")
    sections = [block.section for block in builder.build("t", "plain").blocks if block.kind == "text"]
    assert sections == [("A", "B", "C"), ("A", "D"), ("E",)]


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("**Claim \\#** of *all* ***kinds***", "Claim # of all kinds"),
        ("MAX\\_RETRY\\_COUNT and \\*stars\\*", "MAX_RETRY_COUNT and *stars*"),
        ("[text](http://a.example/x_(y)) ![alt](b.png)", "text alt"),
        ("\\![logo.png](../media/image1.png)![Picture 3](x.jpeg)", ""),
        ("-----", ""),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("| a \\| b   | c |", "| a \\| b | c |"),
    ],
)
def test_inline_marks_are_taken_out_of_read_documents(marked: str, plain: str) -> None:
    assert plain_inline(marked) == plain
