"""Parses policies strictly, and judges whether a genuine quote meets one."""
import re
from typing import Any, Optional

from .check_table import POLICY
from .checks import FAIL, PASS, Check, CheckList, Step, given
from .collateral import TCB_STATUSES
from .errors import AttestationError, refused
from .jsons import any_object_of, is_integer, parse_strict
from .quote import KEY_LOCKER, PERFMON, PKS, TdBody
from .verify_quote import QuoteVerification

MEASUREMENTS = ("mrTd", "rtmr0", "rtmr1", "rtmr2", "rtmr3", "mrSeam", "mrConfigId", "mrOwner", "mrOwnerConfig")
_DECISIVE = ("mrTd", "rtmr1", "rtmr2")
_OPTIONAL_ATTRIBUTES = {"pks": PKS, "keyLocker": KEY_LOCKER, "perfmon": PERFMON}
_CHARACTERS_MAX = 4 * 1024 * 1024
_DAY_MS = 86_400_000
_SOURCE_MEMBERS = ("repoUrl", "repoCommit", "imageDigest")

#: accepts any software, so that the verdict is at best ``could-not-check``
ANY_SOFTWARE = {"measurements": "any", "sources": "any"}


def parse_policy(text: str) -> dict[str, Any]:
    """Parses a policy file. An unknown or malformed member is an error of the kind ``policy``."""
    try:
        members = any_object_of(parse_strict(text, "the policy", _CHARACTERS_MAX), "the policy")
    except AttestationError as error:
        raise AttestationError(str(error), "policy") from None
    return require_policy(members)


def require_policy(members: dict[str, Any]) -> dict[str, Any]:
    """Validates a policy object like a policy file."""
    for name, value in members.items():
        if name not in _MEMBERS:
            raise AttestationError("a policy has an unknown member", "policy")
        if not _MEMBERS[name](value):
            raise AttestationError(f"{name} is malformed", "policy")
    if "measurements" not in members:
        raise AttestationError('measurements is missing: it must be a list of sets, or "any"', "policy")
    if "tdAttributes" in members and "perfmonAllowed" in members:
        raise AttestationError("perfmonAllowed cannot be combined with tdAttributes", "policy")
    return members


def _is_hex(digits: int) -> Any:
    return lambda value: isinstance(value, str) and re.fullmatch(f"[0-9a-fA-F]{{{digits}}}", value) is not None


def _list_of(is_one: Any, least: int = 1) -> Any:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(is_one, value))


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_measurement_set(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(
        name in MEASUREMENTS and _is_hex(96)(digits) for name, digits in value.items()
    )  # fmt: skip


def _is_source(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(
        name in _SOURCE_MEMBERS and isinstance(text, str) for name, text in value.items()
    )  # fmt: skip


def _is_started(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_list_of(_is_text), value.values()))


def _is_attributes(value: Any) -> bool:
    return _list_of(_is_text, 0)(value) and len(set(value)) == len(value) and set(value) <= set(_OPTIONAL_ATTRIBUTES)


def _is_days(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 366


def _is_version(part: str) -> Any:
    return lambda value: isinstance(value, str) and re.fullmatch(rf"{part}(\.{part}){{0,7}}", value) is not None


_MEMBERS: dict[str, Any] = {
    "measurements": lambda value: value == "any" or _list_of(_is_measurement_set)(value),
    "tcbStatuses": lambda value: _list_of(lambda one: one in TCB_STATUSES and one != "Revoked", 0)(value),
    "advisories": lambda value: value == "any" or _list_of(_is_text, 0)(value),
    "rtmr3": lambda value: value in ("any", "zero"),
    "tcbEvaluationMin": lambda value: is_integer(value) and value >= 0,
    "collateralAgeDaysMax": _is_days,
    "teeTcbSvnMin": _is_hex(32),
    "fmspcs": _list_of(_is_hex(12)),
    "platformIds": _list_of(_is_hex(32)),
    "xfam": _list_of(_is_hex(16)),
    "tdAttributes": _is_attributes,
    "perfmonAllowed": _is_flag,
    "debugAllowed": _is_flag,
    "sources": lambda value: value == "any" or _list_of(_is_source)(value),
    "started": _is_started,
    "gpuRequired": _is_flag,
    "gpuMeasurements": lambda value: value in ("published", "any"),
    "gpuModes": lambda value: value == "any" or _list_of(lambda one: one in ("single", "multi", "ppcie"))(value),
    "gpuDriverMin": _is_version("[0-9]{1,6}"),
    "gpuVbiosMin": _is_version("[0-9A-Fa-f]{1,4}"),
    "channel": lambda value: value in ("bound", "key"),
}


def measurements_of(body: TdBody) -> dict[str, str]:
    """The measurements of a virtual machine in the policy's format."""
    values = (body.mr_td, *body.rtmrs, body.mr_seam, body.mr_config_id, body.mr_owner, body.mr_owner_config)
    return dict(zip(MEASUREMENTS, (value.hex() for value in values)))


def judge_quote(verification: QuoteVerification, policy: dict[str, Any], report_data: Optional[bytes]) -> list[Check]:
    """The quote's checks, then the policy's. Without ``report_data``, the caller compares it."""
    checks = CheckList(POLICY)
    body = given("quote-format", verification.quote and verification.quote.body)

    def same_report_data(td: TdBody) -> str:
        if report_data is not None and td.report_data != report_data:
            raise refused("the quote has other report data")
        return "as expected" if report_data is not None else "not compared here: the caller compares it"

    checks.run("report-data", [body], same_report_data)
    _judge_software(checks, body, policy)
    _judge_tcb(checks, verification, policy, body)
    _judge_platform(checks, verification, policy)
    _judge_attributes(checks, body, policy)
    start_waived = policy.get("rtmr3") == "any"
    own = [one.with_(required=one.id != "hardware" and not (one.id == "rtmr3" and start_waived)) for one in checks.all()]
    return [*(_waive_debug(check, policy) for check in verification.checks), *own]


def _waive_debug(check: Check, policy: dict[str, Any]) -> Check:
    is_waived = check.id == "td-debug" and check.outcome == FAIL and policy.get("debugAllowed") is True
    return check.with_(outcome=PASS, reason=f"{check.reason} (the policy allows it)") if is_waived else check


def _open_registers(pinned: dict[str, str]) -> list[str]:
    """A register of zeros was never extended, so it says nothing about the software."""
    return [name for name in _DECISIVE if re.fullmatch("0*", pinned.get(name, ""))]


def _matching_set(body: TdBody, allowed: Any) -> Optional[dict[str, str]]:
    """Prefers a matching set that pins the software."""
    if allowed == "any":
        return None
    actual = measurements_of(body)
    matching = [one for one in allowed if all(actual[name] == digits.lower() for name, digits in one.items())]
    pinning = [one for one in matching if not _open_registers(one)]
    return next(iter(pinning + matching), None)


def _judge_software(checks: CheckList, body: Step, policy: dict[str, Any]) -> None:
    allowed = policy["measurements"]
    matching = _matching_set(body.value, allowed) if body.passed else None

    def fits_one(_td: TdBody) -> str:
        if allowed == "any":
            return "the policy accepts any software"
        if matching is None:
            raise refused(f"none of the {len(allowed)} sets matches")
        return f"set {allowed.index(matching) + 1} of the policy"

    fits = checks.run("measurements", [body], fits_one)
    still_open = list(_DECISIVE) if matching is None else _open_registers(matching)
    if fits.passed and still_open:
        checks.skip("software", f"the policy leaves open: {', '.join(still_open)}")
    else:
        checks.run("software", [fits], lambda _fits: "all three are pinned")
    if fits.passed and (matching is None or "rtmr0" not in matching):
        checks.skip("hardware", "RTMR0 is not pinned: any processors, memory, ACPI tables and firmware settings")
    else:
        checks.run("hardware", [fits], lambda _fits: "RTMR0 is pinned")
    is_named = matching is not None and "rtmr3" in matching

    def zero(td: TdBody) -> str:
        if not is_named and any(td.rtmrs[3]):
            raise refused(f"RTMR3 was extended: {td.rtmrs[3].hex()}")
        return "pinned by the matching set" if is_named else "it holds"

    if policy.get("rtmr3") == "any" and not is_named and body.passed:
        checks.skip("rtmr3", "RTMR3 is not compared: any settings, models and agents, unless the start log is replayed")
    else:
        checks.run("rtmr3", [body], zero)


def _judge_tcb(checks: CheckList, verification: QuoteVerification, policy: dict[str, Any], body: Step) -> None:
    tcb = given("tcb-not-revoked", verification.tcb)

    def status(one: Any) -> None:
        allowed = policy.get("tcbStatuses", ["UpToDate"])
        if one.status == "Revoked" or one.status not in allowed:
            raise refused(f"it is {one.status}; allowed: {', '.join(allowed)}")

    def advisories(one: Any) -> None:
        allowed = policy.get("advisories", [])
        still_open = [] if allowed == "any" else [id_ for id_ in one.advisories if id_ not in allowed]
        if still_open:
            raise refused(f"open: {', '.join(still_open)}")

    def evaluation(_tcb: Any) -> None:
        least, found = policy.get("tcbEvaluationMin", 0), verification.evaluation_number
        if found is None or found < least:
            raise refused(f"the TCB evaluation number is {found}, the policy requires at least {least}")

    def age(_tcb: Any) -> str:
        age_ms, days_max = verification.collateral_age_ms, policy.get("collateralAgeDaysMax")
        if age_ms is None:
            raise refused("the dates of the collateral are malformed")
        if days_max is not None and age_ms > days_max * _DAY_MS:
            raise refused(f"issued {age_ms / _DAY_MS:.1f} days ago, at most {days_max} allowed")
        return f"issued {age_ms / _DAY_MS:.1f} days ago"

    def svn_floor(td: TdBody) -> str:
        floor = policy.get("teeTcbSvnMin")
        if floor is None:
            return "the policy has no minimum"
        for svns in (td.tee_tcb_svn, td.tee_tcb_svn2 or td.tee_tcb_svn):
            if any(one < least for one, least in zip(svns, bytes.fromhex(floor))):
                raise refused(f"{svns.hex()} is below {floor}")
        return f"at least {floor}"

    checks.run("tcb-status", [tcb], status)
    checks.run("advisories", [tcb], advisories)
    checks.run("tcb-evaluation", [tcb], evaluation)
    checks.run("collateral-age", [tcb], age)
    checks.run("tcb-svn", [body], svn_floor)


def _judge_platform(checks: CheckList, verification: QuoteVerification, policy: dict[str, Any]) -> None:
    def machine(pck: Any) -> str:
        fmspcs, ids = policy.get("fmspcs"), policy.get("platformIds")
        if fmspcs is not None and pck.fmspc.hex() not in [one.lower() for one in fmspcs]:
            raise refused(f"the FMSPC is {pck.fmspc.hex()}")
        if ids is not None and not any(one.lower() in pck.ids for one in ids):
            raise refused(f"the platform id is {' or '.join(pck.ids)}, which the policy does not allow")
        return "the policy allows any" if fmspcs is None and ids is None else f"FMSPC {pck.fmspc.hex()}"

    checks.run("machine", [given("pck-chain", verification.platform)], machine)


def _judge_attributes(checks: CheckList, body: Step, policy: dict[str, Any]) -> None:
    def xfam(td: TdBody) -> str:
        allowed = policy.get("xfam")
        if allowed is not None and td.xfam.hex() not in [one.lower() for one in allowed]:
            raise refused(f"XFAM is {td.xfam.hex()}")
        return "the policy allows any" if allowed is None else td.xfam.hex()

    def exact(td: TdBody) -> str:
        bits, wanted = td.attribute_bits(), policy.get("tdAttributes")
        on = [name for name, bit in _OPTIONAL_ATTRIBUTES.items() if bit in bits]
        if wanted is None and "perfmon" in on and policy.get("perfmonAllowed") is not True:
            raise refused("performance counters are on")
        if wanted is not None and set(on) != set(wanted):
            raise refused(f"the policy requires exactly: {', '.join(wanted) or 'none'}")
        return f"{', '.join(on)} on" if on else "all are off"

    checks.run("xfam", [body], xfam)
    checks.run("exact-attributes", [body], exact)
