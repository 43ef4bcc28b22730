/** What the process has of memory. */
import { binding } from './binding.ts';

/** Gives what was freed back to the system, which the C library keeps otherwise: worth it after much was, some milliseconds long. */
export function returnFreeMemory(): void {
  binding().returnFreeMemory();
}
