"""X.509 certificates, chains and revocation lists with ECDSA on P-256 and P-384, which Intel issues."""
from dataclasses import dataclass
from typing import NamedTuple, Optional, Sequence

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from . import der
from .errors import malformed, refused
from .times import text_of

DIGITAL_SIGNATURE, KEY_CERT_SIGN, CRL_SIGN = 0x80, 0x04, 0x02
KEY_USAGE, BASIC_CONSTRAINTS = "2.5.29.15", "2.5.29.19"
AUTHORITY_KEY_IDENTIFIER, CRL_NUMBER = "2.5.29.35", "2.5.29.20"
_SIGNATURE_CURVES = {"1.2.840.10045.4.3.2": "P-256", "1.2.840.10045.4.3.3": "P-384"}
_KEY_CURVES = {"1.2.840.10045.3.1.7": "P-256", "1.3.132.0.34": "P-384"}
_EC_PUBLIC_KEY = "1.2.840.10045.2.1"
_COMMON_NAME = "2.5.4.3"
_CURVES = {"P-256": (ec.SECP256R1(), hashes.SHA256(), 32), "P-384": (ec.SECP384R1(), hashes.SHA384(), 48)}


class Extension(NamedTuple):
    critical: bool
    value: bytes


@dataclass(frozen=True)
class Signed:
    """The common parts of certificates and revocation lists."""

    tbs: bytes
    #: r ‖ s
    signature: bytes
    signature_curve: str


@dataclass(frozen=True)
class Certificate(Signed):
    der: bytes
    #: hexadecimal without leading zero octets
    serial: str
    issuer: bytes
    subject: bytes
    common_name: str
    not_before_ms: int
    not_after_ms: int
    curve: str
    #: x ‖ y
    public_point: bytes
    spki: bytes
    extensions: dict[str, Extension]
    is_ca: bool
    path_length: Optional[int]
    key_usage: Optional[int]


@dataclass(frozen=True)
class RevocationList(Signed):
    issuer: bytes
    this_update_ms: int
    next_update_ms: int
    revoked_serials: frozenset[str]


class Key(NamedTuple):
    """A public key on a curve. Verifies P-256 with SHA-256 and P-384 with SHA-384."""

    curve: str
    public: ec.EllipticCurvePublicKey

    def is_valid(self, signature: bytes, data: bytes) -> bool:
        _, hash_, size = _CURVES[self.curve]
        if len(signature) != 2 * size:
            return False
        r, s = int.from_bytes(signature[:size], "big"), int.from_bytes(signature[size:], "big")
        try:
            self.public.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(hash_))
        except InvalidSignature:
            return False
        return True


def import_point(curve: str, point: bytes) -> Key:
    """A key from x ‖ y. Refuses a point that is not on the curve."""
    try:
        return Key(curve, ec.EllipticCurvePublicKey.from_encoded_point(_CURVES[curve][0], b"\x04" + point))
    except ValueError:
        raise refused(f"a public key is not a point of {curve}") from None


def parse_certificate(data: bytes) -> Certificate:
    """Exactly one certificate, version 3 (RFC 5280 §4.1)."""
    tbs, signature, curve, algorithm = _parse_signed(data, "certificate")
    fields = der.children(tbs, "certificate")
    version = der.children(der.require_tag(der.at(fields, 0), 0xA0, "version"), "version")
    if der.small_integer(der.at(version, 0), "version") != 2:
        raise malformed("a certificate is not of version 3")
    serial = der.at(fields, 1)
    _require_same_algorithm(der.at(fields, 2), algorithm, "certificate")
    dates = der.children(der.require_tag(der.at(fields, 4), der.SEQUENCE, "validity"), "validity")
    if len(dates) != 2:
        raise malformed(f"validity has {len(dates)} dates")
    extensions = _parse_extensions(_only_extensions(fields[7:]))
    issuer = der.require_tag(der.at(fields, 3), der.SEQUENCE, "issuer")
    subject = der.require_tag(der.at(fields, 5), der.SEQUENCE, "subject")
    key_curve, point = _parse_public_key(spki := der.require_tag(der.at(fields, 6), der.SEQUENCE, "public key"))
    is_ca, path_length = _parse_basic_constraints(extensions.get(BASIC_CONSTRAINTS))
    return Certificate(
        tbs.whole, signature, curve, data, der.unsigned(serial, "serial number").hex(), issuer.whole, subject.whole,
        _common_name(subject), der.time_ms(dates[0], "not before"), der.time_ms(dates[1], "not after"),
        key_curve, point, spki.whole, extensions, is_ca, path_length, _parse_key_usage(extensions.get(KEY_USAGE)),
    )  # fmt: skip


def spki_of(data: bytes) -> bytes:
    """The SubjectPublicKeyInfo of any certificate, of which nothing else is checked."""
    whole = der.children(der.parse(data, der.SEQUENCE, "certificate"), "certificate")
    fields = der.children(der.require_tag(der.at(whole, 0), der.SEQUENCE, "certificate"), "certificate")
    der.require_tag(der.at(fields, 0), 0xA0, "version")
    return der.require_tag(der.at(fields, 6), der.SEQUENCE, "public key").whole


def parse_crl(data: bytes) -> RevocationList:
    """Exactly one complete list, version 2 (RFC 5280 §5.1)."""
    tbs, signature, curve, algorithm = _parse_signed(data, "CRL")
    fields = der.children(tbs, "CRL")
    if der.small_integer(der.at(fields, 0), "CRL version") != 1:
        raise malformed("a CRL must be of version 2")
    _require_same_algorithm(der.at(fields, 1), algorithm, "CRL")
    optional = fields[5:]
    has_entries = bool(optional) and optional[0].tag == der.SEQUENCE
    entries = der.children(optional[0], "revoked certificates") if has_entries else []
    after = optional[1:] if has_entries else optional
    if len(after) > 1 or (after and after[0].tag != 0xA0):
        raise malformed("a CRL has unknown fields")
    for oid, extension in _parse_extensions(der.at(after, 0)).items():
        if extension.critical and oid not in (CRL_NUMBER, AUTHORITY_KEY_IDENTIFIER):
            raise malformed(f"critical CRL extension {oid} is unknown")
    return RevocationList(
        tbs.whole, signature, curve, der.require_tag(der.at(fields, 2), der.SEQUENCE, "CRL issuer").whole,
        der.time_ms(der.at(fields, 3), "this update"), der.time_ms(der.at(fields, 4), "next update"),
        frozenset(map(_revoked_serial, entries)),
    )  # fmt: skip


def _revoked_serial(entry: der.Value) -> str:
    fields = der.children(der.require_tag(entry, der.SEQUENCE, "revoked certificate"), "revoked certificate")
    der.time_ms(der.at(fields, 1), "revocation date")
    extensions = _parse_extension_list(fields[2]) if len(fields) > 2 else {}
    if len(fields) > 3 or any(extension.critical for extension in extensions.values()):
        raise malformed("a CRL has entries of an unknown form")
    return der.unsigned(der.at(fields, 0), "revoked serial number").hex()


def _parse_signed(data: bytes, what: str) -> tuple[der.Value, bytes, str, der.Value]:
    parts = der.children(der.parse(data, der.SEQUENCE, what), what)
    if len(parts) != 3:
        raise malformed(f"a {what} has three parts, not {len(parts)}")
    algorithm = der.require_tag(parts[1], der.SEQUENCE, "signature algorithm")
    names = der.children(algorithm, "signature algorithm")
    curve = _SIGNATURE_CURVES.get(der.oid(der.at(names, 0), "signature algorithm"))
    if curve is None or len(names) > 1:
        raise malformed(f"the {what} is not signed with ECDSA and SHA-256 or SHA-384")
    tbs = der.require_tag(parts[0], der.SEQUENCE, what)
    return tbs, _raw_signature(der.bit_octets(parts[2], "signature"), curve), curve, algorithm


def _require_same_algorithm(inner: Optional[der.Value], outer: der.Value, what: str) -> None:
    if der.require_tag(inner, der.SEQUENCE, "inner algorithm").whole != outer.whole:
        raise malformed(f"the {what} names two signature algorithms")


def _raw_signature(data: bytes, curve: str) -> bytes:
    parts = der.children(der.parse(data, der.SEQUENCE, "signature"), "signature")
    size = _CURVES[curve][2]
    if len(parts) != 2:
        raise malformed("a signature has two numbers")
    digits = [der.unsigned(part, "signature") for part in parts]
    if any(len(number) > size for number in digits):
        raise malformed("a signature is too long")
    return b"".join(number.rjust(size, b"\x00") for number in digits)


def _only_extensions(fields: list[der.Value]) -> Optional[der.Value]:
    if len(fields) > 1:
        raise malformed(f"{len(fields)} fields follow the public key, only extensions are expected")
    return der.require_tag(fields[0], 0xA3, "extensions") if fields else None


def _parse_extensions(wrapper: Optional[der.Value]) -> dict[str, Extension]:
    if wrapper is None:
        return {}
    lists = der.children(wrapper, "extensions")
    if len(lists) > 1:
        raise malformed("unexpected data follows the extensions")
    return _parse_extension_list(der.at(lists, 0))


def _parse_extension_list(listed: Optional[der.Value]) -> dict[str, Extension]:
    extensions: dict[str, Extension] = {}
    for entry in der.children(der.require_tag(listed, der.SEQUENCE, "extensions"), "extensions"):
        parts = der.children(der.require_tag(entry, der.SEQUENCE, "extension"), "extension")
        oid = der.oid(der.at(parts, 0), "extension")
        if oid in extensions:
            raise malformed(f"extension {oid} stands twice")
        critical = len(parts) == 3 and der.boolean(parts[1], "critical")
        if len(parts) > 3:
            raise malformed(f"extension {oid} has {len(parts)} parts")
        extensions[oid] = Extension(critical, der.require_tag(parts[-1], der.OCTET_STRING, "extension").content)
    return extensions


def _parse_public_key(spki: der.Value) -> tuple[str, bytes]:
    parts = der.children(spki, "public key")
    names = der.children(der.require_tag(der.at(parts, 0), der.SEQUENCE, "key algorithm"), "key algorithm")
    if len(parts) > 2:
        raise malformed("unexpected data follows the public key")
    is_ec = der.oid(der.at(names, 0), "key algorithm") == _EC_PUBLIC_KEY
    curve = _KEY_CURVES.get(der.oid(der.at(names, 1), "curve")) if is_ec else None
    if curve is None:
        raise malformed("the public key is not on P-256 or P-384")
    point = der.bit_octets(der.at(parts, 1), "public key")
    if point[:1] != b"\x04" or len(point) != 1 + 2 * _CURVES[curve][2]:
        raise malformed("the public key is compressed")
    return curve, point[1:]


def _parse_basic_constraints(extension: Optional[Extension]) -> tuple[bool, Optional[int]]:
    if extension is None:
        return False, None
    parts = der.children(der.parse(extension.value, der.SEQUENCE, "basic constraints"), "basic constraints")
    has_flag = bool(parts) and parts[0].tag == der.BOOLEAN
    is_ca = has_flag and der.boolean(parts[0], "CA flag")
    rest = parts[1:] if has_flag else parts
    if len(rest) > 1:
        raise malformed("unexpected data follows the basic constraints")
    return is_ca, der.small_integer(rest[0], "path length") if rest else None


def _parse_key_usage(extension: Optional[Extension]) -> Optional[int]:
    if extension is None:
        return None
    content = der.parse(extension.value, der.BIT_STRING, "key usage").content
    if not 2 <= len(content) <= 3 or content[0] > 7:
        raise malformed("key usage is not a bit string")
    return content[1]


def _common_name(subject: der.Value) -> str:
    name = ""
    for part in der.children(subject, "subject"):
        for pair in der.children(der.require_tag(part, der.SET, "subject"), "subject"):
            values = der.children(der.require_tag(pair, der.SEQUENCE, "subject"), "subject")
            if der.oid(der.at(values, 0), "subject") == _COMMON_NAME:
                name = values[1].content.decode("utf-8", "replace") if len(values) > 1 else ""
    return name


class Chain(NamedTuple):
    """Leaf first, the anchor last; dates and revocation are not checked."""

    certificates: list[Certificate]
    leaf_key: Key


def verify_chain(certificates: Sequence[Certificate], anchors: Sequence[Certificate], ca_leaf: bool = False) -> Chain:
    """Verifies signatures, names, CA flags, path lengths and key usages from the leaf to an anchor."""
    if not certificates:
        raise refused("the chain is empty")
    leaf = certificates[0]
    if not ca_leaf:
        if leaf.is_ca:
            raise refused("a CA certificate stands where an end certificate belongs")
        if leaf.key_usage is not None and not leaf.key_usage & DIGITAL_SIGNATURE:
            raise refused("the certificate may not sign data (key usage)")
    chain = _complete_to_anchor(certificates, anchors)
    for index in range(len(chain) - 1):
        _verify_link(chain[index], chain[index + 1], index + 1 if ca_leaf else index)
    for certificate in chain:
        for oid, extension in certificate.extensions.items():
            if extension.critical and oid not in (KEY_USAGE, BASIC_CONSTRAINTS):
                raise refused(f"a certificate has the unknown critical extension {oid}")
    return Chain(chain, import_point(leaf.curve, leaf.public_point))


def _complete_to_anchor(certificates: Sequence[Certificate], anchors: Sequence[Certificate]) -> list[Certificate]:
    top = certificates[-1]
    if len(certificates) > 1 and any(anchor.der == top.der for anchor in anchors):
        return list(certificates)
    issuer = next((anchor for anchor in anchors if anchor.subject == top.issuer), None)
    if issuer is None or top.issuer == top.subject:
        raise refused("the chain ends with a certificate that is not a trusted root")
    return [*certificates, issuer]


def _verify_link(subject: Certificate, issuer: Certificate, cas_below: int) -> None:
    if subject.issuer != issuer.subject:
        raise refused("the issuer's name does not match")
    if not issuer.is_ca:
        raise refused("the issuer is not a CA")
    if issuer.key_usage is None or not issuer.key_usage & KEY_CERT_SIGN:
        raise refused("the issuer may not sign certificates (key usage)")
    if issuer.path_length is not None and cas_below > issuer.path_length:
        raise refused(f"{cas_below} CA certificates stand below a CA that allows {issuer.path_length}")
    if not is_signed_by(subject, issuer):
        raise refused("the signature of a certificate is invalid")


def verify_crl(crl: RevocationList, issuer: Certificate) -> None:
    """Refuses a list that this CA did not sign."""
    if crl.issuer != issuer.subject:
        raise refused("the CRL has another issuer")
    if issuer.key_usage is None or not issuer.key_usage & CRL_SIGN:
        raise refused("the issuer may not sign CRLs (key usage)")
    if not is_signed_by(crl, issuer):
        raise refused("the CRL's signature is invalid")


def is_signed_by(signed: Signed, issuer: Certificate) -> bool:
    """Whether the issuer's key made the signature."""
    if signed.signature_curve != issuer.curve:
        return False
    return import_point(issuer.curve, issuer.public_point).is_valid(signed.signature, signed.tbs)


def require_valid_at(certificates: Sequence[Certificate], now_ms: float) -> None:
    for certificate in certificates:
        if now_ms < certificate.not_before_ms:
            raise refused(f"a certificate is valid from {text_of(certificate.not_before_ms)}")
        if now_ms > certificate.not_after_ms:
            raise refused(f"a certificate expired on {text_of(certificate.not_after_ms)}")


def require_not_revoked(certificates: Sequence[Certificate], crl: RevocationList) -> None:
    for certificate in certificates:
        if certificate.serial in crl.revoked_serials:
            raise refused(f"the certificate {certificate.serial} is revoked")


