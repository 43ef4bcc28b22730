"""Verifies a server's evidence: its report, the quote in it, the measured contents and the key of the connection."""
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

from .check_table import CHANNEL, POLICY, QUOTE, REPORT
from .checks import NOT_CHECKED, Check, CheckList, Step, verdict_of
from .collateral import Prepared, prepare_collateral
from .errors import refused
from .evidence import Evidence, parse_evidence
from .measured import check_measured
from .policy import judge_quote, measurements_of, require_policy
from .quote import Quote, parse_quote
from .report import Keyset, Report, is_nonce, parse_report, require_current_keyset, require_keyset_digest, require_report_data
from .roots import INTEL_ROOT_CA
from .verify_quote import QuoteVerification, verify_parsed_quote

_NEED_POLICY = ("measurements", "software", "hardware")


@dataclass(frozen=True)
class Observed:
    """The server that completed the TLS handshake: the host of the URL, and SHA-256 of its public key in hexadecimal."""

    host: str
    spki_sha256: str


@dataclass(frozen=True)
class Verification:
    """The verdict and every check; the other members are trustworthy only if the verdict is ``verified``."""

    verdict: str
    checks: list[Check]
    simulated: bool
    keyset: Optional[Keyset]
    keyset_digest: Optional[str]
    quote: Optional[Quote]
    measurements: Optional[dict[str, str]]
    tcb_status: Optional[str]
    start_log: list[tuple[str, str]]

    def with_check(self, check: Check) -> "Verification":
        """The verification with a further check, and the verdict of all."""
        checks = [*self.checks, check]
        return Verification(verdict_of(checks), checks, *list(self.__dict__.values())[2:])


def verify_evidence(
    report: Union[str, bytes],
    *,
    nonce: Optional[str],
    policy: Optional[dict[str, Any]],
    now_ms: float,
    observed: Optional[Observed] = None,
    roots: Optional[Sequence[bytes]] = None,
    collateral: Optional[dict[str, Any]] = None,
) -> Verification:
    """Runs every check and returns the outcome of each. Raises for a malformed policy, never for invalid evidence.

    ``nonce`` is that of the report's request, 64 lowercase hexadecimal digits; without one, freshness is not verified. ``roots`` are
    DER certificates, Intel's by default. ``collateral`` replaces the evidence's.
    """
    if policy is not None:
        require_policy(policy)
    if nonce is not None and not is_nonce(nonce):
        raise ValueError("nonce must be 64 lowercase hexadecimal digits")
    anchors = [INTEL_ROOT_CA] if roots is None else list(roots)
    is_intel = anchors == [INTEL_ROOT_CA]
    head = CheckList(REPORT)
    parsed = head.run("report-format", [], lambda: parse_report(report))
    evidence = head.run("evidence-format", [parsed], lambda shown: parse_evidence(shown.evidence))
    report_data = _check_report(head, parsed, nonce, now_ms)
    head.run("platform", [evidence], lambda shown: _require_platform(shown.simulated, is_intel))
    shown: Optional[Evidence] = evidence.value
    quote = None
    if shown is not None:
        material = collateral or shown.collateral
        prepared: Optional[Prepared] = None if material is None else prepare_collateral(material, anchors)
        quote = verify_parsed_quote(lambda: parse_quote(shown.quote), prepared, now_ms)
    checks = [
        *head.all(),
        *_judge(quote, policy, report_data),
        *check_measured(quote, parsed, evidence, policy),
        _check_channel(parsed, observed),
    ]
    keyset = parsed.value.keyset if parsed.passed else None
    found = quote.quote if quote is not None else None
    return Verification(
        verdict_of(checks),
        checks,
        not is_intel or (shown is not None and shown.simulated),
        keyset,
        parsed.value.keyset_digest if parsed.passed else None,
        found,
        None if found is None else measurements_of(found.body),
        quote.tcb.status if quote is not None and quote.tcb is not None else None,
        [] if shown is None else list(shown.start_log),
    )


def _check_report(head: CheckList, parsed: Step, nonce: Optional[str], now_ms: float) -> Step:
    """The step's value: the 64 bytes of report data that the quote must have."""
    digest = head.run("keyset-digest", [parsed], require_keyset_digest)
    head.run("keyset-expiry", [parsed], lambda shown: require_current_keyset(shown.keyset, now_ms))
    if nonce is not None:
        return head.run("nonce", [parsed, digest], lambda shown, _digest: require_report_data(shown, nonce))
    head.skip("nonce", "no nonce given: freshness not verified")
    try:
        return Step("nonce", True, require_report_data(parsed.value, None)) if parsed.passed else Step("nonce")
    except Exception:  # The report answers a nonce that is unknown here.
        return Step("nonce")


def _require_platform(simulated: bool, is_intel: bool) -> str:
    if simulated and is_intel:
        raise refused("the server reports a simulated platform, but no root of a simulation is trusted")
    if simulated:
        return "a simulation, verified with the given root"
    return "Intel's root" if is_intel else "the given root"


def _judge(quote: Optional[QuoteVerification], policy: Optional[dict[str, Any]], report_data: Step) -> list[Check]:
    """The start log explains RTMR3, unless the policy requires zeros."""
    if quote is None:
        tables = [*CheckList(QUOTE).all(), *CheckList(POLICY).all()]
        return [check.with_(reason="the evidence is malformed") for check in tables]
    judged = {"rtmr3": "any", **(policy or {"measurements": "any"})}
    checks = judge_quote(quote, judged, report_data.value)
    shown: list[Check] = []
    for check in checks:
        if check.id == "rtmr3" and (policy or {}).get("rtmr3") != "zero":
            continue
        if policy is None and check.id in _NEED_POLICY:
            check = check.with_(outcome=NOT_CHECKED, reason="no policy was given")
        elif check.id == "report-data" and not report_data.passed:
            reason = f'it depends on "{report_data.id}", which did not pass'
            check = check.with_(outcome=NOT_CHECKED, reason=reason)
        shown.append(check)
    return shown


def _check_channel(parsed: Step, observed: Optional[Observed]) -> Check:
    checks = CheckList(CHANNEL)
    if observed is None:
        checks.skip("channel", "no connection: the evidence is a file")
    else:
        checks.run("channel", [parsed], lambda shown: _require_attested_key(observed, shown))
    return checks.all()[0].with_(required=observed is not None)


def _require_attested_key(observed: Observed, report: Report) -> str:
    same = [key for key in report.keyset.tls_keys if key["spki_sha256"] == observed.spki_sha256]
    if not same:
        raise refused("the server's TLS key is not among the attested ones")
    if not any("domain" not in key or key["domain"].lower() == observed.host for key in same):
        raise refused("the server's TLS key is attested for another host")
    return f"{observed.host} has an attested key"


