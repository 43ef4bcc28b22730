"""Verifies that a TDX quote is genuine: made by a platform that Intel certified. ``policy`` judges whether it is acceptable."""
import hashlib
import math
from dataclasses import dataclass
from typing import Any, Callable, Optional

from . import der, x509
from .check_table import QUOTE
from .checks import PASS, Check, CheckList, Step
from .collateral import Prepared, Settled, Verdict
from .errors import refused
from .pck import PckPlatform, parse_pck_platform
from .quote import DEBUG, KEY_LOCKER, PERFMON, PKS, SEPT_VE_DISABLE, Quote, TdBody, parse_quote
from .tcb_level import (
    combine_tcb, counted_svns, module_identity, module_level, platform_level, qe_level, require_module, require_qe_identity,
)  # fmt: skip
from .times import text_of


@dataclass(frozen=True)
class QuoteVerification:
    """The outcome of every check; the other members are trustworthy only if ``genuine``."""

    genuine: bool
    checks: list[Check]
    quote: Optional[Quote]
    platform: Optional[PckPlatform]
    tcb: Optional[Verdict]
    evaluation_number: Optional[int]
    collateral_age_ms: Optional[float]


def verify_quote(data: bytes, prepared: Optional[Prepared], now_ms: float) -> QuoteVerification:
    """Runs every check. Without collateral, no quote is genuine."""
    return verify_parsed_quote(lambda: parse_quote(data), prepared, now_ms)


def verify_parsed_quote(parse: Callable[[], Quote], prepared: Optional[Prepared], now_ms: float) -> QuoteVerification:
    if not math.isfinite(now_ms):
        raise ValueError("now_ms must be a time in milliseconds")
    checks = CheckList(QUOTE)
    quote = checks.run("quote-format", [], parse)
    collateral = _Collateral.missing(checks) if prepared is None else _verify_collateral(checks, prepared, now_ms)
    pck = _verify_pck_chain(checks, quote, collateral, prepared, now_ms)
    _verify_signatures(checks, quote, pck, collateral)
    tcb = _evaluate_tcb(checks, quote, pck, collateral)
    _verify_td_attributes(checks, quote)
    documents = [collateral.tcb_info.value, collateral.qe_identity.value]
    numbers = [document and document.evaluation_number for document in documents]
    issued = [*(document and document.issue_date_ms for document in documents)]
    issued.append(collateral.pck_crl.value and collateral.pck_crl.value.this_update_ms)
    every = checks.all()
    return QuoteVerification(
        all(check.outcome == PASS for check in every), every, quote.value, pck.value and pck.value[1], tcb.value,
        None if None in numbers else min(numbers), None if None in issued else now_ms - min(issued),
    )  # fmt: skip


@dataclass(frozen=True)
class _Collateral:
    root_crl: Step
    pck_crl: Step
    pck_crl_issuer: Step
    tcb_info: Step
    qe_identity: Step

    @staticmethod
    def missing(checks: CheckList) -> "_Collateral":
        for id_ in QUOTE:
            checks.skip(id_, "no collateral is available")
        return _Collateral(*[Step("collateral")] * 5)


def _verify_collateral(checks: CheckList, prepared: Prepared, now_ms: float) -> _Collateral:
    root_crl = checks.run("root-crl", [], prepared.root_crl.unwrap)
    root_crl_now = checks.run("root-crl-dates", [root_crl], lambda crl: _current(crl, now_ms))
    issuer = checks.run("pck-crl-issuer", [], prepared.pck_crl_issuer.unwrap)
    pck_crl = checks.run("pck-crl", [issuer], lambda _issuer: prepared.pck_crl.unwrap())

    def dated(crl: x509.RevocationList, authorities: list[x509.Certificate]) -> x509.RevocationList:
        x509.require_valid_at(authorities, now_ms)
        return _current(crl, now_ms)

    pck_crl_now = checks.run("pck-crl-dates", [pck_crl, issuer], dated)
    tcb_info = _signed_document(checks, "tcb-info", root_crl_now, now_ms, prepared.tcb_info)
    qe_identity = _signed_document(checks, "qe-identity", root_crl_now, now_ms, prepared.qe_identity)
    return _Collateral(root_crl_now, pck_crl_now, issuer, tcb_info, qe_identity)


def _signed_document(
    checks: CheckList, name: str, root_crl: Step, now_ms: float, parts: tuple[Settled, Settled, Settled]
) -> Step:
    chain = checks.run(f"{name}-chain", [], lambda: parts[0].unwrap().certificates)
    checks.run(f"{name}-chain-dates", [chain], lambda listed: x509.require_valid_at(listed, now_ms))
    checks.run(f"{name}-signer-not-revoked", [chain, root_crl], x509.require_not_revoked)
    signed = checks.run(f"{name}-signature", [chain], lambda _chain: bool(parts[1].unwrap()))
    parsed = checks.run(f"{name}-format", [signed], lambda _signed: parts[2].unwrap())
    checks.run(f"{name}-dates", [parsed], lambda one: _between(one.issue_date_ms, one.next_update_ms, now_ms))
    return parsed


def _current(crl: x509.RevocationList, now_ms: float) -> x509.RevocationList:
    _between(crl.this_update_ms, crl.next_update_ms, now_ms)
    return crl


def _between(from_ms: float, until_ms: float, now_ms: float) -> None:
    if now_ms < from_ms:
        raise refused(f"it was issued on {text_of(from_ms)}, but the current time is {text_of(now_ms)}")
    if now_ms > until_ms:
        raise refused(f"it expired on {text_of(until_ms)}, and the current time is {text_of(now_ms)}")


def _verify_pck_chain(
    checks: CheckList, quote: Step, collateral: _Collateral, prepared: Optional[Prepared], now_ms: float
) -> Step:
    """The step's value: certificates, platform, key."""

    def parse(shown: Quote) -> tuple[list[x509.Certificate], PckPlatform]:
        pem = der.parse_pem_chain(shown.pck_chain_pem, "PCK chain")
        certificates = [x509.parse_certificate(one) for one in pem]
        return certificates, parse_pck_platform(certificates[0])

    parsed = checks.run("pck-certificates", [quote], parse)
    if prepared is None:
        return Step("pck-chain")

    def verify(found: tuple[list[x509.Certificate], PckPlatform]) -> Any:
        chain = x509.verify_chain(found[0], prepared.anchors)
        if len(chain.certificates) != 3:
            raise refused(f"the chain has {len(chain.certificates)} certificates, expected 3")
        return chain.certificates, found[1], chain.leaf_key

    pck = checks.run("pck-chain", [parsed], verify)
    checks.run("pck-chain-dates", [pck], lambda one: x509.require_valid_at(one[0], now_ms))

    def not_revoked(one: Any, pck_crl: x509.RevocationList, issuers: Any, root_crl: x509.RevocationList) -> None:
        leaf, *authorities = one[0]
        if pck_crl.issuer != leaf.issuer or authorities[0].public_point != issuers[0].public_point:
            raise refused("the platform revocation list is of another issuer than the platform's certificate")
        x509.require_not_revoked([leaf], pck_crl)
        x509.require_not_revoked(authorities, root_crl)

    needs = [pck, collateral.pck_crl, collateral.pck_crl_issuer, collateral.root_crl]
    checks.run("pck-not-revoked", needs, not_revoked)
    return pck


def _verify_signatures(checks: CheckList, quote: Step, pck: Step, collateral: _Collateral) -> None:
    def by_platform(shown: Quote, one: Any) -> None:
        if not one[2].is_valid(shown.qe_report_signature, shown.qe_report_bytes):
            raise refused("the signature is invalid")

    def binds_key(shown: Quote) -> None:
        digest = hashlib.sha256(shown.attestation_key + shown.qe_authentication_data).digest()
        if shown.qe_report.report_data != digest + bytes(32):
            raise refused("the enclave's report names another key")

    def by_key(shown: Quote) -> None:
        if not x509.import_point("P-256", shown.attestation_key).is_valid(shown.signature, shown.signed_bytes):
            raise refused("the signature is invalid")

    checks.run("qe-report-signature", [quote, pck], by_platform)
    checks.run("attestation-key", [quote], binds_key)
    checks.run("qe-identity", [quote, collateral.qe_identity], lambda one, id_: require_qe_identity(one.qe_report, id_))
    checks.run("quote-signature", [quote], by_key)


def _evaluate_tcb(checks: CheckList, quote: Step, pck: Step, collateral: _Collateral) -> Step:
    tcb_info = collateral.tcb_info
    needs = [quote, collateral.qe_identity]
    qe = checks.run("qe-tcb-level", needs, lambda one, identity: qe_level(one.qe_report, identity))

    def same_family(one: Any, info: Any) -> None:
        if one[1].fmspc != info.fmspc:
            raise refused(f"the platform has FMSPC {one[1].fmspc.hex()}, but the TCB info is for {info.fmspc.hex()}")
        if one[1].pce_id != info.pce_id:
            raise refused(f"the platform has PCE {one[1].pce_id.hex()}, but the TCB info is for {info.pce_id.hex()}")

    family = checks.run("platform-family", [pck, tcb_info], same_family)

    def identify(shown: Quote, info: Any) -> Any:
        counted = [(svns, module_identity(info, svns)) for svns in counted_svns(shown.body)]
        require_module(shown.body, counted[0][1] or info.module)
        return counted

    modules = checks.run("tdx-module", [quote, tcb_info], identify)
    levels = checks.run(
        "tdx-module-tcb-level",
        [modules],
        lambda counted: [module_level(identity, svns) for svns, identity in counted if identity is not None],
    )
    platforms = checks.run(
        "platform-tcb-level",
        [quote, pck, tcb_info, family],
        lambda shown, one, info, _family: [platform_level(info, one[1], svns) for svns in counted_svns(shown.body)],
    )

    def combine(found: list, module_levels: list, qe_verdict: Verdict) -> Verdict:
        tcb = combine_tcb(found[0], [*found[1:], *module_levels, qe_verdict])
        if tcb.status == "Revoked":
            raise refused("Intel revoked a version in use")
        return tcb

    return checks.run("tcb-not-revoked", [platforms, levels, qe], combine)


def _verify_td_attributes(checks: CheckList, quote: Step) -> None:
    def check(id_: str, is_refused: Callable[[TdBody], bool], reason: str) -> None:
        def work(shown: Quote) -> None:
            if is_refused(shown.body):
                raise refused(reason)

        checks.run(id_, [quote], work)

    known = {DEBUG, SEPT_VE_DISABLE, PKS, KEY_LOCKER, PERFMON}
    check("td-debug", lambda body: DEBUG in body.attribute_bits(), "the debug bit is set: the host can read the memory")
    check("td-attributes", lambda body: not known.issuperset(body.attribute_bits()), "unknown attribute bits are set")
    check("td-sept-ve-disable", lambda body: SEPT_VE_DISABLE not in body.attribute_bits(), "SEPT_VE_DISABLE is not set")
    check("service-td", lambda body: any(body.mr_service_td or b""), "a service TD is bound")
