"""Which destination a request may reach: the decision of the network gate. Pure; `connector.py` enforces it at the socket."""

from __future__ import annotations

from dataclasses import dataclass

from famulus.errors import EgressRefused
from famulus.net.address import Address, parse_address, reach
from famulus.net.url import Target, parse_url

# Names that mean this machine or its host whatever a resolver says about them.
LOCAL_NAMES = frozenset({"localhost", "metadata", "metadata.google.internal", "instance-data", "host.docker.internal"})
LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".localdomain")

PROVIDER = "provider"


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """`allow_private_hosts`: exact host names or literal addresses that may be private (never a pattern).

    `providers`: base URLs of configured providers; their origin may be private too, for requests of purpose `provider` only.
    `ca_file`: trusted certificates instead of the system's.
    """

    allow_private_hosts: frozenset[str] = frozenset()
    providers: frozenset[str] = frozenset()
    ca_file: str | None = None

    def with_providers(self, *base_urls: str) -> EgressPolicy:
        return EgressPolicy(self.allow_private_hosts, self.providers | set(base_urls), self.ca_file)

    def is_provider(self, target: Target) -> bool:
        return any(parse_url(base).origin == target.origin for base in self.providers)

    def rule(self, purpose: str, target: Target) -> Rule:
        """The rule for one destination. Raises `EgressRefused` before anything is resolved."""
        provider = purpose == PROVIDER and self.is_provider(target)
        listed = target.host in {canonical(host) for host in self.allow_private_hosts}
        rule = Rule(target.host, private=provider or listed, literal=target.address if provider or listed else None)
        if target.address is not None:
            rule.check(target.address)
        elif not rule.private and (target.host in LOCAL_NAMES or target.host.endswith(LOCAL_ENDINGS)):
            raise EgressRefused(
                f"host {target.host!r} refused: it is a private name; an administrator may allow exactly this host"
            )
        return rule


@dataclass(frozen=True, slots=True)
class Rule:
    """What one destination may resolve to. `literal` is the single address that is open even where names may not lead."""

    host: str
    private: bool
    literal: Address | None = None

    def check(self, address: Address) -> None:
        """Raises `EgressRefused` unless the address may be connected to."""
        if self.literal is not None and address == self.literal:
            return
        kind = reach(address)
        if kind == "public" or (kind == "private" and self.private):
            return
        advice = (
            "an administrator may allow exactly this host" if kind == "private" else "it is never reachable by name"
        )
        raise EgressRefused(f"host {self.host!r} refused: address {address} is {kind}; {advice}")

    def check_text(self, text: str) -> None:
        try:
            address = parse_address(text)
        except ValueError as error:
            raise EgressRefused(f"host {self.host!r} refused: {error}") from None
        if address is None:
            raise EgressRefused(f"host {self.host!r} refused: {text!r} is not an address")
        self.check(address)


def canonical(host: str) -> str:
    """A list entry in the form the parser gives hosts."""
    text = host.strip().lower().removeprefix("[").removesuffix("]")
    address = parse_address(text)
    return str(address) if address is not None and "." not in text else text
