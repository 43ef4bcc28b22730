/** The checks that compare an authentic GPU or switch with NVIDIA's reference values, in display order. */
import type { CheckText } from '../verify/checks.ts';
import { prefixed } from './gpu-check-table.ts';

const distrust =
  'Do not trust this server: its GPU or switch runs other firmware than NVIDIA published, or the evidence was changed.';
const fetch = "Fetch the manifest again from NVIDIA's reference service.";
const refresh = 'Fetch a newer manifest, or verify at the time when the evidence was collected.';
const ask = "Fetch OCSP responses from NVIDIA's responder and pass them to the verifier.";

const manifestTexts = (manifest: string, device: string) =>
  ({
    format: { title: `The ${manifest} manifest has NVIDIA's format`, action: fetch },
    chain: { title: `The signer of the ${manifest} manifest chains to a trusted root`, action: distrust },
    'chain-dates': { title: `The signer of the ${manifest} manifest is valid now`, action: refresh },
    'not-revoked': { title: `The signer of the ${manifest} manifest is not revoked`, action: ask },
    signature: { title: `The ${manifest} manifest is signed by its signer`, action: distrust },
    version: { title: `The ${manifest} manifest is for the version that the ${device} reports`, action: fetch },
  }) as const satisfies Record<string, CheckText>;

export const manifestChecks = Object.keys(manifestTexts('', '')) as readonly (keyof ReturnType<typeof manifestTexts>)[];

export const gpuReferenceChecks = {
  'gpu-not-revoked': { title: 'No certificate of the GPU is revoked', action: ask },
  'gpu-mode': {
    title: 'The policy allows the confidential mode of the GPU',
    action: 'Ask the operator to set the mode, or allow this one.',
  },
  ...prefixed('driver-rim', manifestTexts("driver's", 'GPU')),
  ...prefixed('vbios-rim', manifestTexts("firmware's", 'GPU')),
  'rim-no-conflict': { title: 'The two manifests are for different measurements of one chip', action: fetch },
  'gpu-measurements': { title: "The GPU's measurements are those that NVIDIA published", action: distrust },
  'gpu-developer-tools': { title: "The GPU's developer tools are off", action: distrust },
} as const satisfies Record<string, CheckText>;

export type GpuReferenceCheckId = keyof typeof gpuReferenceChecks;

export const switchReferenceChecks = {
  'switch-not-revoked': { title: 'No certificate of the switch is revoked', action: ask },
  'switch-lock': {
    title: 'The connections of the switch are locked',
    action: 'Ask the operator to set up protected PCIe on the node again.',
  },
  ...prefixed('switch-rim', manifestTexts("switch's", 'switch')),
  'switch-measurements': { title: "The switch's measurements are those that NVIDIA published", action: distrust },
} as const satisfies Record<string, CheckText>;

export type SwitchReferenceCheckId = keyof typeof switchReferenceChecks;
