/** Every check that makes a quote genuine, in the order in which they are shown. */
import type { CheckText } from './checks.ts';

const DISTRUST = 'Do not trust this server: the evidence was changed or is not genuine.';
const REFETCH = 'Fetch fresh collateral from Intel; if it recurs, do not trust its source.';
const REFRESH = 'Fetch fresh collateral from Intel, or verify at the time when the evidence was taken.';
const UPDATE = "Ask the operator to update the platform's firmware and TDX module.";
const CONFIGURE = 'Ask the operator to start the virtual machine without this.';

export const QUOTE_CHECKS = {
  'quote-format': { title: 'The quote is a TDX quote, version 4 or 5', action: 'Fetch the evidence again.' },
  'pck-certificates': { title: "The quote carries the platform's certificate chain", action: DISTRUST },
  'root-crl': { title: 'The root revocation list is signed by a trusted root', action: REFETCH },
  'root-crl-dates': { title: 'The root revocation list is current', action: REFRESH },
  'pck-crl-issuer': { title: "The platform list's issuer leads to a trusted root", action: REFETCH },
  'pck-crl': { title: 'The platform revocation list is signed by its issuer', action: REFETCH },
  'pck-crl-dates': { title: 'The platform revocation list and its issuer are current', action: REFRESH },
  'pck-chain': { title: "The platform's certificate leads to a trusted root", action: DISTRUST },
  'pck-chain-dates': { title: "The platform's certificates are valid now", action: REFRESH },
  'pck-not-revoked': { title: "The platform's certificates are not revoked", action: DISTRUST },
  'tcb-info-chain': { title: "The TCB info's signer leads to a trusted root", action: REFETCH },
  'tcb-info-chain-dates': { title: "The TCB info's signer is valid now", action: REFRESH },
  'tcb-info-signer-not-revoked': { title: "The TCB info's signer is not revoked", action: DISTRUST },
  'tcb-info-signature': { title: 'The TCB info is signed by its signer', action: REFETCH },
  'tcb-info-format': { title: 'The TCB info is one for TDX, version 3', action: REFETCH },
  'tcb-info-dates': { title: 'The TCB info is current', action: REFRESH },
  'qe-identity-chain': { title: "The QE identity's signer leads to a trusted root", action: REFETCH },
  'qe-identity-chain-dates': { title: "The QE identity's signer is valid now", action: REFRESH },
  'qe-identity-signer-not-revoked': { title: "The QE identity's signer is not revoked", action: DISTRUST },
  'qe-identity-signature': { title: 'The QE identity is signed by its signer', action: REFETCH },
  'qe-identity-format': { title: 'The QE identity is that of the TD quoting enclave', action: REFETCH },
  'qe-identity-dates': { title: 'The QE identity is current', action: REFRESH },
  'qe-report-signature': { title: "The quoting enclave's report is signed by the platform", action: DISTRUST },
  'attestation-key': { title: 'The quoting enclave vouches for the attestation key', action: DISTRUST },
  'qe-identity': { title: "The quoting enclave is Intel's, and not in debug mode", action: DISTRUST },
  'qe-tcb-level': { title: "The quoting enclave's version has a known status", action: UPDATE },
  'quote-signature': { title: 'The quote is signed by the attestation key', action: DISTRUST },
  'platform-family': { title: "The TCB info is for this platform's family", action: REFETCH },
  'tdx-module': { title: "The TDX module is Intel's", action: DISTRUST },
  'tdx-module-tcb-level': { title: "The TDX module's version has a known status", action: UPDATE },
  'platform-tcb-level': { title: "The platform's versions have a known status", action: UPDATE },
  'tcb-not-revoked': { title: 'No version in use is revoked', action: UPDATE },
  'td-debug': { title: 'The virtual machine is not in debug mode', action: CONFIGURE },
  'td-attributes': {
    title: 'The virtual machine has no attribute that this verifier does not know',
    action: CONFIGURE,
  },
  'td-sept-ve-disable': { title: 'The host cannot inject page faults (SEPT_VE_DISABLE)', action: CONFIGURE },
  'service-td': { title: 'No service TD is bound to the virtual machine', action: CONFIGURE },
} as const satisfies Record<string, CheckText>;

export type QuoteCheckId = keyof typeof QUOTE_CHECKS;
