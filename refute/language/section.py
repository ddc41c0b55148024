"""A section: what the claims of one statement of a paper share, said once.

    main = section("kou2023", "thm_4_1", "Theorem 4.1", given=training(), assumes=LEAKY_MAIN, derived=[course])

    @main.claim("norm_theta_log", "first item", recorded="supported")
    @mutants(exponent("1.1"))
    def neurons_grow_logarithmically(course):
        ...

Its claims are judged on the same cases, so that a derived quantity is computed once for all of them and their mutants.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack

from refute.language.assumption import Assumption
from refute.language.claim import Claim, Particulars, Statement, claim_of
from refute.language.registry import register


@dataclass(frozen=True)
class Section:
    """The statement `id` of a paper, printed at `reference`, and what its claims have in common."""

    id: str
    reference: str
    common: Mapping[str, Any]

    @property
    def assumes(self) -> list[Assumption]:
        """The assumptions that the claims share: `assumes=[*main.assumes, one_more]`."""
        return list(self.common.get("assumes", ()))

    def but(self, reference: str | None = None, **changes: Unpack[Particulars]) -> "Section":
        """The same section with some of it changed."""
        return replace(self, reference=self.reference if reference is None else reference, common=self._with(changes))

    def claim(
        self, name: str = "", reference: str = "", **particular: Unpack[Particulars]
    ) -> Callable[[Statement], Claim]:
        """Turn a function that returns a margin into a claim of this section.

        What is said here counts in place of what the section says; mutants are added to those of the section.
        """
        made = self.statement(name, reference, **particular)
        return lambda statement: register(made(statement))

    def statement(
        self, name: str = "", reference: str = "", **particular: Unpack[Particulars]
    ) -> Callable[[Statement], Claim]:
        """The same for a sentence that is ambiguous as it stands: only its readings are registered."""
        id = ".".join(part for part in (self.id, name) if part)
        place = ", ".join(part for part in (self.reference, reference) if part)
        common = self._with(particular)
        return lambda statement: claim_of(statement, id, place, common, self.id)

    def _with(self, changes: Particulars) -> Particulars:
        mutants = [*self.common.get("mutants", ()), *changes.get("mutants", ())]
        return {**self.common, **changes, "mutants": mutants}  # type: ignore[typeddict-item]


def section(paper: str, statement: str = "", reference: str = "", /, **common: Unpack[Particulars]) -> Section:
    """What the claims of one statement share; the parameters are those of a claim."""
    return Section(".".join(part for part in (paper, statement) if part), reference, common)
