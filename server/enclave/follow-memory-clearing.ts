/** Enables memory clearing in threads that process requests, which import it. */
import { followMemoryClearing } from './freed-memory.ts';

followMemoryClearing();
