/** Checks before a model is loaded that it fits the machine as configured. Pure. */
import type { MemoryPlan, PlannedDevice } from '@cloister/models/interface/model';
import { RuntimeError } from './errors.ts';

/** Memory reserved for the operating system, Node and requests. */
const reserveBytes = 256 * 1024 ** 2;

/**
 * @param plans of the models that one engine loads
 * @throws {RuntimeError} ERR_MEMORY_BUDGET with the numbers and the settings to lower
 */
export function requireFits(
  plans: readonly MemoryPlan[],
  options: { sequences: number; contextPerSequence: number },
): void {
  for (const device of sumByDevice(plans)) {
    const needed = device.weightBytes + device.contextBytes + device.computeBytes;
    const available = Math.max(0, device.freeBytes - (device.isHost ? reserveBytes : 0));
    if (needed <= available) continue;
    const perSequence = device.contextBytes / options.sequences;
    const fixed = device.weightBytes + device.computeBytes;
    const sequencesThatFit = Math.floor((available - fixed) / perSequence);
    const advice =
      sequencesThatFit >= 1
        ? `set CLOISTER_SEQUENCES to ${sequencesThatFit} or less (now ${options.sequences}), ` +
          `or lower CLOISTER_CONTEXT (now ${options.contextPerSequence})`
        : 'choose a smaller or more strongly quantized model, or a larger machine' +
          (plans.length > 1 ? ', or remove --draft-model' : '');
    throw new RuntimeError(
      'ERR_MEMORY_BUDGET',
      `${device.name} has ${mebibytes(available)} for this model, which needs ${mebibytes(needed)}: ` +
        `weights ${mebibytes(device.weightBytes)}, attention state ${mebibytes(device.contextBytes)}, ` +
        `compute buffers ${mebibytes(device.computeBytes)}; ${advice}`,
      { details: { neededBytes: needed, availableBytes: available } },
    );
  }
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

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}
