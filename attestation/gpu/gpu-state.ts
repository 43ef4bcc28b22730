/** Versions and modes in a GPU's report. Pure. Valid only for an authentic report. */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { driverVersionOf, type GpuReport, gpuField } from './gpu-report.ts';

/**
 * `single`: one GPU per virtual machine · `multi`: several GPUs with encrypted links · `ppcie`: several GPUs whose links to each other are not
 * encrypted, only those to the CPU. NVIDIA calls them spt, mpt and ppcie.
 */
export type GpuMode = 'single' | 'multi' | 'ppcie';

const modes: readonly GpuMode[] = ['multi', 'single', 'ppcie'];
/** The newest version of the fields that this parser knows. */
const fieldsVersionMax = 1;
const nvdec0On = 0xaa;
const nvdec0Off = 0x55;

/**
 * The first driver version that supports a mode other than `single`, by the prefix of the chip: protected PCIe on Hopper, encrypted links on
 * Blackwell. For other chips, the report itself must name the mode.
 * @see NVIDIA Trusted Computing Solutions, release notes R550 TRD3 and R590 TRD1
 */
const otherModesFrom: Readonly<Record<string, number>> = { GH: 550, GB: 590 };
const protectedPcieOn = 0xaa;
const protectedPcieOff = 0x55;

/**
 * The mode in a report. If an older report does not name it, it follows from the chip and the driver version. Hopper reports of the drivers
 * in between state at least whether the mode is `ppcie`, and Hopper has only one other mode.
 * @param chip `GH100`, from `deviceOf`
 * @returns undefined if the mode cannot be determined: the GPU needs a newer driver
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 * @see NVIDIA/attestation-sdk: opaque data version, feature flag and protected PCIe status
 */
export function gpuModeOf(report: GpuReport, chip: string): GpuMode | undefined {
  const version = smallNumber(report, gpuField.fieldsVersion) ?? 0;
  if (version > fieldsVersionMax)
    throw malformed(`has fields of version ${version}; the latest supported version is ${fieldsVersionMax}`);
  if (version > 0) {
    const flag = smallNumber(report, gpuField.featureFlag);
    return (flag === undefined ? undefined : modes[flag]) ?? fail(`names the unknown mode ${flag}`);
  }
  const status = smallNumber(report, gpuField.protectedPcieStatus);
  if (status === protectedPcieOn) return 'ppcie';
  if (status !== undefined && status !== protectedPcieOff)
    throw malformed(`reports the unknown status ${status} for protected PCIe`);
  const family = chip.slice(0, 2);
  if (status === protectedPcieOff && family === 'GH') return 'single';
  const driver = Number(driverVersionOf(report)?.split('.')[0] ?? Number.NaN);
  return driver < (otherModesFrom[family] ?? 0) ? 'single' : undefined;
}

/** The VBIOS version in the format of manifests, `96.00.5E.00.01`. */
export function vbiosVersionOf(report: GpuReport): string | undefined {
  const bytes = report.fields.get(gpuField.vbiosVersion);
  if (bytes === undefined || bytes.length < 5) return undefined;
  const digits = [3, 2, 1, 0, 4].map((index) => toHex(bytes.subarray(index, index + 1)));
  return digits.join('.').toUpperCase();
}

/**
 * The names of a GPU's two manifests at NVIDIA's reference service; undefined if the report lacks a part of the name.
 * @param chip the first word of the common name of the GPU's certificate, `GH100`
 */
export function manifestNamesOf(report: GpuReport, chip: string): Record<'driver' | 'vbios', string | undefined> {
  const [driver, vbios] = [driverVersionOf(report), vbiosVersionOf(report)?.replaceAll('.', '')];
  const board = [gpuField.project, gpuField.projectSku, gpuField.chipSku].map((field) => wordOf(report, field));
  const name =
    chip === 'GH100' ? 'NV_GPU_DRIVER_GH100' : `NV_GPU_CC_DRIVER_${wordOf(report, gpuField.chipInfo) ?? chip}`;
  return {
    driver: driver === undefined ? undefined : `${name}_${driver}`,
    vbios: vbios === undefined || board.includes(undefined) ? undefined : `NV_GPU_VBIOS_${board.join('_')}_${vbios}`,
  };
}

/** A field of letters and digits, optionally padded with zeros; undefined otherwise. */
function wordOf(report: GpuReport, field: number): string | undefined {
  const text = new TextDecoder('latin1').decode(report.fields.get(field));
  return /^([0-9A-Za-z-]{1,32})\0*$/.exec(text)?.[1];
}

/** Whether the GPU has the video decoder whose firmware is measurement 35 (from 0). @throws as `gpuModeOf` */
export function hasVideoDecoder(report: GpuReport): boolean {
  const status = smallNumber(report, gpuField.nvdec0Status);
  if (status !== nvdec0On && status !== nvdec0Off)
    throw malformed(`reports the unknown status ${status} for its video decoder`);
  return status === nvdec0On;
}

/** A little-endian number of up to 8 bytes. */
function smallNumber(report: GpuReport, field: number): number | undefined {
  const bytes = report.fields.get(field);
  if (bytes === undefined) return undefined;
  if (bytes.length === 0 || bytes.length > 8) throw malformed(`has ${bytes.length} bytes in field ${field}`);
  return bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
}

function fail(why: string): never {
  throw malformed(why);
}

function malformed(why: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the GPU report ${why}`);
}
