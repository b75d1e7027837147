"""The address table: what is public, private, forbidden."""

from __future__ import annotations

import pytest

from famulus.net.address import parse_address, reach

PUBLIC = [
    "8.8.8.8",
    "93.184.216.34",
    "1.1.1.1",
    "2606:4700:4700::1111",
    "2a00:1450:4001::200e",
    "::ffff:8.8.8.8",
    "198.20.0.1",
    "100.128.0.1",
]
PRIVATE = [
    "10.0.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "127.0.0.1",
    "127.255.0.1",
    "100.64.0.1",
    "::1",
    "fd12::1",
    "::ffff:10.0.0.1",
]
FORBIDDEN = [
    "0.0.0.0", "169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1", "203.0.113.9",
    "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "fe80::1", "fec0::1", "ff02::1", "64:ff9b::808:808", "2001::1", "2001:db8::1",
    "2002:808:808::1", "3fff::1", "5f00::1", "fd00:ec2::254", "::ffff:169.254.169.254", "::127.0.0.1", "100::1",
]  # fmt: skip


@pytest.mark.parametrize(("kind", "texts"), [("public", PUBLIC), ("private", PRIVATE), ("forbidden", FORBIDDEN)])
def test_each_block_has_its_kind(kind: str, texts: list[str]) -> None:
    addresses = [parse_address(text) for text in texts]
    assert {text: reach(address) for text, address in zip(texts, addresses, strict=True) if address} == dict.fromkeys(
        texts, kind
    )


def test_a_scope_id_is_no_address() -> None:
    with pytest.raises(ValueError, match="scope"):
        parse_address("fe80::1%eth0")
    assert parse_address("example.com") is None
