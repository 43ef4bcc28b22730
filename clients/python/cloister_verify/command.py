"""The command ``python3 -m cloister_verify``."""
import argparse
import base64
import json
import re
import sys
import time
from datetime import datetime, timezone
from typing import Any, Optional, Sequence
from urllib.parse import urlsplit

from .bundle import parse_bundle
from .channel import check_connection
from .checks import COULD_NOT_CHECK, NOT_CHECKED, NOT_VERIFIED, PASS, VERIFIED, Check, verdict_of
from .collateral import parse_collateral_text, prepare_collateral
from .der import parse_pem_chain
from .errors import AttestationError
from .fetch import fetch_collateral, fetch_report, is_safe_source, random_nonce
from .jsons import from_hex, loads
from .policy import ANY_SOFTWARE, judge_quote, parse_policy
from .quote import Quote, parse_quote
from .receipt import verify_receipt
from .report import is_nonce, parse_report
from .evidence import parse_evidence
from .roots import INTEL_ROOT_CA
from .verify import Verification, verify_evidence
from .verify_quote import verify_quote

_EXIT = {VERIFIED: 0, NOT_VERIFIED: 10, COULD_NOT_CHECK: 20}
_SOFTWARE_OPEN, _USAGE, _FILE_BYTES_MAX = 21, 64, 64 * 1024 * 1024
_EPILOG = """\
Exit codes: 0 verified, 10 not verified, 20 could not check, 21 could not check because the policy does not pin the software
(MRTD, RTMR1 and RTMR2), 64 wrong usage. GPUs are not verified: evidence with GPUs is at best "could not check"."""


class UsageError(Exception):
    """An invalid command line or an unreadable file."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(message)


def _parser() -> argparse.ArgumentParser:
    about = "Verifies the evidence of a confidential inference server, prints every check and one verdict."
    form = argparse.RawDescriptionHelpFormatter
    parser = _Parser("cloister_verify", description=about, epilog=_EPILOG, formatter_class=form)
    parser.add_argument("subject", help="https://host[:port], or a file: a bundle, a report, or a bare TDX quote")
    parser.add_argument("--policy", help='acceptable servers and software; "any" accepts any software')
    parser.add_argument("--nonce", help="nonce of the request, 64 lowercase hexadecimal digits [random]")
    parser.add_argument("--root", help="PEM file: trusted root of quotes, for a simulation [Intel's]")
    parser.add_argument("--collateral", help='"intel", the address of a mirror, a file, or "none" [the evidence\'s, else Intel\'s]')
    parser.add_argument("--at", help="time of the verification, for example 2026-11-21T12:00:00Z [now; of a bundle, its time]")
    parser.add_argument("--receipt", help="also verify this receipt of the server; the subject is its evidence")
    parser.add_argument("--request", help="the exact request body of the receipt [not compared]")
    parser.add_argument("--response", help="the exact response body of the receipt, with a stream's framing [not compared]")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command. Returns the exit code."""
    try:
        options = _parser().parse_args(arguments)
        return _run(options)
    except UsageError as error:
        sys.stderr.write(f"cloister_verify: {error}\nSee: python3 -m cloister_verify --help\n")
        return _USAGE
    except AttestationError as error:
        sys.stderr.write(f"cloister_verify: {_printable(str(error))}\n")
        return _USAGE if error.kind == "policy" else _EXIT[COULD_NOT_CHECK]


def _run(options: argparse.Namespace) -> int:
    if options.nonce is not None and not is_nonce(options.nonce):
        raise UsageError("--nonce must be 64 lowercase hexadecimal digits")
    trust = _Trust(options)
    if re.match("[a-z]+://", options.subject, re.IGNORECASE):
        evidence = _verify_server(options, trust)
    else:
        evidence = _verify_file(options, trust)
    checks = evidence if isinstance(evidence, list) else evidence.checks
    simulated = trust.is_simulation or (isinstance(evidence, Verification) and evidence.simulated)
    verdict, shown = verdict_of(checks), checks
    if options.receipt is not None:
        whole = evidence if isinstance(evidence, Verification) else None
        bodies = [path and _read(path) for path in (options.request, options.response)]
        verdict, shown = verify_receipt(_read(options.receipt), whole, *bodies)
    _print(options, verdict, shown, simulated, evidence)
    return _SOFTWARE_OPEN if verdict == COULD_NOT_CHECK and _is_software_open(checks) else _EXIT[verdict]


class _Trust:
    """The policy, the roots and the collateral of a command line."""

    def __init__(self, options: argparse.Namespace):
        self.policy = None
        if options.policy is not None:
            self.policy = ANY_SOFTWARE if options.policy == "any" else parse_policy(_text(_read(options.policy)))
        self.roots = None if options.root is None else _roots(options.root)
        self.is_simulation = self.roots is not None and self.roots != [INTEL_ROOT_CA]
        self.now_ms = None if options.at is None else _time(options.at)
        self._collateral = options.collateral
        if re.match("http:", options.collateral or "") and not is_safe_source(options.collateral):
            raise UsageError("--collateral requires an https address of a mirror; http is allowed on loopback only")

    def collateral_for(self, quote: Optional[Quote], has_own: bool) -> Optional[dict[str, Any]]:
        """None to use what the evidence has. A failed fetch is printed, and the checks show what could not run."""
        source = self._collateral
        if source == "none" or (source is None and has_own):
            return None
        is_address = re.match("https?://", source or "") is not None
        if source is not None and source != "intel" and not is_address:
            return parse_collateral_text(_text(_read(source)))
        if quote is None:
            return None
        try:
            return fetch_collateral(quote, source if is_address else None)
        except AttestationError as error:
            sys.stderr.write(f"{_printable(str(error))}\n")
            return None


def _verify_server(options: argparse.Namespace, trust: _Trust) -> Verification:
    url = urlsplit(options.subject)
    if url.scheme != "https" or not url.hostname:
        raise UsageError("the address must be an https address")
    origin = f"https://{url.netloc}"
    nonce = options.nonce or random_nonce()
    is_proof_required = (trust.policy or {}).get("channel") != "key"
    fetched = fetch_report(origin, nonce, is_proof_required)
    verification = _verify_report(_text(fetched.report), trust, nonce=nonce, observed=fetched.observed)
    return verification.with_check(check_connection(fetched.connection, verification))


def _verify_report(text: str, trust: _Trust, **given: Any) -> Verification:
    quote, has_own = _quote_of(text)
    given.setdefault("collateral", trust.collateral_for(quote, has_own))
    now_ms = given.pop("now_ms", None) or trust.now_ms or time.time() * 1000
    return verify_evidence(text, policy=trust.policy, roots=trust.roots, now_ms=now_ms, **given)


def _quote_of(report: str) -> tuple[Optional[Quote], bool]:
    """The quote of a report and whether the report has collateral."""
    try:
        evidence = parse_evidence(parse_report(report).evidence)
        return parse_quote(evidence.quote), evidence.collateral is not None
    except AttestationError:
        return None, False


def _verify_file(options: argparse.Namespace, trust: _Trust) -> "Verification | list[Check]":
    data = _read(options.subject)
    if data[:1] != b"{":
        return _verify_bare_quote(data, trust)
    text = _text(data)
    if not _is_bundle(text):
        return _verify_report(text, trust, nonce=options.nonce)
    bundle = parse_bundle(text)
    quote, _ = _quote_of(bundle.report)
    return _verify_report(
        bundle.report,
        trust,
        nonce=options.nonce or bundle.nonce,
        observed=bundle.observed,
        collateral=trust.collateral_for(quote, True) or bundle.collateral,
        now_ms=trust.now_ms or bundle.taken_at_ms,
    )


def _is_bundle(text: str) -> bool:
    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("kind") == "cloister.bundle.v1"


def _verify_bare_quote(data: bytes, trust: _Trust) -> list[Check]:
    quote = _quote_bytes(data)
    try:
        parsed: Optional[Quote] = parse_quote(quote)
    except AttestationError:
        parsed = None
    collateral = trust.collateral_for(parsed, False)
    prepared = None if collateral is None else prepare_collateral(collateral, trust.roots or [INTEL_ROOT_CA])
    verified = verify_quote(quote, prepared, trust.now_ms or time.time() * 1000)
    return verified.checks if trust.policy is None else judge_quote(verified, trust.policy, None)


def _quote_bytes(data: bytes) -> bytes:
    """A quote as bytes, or as hexadecimal or base64 text."""
    if data[:1] in (b"\x04", b"\x05"):
        return data
    text = _text(data).strip()
    found = from_hex(text)
    if found is not None:
        return found
    is_base64 = re.fullmatch(r"[A-Za-z0-9+/\s]+={0,2}", text) is not None
    return base64.b64decode(re.sub(r"\s", "", text) + "==") if is_base64 else data


def _print(options: argparse.Namespace, verdict: str, checks: list[Check], simulated: bool, evidence: Any) -> None:
    if options.json:
        whole = evidence if isinstance(evidence, Verification) else None
        shown = [{"id": one.id, "title": one.title, "outcome": one.outcome, "reason": one.reason, "required": one.required} for one in checks]  # fmt: skip
        found = {"verdict": verdict, "simulated": simulated, "tcbStatus": whole and whole.tcb_status, "checks": shown}
        found["measurements"] = whole and whole.measurements
        found["startLog"] = [{"name": name, "content": content} for name, content in (whole.start_log if whole else [])]
        sys.stdout.write(f"{json.dumps(found, indent=2)}\n")
        return
    width = max(len(one.title) for one in checks)
    for one in checks:
        outcome = {PASS: "pass", NOT_CHECKED: "not checked"}.get(one.outcome, "FAIL")
        reason = "" if one.reason == "it holds" else _printable(one.reason)[:160]
        sys.stdout.write(f"{outcome:11}  {one.title:{width}}  {reason}".rstrip() + "\n")
    note = " (SIMULATED: proves nothing about hardware)" if simulated else ""
    sys.stdout.write(f"{verdict.replace('-', ' ').upper()}{note}\n")


def _is_software_open(checks: Sequence[Check]) -> bool:
    outcomes = {one.id: one.outcome for one in checks}
    return outcomes.get("measurements") == PASS and outcomes.get("software") == NOT_CHECKED


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(_FILE_BYTES_MAX + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > _FILE_BYTES_MAX:
        raise UsageError(f"{path} is too large: at most {_FILE_BYTES_MAX} bytes are read")
    return data


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def _roots(path: str) -> list[bytes]:
    try:
        return parse_pem_chain(_read(path), path)
    except AttestationError as error:
        raise UsageError(str(error)) from None


def _time(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise UsageError("--at must be a time like 2026-11-21T12:00:00Z") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp() * 1000


def _printable(text: str) -> str:
    """Escapes control characters, because evidence is untrusted and a terminal would interpret them."""
    return "".join(one if one.isprintable() else f"\\u{{{ord(one):x}}}" for one in text)


