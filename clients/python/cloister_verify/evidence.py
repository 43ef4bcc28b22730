"""Parses the evidence of Cloister's reports, ``cloister.tdx.v1``. Nothing in it is verified here."""
import json
import re
from dataclasses import dataclass
from typing import Any, Optional

from .collateral import parse_collateral
from .errors import malformed
from .eventlog import EVENT_LOG_BYTES_MAX, START_CONTENT_MAX, StartEvent, check_start_events
from .jsons import base64_of, flag_of, list_of, object_of, text_of, units
from .quote import QUOTE_BYTES_MAX

_MEMBERS = ["kind", "simulated", "quote", "boot_log", "start_log", "gpu", "collateral", "claims"]
_DEVICES_MAX, _CLAIMS_MAX, _CHAIN_MAX, _GPU_REPORT_BYTES_MAX = 64, 256, 64 * 1024, 64 * 1024
_COLLATERAL_MAX = 1024 * 1024


@dataclass(frozen=True)
class Evidence:
    simulated: bool
    quote: bytes
    boot_log: Optional[bytes]
    start_log: list[StartEvent]
    event_log: Optional[str]
    composition: Optional[str]
    #: GPUs and switches, of which this package parses only the outer form
    device_count: int
    collateral: Optional[dict[str, Any]]
    claims: list[tuple[str, Any]]


def parse_evidence(value: Any) -> Evidence:
    members = object_of(value, "the evidence", _MEMBERS, ["event_log", "app_compose", "nvswitch"])
    if members["kind"] != "cloister.tdx.v1":
        raise malformed('kind of the evidence must be "cloister.tdx.v1"')
    boot_log, collateral = members["boot_log"], members["collateral"]
    simulated, quote = flag_of(members["simulated"], "simulated"), _quote_of(members["quote"])
    devices = [*list_of(members["gpu"], "gpu", _DEVICES_MAX), *_switches(members)]
    for device in devices:
        parts = object_of(device, "a device", ["report", "certificate_chain"])
        base64_of(parts["report"], "report of a device", _GPU_REPORT_BYTES_MAX)
        text_of(parts["certificate_chain"], "certificate_chain of a device", _CHAIN_MAX)
    return Evidence(
        simulated,
        quote,
        None if boot_log is None else base64_of(boot_log, "boot_log", EVENT_LOG_BYTES_MAX),
        check_start_events(members["start_log"]),
        _optional_text(members, "event_log"),
        _optional_text(members, "app_compose"),
        len(devices),
        None if collateral is None else _collateral_of(collateral),
        [_claim_of(one) for one in list_of(members["claims"], "claims", _CLAIMS_MAX)],
    )


def _switches(members: dict[str, Any]) -> list:
    found = members.get("nvswitch")
    return [] if found is None else list_of(found, "nvswitch", _DEVICES_MAX)


def _collateral_of(value: Any) -> dict[str, Any]:
    """The limit counts the characters of the document without white space."""
    if units(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) > _COLLATERAL_MAX:
        raise malformed(f"collateral has at most {_COLLATERAL_MAX} bytes")
    return parse_collateral(value)


def _quote_of(value: Any) -> bytes:
    """Lowercase hexadecimal, or the base64 of older reports, which begins with a capital letter."""
    if isinstance(value, str) and len(value) <= 2 * QUOTE_BYTES_MAX and re.fullmatch("(?:[0-9a-f]{2})+", value):
        return bytes.fromhex(value)
    return base64_of(value, "quote", QUOTE_BYTES_MAX)


def _optional_text(members: dict[str, Any], name: str) -> Optional[str]:
    value = members.get(name)
    return None if value is None else text_of(value, name, START_CONTENT_MAX)


def _claim_of(value: Any) -> tuple[str, Any]:
    claim = object_of(value, "a claim", ["type", "value"])
    return text_of(claim["type"], "type of a claim"), claim["value"]
