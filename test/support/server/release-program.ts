/** Programs that start Cloister as another release. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulatedSoftware } from '../attestation/attested-server.ts';

const [oldSet] = simulatedSoftware;

/** Registers of a simulated machine. */
export const oldMeasurement = oldSet!;
/** And those of one that starts by `otherMeasurement`: the first two words are in lower case. */
export const nextMeasurement = {
  mrTd: inLowerCase(oldMeasurement.mrTd),
  rtmr0: inLowerCase(oldMeasurement.rtmr0),
  rtmr1: inLowerCase(oldMeasurement.rtmr1),
  rtmr2: inLowerCase(oldMeasurement.rtmr2),
};

/** Lines of a program: the simulated machine measures other software. */
export const otherMeasurement = [
  "import { registerHooks } from 'node:module';",
  'const load = (url, context, next) => {',
  '  const module = next(url, context);',
  "  if (!url.endsWith('/attestation/simulate/platform.ts')) return module;",
  "  return { ...module, source: String(module.source).replace('`CLOISTER SIMULATION', '`cloister simulation') };",
  '};',
  'registerHooks({ load });',
];

/** Lines of a program: it never serves if the condition holds. */
export function neverServesIf(condition: string): readonly string[] {
  return [`if (${condition}) await new Promise(() => setInterval(() => {}, 1_000_000));`];
}

/** Writes a `cloister.mjs` that runs the lines first. @returns its path */
export function writeReleaseProgram(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  const program = join(import.meta.dirname, '../../../cli/cloister.mjs');
  writeFileSync(path, [...lines, `await import('${program}');`, ''].join('\n'));
  return path;
}

function inLowerCase(register: string): string {
  const text = Buffer.from(register, 'hex').toString('latin1');
  return Buffer.from(text.replace('CLOISTER SIMULATION', 'cloister simulation'), 'latin1').toString('hex');
}
