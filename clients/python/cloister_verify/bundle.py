"""A bundle of ``cloister-verify --save``: all inputs of one verification, at the time when the evidence was collected."""
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Optional

from .collateral import parse_collateral
from .errors import malformed
from .jsons import base64_of, hex_of, list_of, object_of, parse_strict, text_of
from .verify import Observed

_CHARACTERS_MAX = 8 * 1024 * 1024
_REFERENCE_BYTES_MAX, _RESPONSES_MAX = 4 * 1024 * 1024, 64
_MEMBERS = ["kind", "taken_at", "nonce", "source", "observed", "collateral", "gpu_reference", "report"]


@dataclass(frozen=True)
class Bundle:
    taken_at_ms: int
    nonce: Optional[str]
    observed: Optional[Observed]
    report: str
    collateral: Optional[dict[str, Any]]


def parse_bundle(text: str) -> Bundle:
    """Bundles are not signed: their proof is the signatures inside."""
    json = object_of(parse_strict(text, "the bundle", _CHARACTERS_MAX), "the bundle", _MEMBERS)
    if json["kind"] != "cloister.bundle.v1":
        raise malformed('kind of the bundle must be "cloister.bundle.v1"')
    text_of(json["source"], "source of the bundle")
    if json["gpu_reference"] is not None:
        _check_reference(json["gpu_reference"])
    return Bundle(
        _time_of(text_of(json["taken_at"], "taken_at of the bundle", 30)),
        None if json["nonce"] is None else hex_of(json["nonce"], "nonce of the bundle", 32),
        None if json["observed"] is None else _observed_of(json["observed"]),
        text_of(json["report"], "report of the bundle", _CHARACTERS_MAX),
        None if json["collateral"] is None else parse_collateral(json["collateral"]),
    )


def _observed_of(value: Any) -> Observed:
    json = object_of(value, "`observed` in the bundle", ["host", "spki_sha256"])
    spki = hex_of(json["spki_sha256"], "spki_sha256 of the bundle", 32)
    return Observed(text_of(json["host"], "host of the bundle", 253), spki)


def _check_reference(value: Any) -> None:
    what = "gpu_reference of the bundle"
    json = object_of(value, what, ["driver_rim", "vbios_rim", "ocsp_responses"], ["switch_rim"])
    listed = [] if json["ocsp_responses"] is None else list_of(json["ocsp_responses"], what, _RESPONSES_MAX)
    for one in [json["driver_rim"], json["vbios_rim"], json.get("switch_rim"), *listed]:
        if one is not None:
            base64_of(one, what, _REFERENCE_BYTES_MAX)


def _time_of(text: str) -> int:
    match = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})\.([0-9]{3})Z", text)
    try:
        moment = datetime.strptime(match.group(1) if match else "", "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    except ValueError:
        raise malformed("taken_at of the bundle must be a time like 2026-11-21T12:00:00.000Z") from None
    return (moment - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1) + int(match.group(2))
