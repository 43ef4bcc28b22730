/** The checks that establish that a quote is genuine, in display order. */
import type { CheckText } from './checks.ts';

const distrust = 'Do not trust this server: the evidence was changed or is not genuine.';
const refetch = 'Fetch fresh collateral from Intel; if it recurs, do not trust its source.';
const refresh = 'Fetch fresh collateral from Intel, or verify at the time when the evidence was collected.';
const update = "Ask the operator to update the platform's firmware and TDX module.";
const configure = 'Ask the operator to start the virtual machine with correct attributes.';

export const quoteChecks = {
  'quote-format': { title: 'The quote is a TDX quote, version 4 or 5', action: 'Fetch the evidence again.' },
  'pck-certificates': { title: "The quote carries the platform's certificate chain", action: distrust },
  'root-crl': { title: 'The root revocation list is signed by a trusted root', action: refetch },
  'root-crl-dates': { title: 'The root revocation list is current', action: refresh },
  'pck-crl-issuer': { title: 'The issuer of the platform revocation list chains to a trusted root', action: refetch },
  'pck-crl': { title: 'The platform revocation list is signed by its issuer', action: refetch },
  'pck-crl-dates': { title: 'The platform revocation list and its issuer are current', action: refresh },
  'pck-chain': { title: "The platform's certificate chains to a trusted root", action: distrust },
  'pck-chain-dates': { title: "The platform's certificates are valid now", action: refresh },
  'pck-not-revoked': { title: "The platform's certificates are not revoked", action: distrust },
  'tcb-info-chain': { title: "The TCB info's signer chains to a trusted root", action: refetch },
  'tcb-info-chain-dates': { title: "The TCB info's signer is valid now", action: refresh },
  'tcb-info-signer-not-revoked': { title: "The TCB info's signer is not revoked", action: distrust },
  'tcb-info-signature': { title: 'The TCB info is signed by its signer', action: refetch },
  'tcb-info-format': { title: 'The TCB info is for TDX, version 3', action: refetch },
  'tcb-info-dates': { title: 'The TCB info is current', action: refresh },
  'qe-identity-chain': { title: "The QE identity's signer chains to a trusted root", action: refetch },
  'qe-identity-chain-dates': { title: "The QE identity's signer is valid now", action: refresh },
  'qe-identity-signer-not-revoked': { title: "The QE identity's signer is not revoked", action: distrust },
  'qe-identity-signature': { title: 'The QE identity is signed by its signer', action: refetch },
  'qe-identity-format': { title: 'The QE identity is that of the TD quoting enclave', action: refetch },
  'qe-identity-dates': { title: 'The QE identity is current', action: refresh },
  'qe-report-signature': { title: "The quoting enclave's report is signed by the platform", action: distrust },
  'attestation-key': { title: "The quoting enclave's report contains the attestation key", action: distrust },
  'qe-identity': { title: "The quoting enclave is Intel's, and not in debug mode", action: distrust },
  'qe-tcb-level': { title: "The quoting enclave's version has a known status", action: update },
  'quote-signature': { title: 'The quote is signed by the attestation key', action: distrust },
  'platform-family': { title: "The TCB info is for this platform's family", action: refetch },
  'tdx-module': { title: "The TDX module is Intel's", action: distrust },
  'tdx-module-tcb-level': { title: "The TDX module's version has a known status", action: update },
  'platform-tcb-level': { title: "The platform's versions have a known status", action: update },
  'tcb-not-revoked': { title: 'No version in use is revoked', action: update },
  'td-debug': { title: 'The virtual machine is not in debug mode', action: configure },
  'td-attributes': {
    title: 'This verifier knows all attributes of the virtual machine',
    action: configure,
  },
  'td-sept-ve-disable': { title: 'The host cannot inject page faults (SEPT_VE_DISABLE)', action: configure },
  'service-td': { title: 'No service TD is bound to the virtual machine', action: configure },
} as const satisfies Record<string, CheckText>;

export type QuoteCheckId = keyof typeof quoteChecks;
