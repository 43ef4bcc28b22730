/** The checks of evidence apart from its quote, in display order; the quote's checks are shown between the first two tables. */
import type { CheckText } from '../verify/checks.ts';

const distrust = 'Do not send anything: the evidence was changed or replayed, or belongs to another server.';
const refetch = 'Fetch the evidence again; if it recurs, do not trust this server.';
const compare = 'Do not send anything yet: compare these values with those that the operator publishes.';

/** The report, its keys, and the nonce that makes it fresh. */
export const reportChecks = {
  'report-format': { title: 'The report is an ACI report, version aci/1', action: refetch },
  'evidence-format': { title: 'The evidence is Cloister evidence for TDX', action: refetch },
  'keyset-digest': { title: 'The report names the digest of the keyset that it carries', action: distrust },
  nonce: { title: 'The report answers a nonce', action: 'Request the report with a nonce of your own.' },
  'keyset-expiry': {
    title: 'The keyset has not expired, and its lifetime is limited',
    action: 'Fetch the evidence again, or verify saved evidence at the time when it was collected.',
  },
  platform: {
    title: 'The platform is real, or a simulation with a trusted root',
    action: 'Do not send anything confidential: a simulation protects nothing.',
  },
} as const satisfies Record<string, CheckText>;

/** The contents that were measured into the quote's registers. */
export const measuredChecks = {
  'boot-log': { title: "The firmware's event log replays to RTMR0 to RTMR2", action: distrust },
  'start-log': { title: "The server's start log replays to RTMR3", action: distrust },
  'whole-start': {
    title: 'The start log is complete, and nothing but models was measured after it',
    action: 'Fetch the evidence again when the server is ready; if it recurs, ask the operator what else was measured.',
  },
  started: { title: 'The server started with the contents that the policy requires', action: compare },
  source: { title: 'The source in the report was measured, and the policy allows it', action: compare },
  claims: { title: "The server's claims were measured", action: compare },
  gpu: {
    title: 'The GPUs were in confidential mode at the start, and one is present if the policy requires it',
    action: 'Ask the operator for a GPU in confidential-computing mode.',
  },
  'gpu-binding': {
    title: 'The GPUs and switches in the evidence are those measured at the start',
    action: 'Do not send anything: the server computes on other devices than the evidence shows.',
  },
  'gpu-node': {
    title: 'In protected PCIe mode, the evidence has all GPUs and switches of the node',
    action: 'Do not send anything: the traffic between the GPUs passes through a device that is not attested.',
  },
} as const satisfies Record<string, CheckText>;

export const channelChecks = {
  channel: {
    title: 'The TLS key of the connection is attested',
    action: 'Do not send anything: another party terminates this connection.',
  },
} as const satisfies Record<string, CheckText>;

/** For servers that are verified over a live connection. */
export const connectionChecks = {
  connection: {
    title: 'The machine proves that it terminates this connection',
    action: 'Do not send anything: a relay may have the TLS key.',
  },
} as const satisfies Record<string, CheckText>;
