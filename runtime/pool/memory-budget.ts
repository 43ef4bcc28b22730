/** Checks before a model is loaded that it fits the machine as configured. Pure. */
import type { MemoryPlan } from '@cloister/models/interface/model';
import { RuntimeError } from './errors.ts';

/** Memory reserved for the operating system, Node and requests. */
const reserveBytes = 256 * 1024 ** 2;

/** @throws {RuntimeError} ERR_MEMORY_BUDGET with the numbers and the settings to lower */
export function requireFits(plan: MemoryPlan, options: { sequences: number; contextPerSequence: number }): void {
  for (const device of plan.devices) {
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
        : 'choose a smaller or more strongly quantized model, or a larger machine';
    throw new RuntimeError(
      'ERR_MEMORY_BUDGET',
      `${device.name} has ${mebibytes(available)} for this model, which needs ${mebibytes(needed)}: ` +
        `weights ${mebibytes(device.weightBytes)}, attention state ${mebibytes(device.contextBytes)}, ` +
        `compute buffers ${mebibytes(device.computeBytes)}; ${advice}`,
      { details: { neededBytes: needed, availableBytes: available } },
    );
  }
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}
