"""The head of a request: what every server gets, and what no caller may put into it."""

from __future__ import annotations

import pytest

from famulus.errors import EgressRefused
from famulus.net.head import head_of
from famulus.net.url import parse_url


def lines(method: str, url: str, headers: dict[str, str], body: bytes | None = None) -> list[str]:
    head, separator, sent = head_of(method, parse_url(url), headers).request(body).decode().partition("\r\n\r\n")
    assert (separator, sent) == ("\r\n\r\n", (body or b"").decode())
    return head.split("\r\n")


def test_a_head_names_the_host_and_the_length() -> None:
    got = lines("POST", "http://service.test:8080/a?b=c", {"Accept": "text/event-stream"}, b"{}")
    assert got[:2] == ["POST /a?b=c HTTP/1.1", "Host: service.test:8080"]
    assert {"User-Agent: famulus", "Accept-Encoding: gzip", "Accept: text/event-stream", "Content-Length: 2"} < set(got)
    assert "Accept: */*" not in got


def test_the_usual_port_is_left_out_and_an_address_stands_in_brackets() -> None:
    assert lines("GET", "https://service.test/", {})[1] == "Host: service.test"
    assert lines("GET", "http://[2606:4700::1]:8080/", {})[1] == "Host: [2606:4700::1]:8080"


def test_only_a_request_that_may_have_a_body_says_that_it_has_none() -> None:
    assert "Content-Length: 0" in lines("POST", "http://service.test/", {})
    assert not [line for line in lines("GET", "http://service.test/", {}) if line.startswith("Content-Length")]


def test_a_caller_may_switch_packing_off_and_then_it_stands_once() -> None:
    got = lines("GET", "http://service.test/", {"accept-encoding": "identity"})
    assert [line for line in got if "encoding" in line.lower()] == ["accept-encoding: identity"]


@pytest.mark.parametrize("method", ["GET / HTTP/1.1\r\nX: y\r\n\r\nGET", "GE T", "", "GET\n", "HEAD", "head"])
def test_a_method_that_is_no_token_is_refused(method: str) -> None:
    with pytest.raises(EgressRefused):
        head_of(method, parse_url("http://service.test/"), {})


@pytest.mark.parametrize(
    "headers", [{"X": "a\r\nHost: other"}, {"X\r\nY": "a"}, {"Content-Length": "5"}, {"HOST": "x"}, {"X": "\ud800"}]
)
def test_a_header_that_could_change_the_framing_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(EgressRefused):
        head_of("GET", parse_url("http://service.test/"), headers)
