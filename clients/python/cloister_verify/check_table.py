"""Every check by its id: the statement that holds if it passes. The ids are those of `cloister verify --json`."""

REPORT = {
    "report-format": "The report is an ACI report, version aci/1",
    "evidence-format": "The evidence is Cloister evidence for TDX",
    "keyset-digest": "The report names the digest of the keyset that it carries",
    "nonce": "The report answers a nonce",
    "keyset-expiry": "The keyset has not expired, and its lifetime is limited",
    "platform": "The platform is real, or a simulation with a trusted root",
}

QUOTE = {
    "quote-format": "The quote is a TDX quote, version 4 or 5",
    "pck-certificates": "The quote carries the platform's certificate chain",
    "root-crl": "The root revocation list is signed by a trusted root",
    "root-crl-dates": "The root revocation list is current",
    "pck-crl-issuer": "The issuer of the platform revocation list chains to a trusted root",
    "pck-crl": "The platform revocation list is signed by its issuer",
    "pck-crl-dates": "The platform revocation list and its issuer are current",
    "pck-chain": "The platform's certificate chains to a trusted root",
    "pck-chain-dates": "The platform's certificates are valid now",
    "pck-not-revoked": "The platform's certificates are not revoked",
    "tcb-info-chain": "The TCB info's signer chains to a trusted root",
    "tcb-info-chain-dates": "The TCB info's signer is valid now",
    "tcb-info-signer-not-revoked": "The TCB info's signer is not revoked",
    "tcb-info-signature": "The TCB info is signed by its signer",
    "tcb-info-format": "The TCB info is for TDX, version 3",
    "tcb-info-dates": "The TCB info is current",
    "qe-identity-chain": "The QE identity's signer chains to a trusted root",
    "qe-identity-chain-dates": "The QE identity's signer is valid now",
    "qe-identity-signer-not-revoked": "The QE identity's signer is not revoked",
    "qe-identity-signature": "The QE identity is signed by its signer",
    "qe-identity-format": "The QE identity is that of the TD quoting enclave",
    "qe-identity-dates": "The QE identity is current",
    "qe-report-signature": "The quoting enclave's report is signed by the platform",
    "attestation-key": "The quoting enclave's report contains the attestation key",
    "qe-identity": "The quoting enclave is Intel's, and not in debug mode",
    "qe-tcb-level": "The quoting enclave's version has a known status",
    "quote-signature": "The quote is signed by the attestation key",
    "platform-family": "The TCB info is for this platform's family",
    "tdx-module": "The TDX module is Intel's",
    "tdx-module-tcb-level": "The TDX module's version has a known status",
    "platform-tcb-level": "The platform's versions have a known status",
    "tcb-not-revoked": "No version in use is revoked",
    "td-debug": "The virtual machine is not in debug mode",
    "td-attributes": "This verifier knows all attributes of the virtual machine",
    "td-sept-ve-disable": "The host cannot inject page faults (SEPT_VE_DISABLE)",
    "service-td": "No service TD is bound to the virtual machine",
}

POLICY = {
    "report-data": "The quote was made for this nonce and these keys",
    "measurements": "The measured software is in the policy",
    "software": "The policy pins firmware, kernel and command line (MRTD, RTMR1, RTMR2)",
    "hardware": "The policy pins the virtual hardware (RTMR0)",
    "rtmr3": "RTMR3 has the value that the policy requires",
    "tcb-status": "The TCB status is allowed",
    "advisories": "Every open advisory is allowed",
    "tcb-evaluation": "The collateral is recent enough",
    "collateral-age": "The collateral is not older than the policy allows",
    "tcb-svn": "TEE_TCB_SVN reaches the minimum of the policy",
    "machine": "The policy allows the processor family and the machine",
    "xfam": "The policy allows the value of XFAM",
    "exact-attributes": "PKS, Key Locker and performance counters match the policy",
}

MEASURED = {
    "boot-log": "The firmware's event log replays to RTMR0 to RTMR2",
    "start-log": "The server's start log replays to RTMR3",
    "whole-start": "The start log is complete, and nothing but models was measured after it",
    "started": "The server started with the contents that the policy requires",
    "source": "The source in the report was measured, and the policy allows it",
    "claims": "The server's claims were measured",
    "gpu": "The GPUs were in confidential mode at the start, and one is present if the policy requires it",
    "gpu-binding": "The GPUs and switches in the evidence are those measured at the start",
    "gpu-node": "In protected PCIe mode, the evidence has all GPUs and switches of the node",
}

CHANNEL = {
    "channel": "The TLS key of the connection is attested",
}

CONNECTION = {
    "connection": "The machine proves that it terminates this connection",
}

RECEIPT = {
    "receipt-format": "The receipt is an ACI receipt, version aci/1",
    "receipt-evidence": "The evidence of the signing server is verified",
    "receipt-keyset": "The receipt names the keyset in the evidence",
    "receipt-signature": "The receipt is signed by a key of that keyset",
    "receipt-time": "The receipt was signed before the keyset expired",
    "receipt-request": "The receipt is for the request that was sent",
    "receipt-response": "The receipt is for the response that was received",
}
