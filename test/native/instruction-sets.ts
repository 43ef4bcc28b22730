/** The instruction sets that the kernels are compiled for, the best first. CPU_KERNELS=AVX2 chooses the second. */
import { readProductPath } from '@cloister/native/measure';

export const instructionSets = ['VNNI', 'AVX2'] as const;
const { kernels } = readProductPath();
const usable: readonly string[] =
  kernels === '' ? [] : instructionSets.slice(instructionSets.indexOf(kernels as 'VNNI'));

/** Prints the reason for what a suite has to leave out. */
export function canRun(instructions: (typeof instructionSets)[number], suite: string): boolean {
  const isUsable = usable.includes(instructions);
  if (!isUsable) console.log(`skipped: ${suite} on ${instructions}, because this CPU does not have it`);
  return isUsable;
}

/** The environment of a program that uses the kernels of one instruction set. */
export function environmentOf(instructions: string): NodeJS.ProcessEnv {
  return { ...process.env, CPU_KERNELS: instructions };
}
