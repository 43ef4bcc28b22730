"""Strict DER (definite, shortest lengths, no trailing bytes) and PEM. Two readings of one certificate would be two certificates."""
import re
from typing import NamedTuple, Optional

from .errors import malformed
from .jsons import decode_base64
from .times import utc_ms

BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, OID = 0x01, 0x02, 0x03, 0x04, 0x06
UTC_TIME, GENERALIZED_TIME, SEQUENCE, SET = 0x17, 0x18, 0x30, 0x31


class Value(NamedTuple):
    """One tag, length and value; ``whole`` includes all three."""

    tag: int
    content: bytes
    whole: bytes


def parse(data: bytes, tag: int, field: str) -> Value:
    """Exactly one value."""
    value = _read(data, 0, field)
    if len(value.whole) != len(data):
        raise malformed(f"{field} is followed by {len(data) - len(value.whole)} bytes")
    return require_tag(value, tag, field)


def children(parent: Value, field: str) -> list[Value]:
    """The values inside a constructed value."""
    found: list[Value] = []
    at = 0
    while at < len(parent.content):
        child = _read(parent.content, at, field)
        found.append(child)
        at += len(child.whole)
    return found


def at(values: list[Value], index: int) -> Optional[Value]:
    """The value with this index; None past the end."""
    return values[index] if index < len(values) else None


def require_tag(value: Optional[Value], tag: int, field: str) -> Value:
    if value is None:
        raise malformed(f"{field} is missing")
    if value.tag != tag:
        raise malformed(f"{field} has type {value.tag:#x}, expected {tag:#x}")
    return value


def oid(value: Optional[Value], field: str) -> str:
    """Dotted decimal."""
    content = require_tag(value, OID, field).content
    if len(content) == 0 or content[-1] >= 0x80:
        raise malformed(f"{field} is a truncated object identifier")
    arcs: list[int] = []
    arc = 0
    for byte in content:
        if arc == 0 and byte == 0x80:
            raise malformed(f"{field} is padded")
        if arc > 0x1F_FFFF:
            raise malformed(f"{field} has an arc above 28 bits")
        arc = arc * 128 + (byte & 0x7F)
        if byte < 0x80:
            arcs.append(arc)
            arc = 0
    first = min(2, arcs[0] // 40)
    return ".".join(map(str, [first, arcs[0] - 40 * first, *arcs[1:]]))


def small_integer(value: Optional[Value], field: str) -> int:
    """A non-negative integer below 2^31."""
    digits = unsigned(value, field)
    if len(digits) > 4 or digits[0] >= 0x80:
        raise malformed(f"{field} is too large: {len(digits)} bytes")
    return int.from_bytes(digits, "big")


def unsigned(value: Optional[Value], field: str) -> bytes:
    """The big-endian digits of a non-negative integer, without the sign octet."""
    content = require_tag(value, INTEGER, field).content
    if len(content) == 0:
        raise malformed(f"{field} is an empty integer")
    if content[0] >= 0x80:
        raise malformed(f"{field} is negative")
    if len(content) == 1 or content[0] != 0:
        return content
    if content[1] < 0x80:
        raise malformed(f"{field} is a padded integer")
    return content[1:]


def boolean(value: Optional[Value], field: str) -> bool:
    content = require_tag(value, BOOLEAN, field).content
    if content not in (b"\x00", b"\xff"):
        raise malformed(f"{field} is not a DER boolean")
    return content == b"\xff"


def bit_octets(value: Optional[Value], field: str) -> bytes:
    """The octets of a bit string without unused bits."""
    content = require_tag(value, BIT_STRING, field).content
    if len(content) == 0 or content[0] != 0:
        raise malformed(f"{field} is not a bit string of whole octets")
    return content[1:]


def time_ms(value: Optional[Value], field: str) -> int:
    """Milliseconds since 1970, in the forms that RFC 5280 §4.1.2.5 requires."""
    if value is None:
        raise malformed(f"{field} is missing")
    text = value.content.decode("latin-1")
    is_short = value.tag == UTC_TIME and re.fullmatch(r"[0-9]{12}Z", text)
    is_long = value.tag == GENERALIZED_TIME and re.fullmatch(r"[0-9]{14}Z", text)
    if not is_short and not is_long:
        raise malformed(f"{field} is not a time in UTC with seconds")
    digits = (("19" if text[:2] >= "50" else "20") + text) if is_short else text
    if digits < "0100":
        raise malformed(f"{field} is not a valid date")
    parts = [int(digits[:4])] + [int(digits[start : start + 2]) for start in (4, 6, 8, 10, 12)]
    try:
        return utc_ms(*parts)
    except ValueError:
        raise malformed(f"{field} is not a valid date") from None


def _read(data: bytes, at: int, field: str) -> Value:
    if at + 1 >= len(data):
        raise malformed(f"{field} is cut short")
    tag, first = data[at], data[at + 1]
    if tag & 0x1F == 0x1F:
        raise malformed(f"{field} has a tag number above 30")
    length, start = first, at + 2
    if first >= 0x80:
        count = first - 0x80
        if count == 0 or count > 3:
            raise malformed(f"{field} has a length of {count} octets")
        length = int.from_bytes(data[start : start + count].ljust(count, b"\x00"), "big")
        if length < (0x80 if count == 1 else 256 ** (count - 1)):
            raise malformed(f"{field} has a padded length")
        start += count
    end = start + length
    if end > len(data):
        raise malformed(f"{field} is truncated: {end} bytes announced, {len(data)} present")
    return Value(tag, data[start:end], data[at:end])


_BEGIN, _END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
_CHAIN_MAX = 8


def parse_pem_chain(pem: "bytes | str", field: str) -> list[bytes]:
    """The certificates of a PEM text as DER. Trailing zero bytes are accepted, because quotes end their chain as a C string."""
    text = pem if isinstance(pem, str) else pem.decode("latin-1")
    certificates: list[bytes] = []
    at = 0
    while (begin := text.find(_BEGIN, at)) >= 0:
        if not re.fullmatch(r"[\r\n\t ]*", text[at:begin]):
            raise malformed(f"{field} has text outside its certificates")
        end = text.find(_END, begin)
        if end < 0:
            raise malformed(f"{field} has a certificate without its end line")
        if len(certificates) == _CHAIN_MAX:
            raise malformed(f"{field} has over {_CHAIN_MAX} certificates")
        digits = re.sub(r"[\r\n\t ]+", "", text[begin + len(_BEGIN) : end])
        certificates.append(decode_base64(digits, field))
        at = end + len(_END)
    if not re.fullmatch(r"[\r\n\t ]*\0*", text[at:]):
        raise malformed(f"{field} has text outside its certificates")
    if not certificates:
        raise malformed(f"{field} holds no certificate")
    return certificates
