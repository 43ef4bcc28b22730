"""Verifies the evidence and the receipts of confidential inference servers on Intel TDX: pure Python with ``cryptography``.

>>> from cloister_verify import parse_policy, verify_evidence
"""
from .bundle import Bundle, parse_bundle
from .checks import Check, verdict_of
from .collateral import parse_collateral, parse_collateral_text, prepare_collateral
from .errors import AttestationError
from .fetch import fetch_collateral, fetch_report, random_nonce
from .policy import judge_quote, parse_policy
from .quote import parse_quote
from .receipt import parse_receipt, verify_receipt
from .verify import Observed, Verification, verify_evidence
from .verify_quote import QuoteVerification, verify_quote

__all__ = [
    "AttestationError", "Bundle", "Check", "Observed", "QuoteVerification", "Verification", "fetch_collateral", "fetch_report",
    "judge_quote", "parse_bundle", "parse_collateral", "parse_collateral_text", "parse_policy", "parse_quote", "parse_receipt",
    "prepare_collateral", "random_nonce", "verdict_of", "verify_evidence", "verify_quote", "verify_receipt",
]  # fmt: skip
