"""Verifies the proof of a TLS connection: the machine in the evidence terminates it."""
import hashlib
import hmac
from dataclasses import dataclass
from typing import Optional

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .check_table import CONNECTION
from .checks import Check, CheckList, given
from .errors import AttestationError, malformed, refused
from .jsons import base64_of, digest_of, hex_of, object_of, parse_strict
from .quote import QUOTE_BYTES_MAX, Quote, parse_quote
from .verify import Verification
from .x509 import import_point

_CHARACTERS_MAX = 32 * 1024
_LABEL = b"EXPORTER-Channel-Binding"


@dataclass(frozen=True)
class ChannelAnswer:
    """What one connection shows: its exporter and the server's certificate, the nonce sent on it, and the response."""

    exporter: bytes
    certificate: bytes
    nonce: str
    body: Optional[bytes]
    #: why there is no response
    refusal: Optional[AttestationError] = None


def tls_exporter(exporter_secret: bytes) -> bytes:
    """``tls-exporter`` (RFC 9266) from the exporter secret of TLS 1.3 (RFC 8446 §7.5): an empty context, 32 bytes."""
    name = "sha384" if len(exporter_secret) == 48 else "sha256"
    empty = hashlib.new(name, b"").digest()
    derived = _expand_label(exporter_secret, _LABEL, empty, len(exporter_secret), name)
    return _expand_label(derived, b"exporter", empty, 32, name)


def _expand_label(secret: bytes, label: bytes, context: bytes, length: int, name: str) -> bytes:
    """One block is enough: no output is longer than the hash."""
    full = b"tls13 " + label
    info = length.to_bytes(2, "big") + bytes([len(full)]) + full + bytes([len(context)]) + context
    return hmac.new(secret, info + b"\x01", name).digest()[:length]


def check_connection(answer: Optional[ChannelAnswer], verification: Verification) -> Check:
    """``answer`` is None if the policy accepts the TLS key alone."""
    checks = CheckList(CONNECTION)
    if answer is None:
        checks.skip("connection", "not required: the policy accepts the TLS key alone")
    elif answer.refusal is not None and answer.refusal.kind == "unavailable":
        checks.skip("connection", str(answer.refusal))
    else:
        machine = None if verification.quote is None or verification.keyset is None else verification
        checks.run("connection", [given("evidence-format", machine)], lambda one: _require_bound(answer, one))
    return checks.all()[0].with_(required=answer is not None)


def _require_bound(answer: ChannelAnswer, verification: Verification) -> None:
    if answer.refusal is not None:
        raise answer.refusal
    what = "the proof of the connection"
    names = ["version", "keyset_digest", "quote", "channel_key", "signature"]
    json = object_of(parse_strict(answer.body or b"", what, _CHARACTERS_MAX), what, names)
    if json["version"] != "cloister.channel.v1":
        raise malformed(f'version of {what} must be "cloister.channel.v1"')
    digest = digest_of(json["keyset_digest"], f"keyset_digest of {what}")
    quote = parse_quote(base64_of(json["quote"], f"quote of {what}", QUOTE_BYTES_MAX))
    if digest != verification.keyset_digest:
        raise refused("the proof of the connection names another keyset")
    _require_same_machine(quote, verification.quote)
    certificate = hashlib.sha256(answer.certificate).hexdigest()
    statement = (
        f'{{"certificate":"sha256:{certificate}","exporter":"{answer.exporter.hex()}","keyset_digest":"{digest}",'
        f'"nonce":"{answer.nonce}","purpose":"cloister.channel.v1"}}'
    )
    is_signed = json["channel_key"] is not None or json["signature"] is not None
    quoted = statement
    if is_signed:
        key = hex_of(json["channel_key"], f"channel_key of {what}", 32)
        signature = hex_of(json["signature"], f"signature of {what}", 64)
        quoted = f'{{"channel_key":"{key}","keyset_digest":"{digest}","purpose":"cloister.channel_key.v1"}}'
    if quote.body.report_data != hashlib.sha256(quoted.encode()).digest() + bytes(32):
        raise refused("the quote of the connection was made for another nonce, connection or certificate")
    if not import_point("P-256", quote.attestation_key).is_valid(quote.signature, quote.signed_bytes):
        raise refused("the signature of the quote of the connection is invalid")
    if is_signed:
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), statement.encode())
        except InvalidSignature:
            raise refused("the proof was made for another connection: it is relayed, or a proxy terminates TLS") from None


def _require_same_machine(one: Quote, verified: Optional[Quote]) -> None:
    if verified is None or _identity(one) != _identity(verified):
        raise refused("the quote of the connection comes from another machine, or from another state of that machine")


def _identity(quote: Quote) -> tuple:
    """Everything in a quote except its report data and its signatures."""
    at = quote.report_data_at
    signed = quote.signed_bytes[:at] + quote.signed_bytes[at + 64 :]
    return signed, quote.attestation_key, quote.qe_report_bytes, quote.qe_authentication_data, quote.pck_chain_pem
