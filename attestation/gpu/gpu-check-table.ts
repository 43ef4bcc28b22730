/** Every check that makes a GPU's report authentic, in the order in which they are shown. */
import type { CheckText } from '../verify/checks.ts';

const DISTRUST = 'Do not trust this server: the GPU evidence was changed or is not genuine.';

export const GPU_CHECKS = {
  'gpu-report-format': {
    title: 'The GPU report is an SPDM 1.1 measurement report',
    action: 'Fetch the evidence again.',
  },
  'gpu-certificates': { title: "The GPU's certificate chain can be read", action: 'Fetch the evidence again.' },
  'gpu-chain': { title: "The GPU's certificate leads to a trusted root", action: DISTRUST },
  'gpu-chain-dates': {
    title: "The GPU's certificates are valid now",
    action: 'Check the clock, or verify at the time when the evidence was taken.',
  },
  'gpu-report-signature': { title: 'The GPU report is signed by the GPU', action: DISTRUST },
  'gpu-nonce': {
    title: 'The GPU report was made for this nonce',
    action: 'Fetch fresh evidence; if it recurs, do not trust this server: it shows an old or a foreign report.',
  },
  'gpu-firmware': {
    title: "The GPU report names the firmware that the GPU's certificate was issued to",
    action: DISTRUST,
  },
} as const satisfies Record<string, CheckText>;

export type GpuCheckId = keyof typeof GPU_CHECKS;
