"""Reads one case per line as JSON, judges it with cloister_verify, and writes the verdict and the outcome of each check."""
import json
import sys

import cloister_verify as verifier
from cloister_verify.roots import INTEL_ROOT_CA


def roots_of(case):
    return [bytes.fromhex(one) for one in case["roots"]] if "roots" in case else [INTEL_ROOT_CA]


def collateral_of(case):
    text = case.get("collateral")
    return None if text is None else verifier.parse_collateral_text(text)


def judge_quote(case):
    collateral = collateral_of(case)
    prepared = None if collateral is None else verifier.prepare_collateral(collateral, roots_of(case))
    verified = verifier.verify_quote(bytes.fromhex(case["quote"]), prepared, case["nowMs"])
    checks = verified.checks
    if case.get("policy") is not None:
        checks = verifier.judge_quote(verified, verifier.parse_policy(case["policy"]), None)
    return verifier.verdict_of(checks), checks


def judge_evidence(case):
    observed = case.get("observed")
    verification = verifier.verify_evidence(
        bytes.fromhex(case["report"]),
        nonce=case.get("nonce"),
        policy=None if case.get("policy") is None else verifier.parse_policy(case["policy"]),
        now_ms=case["nowMs"],
        observed=None if observed is None else verifier.Observed(observed["host"], observed["spkiSha256"]),
        roots=roots_of(case),
    )
    if "receipt" not in case:
        return verification.verdict, verification.checks
    bodies = [None if case.get(name) is None else bytes.fromhex(case[name]) for name in ("request", "response")]
    return verifier.verify_receipt(bytes.fromhex(case["receipt"]), verification, *bodies)


def answer(case):
    try:
        verdict, checks = (judge_quote if "quote" in case else judge_evidence)(case)
    except verifier.AttestationError as error:
        return {"error": error.kind}
    return {"verdict": verdict, "checks": [[one.id, one.outcome, one.required] for one in checks], "titles": {one.id: one.title for one in checks}}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
