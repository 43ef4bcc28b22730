/** The state in the report of a switch. Pure. Valid only for an authentic report. */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { refuse } from '../verify/checks.ts';
import { type GpuReport, gpuField } from './gpu-report.ts';

/** The numbers of NVIDIA's opaque fields in switch reports. @see NVIDIA/attestation-sdk, opaque field ids of a switch */
const switchField = { biosVersion: 6, deviceNumber: 22, lockStatus: 25, gpuNumbers: 26 } as const;

const deviceNumberBytes = 8;
/** Length of the GPU numbers in their field. The rest of the field maps ports to GPUs. */
const gpusListed = 8;
const locked = 1;

/** The BIOS version in the format of manifests, `96.10.73.00.01`; undefined if the report has none. */
export function switchBiosVersionOf(report: GpuReport): string | undefined {
  const text = new TextDecoder('latin1').decode(report.fields.get(switchField.biosVersion));
  return /^([0-9A-Fa-f]{2}(?:\.[0-9A-Fa-f]{2}){4})\0*$/.exec(text)?.[1]?.toUpperCase();
}

/** The name of a switch's manifest at NVIDIA's reference service. All LS10 switches have the same board. */
export function switchManifestNameOf(report: GpuReport): string | undefined {
  const version = switchBiosVersionOf(report)?.replaceAll('.', '');
  return version === undefined ? undefined : `NV_SWITCH_BIOS_5612_0002_890_${version}`;
}

/**
 * Requires that the switch's port connections are locked. @throws {AttestationError} ERR_NOT_VERIFIED
 * @see NVIDIA/nvtrust, PPCIE verifier: lock mode
 */
export function requireLocked(report: GpuReport): string {
  const status = report.fields.get(switchField.lockStatus);
  const isLocked = status?.[0] === locked && status.slice(1).every((byte) => byte === 0);
  return isLocked ? 'locked' : refuse(`its lock status is ${status === undefined ? 'missing' : toHex(status)}`);
}

/** The switch's own number, 16 hexadecimal digits. @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function switchNumberOf(report: GpuReport): string {
  const bytes = report.fields.get(switchField.deviceNumber);
  if (bytes?.length !== deviceNumberBytes) throw malformed(`has ${bytes?.length ?? 'no'} bytes for its own number`);
  return toHex(bytes);
}

/** The numbers of the GPUs that the switch connects, without duplicates. @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function connectedGpusOf(report: GpuReport): ReadonlySet<string> {
  const bytes = report.fields.get(switchField.gpuNumbers);
  const end = gpusListed * deviceNumberBytes;
  if (bytes === undefined || bytes.length < end) throw malformed(`has ${bytes?.length ?? 'no'} bytes for its GPUs`);
  return deviceNumbersOf(bytes.subarray(0, end));
}

/** The numbers of the switches that a GPU is connected to, without duplicates. GPU reports have their bytes in reverse order. */
export function connectedSwitchesOf(gpuReport: GpuReport): ReadonlySet<string> {
  const bytes = gpuReport.fields.get(gpuField.switchPdi) ?? new Uint8Array();
  if (bytes.length % deviceNumberBytes !== 0) throw malformed(`has ${bytes.length} bytes for its switches`);
  const numbers = deviceNumbersOf(bytes);
  return new Set([...numbers].map((number) => number.match(/../g)!.reverse().join('')));
}

/** Omits zeros, which stand for unconnected ports. */
function deviceNumbersOf(bytes: Uint8Array): ReadonlySet<string> {
  const numbers = new Set<string>();
  for (let at = 0; at < bytes.length; at += deviceNumberBytes) {
    numbers.add(toHex(bytes.subarray(at, at + deviceNumberBytes)));
  }
  numbers.delete('0'.repeat(2 * deviceNumberBytes));
  return numbers;
}

function malformed(why: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the report ${why}`);
}
