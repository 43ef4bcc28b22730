"""Determines the TCB levels of a platform, a TDX module and a quoting enclave."""
from typing import Optional, Sequence

from .collateral import Module, PlatformLevel, QeIdentity, SvnLevel, TcbInfo, Verdict
from .errors import refused
from .pck import PckPlatform
from .quote import QeReport, TdBody


def counted_svns(body: TdBody) -> list[bytes]:
    """TEE_TCB_SVN of the start and, from TD 1.5 on, after updates of the running module. The worse one decides."""
    return [body.tee_tcb_svn] if body.tee_tcb_svn2 is None else [body.tee_tcb_svn, body.tee_tcb_svn2]


def platform_level(info: TcbInfo, platform: PckPlatform, svns: bytes) -> PlatformLevel:
    """The first level that the platform reaches. From TDX 1.5 on, the first two TDX components are the module's."""
    first = 2 if svns[1] > 0 else 0

    def is_reached(level: PlatformLevel) -> bool:
        return (
            platform.pce_svn >= level.pce_svn
            and all(svn >= least for svn, least in zip(platform.sgx_svns, level.sgx_svns))
            and all(svns[index] >= level.tdx_svns[index] for index in range(first, 16))
        )

    reached = [level for level in info.levels if is_reached(level)]
    if not reached:
        raise refused(f"no level of the TCB info matches TEE_TCB_SVN {svns.hex()}")
    # Intel's library sorts the levels, its documentation takes the first: if the two differ, the TCB info is refused.
    if any(_order(other) > _order(reached[0]) for other in reached[1:]):
        raise refused("the levels of the TCB info are not in order")
    return reached[0]


def _order(level: PlatformLevel) -> tuple[int, ...]:
    return (*level.sgx_svns, level.pce_svn, *level.tdx_svns)


def module_identity(info: TcbInfo, svns: bytes) -> Optional[Module]:
    """The identity of the module with this version; None for TDX 1.0, whose module has no levels."""
    if svns[1] == 0:
        return None
    id_ = f"TDX_{svns[1]:02X}"
    known = next((module for module in info.identities if module.id == id_), None)
    if known is None:
        raise refused(f"the TCB info has no TDX module {id_}")
    return known


def require_module(body: TdBody, expected: Module) -> None:
    if body.mr_signer_seam != expected.mr_signer:
        raise refused(f"the TDX module's signer is {body.mr_signer_seam.hex()}")
    # Intel's library requires zeros regardless of the mask.
    if not _fits(body.seam_attributes, expected.attributes, expected.attributes_mask) or any(body.seam_attributes):
        raise refused(f"the TDX module's attributes are {body.seam_attributes.hex()}")


def module_level(identity: Module, svns: bytes) -> SvnLevel:
    return _level_of(identity.levels, svns[0], "the TDX module")


def require_qe_identity(report: QeReport, identity: QeIdentity) -> None:
    if report.mr_signer != identity.mr_signer:
        raise refused(f"the quoting enclave's signer is {report.mr_signer.hex()}")
    if report.isv_prod_id != identity.isv_prod_id:
        raise refused(f"the quoting enclave's product is {report.isv_prod_id}, expected {identity.isv_prod_id}")
    if report.attributes[0] & 2:
        raise refused("the quoting enclave is in debug mode")
    if not _fits(report.misc_select, identity.misc_select, identity.misc_select_mask):
        raise refused(f"the quoting enclave's MISCSELECT is {report.misc_select.hex()}")
    if not _fits(report.attributes, identity.attributes, identity.attributes_mask):
        raise refused(f"the quoting enclave's attributes are {report.attributes.hex()}")


def qe_level(report: QeReport, identity: QeIdentity) -> SvnLevel:
    return _level_of(identity.levels, report.isv_svn, "the QE identity")


def combine_tcb(platform: Verdict, parts: Sequence[Verdict]) -> Verdict:
    """The platform's status, made worse by those of the module and the quoting enclave, as in Intel's TcbLevelCheck."""
    status = platform.status
    for part in parts:
        status = _worsen(status, part.status)
    everything = [platform, *parts]
    advisories = dict.fromkeys(one for verdict in everything for one in verdict.advisories)
    return Verdict(status, tuple(advisories), min(verdict.date_ms for verdict in everything))


def _worsen(status: str, part: str) -> str:
    if "Revoked" in (status, part):
        return "Revoked"
    if part == "UpToDate":
        return status
    needs_configuration = "Configuration" in status or "Configuration" in part
    if status.startswith("OutOfDate") or part.startswith("OutOfDate"):
        return "OutOfDateConfigurationNeeded" if needs_configuration else "OutOfDate"
    needs_hardening = "SWHardening" in status or "SWHardening" in part
    if needs_configuration:
        return "ConfigurationAndSWHardeningNeeded" if needs_hardening else "ConfigurationNeeded"
    return "SWHardeningNeeded"


def _level_of(levels: Sequence[SvnLevel], svn: int, what: str) -> SvnLevel:
    level = next((one for one in levels if svn >= one.isv_svn), None)
    if level is None:
        raise refused(f"no level of {what} matches version {svn}")
    return level


def _fits(actual: bytes, expected: bytes, mask: bytes) -> bool:
    return all(one & bits == other & bits for one, other, bits in zip(actual, expected, mask))
