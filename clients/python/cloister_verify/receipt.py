"""Verifies receipts: signed records of the processing of one request, with digests of the exact bodies."""
from dataclasses import dataclass
from typing import Any, Optional, Union

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .check_table import RECEIPT
from .checks import COULD_NOT_CHECK, VERIFIED, Check, CheckList, Step, blocking_check, verdict_of
from .errors import malformed, refused
from .jsons import (
    any_object_of, canonical, count_of, digest_of, hex_of, list_of, nullable_text_of, object_of, parse_strict, text_of,
)  # fmt: skip
from .report import ACI_VERSION, Keyset, sha256_digest
from .verify import Verification

_CHARACTERS_MAX, _EVENTS_MAX = 256 * 1024, 64
_SINGLE = ("request.received", "request.forwarded", "response.returned")
_UNSIGNED = [
    "api_version", "receipt_id", "chat_id", "model", "workload_keyset_digest", "endpoint", "method", "served_at",
    "event_log", "key_id",
]  # fmt: skip


@dataclass(frozen=True)
class Receipt:
    """The members of a receipt's JSON; ``signed`` are the bytes under the signature."""

    members: dict[str, Any]
    signed: bytes

    def body_hash(self, kind: str) -> Optional[str]:
        """The digest in the event of this type; None without one."""
        return next((event["body_hash"] for event in self.members["event_log"] if event["type"] == kind), None)


def parse_receipt(source: Union[str, bytes]) -> Receipt:
    what = "the receipt"
    json = object_of(parse_strict(source, what, _CHARACTERS_MAX), what, [*_UNSIGNED, "signature"])
    if json["api_version"] != ACI_VERSION:
        raise malformed(f'api_version of the receipt must be "{ACI_VERSION}"')
    for name in ("receipt_id", "endpoint", "method", "key_id"):
        text_of(json[name], name)
    for name in ("chat_id", "model"):
        nullable_text_of(json[name], name)
    digest_of(json["workload_keyset_digest"], "workload_keyset_digest of the receipt")
    count_of(json["served_at"], "served_at")
    _check_events(json["event_log"])
    hex_of(json["signature"], "signature of the receipt", 64)
    unsigned = {name: json[name] for name in _UNSIGNED}
    try:
        return Receipt(json, canonical(unsigned))
    except ValueError:
        return Receipt(json, b"")  # An unpaired surrogate has no canonical form: the signature check fails.


def _check_events(value: Any) -> None:
    events = [any_object_of(one, "an event of event_log") for one in list_of(value, "event_log", _EVENTS_MAX)]
    kinds = [text_of(event.get("type"), "type of an event of event_log", 256) for event in events]
    if kinds[:1] != ["request.received"]:
        raise malformed('the first event must be "request.received"')
    for kind in _SINGLE:
        if kinds.count(kind) > 1:
            raise malformed(f"event_log must be free of a second {kind}")
    for kind, event in zip(kinds, events):
        if kind in _SINGLE:
            digest_of(event.get("body_hash"), f"body_hash of {kind}")
    if "response.returned" not in kinds:
        raise malformed('event_log must have one "response.returned"')


def verify_receipt(
    receipt: Union[str, bytes],
    evidence: Optional[Verification],
    request: Optional[bytes] = None,
    response: Optional[bytes] = None,
) -> tuple[str, list[Check]]:
    """The verdict and every check. ``request`` and ``response`` are the exact bodies; a missing one is not compared."""
    checks = CheckList(RECEIPT)
    parsed = checks.run("receipt-format", [], lambda: parse_receipt(receipt))
    keys = _check_evidence(checks, evidence)

    def same_keyset(shown: Receipt, established: tuple[Keyset, str]) -> None:
        if shown.members["workload_keyset_digest"] != established[1]:
            raise refused("the receipt names another keyset than the evidence has")

    same = checks.run("receipt-keyset", [parsed, keys], same_keyset)

    def signed(shown: Receipt, established: tuple[Keyset, str], _same: Any) -> Receipt:
        key = established[0].receipt_keys.get(shown.members["key_id"])
        if key is None:
            raise refused("the receipt is signed by a key that is not in the keyset")
        try:
            if shown.signed:
                Ed25519PublicKey.from_public_bytes(key).verify(bytes.fromhex(shown.members["signature"]), shown.signed)
                return shown
        except InvalidSignature:
            pass
        raise refused("the signature of the receipt is invalid: the receipt was changed")

    verified = checks.run("receipt-signature", [parsed, keys, same], signed)

    def in_time(shown: Receipt, established: tuple[Keyset, str]) -> None:
        if shown.members["served_at"] >= established[0].not_after:
            raise refused("the receipt was signed after the keyset expired")

    checks.run("receipt-time", [verified, keys], in_time)
    bodies = {"receipt-request": ("request.received", request), "receipt-response": ("response.returned", response)}
    for id_, (kind, body) in bodies.items():
        _check_body(checks, id_, verified, kind, body)
    given = [one.with_(required=one.id not in bodies or bodies[one.id][1] is not None) for one in checks.all()]
    return verdict_of(given), given


def _check_evidence(checks: CheckList, evidence: Optional[Verification]) -> Step:
    id_ = "receipt-evidence"
    if evidence is None:
        checks.skip(id_, "no evidence was given, so the signing key is unknown")
        return Step(id_)
    blocking = blocking_check(evidence.checks)
    why = f"{blocking.title}: {blocking.reason}" if blocking is not None else ""
    if evidence.verdict == COULD_NOT_CHECK:
        checks.skip(id_, why)
        return Step(id_)

    def established() -> tuple[Optional[Keyset], Optional[str]]:
        if evidence.verdict != VERIFIED:
            raise refused(why)
        return evidence.keyset, evidence.keyset_digest

    return checks.run(id_, [], established)


def _check_body(checks: CheckList, id_: str, verified: Step, kind: str, body: Optional[bytes]) -> None:
    if body is None:
        checks.skip(id_, "the body was not given")
        return

    def same(shown: Receipt) -> None:
        if shown.body_hash(kind) != sha256_digest(body):
            raise refused("the receipt names another digest than the body has")

    checks.run(id_, [verified], same)
