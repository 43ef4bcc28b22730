"""The list of checks of a verification. A check that did not run did not pass."""
from dataclasses import dataclass, replace
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence

from .errors import AttestationError

PASS, FAIL, NOT_CHECKED = "pass", "fail", "not-checked"
VERIFIED, NOT_VERIFIED, COULD_NOT_CHECK = "verified", "not-verified", "could-not-check"


@dataclass(frozen=True)
class Check:
    id: str
    title: str
    outcome: str = NOT_CHECKED
    reason: str = "did not run"
    required: bool = True

    def with_(self, **changes: Any) -> "Check":
        return replace(self, **changes)


@dataclass(frozen=True)
class Step:
    """The result of one check as the input of others; ``passed`` is false if the check did not pass."""

    id: str
    passed: bool = False
    value: Any = None


def given(id_: str, value: Optional[Any]) -> Step:
    """A step that passed, unless the value is None."""
    return Step(id_) if value is None else Step(id_, True, value)


class CheckList:
    """The checks of a table, in its order."""

    def __init__(self, table: Mapping[str, str]):
        self._checks = {id_: Check(id_, title) for id_, title in table.items()}

    def run(self, id_: str, needs: Sequence[Step], work: Callable[..., Any]) -> Step:
        """Runs ``work`` with the values of ``needs`` if all of them passed. The check fails if it raises anything."""
        missing = next((step for step in needs if not step.passed), None)
        if missing is not None:
            self._settle(id_, NOT_CHECKED, f'it depends on "{missing.id}", which did not pass')
            return Step(id_)
        try:
            value = work(*(step.value for step in needs))
        except AttestationError as error:
            self._settle(id_, FAIL, str(error))
            return Step(id_)
        except Exception as error:  # A defect must not pass either.
            self._settle(id_, FAIL, f"defect: {type(error).__name__}")
            return Step(id_)
        self._settle(id_, PASS, value if isinstance(value, str) else "it holds")
        return Step(id_, True, value)

    def skip(self, id_: str, reason: str) -> None:
        self._settle(id_, NOT_CHECKED, reason)

    def all(self) -> list[Check]:
        return list(self._checks.values())

    def _settle(self, id_: str, outcome: str, reason: str) -> None:
        self._checks[id_] = self._checks[id_].with_(outcome=outcome, reason=reason)


def verdict_of(checks: Iterable[Check]) -> str:
    """``verified`` only if every required check passed. A failure takes precedence over a check that did not run."""
    listed = list(checks)
    if any(check.outcome == FAIL for check in listed):
        return NOT_VERIFIED
    is_complete = bool(listed) and all(check.outcome == PASS or not check.required for check in listed)
    return VERIFIED if is_complete else COULD_NOT_CHECK


def blocking_check(checks: Sequence[Check]) -> Optional[Check]:
    """The first check that failed, or else the first required one that did not run."""
    failed = next((check for check in checks if check.outcome == FAIL), None)
    return failed or next((check for check in checks if check.outcome == NOT_CHECKED and check.required), None)
