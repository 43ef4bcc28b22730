/** Loaded before a program: its clock goes ahead of the machine's by the milliseconds that a file holds, and follows it. */
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
