"""Which Host and Origin are let in."""

import pytest

from famulus.api.hosts import HostRule, cross_site


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8710", "127.0.0.1:8710", "[::1]:8710", "192.168.1.4", "Famulus.Lan:8710"]
)
def test_own_names_and_addresses_are_answered(host: str) -> None:
    assert HostRule(["famulus.lan"]).allows(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.test",
        "localhost.",
        "localhost.evil.test",
        "127.0.0.1.evil.test",
        "a@localhost",
        "localhost/x",
        "localhost:x",
        "",
        "[::1",
        "127.1",
    ],
)
def test_foreign_names_are_not(host: str) -> None:
    assert not HostRule(["famulus.lan"]).allows(host)


@pytest.mark.parametrize(
    ("origin", "fetch_site"),
    [
        ("http://evil.test", None),
        ("null", None),
        ("http://localhost:1", None),
        ("http://localhost:8710/x", None),
        ("file://", None),
        (None, "cross-site"),
        (None, "same-site"),
        ("http://localhost:8710", "cross-site"),
    ],
)
def test_other_sites_are_told(origin: str | None, fetch_site: str | None) -> None:
    assert cross_site(origin, fetch_site, "localhost:8710", "http")


@pytest.mark.parametrize(
    ("origin", "fetch_site"),
    [(None, None), ("http://localhost:8710", "same-origin"), ("http://localhost:8710", None), (None, "none")],
)
def test_own_pages_and_plain_clients_are_not(origin: str | None, fetch_site: str | None) -> None:
    assert not cross_site(origin, fetch_site, "localhost:8710", "http")
