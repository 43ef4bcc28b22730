/** Preloaded into a program: its clock is ahead of the machine's by the milliseconds in a file, which it follows. */
import { readFileSync } from 'node:fs';

const path = process.env.CLOCK_AHEAD_FILE ?? '';
const machineNow = Date.now;
let aheadMs = read();
Date.now = () => machineNow() + aheadMs;
setInterval(() => {
  aheadMs = read();
}, 20).unref();

function read(): number {
  return Number(readFileSync(path, 'utf8'));
}
