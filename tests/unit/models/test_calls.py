"""Tool calls put together from whatever servers send."""

from __future__ import annotations

import pytest

from famulus.models.providers.calls import CallBuilder, parse_arguments
from famulus.models.providers.frames import FrameTooLong, Lines, SseData


def test_pieces_without_index_belong_to_the_last_call() -> None:
    builder = CallBuilder()
    for piece in ((None, "a", "search", '{"q"'), (None, None, None, ': "x"}')):
        builder.piece(*piece)
    (call,) = builder.finish()
    assert (call.call_id, call.arguments) == ("a", {"q": "x"})


def test_a_new_id_at_the_same_index_is_a_new_call() -> None:
    builder = CallBuilder()
    builder.piece(0, "a", "search", '{"q": "1"}')
    builder.piece(0, "b", "search", '{"q": "2"}')
    assert [call.arguments for call in builder.finish()] == [{"q": "1"}, {"q": "2"}]


def test_a_call_sent_twice_counts_once_and_a_doubled_id_is_renewed() -> None:
    builder = CallBuilder()
    builder.piece(0, "a", "search", '{"q": "1"}')
    builder.piece(1, "a", "search", '{"q": "1"}')
    builder.piece(2, "a", "search", '{"q": "2"}')
    calls = builder.finish()
    assert [call.arguments for call in calls] == [{"q": "1"}, {"q": "2"}]
    assert len({call.call_id for call in calls}) == 2


def test_a_missing_id_is_made() -> None:
    builder = CallBuilder()
    builder.whole(None, "search", {"q": "x"})
    assert builder.finish()[0].call_id.startswith("call_")


def test_the_number_of_calls_is_bounded() -> None:
    builder = CallBuilder()
    for i in range(1000):
        builder.piece(i, str(i), "search", "{}")
    assert len(builder.finish()) == 128


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        ("", {}),
        ("  ", {}),
        ("{}", {}),
        ('"{\\"q\\": 1}"', {"q": 1}),
        ("null", None),
        ("5", None),
        ("{'q': 1}", None),
        ('{"q": NaN}', None),
    ],
)
def test_arguments_are_one_json_object_or_a_problem(raw: str, arguments: dict[str, int] | None) -> None:
    value, problem = parse_arguments(raw)
    assert value == arguments
    assert (problem is None) == (arguments is not None)


@pytest.mark.parametrize(
    "raw", ['{"a":' * 10_000, '{"a": ' + "9" * 70_000 + "}", '{"a": "\\ud800"}', '{"a": "\ud800"}']
)
def test_hostile_json_is_a_problem_not_a_crash(raw: str) -> None:
    assert parse_arguments(raw)[0] is None


def test_a_cut_answer_names_the_limit() -> None:
    builder = CallBuilder()
    builder.piece(0, "a", "search", '{"q": "x')
    assert "output limit" in str(builder.finish(cut=True)[0].problem)


def test_events_may_have_any_line_end_and_many_data_lines() -> None:
    frames = SseData()
    assert frames.feed(b": hi\r\ndata: a\r\ndata:b\r\n\r\nevent: x\ndata: c") == [b"a\nb"]
    assert frames.rest() == [b"c"]


def test_events_of_one_line_and_others_come_in_one_read() -> None:
    frames = SseData()
    assert frames.feed(b"data: a\n\ndata: b\n\ndata: c") == [b"a", b"b"]
    assert frames.feed(b"\n\ndata: d\nid: 1\n\ndata: \n\ndata: e\n\n") == [b"c", b"d", b"e"]
    assert frames.feed(b"data: f\n\n\n: hi\n\n\ndata: g\n\n") == [b"f", b"g"]


def test_a_frame_without_end_is_refused() -> None:
    for frames in (SseData(), Lines()):
        for _ in range(8):
            frames.feed(b"x" * (1 << 20))
        with pytest.raises(FrameTooLong):
            frames.feed(b"x")
