"""Translation of gains into `goal`: the payoff of a role is the sum of its gains, each once per true binding.

Goal values are whole numbers: payoffs with fractions are multiplied by the least number that makes all of them whole.
Read as a transfer, one of two roles loses what the other gains.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

from veil.errors import fail, phrase, problem
from veil.lang.pogddl.conditions import Conditions, bind, bind_expression
from veil.lang.pogddl.numbers import Values
from veil.lang.pogddl.statements import deny, make
from veil.lang.pogddl.syntax import Expression, Formula, GainClause, Operation
from veil.lang.pogddl.world import CHANCE, show_number
from veil.vocabulary import RANDOM

MAX_PAYOFFS = 10_000  # different payoffs of one role


class Payment(NamedTuple):
    """One gain of one role."""

    amount: Expression
    condition: Formula
    offset: int


class Gains:
    """Writer of the goals of all roles."""

    def __init__(self, conditions: Conditions, gains: tuple[GainClause, ...]) -> None:
        self.conditions, self.statements, self.numbers = conditions, conditions.statements, conditions.numbers
        self.world = self.statements.world
        self.payments: dict[str, list[Payment]] = {player: [] for player in self.world.players}
        for gain in gains:
            self._collect(gain)
        self.has_negative = any(
            value < 0
            for payments in self.payments.values()
            for payment in payments
            for value in self._amounts(payment.amount)
        )

    def _collect(self, gain: GainClause) -> None:
        for binding in self.world.bindings(self.statements.kinds, gain.variables, gain.offset):
            roles = {binding.get(name, name) for name in gain.recipients}
            payment = Payment(bind_expression(gain.amount, binding), bind(gain.condition, binding), gain.offset)
            for player in self.world.players:
                if player in roles:
                    self.payments[player].append(payment)

    def _amounts(self, amount: Expression) -> Values:
        valued = self.numbers.express(amount)
        return valued.values if valued else frozenset()

    def write(self, transfer: bool) -> int:
        """Write the goals of all roles; return the factor between payoffs and goal values."""
        if transfer:
            self._check_transfer()
        self._say_reading(transfer)
        totals = {player: self._add_up(self._payments_of(player, transfer)) for player in self.world.players}
        scale = lcm(*(value.denominator for _, values in totals.values() for value in values))
        if scale > 1:
            self.world.problems.append(problem("pogddl-fractions", scale=scale))
        for player, (total, values) in totals.items():
            for value in sorted(values):
                goal = make("goal", player, show_number(value * scale), at=0)
                self.statements.add_rule(goal, [make(total, show_number(value), at=0)])
        if CHANCE in self.world.roles:
            self.statements.add_fact("goal", RANDOM, "0")
        return scale

    def write_end(self) -> None:
        """Write that the game is over as soon as the gains of a role add up to more than nothing."""
        self.world.problems.append(problem("ends-on-gain"))
        for payments in self.payments.values():
            total, values = self._add_up(payments)
            for value in sorted(value for value in values if value > 0):
                self.statements.add_rule(make("terminal", at=0), [make(total, show_number(value), at=0)])

    def _check_transfer(self) -> None:
        """Refuse to read gains as payments if there are not two roles, or if a gain is negative."""
        if len(self.payments) != 2:
            what = phrase("transfer-roles", count=len(self.payments))
        elif self.has_negative:
            what = phrase("transfer-negative")
        else:
            return
        raise fail("bad-transfer", what=what)

    def _say_reading(self, transfer: bool) -> None:
        """Add a note on how gains were read, if they can be read in two ways."""
        if transfer:
            self.world.problems.append(problem("gains-transferred"))
        elif len(self.payments) == 2 and not self.has_negative and any(self.payments.values()):
            self.world.problems.append(problem("gains-as-written"))

    def _payments_of(self, player: str, transfer: bool) -> list[Payment]:
        own = self.payments[player]
        if not transfer:
            return own
        [other] = [name for name in self.payments if name != player]
        lost = [
            payment._replace(amount=Operation("-", (payment.amount,), payment.offset))
            for payment in self.payments[other]
        ]
        return own + lost

    def _add_up(self, payments: list[Payment]) -> tuple[str, Values]:
        """Return a relation that holds for the sum of payments, and the sums it can hold for."""
        total, values = self.statements.name("payoff"), frozenset([Fraction(0)])
        self.statements.add_fact(total, "0")
        for payment in payments:
            body, valued = self.conditions.write(payment.condition), self.numbers.express(payment.amount)
            if body is None or valued is None:
                continue
            before, total = total, self.statements.name("payoff")
            paid, due = self.statements.name("amount"), self.statements.name("due")
            at = payment.offset
            self.statements.add_rule(make(paid, valued.word, at=at), [*body, *valued.conditions])
            self.statements.add_rule(make(due, at=at), [make(paid, "? d", at=at)])
            for old in values:
                for amount in valued.values:
                    self.numbers.add_sum("+", old, amount, old + amount)
            table = make("number +", "? s", "? d", "? t", at=at)
            more = [make(before, "? s", at=at), make(paid, "? d", at=at), table]
            self.statements.add_rule(make(total, "? t", at=at), more)
            self.statements.add_rule(make(total, "? s", at=at), [make(before, "? s", at=at), deny(make(due, at=at))])
            values = values | {old + amount for old in values for amount in valued.values}
            if len(values) > MAX_PAYOFFS:
                raise fail("pogddl-too-many-sums", self.world.source.place(at), limit=MAX_PAYOFFS)
        return total, values
