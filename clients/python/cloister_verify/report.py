"""The attestation report of ACI ``aci/1`` and its keyset, and the texts that a quote binds."""
import hashlib
import re
from dataclasses import dataclass
from typing import Any, Optional, Union

from .errors import malformed, refused
from .jsons import (
    any_object_of, canonical, count_of, digest_of, hex_of, list_of, nullable_text_of, object_of, parse_strict, text_of,
)  # fmt: skip
from .times import text_of as time_text

ACI_VERSION = "aci/1"
RECEIPT_ALGORITHM = "ed25519"
SEALING_ALGORITHM = "ehbp-x25519-hkdf-sha256-aes-256-gcm"
REPORT_CHARACTERS_MAX = 8 * 1024 * 1024
_KEYSET_LIFETIME_MS_MAX = 400 * 86_400_000
_KEYS_MAX = 16


@dataclass(frozen=True)
class Keyset:
    """The keys that a workload generated at its start; ``document`` is their JSON form."""

    not_after: int
    receipt_keys: dict[str, bytes]
    tls_keys: list[dict[str, str]]
    document: dict[str, Any]

    def digest(self) -> str:
        """``sha256:`` and the digest of the canonical form, the identity that a quote binds."""
        return sha256_digest(canonical(self.document))


@dataclass(frozen=True)
class Report:
    keyset_digest: str
    keyset: Keyset
    report_data: str
    #: repositoryUrl, commit and imageDigest, each a text or None
    provenance: dict[str, Optional[str]]
    evidence: dict[str, Any]


def sha256_digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def is_nonce(text: str) -> bool:
    """Whether a text is 64 lowercase hexadecimal digits."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def parse_report(source: Union[str, bytes]) -> Report:
    """A TDX report, of which nothing is verified."""
    what = "the report"
    json = object_of(
        parse_strict(source, what, REPORT_CHARACTERS_MAX),
        what,
        ["api_version", "workload_keyset_digest", "attestation", "service_capabilities"],
    )
    if json["api_version"] != ACI_VERSION:
        raise malformed(f'api_version of the report must be "{ACI_VERSION}"')
    names = ["tee_type", "workload_keyset", "report_data", "source_provenance", "evidence"]
    bound = object_of(json["attestation"], "attestation", names)
    if bound["tee_type"] != "tdx":
        raise malformed('tee_type must be "tdx"')
    capabilities = any_object_of(json["service_capabilities"], "service_capabilities")
    for one in list_of(capabilities.get("supported_e2ee_versions"), "supported_e2ee_versions", 16):
        text_of(one, "a version of supported_e2ee_versions", 64)
    text_of(capabilities.get("serving"), "serving", 64)
    return Report(
        digest_of(json["workload_keyset_digest"], "workload_keyset_digest"),
        parse_keyset(bound["workload_keyset"]),
        hex_of(bound["report_data"], "report_data", 32),
        _parse_provenance(bound["source_provenance"]),
        any_object_of(bound["evidence"], "evidence"),
    )


def _parse_provenance(value: Any) -> dict[str, Optional[str]]:
    json = object_of(value, "source_provenance", ["repo_url", "repo_commit", "image_digest", "image_provenance"])
    image = nullable_text_of(json["image_digest"], "image_digest")
    if image is not None:
        digest_of(image, "image_digest")
    url, commit = nullable_text_of(json["repo_url"], "repo_url"), nullable_text_of(json["repo_commit"], "repo_commit")
    return {"repositoryUrl": url, "commit": commit, "imageDigest": image}


def parse_keyset(value: Any) -> Keyset:
    names = ["subject", "not_after", "receipt_signing_keys", "e2ee_public_keys", "tls_public_keys"]
    json = object_of(value, "workload_keyset", names)
    nullable_text_of(json["subject"], "subject")
    not_after = count_of(json["not_after"], "not_after")
    signing = _keys_of(json["receipt_signing_keys"], "receipt_signing_keys")
    sealing = _keys_of(json["e2ee_public_keys"], "e2ee_public_keys")
    tls = [_tls_key_of(one) for one in list_of(json["tls_public_keys"], "tls_public_keys", _KEYS_MAX)]
    # Each key has one role, so that a signature or ciphertext of one role is invalid in another.
    if {key["public_key"] for key in signing} & {key["public_key"] for key in sealing}:
        raise malformed("workload_keyset must be free of keys with two roles")
    ours = {key["key_id"]: bytes.fromhex(key["public_key"]) for key in signing if key["algo"] == RECEIPT_ALGORITHM}
    return Keyset(not_after, ours, tls, json)


def _keys_of(value: Any, what: str) -> list[dict[str, str]]:
    keys = [object_of(one, f"a key of {what}", ["key_id", "algo", "public_key"]) for one in list_of(value, what, _KEYS_MAX)]
    for key in keys:
        algorithm = text_of(key["algo"], f"algo of a key of {what}", 128)
        text_of(key["key_id"], f"key_id of a key of {what}", 256)
        if algorithm in (RECEIPT_ALGORITHM, SEALING_ALGORITHM):
            hex_of(key["public_key"], f"public_key of a key of {what}", 32)
        else:
            text_of(key["public_key"], f"public_key of a key of {what}", 8192)
    if len({key["key_id"] for key in keys}) < len(keys):
        raise malformed(f"{what} must be free of repeated key ids")
    return keys


def _tls_key_of(value: Any) -> dict[str, str]:
    what = "a key of tls_public_keys"
    key = object_of(value, what, ["spki_sha256"], ["domain"])
    hex_of(key["spki_sha256"], f"spki_sha256 of {what}", 32)
    if "domain" in key:
        text_of(key["domain"], f"domain of {what}", 253)
    return key


def require_keyset_digest(report: Report) -> str:
    if report.keyset.digest() != report.keyset_digest:
        raise refused("the report names another keyset than it carries")
    return report.keyset_digest


def require_report_data(report: Report, nonce: Optional[str]) -> bytes:
    """The 64 bytes that the quote must have. Refuses a report that states another nonce or keyset."""
    require_keyset_digest(report)
    challenge = "null" if nonce is None else f'"{nonce}"'
    text = f'{{"keyset_digest":"{report.keyset_digest}","nonce":{challenge},"purpose":"aci.report_data.v1"}}'
    expected = hashlib.sha256(text.encode()).digest()
    if expected.hex() != report.report_data:
        raise refused("report_data is for another nonce or another keyset: the report was replayed or changed")
    return expected + bytes(32)


def require_current_keyset(keyset: Keyset, now_ms: float) -> str:
    left_ms = keyset.not_after * 1000 - now_ms
    if not left_ms > 0:
        raise refused(f"the keyset expired at {time_text(keyset.not_after * 1000)}")
    if left_ms > _KEYSET_LIFETIME_MS_MAX:
        raise refused("the keyset claims to last too long")
    return f"until {time_text(keyset.not_after * 1000)}"
