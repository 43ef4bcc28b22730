"""Parses the SGX extension of PCK certificates (Intel, SGX PCK Certificate Profile, §1.3.5)."""
from dataclasses import dataclass
from typing import Optional

from . import der, x509
from .errors import malformed

SGX_EXTENSION = "1.2.840.113741.1.13.1"


@dataclass(frozen=True)
class PckPlatform:
    """The SGX extension of a PCK certificate, which describes the platform."""

    sgx_svns: tuple[int, ...]
    pce_svn: int
    pce_id: bytes
    fmspc: bytes
    ids: tuple[str, ...]


def parse_pck_platform(certificate: x509.Certificate) -> PckPlatform:
    extension = certificate.extensions.get(SGX_EXTENSION)
    if extension is None:
        raise malformed("the PCK certificate has no SGX extension")
    fields = _pairs(der.parse(extension.value, der.SEQUENCE, "SGX extension"), SGX_EXTENSION)
    tcb = _pairs(der.require_tag(fields.get("2"), der.SEQUENCE, "TCB"), f"{SGX_EXTENSION}.2")
    svns = tuple(der.small_integer(tcb.get(str(index)), "SVN") for index in range(1, 17))
    pce_svn = der.small_integer(tcb.get("17"), "PCESVN")
    _octets(tcb.get("18"), 16, "CPUSVN")
    pce_id, fmspc = _octets(fields.get("3"), 2, "PCE-ID"), _octets(fields.get("4"), 6, "FMSPC")
    ids = tuple(_octets(fields[arc], 16, "platform id").hex() for arc in ("1", "6") if arc in fields)
    return PckPlatform(svns, pce_svn, pce_id, fmspc, ids)


def _pairs(parent: der.Value, prefix: str) -> dict[str, der.Value]:
    found: dict[str, der.Value] = {}
    for pair in der.children(parent, "SGX extension"):
        parts = der.children(der.require_tag(pair, der.SEQUENCE, "SGX extension"), "SGX extension")
        oid = der.oid(der.at(parts, 0), "SGX extension")
        arc = oid[len(prefix) + 1 :]
        if not oid.startswith(f"{prefix}.") or len(parts) != 2:
            raise malformed(f"unknown field {oid}")
        if arc in found:
            raise malformed(f"field {oid} stands twice")
        found[arc] = parts[1]
    return found


def _octets(value: Optional[der.Value], length: int, field: str) -> bytes:
    content = der.require_tag(value, der.OCTET_STRING, field).content
    if len(content) != length:
        raise malformed(f"{field} must have {length} bytes")
    return content
