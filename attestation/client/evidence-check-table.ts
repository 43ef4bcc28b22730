/** The checks of evidence around its quote, in the order in which they are shown; the quote's own stand between them. */
import type { CheckText } from '../verify/checks.ts';

const distrust = 'Do not send anything: the evidence was changed, replayed or belongs to somebody else.';
const refetch = 'Fetch the evidence again; if it recurs, do not trust this server.';
const compare = 'Do not send anything before you know why: compare with what the operator publishes.';

/** Who speaks: the report, its keys, and the nonce that makes it fresh. */
export const reportChecks = {
  'report-format': { title: 'The report is one of ACI, version aci/1', action: refetch },
  'evidence-format': { title: "The evidence is Cloister's, for TDX", action: refetch },
  'keyset-digest': { title: 'The report names the digest of the keyset that it carries', action: distrust },
  nonce: { title: 'The report answers a nonce', action: 'Ask for the report with a nonce of your own choice.' },
  'keyset-expiry': {
    title: 'The keyset has not expired, and does not claim to last forever',
    action: 'Fetch the evidence again, or verify saved evidence at the time when it was taken.',
  },
  platform: {
    title: 'The platform is real, or a simulation whose root was given',
    action: 'Do not send anything confidential: a simulation protects nothing.',
  },
} as const satisfies Record<string, CheckText>;

/** What was measured besides the quote's own registers, and who is at the other end. */
export const measuredChecks = {
  'boot-log': { title: "The firmware's event log gives RTMR0 to 2", action: distrust },
  'start-log': { title: "The server's start log gives RTMR3", action: distrust },
  'whole-start': {
    title: 'The start log is a whole start, and nothing was measured after it',
    action: 'Fetch the evidence again when the server is ready; if it recurs, ask what else was measured.',
  },
  started: { title: 'The server started with what the policy names', action: compare },
  source: { title: 'The source that the server names was measured, and the policy wants it', action: compare },
  claims: { title: 'What the server claims was measured', action: compare },
  gpu: {
    title: 'A GPU proves itself where one is wanted or in use',
    action: 'Ask the operator for a GPU in confidential-computing mode.',
  },
  'gpu-binding': {
    title: 'The GPUs and switches that are shown are those measured at the start',
    action: 'Do not send anything: the server computes on other devices than it shows.',
  },
  'gpu-node': {
    title: 'In protected PCIe mode, all GPUs and switches of the node are shown',
    action: 'Do not send anything: what the GPUs tell one another passes through a device that nobody vouches for.',
  },
} as const satisfies Record<string, CheckText>;

export const channelChecks = {
  channel: {
    title: 'The TLS key of the connection is attested',
    action: 'Do not send anything: somebody else ends this connection.',
  },
} as const satisfies Record<string, CheckText>;

/** Where the server can be asked over the connection itself. */
export const connectionChecks = {
  connection: {
    title: 'The machine proves that it ends this connection',
    action: 'Do not send anything: somebody with the TLS key may relay the evidence.',
  },
} as const satisfies Record<string, CheckText>;
