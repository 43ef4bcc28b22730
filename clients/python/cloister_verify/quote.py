"""Parses TDX quotes, version 4 and 5, with an ECDSA P-256 attestation key."""
from dataclasses import dataclass
from typing import Optional

from .errors import AttestationError, malformed
from .reader import ByteReader

QUOTE_BYTES_MAX = 16 * 1024
DEBUG, SEPT_VE_DISABLE, PKS, KEY_LOCKER, PERFMON = 0, 28, 30, 31, 63
_INTEL_QE_VENDOR = "939a7233f79c4ca9940a0db3957f0607"
_BODY_BYTES = {2: 584, 3: 648}


@dataclass(frozen=True)
class TdBody:
    """The part of a quote that describes the virtual machine."""

    tee_tcb_svn: bytes
    mr_seam: bytes
    mr_signer_seam: bytes
    seam_attributes: bytes
    td_attributes: bytes
    xfam: bytes
    mr_td: bytes
    mr_config_id: bytes
    mr_owner: bytes
    mr_owner_config: bytes
    rtmrs: tuple[bytes, bytes, bytes, bytes]
    report_data: bytes
    #: of TD 1.5 only
    tee_tcb_svn2: Optional[bytes]
    mr_service_td: Optional[bytes]

    def attribute_bits(self) -> list[int]:
        """The numbers of the set bits of TDATTRIBUTES."""
        value = int.from_bytes(self.td_attributes, "little")
        return [bit for bit in range(64) if value >> bit & 1]


@dataclass(frozen=True)
class QeReport:
    """The SGX report of the quoting enclave."""

    misc_select: bytes
    attributes: bytes
    mr_signer: bytes
    isv_prod_id: int
    isv_svn: int
    report_data: bytes


@dataclass(frozen=True)
class Quote:
    body: TdBody
    #: header and body
    signed_bytes: bytes
    #: offset of the report data in ``signed_bytes``
    report_data_at: int
    signature: bytes
    attestation_key: bytes
    qe_report: QeReport
    qe_report_bytes: bytes
    qe_report_signature: bytes
    qe_authentication_data: bytes
    pck_chain_pem: bytes


def parse_quote(data: bytes) -> Quote:
    """A quote; trailing zeros are accepted, because guests return the whole buffer."""
    if len(data) > QUOTE_BYTES_MAX:
        raise malformed(f"a quote has at most {QUOTE_BYTES_MAX} bytes, got {len(data)}")
    reader = ByteReader(data, "quote")
    version = _parse_header(reader)
    body_bytes = reader.bytes(_body_bytes(reader) if version == 5 else _BODY_BYTES[2], "TD body")
    signed_bytes = data[: reader.at]
    authentication = reader.bytes(reader.uint32("length"), "authentication data")
    parts = _parse_authentication(authentication)
    if any(reader.rest()):
        raise malformed(f"{len(reader.rest())} bytes follow the quote, and they are not all zero")
    return Quote(_parse_td_body(body_bytes), signed_bytes, len(signed_bytes) - len(body_bytes) + 520, *parts)


def _parse_header(reader: ByteReader) -> int:
    version, key_type = reader.uint16("version"), reader.uint16("attestation key type")
    tee_type = reader.uint32("TEE type")
    reader.bytes(4, "reserved")
    vendor = reader.bytes(16, "QE vendor")
    reader.bytes(20, "user data")
    if version not in (4, 5):
        raise malformed(f"quote version must be 4 or 5, got {version}")
    if tee_type != 0x81:
        raise malformed(f"TEE type must be 0x81 (TDX), got {tee_type:#x}")
    if key_type != 2:
        raise malformed(f"attestation key type must be 2 (ECDSA P-256), got {key_type}")
    if vendor.hex() != _INTEL_QE_VENDOR:
        raise malformed("QE vendor must be Intel's")
    return version


def _body_bytes(reader: ByteReader) -> int:
    kind, size = reader.uint16("body type"), reader.uint32("body size")
    expected = _BODY_BYTES.get(kind)
    if expected is None:
        raise malformed(f"body type must be 2 (TD 1.0) or 3 (TD 1.5), got {kind}")
    if size != expected:
        raise malformed(f"a body of type {kind} has {expected} bytes, got {size}")
    return size


def _parse_td_body(data: bytes) -> TdBody:
    reader = ByteReader(data, "TD body")
    take = reader.bytes
    is_newer = len(data) == _BODY_BYTES[3]
    head = (take(16, "TEE_TCB_SVN"), take(48, "MRSEAM"), take(48, "MRSIGNERSEAM"), take(8, "SEAMATTRIBUTES"))
    flags = (take(8, "TDATTRIBUTES"), take(8, "XFAM"))
    measured = tuple(take(48, name) for name in ("MRTD", "MRCONFIGID", "MROWNER", "MROWNERCONFIG"))
    rtmrs = (take(48, "RTMR0"), take(48, "RTMR1"), take(48, "RTMR2"), take(48, "RTMR3"))
    report_data = take(64, "REPORTDATA")
    newer = (take(16, "TEE_TCB_SVN2"), take(48, "MRSERVICETD")) if is_newer else (None, None)
    return TdBody(*head, *flags, *measured, rtmrs, report_data, *newer)


def _parse_authentication(data: bytes) -> tuple:
    reader = ByteReader(data, "authentication data")
    signature, attestation_key = reader.bytes(64, "signature"), reader.bytes(64, "attestation key")
    inner = ByteReader(_certification_data(reader, 6), "QE certification data")
    qe_report, qe_signature = inner.bytes(384, "QE report"), inner.bytes(64, "QE report signature")
    authentication_data = inner.bytes(inner.uint16("length"), "QE authentication data")
    chain = _certification_data(inner, 5)
    parsed = _parse_qe_report(qe_report)
    return signature, attestation_key, parsed, qe_report, qe_signature, authentication_data, chain


def _certification_data(reader: ByteReader, kind: int) -> bytes:
    found = reader.uint16("certification data type")
    if found != kind:
        raise AttestationError(f"certification data type must be {kind} here, got {found}")
    data = reader.bytes(reader.uint32("length"), "certification data")
    if reader.rest():
        raise malformed(f"{len(reader.rest())} bytes follow the certification data")
    return data


def _parse_qe_report(data: bytes) -> QeReport:
    number = lambda at: int.from_bytes(data[at : at + 2], "little")  # noqa: E731
    return QeReport(data[16:20], data[48:64], data[128:160], number(256), number(258), data[320:384])
