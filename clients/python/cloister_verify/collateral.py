"""Intel's collateral: its JSON form, TCB info and QE identity, and the signatures of all parts."""
import re
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence

from . import der, x509
from .errors import malformed, refused
from .jsons import from_hex, is_integer, loads, units
from .pck import SGX_EXTENSION
from .times import exact_ms

TCB_STATUSES = (
    "UpToDate", "SWHardeningNeeded", "ConfigurationNeeded", "ConfigurationAndSWHardeningNeeded", "OutOfDate",
    "OutOfDateConfigurationNeeded", "Revoked",
)  # fmt: skip
_CHARACTERS_MAX = 1024 * 1024
_TEXTS = ("pck_crl_issuer_chain", "tcb_info_issuer_chain", "tcb_info", "qe_identity_issuer_chain", "qe_identity")
_BYTES = ("root_ca_crl", "pck_crl", "tcb_info_signature", "qe_identity_signature")


def parse_collateral(members: Any) -> dict[str, Any]:
    """Collateral from the parsed JSON with nine members; ``pck_certificate_chain`` is accepted and ignored."""
    if not isinstance(members, dict):
        raise malformed("collateral must be an object")
    if any(name not in _TEXTS + _BYTES + ("pck_certificate_chain",) for name in members):
        raise malformed("collateral has an unknown member")
    collateral: dict[str, Any] = {}
    for name in _TEXTS + _BYTES:
        value = members.get(name)
        if not isinstance(value, str):
            raise malformed(f"{name} must be a text")
        collateral[name] = value if name in _TEXTS else from_hex(value)
        if collateral[name] is None:
            raise malformed(f"{name} must be hexadecimal")
    return collateral


def parse_collateral_text(text: str) -> dict[str, Any]:
    if units(text) > _CHARACTERS_MAX:
        raise malformed(f"collateral has at most {_CHARACTERS_MAX} bytes")
    return parse_collateral(_object(text, "collateral"))


def _object(text: str, what: str) -> dict:
    try:
        value = loads(text)
    except (ValueError, RecursionError):
        raise malformed(f"{what} is not JSON") from None
    if not isinstance(value, dict):
        raise malformed(f"{what} must be an object")
    return value


def _member(parent: dict, name: str, kind: type) -> Any:
    value = parent.get(name)
    if not isinstance(value, kind):
        raise malformed(f"{name} must be {'an object' if kind is dict else 'a text'}")
    return value


def _objects(parent: dict, name: str) -> list[dict]:
    value = parent.get(name)
    if not isinstance(value, list) or len(value) > 1000 or not all(isinstance(one, dict) for one in value):
        raise malformed(f"{name} must be a list of objects")
    return value


def _integer(parent: dict, name: str, maximum: int) -> int:
    value = parent.get(name)
    if not is_integer(value) or not 0 <= value <= maximum:
        raise malformed(f"{name} must be an integer from 0 to {maximum}")
    return int(value)


def _hex(parent: dict, name: str, length: int) -> bytes:
    value = from_hex(_member(parent, name, str))
    if value is None or len(value) != length:
        raise malformed(f"{name} must be {2 * length} hexadecimal digits")
    return value


def _time(parent: dict, name: str) -> int:
    try:
        return exact_ms(_member(parent, name, str))
    except ValueError:
        raise malformed(f"{name} must be a time in UTC") from None


@dataclass(frozen=True)
class Verdict:
    """A TCB status with its open advisories and its date."""

    status: str
    advisories: tuple[str, ...]
    date_ms: int


@dataclass(frozen=True)
class SvnLevel(Verdict):
    isv_svn: int


@dataclass(frozen=True)
class PlatformLevel(Verdict):
    sgx_svns: tuple[int, ...]
    tdx_svns: tuple[int, ...]
    pce_svn: int


@dataclass(frozen=True)
class Module:
    """What the TDX module must be; with an id and levels from TDX 1.5 on."""

    mr_signer: bytes
    attributes: bytes
    attributes_mask: bytes
    id: str = ""
    levels: tuple[SvnLevel, ...] = ()


@dataclass(frozen=True)
class Dated:
    issue_date_ms: int
    next_update_ms: int
    evaluation_number: int


@dataclass(frozen=True)
class TcbInfo(Dated):
    fmspc: bytes
    pce_id: bytes
    module: Module
    identities: tuple[Module, ...]
    levels: tuple[PlatformLevel, ...]


@dataclass(frozen=True)
class QeIdentity(Dated):
    misc_select: bytes
    misc_select_mask: bytes
    attributes: bytes
    attributes_mask: bytes
    mr_signer: bytes
    isv_prod_id: int
    levels: tuple[SvnLevel, ...]


def parse_tcb_info(text: str) -> TcbInfo:
    """Intel's TCB info, version 3, for TDX."""
    info = _object(text, "TCB info")
    _require_form(info, "TDX", 3)
    if _integer(info, "tcbType", 255) != 0:
        raise malformed("tcbType must be 0")
    identities = _objects(info, "tdxModuleIdentities") if "tdxModuleIdentities" in info else []
    dates = _dates(info)
    fmspc, pce_id = _hex(info, "fmspc", 6), _hex(info, "pceId", 2)
    module = Module(*_module(_member(info, "tdxModule", dict)))
    known = tuple(Module(*_module(one), _member(one, "id", str).upper(), _svn_levels(one)) for one in identities)
    return TcbInfo(*dates, fmspc, pce_id, module, known, tuple(map(_platform_level, _objects(info, "tcbLevels"))))


def parse_qe_identity(text: str) -> QeIdentity:
    """Intel's identity of the TD quoting enclave, version 2."""
    identity = _object(text, "QE identity")
    _require_form(identity, "TD_QE", 2)
    lengths = {"miscselect": 4, "miscselectMask": 4, "attributes": 16, "attributesMask": 16, "mrsigner": 32}
    fields = [_hex(identity, name, length) for name, length in lengths.items()]
    return QeIdentity(*_dates(identity), *fields, _integer(identity, "isvprodid", 0xFFFF), _svn_levels(identity))


def _require_form(document: dict, id_: str, version: int) -> None:
    if _member(document, "id", str) != id_:
        raise malformed(f"id must be {id_}")
    if _integer(document, "version", 1000) != version:
        raise malformed(f"version of {id_} must be {version}")


def _dates(document: dict) -> tuple[int, int, int]:
    evaluation = _integer(document, "tcbEvaluationDataNumber", 1_000_000)
    return _time(document, "issueDate"), _time(document, "nextUpdate"), evaluation


def _module(part: dict) -> tuple[bytes, bytes, bytes]:
    return _hex(part, "mrsigner", 48), _hex(part, "attributes", 8), _hex(part, "attributesMask", 8)


def _svn_levels(part: dict) -> tuple[SvnLevel, ...]:
    levels = _objects(part, "tcbLevels")
    return tuple(SvnLevel(*_verdict(one), _integer(_member(one, "tcb", dict), "isvsvn", 0xFFFF)) for one in levels)


def _platform_level(level: dict) -> PlatformLevel:
    tcb = _member(level, "tcb", dict)
    sgx, tdx = _components(tcb, "sgxtcbcomponents"), _components(tcb, "tdxtcbcomponents")
    return PlatformLevel(*_verdict(level), sgx, tdx, _integer(tcb, "pcesvn", 0xFFFF))


def _components(tcb: dict, name: str) -> tuple[int, ...]:
    svns = tuple(_integer(component, "svn", 255) for component in _objects(tcb, name))
    if len(svns) != 16:
        raise malformed(f"{name} must have 16 components, got {len(svns)}")
    return svns


def _verdict(level: dict) -> tuple[str, tuple[str, ...], int]:
    status = _member(level, "tcbStatus", str)
    if status not in TCB_STATUSES:
        raise malformed("tcbStatus is unknown")
    advisories = level.get("advisoryIDs")
    advisories = [] if advisories is None else advisories
    if not isinstance(advisories, list) or not all(isinstance(one, str) for one in advisories):
        raise malformed("advisoryIDs must be a list of texts")
    return status, tuple(advisories), _time(level, "tcbDate")


@dataclass(frozen=True)
class Settled:
    """A value, or the error that prevented it."""

    value: Any = None
    error: Optional[Exception] = None

    def unwrap(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.value


def _settle(work: Callable[[], Any]) -> Settled:
    try:
        return Settled(value=work())
    except Exception as error:  # Reported by the check that needs the value.
        return Settled(error=error)


@dataclass(frozen=True)
class Prepared:
    """Collateral after the steps that depend on neither the time nor the quote: parsing, chains and signatures."""

    anchors: list[x509.Certificate]
    root_crl: Settled
    pck_crl: Settled
    pck_crl_issuer: Settled
    #: chain, text and document
    tcb_info: tuple[Settled, Settled, Settled]
    qe_identity: tuple[Settled, Settled, Settled]


def prepare_collateral(collateral: dict[str, Any], anchors: Sequence[bytes]) -> Prepared:
    """Each part has its own result, so that a verifier can report every fault. Raises for a malformed anchor."""
    roots = [x509.parse_certificate(one) for one in anchors]
    issuer = _settle(lambda: _crl_issuer(collateral["pck_crl_issuer_chain"], roots))

    def pck_crl() -> x509.RevocationList:
        crl = x509.parse_crl(collateral["pck_crl"])
        x509.verify_crl(crl, issuer.unwrap()[0])
        return crl

    tcb_info = _signed(collateral, "tcb_info", roots, parse_tcb_info)
    qe_identity = _signed(collateral, "qe_identity", roots, parse_qe_identity)
    root_crl = _settle(lambda: _verified_root_crl(collateral["root_ca_crl"], roots))
    return Prepared(roots, root_crl, _settle(pck_crl), issuer, tcb_info, qe_identity)


def _verified_root_crl(data: bytes, roots: Sequence[x509.Certificate]) -> x509.RevocationList:
    crl = x509.parse_crl(data)
    refusal: Exception = refused("no root is trusted")
    for root in roots:
        try:
            x509.verify_crl(crl, root)
            return crl
        except Exception as error:
            refusal = error
    raise refusal


def _crl_issuer(pem: str, roots: Sequence[x509.Certificate]) -> list[x509.Certificate]:
    chain = [x509.parse_certificate(one) for one in der.parse_pem_chain(pem, "PCK CRL issuer chain")]
    if not chain[0].is_ca:
        raise refused("the PCK CRL's issuer is not a CA")
    return x509.verify_chain(chain, roots, ca_leaf=True).certificates


def _signed(
    collateral: dict[str, Any], name: str, roots: Sequence[x509.Certificate], parse: Callable[[str], Any]
) -> tuple[Settled, Settled, Settled]:
    text, signature = collateral[name], collateral[f"{name}_signature"]
    chain = _settle(lambda: _document_signer(collateral[f"{name}_issuer_chain"], roots))

    def verified() -> str:
        key = chain.unwrap().leaf_key
        # A TextEncoder writes an unpaired surrogate as the replacement character.
        if not key.is_valid(signature, re.sub("[\ud800-\udfff]", "\ufffd", text).encode("utf-8")):
            raise refused("the signature does not match the text")
        return text

    signed = _settle(verified)
    return chain, signed, _settle(lambda: parse(signed.unwrap()))


def _document_signer(pem: str, roots: Sequence[x509.Certificate]) -> x509.Chain:
    """Intel's signing certificate stands directly below the root. What a platform's key signs is no document of Intel."""
    certificates = [x509.parse_certificate(one) for one in der.parse_pem_chain(pem, "issuer chain")]
    chain = x509.verify_chain(certificates, roots)
    if len(chain.certificates) != 2:
        raise refused("the signer was not issued by a root")
    if SGX_EXTENSION in chain.certificates[0].extensions:
        raise refused("a platform's certificate must not sign collateral")
    return chain
