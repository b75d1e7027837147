"""What an IP address is to the network gate: public, private or forbidden. Pure.

Source: the IANA special-purpose registries. The standard library's `is_global` is not used: on Python 3.11 it says yes to
site-local, NAT64, 6to4, documentation and multicast addresses.
"""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Literal, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Reach = Literal["public", "private", "forbidden"]

# An exact host entry may open these; they are where somebody's own servers live.
PRIVATE_V4 = tuple(
    IPv4Network(block) for block in ("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
)
PRIVATE_V6 = tuple(IPv6Network(block) for block in ("::1/128", "fc00::/7"))

# Only an entry of exactly this literal address opens these: metadata services, link-local, multicast, reserved, documentation.
FORBIDDEN_V4 = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8", "100.100.100.200/32", "168.63.129.16/32", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    )
)  # fmt: skip
FORBIDDEN_V6 = (IPv6Network("fd00:ec2::/32"),)

PUBLIC_V6 = IPv6Network("2000::/3")
NOT_PUBLIC_V6 = tuple(IPv6Network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))


def parse_address(text: str) -> Address | None:
    """The address that the text literally is; None for a name. A scope id is no address here: it raises ValueError."""
    if "%" in text:
        raise ValueError(f"address {text!r} has a scope id")
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return unwrapped(address)


def unwrapped(address: Address) -> Address:
    """An IPv4-mapped IPv6 address as the IPv4 address it reaches; nothing else is unwrapped."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def reach(address: Address) -> Reach:
    """Whether the address is on the public internet, in a private network, or nothing a request may ever reach by name."""
    address = unwrapped(address)
    if isinstance(address, IPv4Address):
        return reach_v4(address)
    return reach_v6(address)


def reach_v4(address: IPv4Address) -> Reach:
    if any(address in block for block in FORBIDDEN_V4):
        return "forbidden"
    if any(address in block for block in PRIVATE_V4):
        return "private"
    return "public"


def reach_v6(address: IPv6Address) -> Reach:
    if address.scope_id is not None or any(address in block for block in FORBIDDEN_V6):
        return "forbidden"
    if address in PUBLIC_V6:
        return "forbidden" if any(address in block for block in NOT_PUBLIC_V6) else "public"
    if any(address in block for block in PRIVATE_V6):
        return "private"
    return "forbidden"
