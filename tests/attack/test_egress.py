"""Attack cases D: nothing leaves except to an address that was checked, by the URL that was checked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from famulus.errors import EgressRefused
from famulus.net.client import NetClient
from famulus.net.errors import RedirectRefused
from famulus.net.policy import EgressPolicy
from famulus.net.url import parse_url, path_segment

PUBLIC = "93.184.216.34"


class Sink:
    """A loopback server that records each request line, header and the number of connections."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.location = ""
        self.status = 200
        self.keep = True
        self.port = 0

    async def answer(self, request: web.Request) -> web.Response:
        self.lines.append(f"{request.method} {request.raw_path}")
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        headers = {"Location": self.location} if self.location else {}
        refresh = '<meta http-equiv="refresh" content="0;url=http://127.0.0.1/">'
        response = web.Response(
            status=self.status, text=refresh, headers=headers | {"Refresh": "0; url=http://127.0.0.1/"}
        )
        if not self.keep:
            response.force_close()
        return response


@pytest.fixture
async def sink() -> AsyncIterator[Sink]:
    sink = Sink()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", sink.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    sink.port = int(runner.addresses[0][1])
    yield sink
    await runner.cleanup()


def resolver(**answers: list[list[str]]):
    """A resolver that gives each name its answers one after another, the last one again and again."""
    asked: list[str] = []

    async def lookup(host: str, port: int) -> list[str]:
        asked.append(host)
        turns = answers[host.replace(".", "_")]
        return turns[min(asked.count(host), len(turns)) - 1]

    return lookup, asked


async def refused(client: NetClient, url: str, purpose: str = "web", code: str = "egress_refused") -> EgressRefused:
    with pytest.raises(EgressRefused) as caught:
        await client.request(purpose, "GET", url)
    await client.aclose()
    assert caught.value.code == code
    return caught.value


LOCAL_HOSTS = [
    "127.0.0.1", "127.1", "2130706433", "0x7f.1", "017700000001", "0", "localhost", "localhost.", "127。0。0。1", "127.0.0.1.",
    "１２７.0.0.1", "0x7f000001", "127.0.0.01", "10.1.2.3", "192.168.1.1", "172.16.0.1", "100.64.0.1", "255.255.255.255",
]  # fmt: skip
LOCAL_V6 = [
    "[::1]", "[::]", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[fd00::1]", "[fe80::1%25eth0]", "[fe80::1%eth0]",
    "[fe80::1]", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::1]", "[2001:0:7f00:1::]", "[fec0::1]", "[ff02::1]", "[3fff::1]", "[5f00::1]",
    "[2001:db8::1]",
]  # fmt: skip


@pytest.mark.parametrize("host", LOCAL_HOSTS)
async def test_d01_no_spelling_of_a_local_address_is_reached(host: str, sink: Sink) -> None:
    await refused(NetClient(EgressPolicy()), f"http://{host}:{sink.port}/")
    assert sink.lines == []


@pytest.mark.parametrize("host", LOCAL_V6)
async def test_d02_no_spelling_of_a_local_ipv6_address_is_reached(host: str, sink: Sink) -> None:
    await refused(NetClient(EgressPolicy()), f"http://{host}:{sink.port}/")
    assert sink.lines == []


METADATA = [
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "[fd00:ec2::254]",
    "168.63.129.16",
    "metadata.google.internal",
]


@pytest.mark.parametrize("host", METADATA)
async def test_d04_metadata_services_are_refused_and_no_pattern_opens_them(host: str) -> None:
    patterns = frozenset({"*", "*.internal", "169.254.0.0/16", "169.254.*", "0.0.0.0/0", "::/0"})
    await refused(NetClient(EgressPolicy(allow_private_hosts=patterns)), f"http://{host}/latest/meta-data/")


async def test_d04_an_allowed_name_that_resolves_to_metadata_is_refused() -> None:
    lookup, _ = resolver(intranet_corp=[["169.254.169.254"]])
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"intranet.corp"})), lookup=lookup)
    await refused(client, "http://intranet.corp/")


def test_d04_only_the_exact_literal_opens_its_address() -> None:
    policy = EgressPolicy(allow_private_hosts=frozenset({"169.254.169.254"}))
    target = parse_url("http://169.254.169.254/")
    assert policy.rule("tool", target).check(target.address) is None
    with pytest.raises(EgressRefused):
        policy.rule("tool", parse_url("http://169.254.170.2/"))


@pytest.mark.parametrize(
    "answers",
    [
        [PUBLIC, "10.0.0.1"],
        ["127.0.0.1"],
        ["::1", PUBLIC],
        [PUBLIC, "::ffff:10.0.0.1"],
        ["fe80::1%eth0"],
        ["not-an-address"],
    ],
)
async def test_d05_one_refused_answer_refuses_the_name(answers: list[str]) -> None:
    lookup, _ = resolver(rebind_example=[answers])
    await refused(NetClient(EgressPolicy(), lookup=lookup), "http://rebind.example/")


async def test_d05_the_checked_address_is_the_connected_one_and_the_name_stays(sink: Sink) -> None:
    lookup, asked = resolver(intranet_corp=[["127.0.0.1"], ["169.254.169.254"]])
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"intranet.corp"})), lookup=lookup)
    answer = await client.request("tool", "GET", f"http://intranet.corp:{sink.port}/x")
    await client.aclose()
    assert (answer.status, asked) == (200, ["intranet.corp"])
    assert sink.headers[0]["host"] == f"intranet.corp:{sink.port}"


async def test_d05_a_name_that_turns_private_is_refused_at_the_next_connection(sink: Sink) -> None:
    lookup, _ = resolver(intranet_corp=[["127.0.0.1"], ["169.254.169.254"]])
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"intranet.corp"})), lookup=lookup)
    url = f"http://intranet.corp:{sink.port}/"
    sink.keep = False
    await client.request("tool", "GET", url)
    await refused(client, url, "tool")
    assert len(sink.lines) == 1


async def test_d05_a_refused_name_is_not_even_resolved() -> None:
    lookup, asked = resolver(metadata_google_internal=[[PUBLIC]])
    await refused(NetClient(EgressPolicy(), lookup=lookup), "http://metadata.google.internal/")
    assert asked == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location", ["http://127.0.0.1/", f"http://{PUBLIC}/", "file:///etc/passwd", "//other.example/", "http://["]
)
async def test_d06_a_redirect_is_an_error_that_names_its_host(status: int, location: str, sink: Sink) -> None:
    sink.status, sink.location = status, location
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"127.0.0.1"})))
    with pytest.raises(RedirectRefused) as caught:
        await client.request("web", "GET", f"http://127.0.0.1:{sink.port}/", {"Authorization": "Bearer secret"})
    await client.aclose()
    assert len(sink.lines) == 1
    assert f"redirect to {caught.value.host!r} refused" in str(caught.value)
    assert "secret" not in str(caught.value)


async def test_d06_refresh_headers_and_tags_are_text(sink: Sink) -> None:
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"127.0.0.1"})))
    answer = await client.request("web", "GET", f"http://127.0.0.1:{sink.port}/")
    await client.aclose()
    assert b"http-equiv" in answer.body
    assert len(sink.lines) == 1


BAD_URLS = [
    "gopher://example.com/", "file:///etc/passwd", "ftp://example.com/", "unix:/run/x.sock", "data:text/plain,x", "javascript:1", "",
    "http://user:pass@example.com/", "http://good@127.0.0.1/", "http://127.0.0.1#@good/", "http://good\\@127.0.0.1/",
    "http://example.com:0/", "http://example.com:99999/", "http://example.com:22/", "http://example.com:25/", "http://example.com:x/",
    "http:///x", "http:/example.com", "//example.com/", "http://exa mple.com/", "http://example.com\\.evil/", "http://ex%61mple.com/",
    "http://[::1", "http://::1/", "http://-x.example/", "http://a..b/", "http://" + "a" * 300 + ".example/", " http://example.com/",
    "http://example.com/" + "a" * 9000, "http://example.com:80:80/", "http://example.com;@127.0.0.1/", "http://1.2.3/", "http://x.0x1/",
]  # fmt: skip


@pytest.mark.parametrize("url", BAD_URLS)
async def test_d07_only_plain_http_urls_are_parsed(url: str) -> None:
    await refused(NetClient(EgressPolicy()), url)


PIECES = [
    "//", "\\", "@", "#", "?", ":", "/", "127.0.0.1", "example.com", "[::1]", "[", "]", "%2e", "。", "①", "ß", "ü.de", "0x7f", "..", "-", " ",
    "\u00ad", "8080", "；", "İ", "K", "％", "＠", "：", "／", "𝟏",
]  # fmt: skip


@given(
    start=st.sampled_from(["http://", "https://", "http://example.com"]),
    rest=st.lists(st.sampled_from(PIECES), max_size=6),
)
def test_d07_another_parser_reads_the_same_host_and_port(start: str, rest: list[str]) -> None:
    try:
        target = parse_url(start + "".join(rest))
    except EgressRefused:
        return
    other = urlsplit(str(target.url))
    assert (other.hostname, other.port or {"http": 80, "https": 443}[target.scheme]) == (target.host, target.port)
    assert str(target.url).isascii()


@pytest.mark.parametrize("bad", ["\r\nX: y", "\t", "\x00", "\n", "\x7f", "\x85", "\u2028"])
async def test_d08_control_characters_never_reach_the_request_line(bad: str, sink: Sink) -> None:
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"127.0.0.1"})))
    await refused(client, f"http://127.0.0.1:{sink.port}/a{bad}b")
    with pytest.raises(EgressRefused):
        await client.request("web", "GET", f"http://127.0.0.1:{sink.port}/", {"X-Name": f"a\r\n{bad}b"})
    assert sink.lines == []


@pytest.mark.parametrize("name", ["Host", "Content-Length", "Transfer-Encoding", "Connection", "X Y", "X:Y", ""])
async def test_d08_framing_headers_are_not_the_callers(name: str) -> None:
    client = NetClient(EgressPolicy())
    with pytest.raises(EgressRefused):
        await client.request("web", "GET", "http://example.com/", {name: "1"})


async def test_d08_a_path_value_is_one_segment_at_the_sink(sink: Sink) -> None:
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"127.0.0.1"})))
    value = "../admin?x=#"
    await client.request("tool", "GET", f"http://127.0.0.1:{sink.port}/items/{path_segment(value)}/parts")
    await client.aclose()
    assert sink.lines == ["GET /items/..%2Fadmin%3Fx%3D%23/parts"]
    assert path_segment("a\r\nX: y") == "a%0D%0AX%3A%20y"
    for dots in (".", "..", ""):
        with pytest.raises(EgressRefused):
            path_segment(dots)


@pytest.mark.parametrize("path", ["/a/%2e%2e/b", "/a/../b", "/ä?q=ö", "/a?x=%2F&y=+"])
async def test_d08_the_request_line_is_the_checked_url(path: str, sink: Sink) -> None:
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"127.0.0.1"})))
    await client.request("tool", "GET", f"http://127.0.0.1:{sink.port}{path}")
    await client.aclose()
    assert sink.lines == ["GET " + path.replace("ä", "%C3%A4").replace("ö", "%C3%B6")]


async def test_d10_proxies_netrc_and_certificates_of_the_environment_are_ignored(
    sink: Sink, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login user password secret\n")
    proxy = f"http://127.0.0.1:{sink.port}"
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    lookup, _ = resolver(intranet_corp=[["127.0.0.1"]])
    client = NetClient(EgressPolicy(allow_private_hosts=frozenset({"intranet.corp", "127.0.0.1"})), lookup=lookup)
    await client.request("tool", "GET", f"http://127.0.0.1:{sink.port}/direct")
    await client.aclose()
    assert sink.lines == ["GET /direct"]
    assert "authorization" not in sink.headers[0]


def test_d10_a_certificate_file_of_the_environment_is_not_trusted(tmp_path: Path) -> None:
    """In a process of its own: OpenSSL reads the variable when a context is made."""
    certificate = Path(__file__).parent / "certificate.pem"
    code = (
        "from famulus.net.connector import trust; import ssl;"
        "own = {str(c) for c in trust(None).get_ca_certs()};"
        "context = ssl.create_default_context(); fooled = {str(c) for c in context.get_ca_certs()};"
        "print('service.test' in str(fooled), 'service.test' in str(own))"
    )
    environment = os.environ | {"SSL_CERT_FILE": str(certificate), "SSL_CERT_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


async def test_a_providers_own_address_is_open_to_the_provider_purpose_only(sink: Sink) -> None:
    base = f"http://127.0.0.1:{sink.port}/v1"
    client = NetClient(EgressPolicy(providers=frozenset({base})))
    assert (await client.request("provider", "GET", base + "/models")).status == 200
    for purpose, url in (
        ("web", base),
        ("provider", f"http://127.0.0.1:{sink.port + 1}/"),
        ("provider", "http://127.0.0.2/"),
    ):
        with pytest.raises(EgressRefused):
            await client.request(purpose, "GET", url)
    await client.aclose()


NAMESPACE = """
import asyncio
from aiohttp import web
from famulus.errors import EgressRefused
from famulus.net.client import NetClient
from famulus.net.policy import EgressPolicy

async def main():
    seen = []
    async def answer(request):
        seen.append(request.host)
        return web.Response(text="hello")
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
    await runner.setup()
    for host in ("93.184.216.34", "10.0.0.5", "169.254.169.254", "2606:4700:4700::1111", "127.0.0.1"):
        await web.TCPSite(runner, host, 8000).start()
    client = NetClient(EgressPolicy())
    for host in ("public.test", "93.184.216.34", "[2606:4700:4700::1111]", "mixed.test", "private.test", "meta.test", "10.0.0.5"):
        try:
            print(host, (await client.request("web", "GET", f"http://{host}:8000/")).body.decode())
        except EgressRefused as error:
            print(host, error.code)
    print("seen", *seen)
    await client.aclose()
    await runner.cleanup()

asyncio.run(main())
"""
HOSTS = "93.184.216.34 public.test\n93.184.216.34 mixed.test\n10.0.0.5 mixed.test\n10.0.0.5 private.test\n169.254.169.254 meta.test\n"


def namespace_works() -> bool:
    tools = shutil.which("unshare") and shutil.which("ip")
    return (
        bool(tools) and subprocess.run(["unshare", "-Urnm", "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(not namespace_works(), reason="needs network namespaces (unshare and ip)")
def test_d05_with_the_systems_resolver_in_a_network_of_its_own(tmp_path: Path) -> None:
    """Public, private and metadata addresses on the loopback of a namespace: only the public ones are reached."""
    (tmp_path / "hosts").write_text(HOSTS)
    (tmp_path / "nsswitch").write_text("hosts: files\n")
    (tmp_path / "main.py").write_text(NAMESPACE)
    addresses = ("93.184.216.34/32", "10.0.0.5/32", "169.254.169.254/32", "2606:4700:4700::1111/128")
    setup = "".join(f"ip addr add {address} dev lo && " for address in addresses)
    mounts = f"mount --bind {tmp_path}/hosts /etc/hosts && mount --bind {tmp_path}/nsswitch /etc/nsswitch.conf && "
    command = f"ip link set lo up && {setup}{mounts}exec {sys.executable} {tmp_path}/main.py"
    done = subprocess.run(
        ["unshare", "-Urnm", "sh", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.splitlines() == [
        "public.test hello",
        "93.184.216.34 hello",
        "[2606:4700:4700::1111] hello",
        "mixed.test egress_refused",
        "private.test egress_refused",
        "meta.test egress_refused",
        "10.0.0.5 egress_refused",
        "seen public.test:8000 93.184.216.34:8000 [2606:4700:4700::1111]:8000",
    ], done.stderr
