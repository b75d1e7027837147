"""Values kept in memory up to a bound, least recently used first out."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedCache(Generic[T]):
    """Shared by the threads that search. `bound` counts what sizes count: bytes, or values where each has the size 1."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._used = 0
        self._items: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, load: Callable[[], tuple[T, int]]) -> T:
        """The kept value, or what `load` gives: the value and its size."""
        found = self.known(key)
        if found is not None:
            return found
        value, size = load()
        self.put(key, value, size)
        return value

    def known(self, key: Hashable) -> T | None:
        with self._lock:
            found = self._items.get(key)
            if found is None:
                return None
            self._items.move_to_end(key)
            return found[0]

    def known_of(self, keys: Sequence[Hashable]) -> list[T | None]:
        """As `known` of each, for the price of one."""
        found: list[T | None] = []
        with self._lock:
            for key in keys:
                item = self._items.get(key)
                if item is not None:
                    self._items.move_to_end(key)
                found.append(None if item is None else item[0])
        return found

    def put(self, key: Hashable, value: T, size: int = 1) -> None:
        with self._lock:
            self._used += size - self._items.pop(key, (value, 0))[1]
            self._items[key] = (value, size)
            while self._used > self._bound and len(self._items) > 1:
                self._used -= self._items.popitem(last=False)[1][1]
