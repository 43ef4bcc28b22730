/** Imported for its effect by threads that see requests. */
import { followMemoryClearing } from './freed-memory.ts';

followMemoryClearing();
