/** What this machine's CPU has. */
import { readFileSync } from 'node:fs';

/** ONNX Runtime's sums of eight-bit products are exact only on a CPU with VNNI; on others they can saturate. */
export const hasVnni = /\bavx(?:512)?_vnni\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
