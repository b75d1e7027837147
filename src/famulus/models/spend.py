"""What one run may cost and has cost. Shared by its sub-calls: money is reserved before a call and settled after it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from famulus.messages.values import Cost
from famulus.models.errors import BudgetExceeded
from famulus.models.settings import Price


@dataclass(slots=True)
class Spend:
    """`limit` None = no limit. `complete` turns False when a part of the cost is unknown.

    Decision: with a limit, a model of unknown price is refused: unknown is not free. A price of 0 in the configuration says that a
    model on one's own machine costs nothing.
    """

    limit: Decimal | None = None
    currency: str = "CHF"
    spent: Decimal = Decimal(0)
    reserved: Decimal = Decimal(0)
    complete: bool = True

    @classmethod
    def resumed(cls, limit: tuple[Decimal, str] | None, cost: Cost) -> Spend:
        """The account of a run that has already cost `cost`; `limit` is an amount and its currency."""
        amount, currency = limit if limit is not None else (None, cost.currency)
        spend = cls(amount, currency)
        spend.settle(Decimal(0), cost)
        return spend

    @property
    def left(self) -> Decimal | None:
        return None if self.limit is None else self.limit - self.spent - self.reserved

    def check_price(self, name: str, price: Price | None, currency: str | None) -> None:
        """Raises `BudgetExceeded` when the limit cannot be kept because the cost cannot be known in its currency."""
        if self.limit is None:
            return
        advice = "set its price in the configuration (0 when it costs nothing), or run without a limit"
        if price is None:
            raise self.refusal(f"the price of model {name!r} is unknown; {advice}", "price_unknown")
        if currency != self.currency and (price.input or price.output):
            text = f"model {name!r} is priced in {currency}, the limit in {self.currency}; {advice}"
            raise self.refusal(text, "price_unknown")

    def reserve(self, amount: Decimal) -> None:
        """Raises `BudgetExceeded` when the amount does not fit any more."""
        left = self.left
        if left is not None and (amount > left or left <= 0 < amount):
            text = f"the next model call may cost {amount:.4f} {self.currency}, {max(left, Decimal(0)):.4f} of {self.limit} are left"
            raise self.refusal(text)
        self.reserved += amount

    def settle(self, reserved: Decimal, cost: Cost) -> None:
        self.reserved -= reserved
        if cost.complete and (cost.currency == self.currency or cost.amount == 0):
            self.spent += cost.amount
        else:
            self.complete = False

    def refusal(self, text: str, code: str | None = None) -> BudgetExceeded:
        return BudgetExceeded(
            f"stopped at the cost limit: {text}", limit=self.limit or Decimal(0), spent=self.spent, code=code
        )
