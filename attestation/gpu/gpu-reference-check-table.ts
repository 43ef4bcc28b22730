/** Every check that makes the authentic report of a GPU or a switch acceptable, in the order in which they are shown. */
import type { CheckText } from '../verify/checks.ts';

const DISTRUST =
  'Do not trust this server: its GPU or switch runs something else than NVIDIA published, or the evidence was changed.';
const FETCH = "Fetch the manifest again from NVIDIA's reference service.";
const REFRESH = 'Fetch a newer manifest, or verify at the time when the evidence was taken.';
const ASK = "Fetch OCSP responses from NVIDIA's responder and give them to the verifier.";

export const GPU_REFERENCE_CHECKS = {
  'gpu-not-revoked': { title: "No certificate of the GPU's is revoked", action: ASK },
  'gpu-mode': {
    title: 'The GPU is in a mode of confidential computing that was asked for',
    action: 'Ask the operator to set the mode, or allow this one.',
  },
  'driver-rim-format': { title: "The driver's manifest is one of NVIDIA's form", action: FETCH },
  'driver-rim-chain': { title: "The signer of the driver's manifest leads to a trusted root", action: DISTRUST },
  'driver-rim-chain-dates': { title: "The signer of the driver's manifest is valid now", action: REFRESH },
  'driver-rim-not-revoked': { title: "The signer of the driver's manifest is not revoked", action: ASK },
  'driver-rim-signature': { title: "The driver's manifest is signed by its signer", action: DISTRUST },
  'driver-rim-version': { title: "The driver's manifest is for the version that the GPU reports", action: FETCH },
  'vbios-rim-format': { title: "The firmware's manifest is one of NVIDIA's form", action: FETCH },
  'vbios-rim-chain': { title: "The signer of the firmware's manifest leads to a trusted root", action: DISTRUST },
  'vbios-rim-chain-dates': { title: "The signer of the firmware's manifest is valid now", action: REFRESH },
  'vbios-rim-not-revoked': { title: "The signer of the firmware's manifest is not revoked", action: ASK },
  'vbios-rim-signature': { title: "The firmware's manifest is signed by its signer", action: DISTRUST },
  'vbios-rim-version': { title: "The firmware's manifest is for the version that the GPU reports", action: FETCH },
  'rim-no-conflict': { title: 'The two manifests are for different measurements of one chip', action: FETCH },
  'gpu-measurements': { title: 'The GPU measured what NVIDIA published', action: DISTRUST },
  'gpu-developer-tools': { title: "The GPU's developer tools are off", action: DISTRUST },
} as const satisfies Record<string, CheckText>;

export type GpuReferenceCheckId = keyof typeof GPU_REFERENCE_CHECKS;

export const SWITCH_REFERENCE_CHECKS = {
  'switch-not-revoked': { title: "No certificate of the switch's is revoked", action: ASK },
  'switch-lock': {
    title: 'Nobody can change any more what the switch connects',
    action: 'Ask the operator to set up the node for protected PCIe anew.',
  },
  'switch-rim-format': { title: "The switch's manifest is one of NVIDIA's form", action: FETCH },
  'switch-rim-chain': { title: "The signer of the switch's manifest leads to a trusted root", action: DISTRUST },
  'switch-rim-chain-dates': { title: "The signer of the switch's manifest is valid now", action: REFRESH },
  'switch-rim-not-revoked': { title: "The signer of the switch's manifest is not revoked", action: ASK },
  'switch-rim-signature': { title: "The switch's manifest is signed by its signer", action: DISTRUST },
  'switch-rim-version': { title: "The switch's manifest is for the version that the switch reports", action: FETCH },
  'switch-measurements': { title: 'The switch measured what NVIDIA published', action: DISTRUST },
} as const satisfies Record<string, CheckText>;

export type SwitchReferenceCheckId = keyof typeof SWITCH_REFERENCE_CHECKS;
