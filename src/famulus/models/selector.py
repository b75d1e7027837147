"""From a model's name to the provider that serves it. A name is `provider/model`; the model's own name may hold slashes."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from famulus.errors import Invalid, NotFound
from famulus.models.base import Provider


class Selector:
    """Names come from users: a wrong one is a usage error that says what there is."""

    def __init__(self, providers: Sequence[Provider]) -> None:
        self.providers = {provider.name: provider for provider in providers}

    def pick(self, name: str) -> tuple[Provider, str]:
        """The provider and its own name of the model. Raises `Invalid` and `NotFound`, which name what there is."""
        provider_name, slash, model = name.partition("/")
        if not slash or not model:
            raise Invalid(f"model {name!r} is not of the form provider/model; providers: {self.known()}")
        provider = self.providers.get(provider_name)
        if provider is None:
            near = difflib.get_close_matches(provider_name, self.providers, n=1)
            hint = (
                f"did you mean {near[0]!r}?"
                if near
                else f"providers: {self.known()}; `famulus models` lists their models"
            )
            raise NotFound(f"no model provider {provider_name!r}; {hint}")
        return provider, model

    def known(self) -> str:
        return ", ".join(sorted(self.providers)) or "none is configured"
