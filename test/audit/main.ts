/**
 * `npm run audit [id…]`: removes each defence of docs/audit/README.md in a copy of this checkout, one at a time, and expects
 * the test of its row to fail. Prints the table; exits with 1 if a test passes without its defence.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Mutation, mutations } from './mutations/index.ts';
import { readAuditTable, root } from './table.ts';

/** Time limit for one run of one test file; the slowest takes a tenth of it. */
const testTimeoutMs = 180_000;
/** Time limit for all runs. A mutation that has not run by then counts as survived. */
const totalTimeoutMs = 45 * 60_000;

type Outcome = 'caught' | 'SURVIVED' | 'NOT RUN';

interface Run {
  readonly id: string;
  readonly mutation: Mutation;
  readonly outcome: Outcome;
}

/** Sources, tests and documents, together with the packages and the addon of the original. */
function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-audit-'));
  const copy = join(folder, 'checkout');
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  for (const file of listed.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  if (existsSync(join(root, 'native/build'))) symlinkSync(join(root, 'native/build'), join(copy, 'native/build'));
  const vectors = join(root, '../shared');
  if (existsSync(vectors)) symlinkSync(vectors, join(folder, 'shared'));
  return copy;
}

/** The numbers of tests with this title that passed and failed. */
async function runTest(copy: string, { file, title }: { file: string; title: string }) {
  const report = join(copy, '../report.json');
  rmSync(report, { force: true });
  const pattern = `${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const options = [
    '--project',
    'unit',
    '--project',
    'native',
    '--reporter',
    'json',
    '--outputFile',
    report,
    '--retry',
    '0',
  ];
  await promisify(execFile)(process.execPath, [vitest, 'run', ...options, '-t', pattern, file], {
    ...{ cwd: copy, timeout: testTimeoutMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 },
  }).catch(() => undefined);
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed, failed } as { passed: number; failed: number };
}

async function tryMutation(copy: string, mutation: Mutation): Promise<Outcome> {
  const { test } = rowOf(mutation);
  const path = join(copy, mutation.file);
  const source = readFileSync(path, 'utf8');
  if (source.split(mutation.source).length !== 2) return 'NOT RUN';
  writeFileSync(
    path,
    source.replace(mutation.source, () => mutation.replacement),
  );
  try {
    const { passed, failed } = await runTest(copy, test!);
    if (failed > 0) return 'caught';
    return passed > 0 ? 'SURVIVED' : 'NOT RUN';
  } finally {
    writeFileSync(path, source);
  }
}

const rows = readAuditTable();

function rowOf({ row }: Mutation) {
  return rows.find(({ ids }) => ids.includes(row))!;
}

const wanted = process.argv.slice(2);
const queue = mutations.filter(({ row }) => wanted.length === 0 || wanted.includes(row));
const endsAtMs = Date.now() + totalTimeoutMs;
const runs: Run[] = [];

async function work(): Promise<void> {
  const copy = copyCheckout();
  const sound = new Set<string>();
  try {
    for (let mutation = queue.shift(); mutation !== undefined; mutation = queue.shift()) {
      const { test } = rowOf(mutation);
      const key = JSON.stringify(test);
      // A test that fails with its defence, or that does not run, proves nothing without it.
      if (!sound.has(key)) {
        const { passed, failed } = await runTest(copy, test!);
        if (passed > 0 && failed === 0) sound.add(key);
      }
      const isLate = Date.now() > endsAtMs;
      const outcome = isLate || !sound.has(key) ? 'NOT RUN' : await tryMutation(copy, mutation);
      runs.push({ id: mutation.row, mutation, outcome });
      process.stdout.write(`${outcome.padEnd(8)}  ${mutation.row}  ${mutation.file}  ${test!.file} › ${test!.title}\n`);
    }
  } finally {
    rmSync(dirname(copy), { recursive: true, force: true });
  }
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
const count = (outcome: Outcome) => runs.filter((run) => run.outcome === outcome).length;
process.stdout.write(
  `\n${runs.length} mutations of ${new Set(runs.map(({ id }) => id)).size} rows: ${count('caught')} caught, ` +
    `${count('SURVIVED')} survived, ${count('NOT RUN')} not run\n`,
);
process.exitCode = runs.every(({ outcome }) => outcome === 'caught') ? 0 : 1;
