/** Memory of the process. */
import { binding } from './binding.ts';

/** Returns freed memory, which the C library otherwise keeps, to the system. Takes some milliseconds; call it after large memory was freed. */
export function returnFreeMemory(): void {
  binding().returnFreeMemory();
}
