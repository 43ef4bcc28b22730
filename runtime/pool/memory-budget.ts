/** Checks before a model is loaded that it fits the machine as configured. */
import type { MemoryPlan, PlannedDevice } from '@cloister/models/interface/model';
import { RuntimeError } from './errors.ts';
import { claimMemory, type MemoryClaim, mebibytes, reserveBytes } from './memory-claims.ts';

/** `--context` takes no less. */
const contextMin = 64;
/** Bytes of a KV cache in q8_0 over those in f16: a block of 32 numbers takes 34 bytes. */
const quantisedShare = 34 / 64;

interface Shape {
  readonly sequences: number;
  readonly contextPerSequence: number;
  /** Undefined: not to be changed. */
  readonly kvCacheType?: 'f16' | 'q8_0';
}

/**
 * @param plans of the models that one engine loads: a model, and its draft model
 * @param claim of the engine in the memory of all engines; undefined if it is the only one
 * @throws {RuntimeError} ERR_MEMORY_BUDGET with the numbers and the settings to lower
 */
export function requireFits(plans: readonly MemoryPlan[], shape: Shape, claim?: MemoryClaim): void {
  const devices = sumByDevice(plans);
  for (const device of devices) {
    const available = Math.max(0, device.freeBytes - (device.isHost ? reserveBytes : 0));
    const needed = neededBytes(device);
    if (needed <= available) continue;
    const advice = adviceFor(device, { ...shape, available }) + (plans.length > 1 ? ', or remove --draft-model' : '');
    throw new RuntimeError(
      'ERR_MEMORY_BUDGET',
      `${device.name} has ${mebibytes(available)} for this model, which needs ${mebibytes(needed)}: ` +
        `weights ${mebibytes(device.weightBytes)}, attention state ${mebibytes(device.contextBytes)}, ` +
        `compute buffers ${mebibytes(device.computeBytes)}; ${advice}`,
      { details: { neededBytes: needed, availableBytes: available } },
    );
  }
  const host = devices.find(({ isHost }) => isHost);
  if (claim === undefined || host === undefined) return;
  const remedy = 'serve fewer models with --model, or lower CLOISTER_SEQUENCES or CLOISTER_CONTEXT';
  claimMemory(claim, neededBytes(host), remedy);
}

function neededBytes({ weightBytes, contextBytes, computeBytes }: PlannedDevice): number {
  return weightBytes + contextBytes + computeBytes;
}

function sumByDevice(plans: readonly MemoryPlan[]): PlannedDevice[] {
  const sums = new Map<string, PlannedDevice>();
  for (const device of plans.flatMap(({ devices }) => devices)) {
    const other = sums.get(device.name);
    const sum = other && {
      ...device,
      freeBytes: Math.min(other.freeBytes, device.freeBytes),
      weightBytes: other.weightBytes + device.weightBytes,
      contextBytes: other.contextBytes + device.contextBytes,
      computeBytes: other.computeBytes + device.computeBytes,
    };
    sums.set(device.name, sum ?? device);
  }
  return [...sums.values()];
}

/** The attention state grows with the number of sequences and with the tokens of each. */
function adviceFor(
  { weightBytes, contextBytes, computeBytes }: PlannedDevice,
  { sequences, contextPerSequence, kvCacheType, available }: Shape & { available: number },
): string {
  const share = (available - weightBytes - computeBytes) / contextBytes;
  const sequencesThatFit = Math.floor(share * sequences);
  const contextThatFits = Math.floor((share * contextPerSequence) / contextMin) * contextMin;
  const remedies = [
    ...(sequencesThatFit >= 1 ? [`set CLOISTER_SEQUENCES to ${sequencesThatFit} or less (now ${sequences})`] : []),
    ...(contextThatFits >= contextMin
      ? [`set CLOISTER_CONTEXT to ${contextThatFits} or less (now ${contextPerSequence})`]
      : []),
    ...(kvCacheType === 'f16' && share >= quantisedShare ? ['set CLOISTER_KV_CACHE_TYPE to q8_0 (now f16)'] : []),
  ];
  if (remedies.length > 0) return remedies.join(', or ');
  return 'choose a smaller or more strongly quantized model, or a larger machine';
}
