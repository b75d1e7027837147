import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from famulus.messages.ids import new_id


def test_ids_of_one_process_sort_in_the_order_they_were_made():
    made = [new_id() for _ in range(20_000)]
    assert made == sorted(set(made))


def test_ids_of_several_threads_are_all_different():
    with ThreadPoolExecutor(8) as pool:
        made = [made for group in pool.map(lambda _: [new_id() for _ in range(1_000)], range(8)) for made in group]
    assert len(set(made)) == 8_000


def test_a_clock_that_is_set_back_does_not_turn_the_order_around(monkeypatch: pytest.MonkeyPatch):
    before = new_id()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert before < new_id()


def test_an_id_is_a_uuid_of_version_seven_of_now():
    before_ms = time.time_ns() // 1_000_000
    made = uuid.UUID(new_id())
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert 0 <= (made.int >> 80) - before_ms < 5_000
