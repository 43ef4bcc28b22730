/** Every check that makes the authentic report of a GPU or a switch acceptable, in the order in which they are shown. */
import type { CheckText } from '../verify/checks.ts';
import { prefixed } from './gpu-check-table.ts';

const distrust =
  'Do not trust this server: its GPU or switch runs something else than NVIDIA published, or the evidence was changed.';
const fetch = "Fetch the manifest again from NVIDIA's reference service.";
const refresh = 'Fetch a newer manifest, or verify at the time when the evidence was taken.';
const ask = "Fetch OCSP responses from NVIDIA's responder and give them to the verifier.";

const manifestTexts = (whose: string, device: string) =>
  ({
    format: { title: `The ${whose} manifest is one of NVIDIA's form`, action: fetch },
    chain: { title: `The signer of the ${whose} manifest leads to a trusted root`, action: distrust },
    'chain-dates': { title: `The signer of the ${whose} manifest is valid now`, action: refresh },
    'not-revoked': { title: `The signer of the ${whose} manifest is not revoked`, action: ask },
    signature: { title: `The ${whose} manifest is signed by its signer`, action: distrust },
    version: { title: `The ${whose} manifest is for the version that the ${device} reports`, action: fetch },
  }) as const satisfies Record<string, CheckText>;

export const manifestChecks = Object.keys(manifestTexts('', '')) as readonly (keyof ReturnType<typeof manifestTexts>)[];

export const gpuReferenceChecks = {
  'gpu-not-revoked': { title: "No certificate of the GPU's is revoked", action: ask },
  'gpu-mode': {
    title: 'The GPU is in a mode of confidential computing that was asked for',
    action: 'Ask the operator to set the mode, or allow this one.',
  },
  ...prefixed('driver-rim', manifestTexts("driver's", 'GPU')),
  ...prefixed('vbios-rim', manifestTexts("firmware's", 'GPU')),
  'rim-no-conflict': { title: 'The two manifests are for different measurements of one chip', action: fetch },
  'gpu-measurements': { title: 'The GPU measured what NVIDIA published', action: distrust },
  'gpu-developer-tools': { title: "The GPU's developer tools are off", action: distrust },
} as const satisfies Record<string, CheckText>;

export type GpuReferenceCheckId = keyof typeof gpuReferenceChecks;

export const switchReferenceChecks = {
  'switch-not-revoked': { title: "No certificate of the switch's is revoked", action: ask },
  'switch-lock': {
    title: 'Nobody can change any more what the switch connects',
    action: 'Ask the operator to set up the node for protected PCIe anew.',
  },
  ...prefixed('switch-rim', manifestTexts("switch's", 'switch')),
  'switch-measurements': { title: 'The switch measured what NVIDIA published', action: distrust },
} as const satisfies Record<string, CheckText>;

export type SwitchReferenceCheckId = keyof typeof switchReferenceChecks;
