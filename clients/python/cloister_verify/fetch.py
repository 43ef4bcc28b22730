"""Requests a server's report, the proof of its connection, and Intel's collateral. Sends nothing but nonces. Verifies nothing."""
import hashlib
import http.client
import ipaddress
import os
import re
import secrets
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any, Optional

from . import der, x509
from .channel import ChannelAnswer, tls_exporter
from .errors import AttestationError, malformed, refused
from .jsons import from_hex
from .pck import parse_pck_platform
from .quote import Quote
from .report import REPORT_CHARACTERS_MAX
from .verify import Observed

REPORT_PATH, CHANNEL_PATH = "/v1/aci/attestation", "/v1/aci/channel"
INTEL_PCS = "https://api.trustedservices.intel.com"
_INTEL_ROOT_CRL = "https://certificates.trustedservices.intel.com/IntelSGXRootCA.der"
_CONNECT_TIMEOUT_S, _RESPONSE_TIMEOUT_S, _WAIT_S_MAX, _ATTEMPTS_MAX = 10, 60, 30, 8
_PROOF_BYTES_MAX, _COLLATERAL_BYTES_MAX = 32 * 1024, 512 * 1024


@dataclass(frozen=True)
class FetchedReport:
    report: bytes
    observed: Observed
    #: None if no proof of the connection was requested
    connection: Optional[ChannelAnswer]


def unavailable(message: str) -> AttestationError:
    """The server or the network gave no answer: retry later."""
    return AttestationError(message, "unavailable")


def random_nonce() -> str:
    return secrets.token_hex(32)


def fetch_report(origin: str, nonce: str, is_proof_required: bool) -> FetchedReport:
    """Requests a report with this nonce over one TLS 1.3 connection. Any certificate is accepted: the evidence decides."""
    url = urllib.parse.urlsplit(origin)
    host, port = url.hostname or "", url.port or 443
    try:
        with _Connection(host, port) as opened:
            connection = opened.prove() if is_proof_required else None
            return FetchedReport(opened.report(nonce), opened.observed, connection)
    except (OSError, http.client.HTTPException) as error:
        raise unavailable(f"the report could not be fetched: {type(error).__name__}") from None


class _Connection:
    """One connection, from its handshake on. The session's secrets stay in memory, in an anonymous file."""

    def __init__(self, host: str, port: int):
        self._host = host
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        log = os.memfd_create("tls-secrets", os.MFD_CLOEXEC)
        try:
            # Python's ssl has no exporter, but it writes the secret from which RFC 8446 derives one.
            context.keylog_filename = f"/proc/self/fd/{log}"
            plain = socket.create_connection((host, port), _CONNECT_TIMEOUT_S)
            self._socket = context.wrap_socket(plain, server_hostname=host)
            lines = os.pread(log, 64 * 1024, 0).decode("ascii")
        finally:
            os.close(log)
        found = re.findall(r"^EXPORTER_SECRET [0-9a-f]+ ([0-9a-f]+)$", lines, re.MULTILINE)
        certificate = self._socket.getpeercert(binary_form=True)
        if certificate is None or len(found) != 1 or self._socket.session_reused:
            self._socket.close()
            raise refused("the connection is not a new TLS 1.3 connection with a certificate")
        self._certificate = certificate
        self._exporter = tls_exporter(bytes.fromhex(found[0]))
        self._http = http.client.HTTPConnection(host, port, timeout=_RESPONSE_TIMEOUT_S)
        self._http.sock = self._socket
        self._http.auto_open = 0
        spki = hashlib.sha256(x509.spki_of(certificate)).hexdigest()
        self.observed = Observed(host, spki)

    def __enter__(self) -> "_Connection":
        return self

    def __exit__(self, *_: Any) -> None:
        self._http.close()

    def prove(self) -> ChannelAnswer:
        """A refusal is part of the answer, so that the check can report it."""
        nonce = random_nonce()
        status, _, body = self._get(f"{CHANNEL_PATH}?nonce={nonce}", _PROOF_BYTES_MAX)
        refusal = None
        if status == 429 or status >= 500:
            refusal = unavailable(f"the server answered {status} to the request for a proof of the connection")
        elif status != 200:
            text = f"the server answered {status} to the request for a proof that it terminates the connection"
            refusal = refused(f'{text}; set "channel": "key" in the policy to accept the attested TLS key alone')
        return ChannelAnswer(self._exporter, self._certificate, nonce, body if refusal is None else None, refusal)

    def report(self, nonce: str) -> bytes:
        """Retries after a 429 response as its Retry-After header says."""
        for attempt in range(1, _ATTEMPTS_MAX + 1):
            status, headers, body = self._get(f"{REPORT_PATH}?nonce={nonce}", REPORT_CHARACTERS_MAX)
            after = headers.get("retry-after", "")
            wait_s = int(after) if status == 429 and re.fullmatch("[0-9]{1,5}", after) else None
            if wait_s is None or wait_s > _WAIT_S_MAX or attempt == _ATTEMPTS_MAX:
                break
            time.sleep(wait_s)
        if not 200 <= status < 300:
            raise unavailable(f"the server answered {status} to the request for its report")
        return body

    def _get(self, path: str, bytes_max: int) -> tuple[int, Any, bytes]:
        deadline = time.monotonic() + _RESPONSE_TIMEOUT_S
        self._socket.settimeout(_RESPONSE_TIMEOUT_S)
        self._http.request("GET", path, headers={"accept-encoding": "identity"})
        with self._http.getresponse() as response:  # Frees the connection for the next request.
            return response.status, response.headers, _read(response, bytes_max, deadline)


def _read(response: Any, bytes_max: int, deadline: float) -> bytes:
    parts: list[bytes] = []
    length = 0
    while part := response.read1(65536):
        length += len(part)
        if length > bytes_max:
            raise unavailable(f"a response has over {bytes_max} bytes")
        if time.monotonic() > deadline:
            raise unavailable("a response took too long")
        parts.append(part)
    return b"".join(parts)


def fetch_collateral(quote: Quote, source: Optional[str] = None) -> dict[str, Any]:
    """The collateral for a quote, from Intel or from a cache with the API of Intel's (PCCS)."""
    pck, issuer = ([x509.parse_certificate(one) for one in der.parse_pem_chain(quote.pck_chain_pem, "PCK chain")] + [None])[:2]
    match = re.search(r"\bPCK (Platform|Processor) CA\Z", issuer.common_name if issuer else "")
    if match is None:
        raise unavailable("the platform's certificate was not issued by Intel, so Intel has no collateral for it")
    fmspc = parse_pck_platform(pck).fmspc.hex()
    base = (source or INTEL_PCS).rstrip("/")
    tcb = _fetch(f"{base}/tdx/certification/v4/tcb?fmspc={fmspc}")
    qe = _fetch(f"{base}/tdx/certification/v4/qe/identity")
    crl = _fetch(f"{base}/sgx/certification/v4/pckcrl?ca={match.group(1).lower()}&encoding=der")
    root = _fetch(_INTEL_ROOT_CRL if source is None else f"{base}/sgx/certification/v4/rootcacrl")[1]
    if root[:1] != b"\x30":  # A PCCS sends this list in hexadecimal.
        root = from_hex(root.decode("latin-1").strip()) or root
    tcb_info, tcb_signature = _split(tcb[1], "tcbInfo")
    qe_identity, qe_signature = _split(qe[1], "enclaveIdentity")
    return {
        "pck_crl_issuer_chain": _chain(crl[0], "SGX-PCK-CRL-Issuer-Chain"),
        "root_ca_crl": root,
        "pck_crl": crl[1],
        "tcb_info_issuer_chain": _chain(tcb[0], "TCB-Info-Issuer-Chain", "SGX-TCB-Info-Issuer-Chain"),
        "tcb_info": tcb_info,
        "tcb_info_signature": tcb_signature,
        "qe_identity_issuer_chain": _chain(qe[0], "SGX-Enclave-Identity-Issuer-Chain"),
        "qe_identity": qe_identity,
        "qe_identity_signature": qe_signature,
    }


def is_safe_source(address: str) -> bool:
    """https, or http on loopback."""
    url = urllib.parse.urlsplit(address)
    return url.scheme == "https" or (url.scheme == "http" and _is_loopback(url.hostname or ""))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _fetch(url: str) -> tuple[Any, bytes]:
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        with opener.open(url, timeout=_CONNECT_TIMEOUT_S) as response:
            return response.headers, _read(response, _COLLATERAL_BYTES_MAX, time.monotonic() + _CONNECT_TIMEOUT_S)
    except (OSError, http.client.HTTPException) as error:
        raise unavailable(f"collateral could not be fetched: {type(error).__name__}") from None


def _split(body: bytes, member: str) -> tuple[str, bytes]:
    """Splits ``{"tcbInfo":{…},"signature":"…"}`` without changing a byte of the signed text."""
    text, start = body.decode("utf-8", "replace"), f'{{"{member}":'
    match = re.search(r',"signature":"([0-9a-fA-F]{128})"\}\s*\Z', text[-256:])
    if match is None or not text.startswith(start):
        raise malformed("a collateral document is not of the form of Intel's service")
    return text[len(start) : max(0, len(text) - 256) + match.start()], bytes.fromhex(match.group(1))


def _chain(headers: Any, *names: str) -> str:
    value = next((headers[name] for name in names if headers[name] is not None), None)
    if value is None:
        raise malformed(f"a collateral response has no header {names[0]}")
    return urllib.parse.unquote(value)
