/** Renders results as Markdown; `node bench/tables.ts` writes those of `bench/results/` into the README of that folder. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, loadResults, type Results, type Sample } from './results.ts';
import { spread } from './statistics.ts';

interface Figure {
  readonly title: string;
  readonly digits: number;
  /** Factor by which a value is multiplied before it is shown. */
  readonly scale?: number;
}

/** In the order of their rows. Results that are not listed here are only in the JSON. */
const figures: Readonly<Record<string, Figure>> = {
  outputTokensPerSecond: { title: 'output tokens/s', digits: 1 },
  memoryLimitShare: { title: 'of the limit that memory sets, %', digits: 0, scale: 100 },
  memoryGigabytesPerSecond: { title: 'memory read before, GB/s', digits: 1 },
  firstTokenP50Ms: { title: 'first token p50, ms', digits: 0 },
  firstTokenP99Ms: { title: 'first token p99, ms', digits: 0 },
  betweenTokensP50Ms: { title: 'between tokens p50, ms', digits: 1 },
  betweenTokensP99Ms: { title: 'between tokens p99, ms', digits: 1 },
  betweenTokensMaxMs: { title: 'between tokens max, ms', digits: 0 },
  longPromptFirstTokenP50Ms: { title: 'first token of the long prompts p50, ms', digits: 0 },
  longPromptsAnswered: { title: 'long prompts answered in the window', digits: 0 },
  wholeAnswerMs: { title: 'whole answer, ms', digits: 0 },
  newcomerFirstTokenP50Ms: { title: "newcomers' first token p50, ms", digits: 0 },
  newcomerFirstTokenMaxMs: { title: "newcomers' first token max, ms", digits: 0 },
  openingFirstTokenP50Ms: { title: 'first turn: first token p50, ms', digits: 0 },
  secondTurnFirstTokenP50Ms: { title: 'second turn: first token p50, ms', digits: 0 },
  secondTurnFirstTokenMaxMs: { title: 'second turn: first token max, ms', digits: 0 },
  cachedPromptShare: { title: 'prompt tokens from the cache, %', digits: 0, scale: 100 },
  sharedPromptShare: { title: 'of them from prefixes shared by all accounts, % of all', digits: 0, scale: 100 },
  computedPromptTokens: { title: 'prompt tokens computed per request', digits: 0 },
  waitedShare: { title: 'requests that waited for a slot, %', digits: 1, scale: 100 },
  busiestOverMean: { title: 'requests of the busiest node ÷ mean', digits: 2 },
  directoryBytes: { title: 'bytes of the directory', digits: 0 },
  readMs: { title: 'to read and verify it, ms', digits: 1 },
  chooseMs: { title: 'to choose a node, ms', digits: 3 },
  revealedBits: { title: 'bits of a hash of the prompt that the choice depends on', digits: 1 },
  nodesPerAccount: { title: 'nodes that the clients of an account verify', digits: 1 },
  nodesOfBusiestAccount: { title: 'of the busiest account', digits: 0 },
  evidenceOfBusiestMs: { title: 'to verify their evidence, every ten minutes, ms', digits: 0 },
  announcementsPerSecond: { title: 'announcements that the database writes, 1/s', digits: 0 },
  notificationsPerSecond: { title: 'notifications that the database sends, 1/s', digits: 0 },
  databaseShare: { title: 'requests ÷ those that the measured database admits and settles, %', digits: 0, scale: 100 },
  busiestAccountPerSecond: { title: 'requests/s of the busiest account', digits: 2 },
  busiestRowShare: { title: 'time in which its row is locked, %', digits: 1, scale: 100 },
  rowWaitP99Ms: { title: 'wait for the row of an account p99, ms', digits: 1 },
  cpuMsPerToken: { title: 'CPU ms per output token', digits: 1 },
  rightGuessShare: { title: 'accepted draft tokens, %', digits: 0, scale: 100 },
  equalTokenShare: { title: "tokens equal to the CPU's until a tie, %", digits: 1, scale: 100 },
  logprobDifference: { title: 'greatest difference of a log probability', digits: 4 },
  cosineMin: { title: "least cosine with the CPU's embedding", digits: 6 },
  pixelDifference: { title: 'mean difference of a pixel, of 255', digits: 3 },
  drawingMs: { title: 'generation, ms', digits: 0 },
  stepMs: { title: 'time per step, ms', digits: 2 },
  pictureMs: { title: 'time per image, ms', digits: 1 },
  timesFaster: { title: 'times faster', digits: 2 },
  textsPerSecond: { title: 'texts/s', digits: 1 },
  tokensPerSecond: { title: 'tokens/s', digits: 0 },
  requestsPerSecond: { title: 'requests/s', digits: 0 },
  linearShare: { title: 'of what the slots of the nodes allow, %', digits: 1, scale: 100 },
  roundTripsPerRequest: { title: 'database round trips per request', digits: 2 },
  generatorCores: { title: 'processors that the load generator kept busy', digits: 2 },
  handshakesPerSecond: { title: 'handshakes/s', digits: 0 },
  cpuMsPerConnection: { title: 'CPU ms per connection, both ends', digits: 1 },
  msPerConnection: { title: 'ms per connection', digits: 1 },
  cpuMsPerQuote: { title: 'CPU ms per simulated quote', digits: 1 },
  certificateBytes: { title: 'bytes of the certificate', digits: 0 },
  megabytesPerSecond: { title: 'MB/s', digits: 0 },
  gzippedKilobytes: { title: 'size compressed, kB', digits: 1 },
  addedKilobytes: { title: 'memory added, kB', digits: 1 },
  firstContentsMs: { title: 'first contents, ms', digits: 0 },
  latencyP50Us: { title: 'latency p50, µs', digits: 1 },
  latencyP99Us: { title: 'latency p99, µs', digits: 1 },
  latencyP50Ms: { title: 'latency p50, ms', digits: 2 },
  latencyP99Ms: { title: 'latency p99, ms', digits: 2 },
  quietP99Ms: { title: 'latency p99 when quiet, ms', digits: 2 },
  besideSinkP99Ms: { title: 'latency p99 while another process is attacked, ms', digits: 2 },
  p99OverSink: { title: 'p99 ÷ p99 while another process is attacked', digits: 1 },
  p99OverQuiet: { title: 'p99 ÷ p99 when quiet', digits: 1 },
  failedShare: { title: 'not answered, %', digits: 1, scale: 100 },
  sinkMegabytesPerSecond: { title: 'MB/s that the other process took', digits: 0 },
  serverCores: { title: 'processors that the server kept busy', digits: 2 },
  attackerCores: { title: 'processors that the attackers kept busy', digits: 2 },
  residentGrowthMb: { title: 'resident memory grown, MB', digits: 0 },
  peakGrowthMb: { title: 'at its peak, MB', digits: 0 },
  serverLost: { title: 'server lost', digits: 0 },
  admissionP99Ms: { title: 'of it before the first token p99, ms', digits: 2 },
  cpuSecondsPer1000Tokens: { title: 'CPU seconds per 1,000 tokens', digits: 2 },
  residentMb: { title: 'resident memory, MB', digits: 0 },
  anonymousMb: { title: 'of it private, MB', digits: 0 },
  residentPeakMb: { title: 'resident memory at its peak, MB', digits: 0 },
  productShare: { title: 'matrix products, % of a step', digits: 1, scale: 100 },
  attentionShare: { title: 'attention, % of a step', digits: 1, scale: 100 },
  otherOperationsShare: { title: 'other operations, % of a step', digits: 1, scale: 100 },
  scriptShare: { title: "JavaScript's share of a step, %", digits: 2, scale: 100 },
  sampleShare: { title: "the sampler's share of a step, %", digits: 2, scale: 100 },
  idleShare: { title: 'no step, % of the time', digits: 1, scale: 100 },
  initS: { title: "from power-on to init's first word, s", digits: 1 },
  listeningS: { title: 'to the open port, s', digits: 1 },
  readyS: { title: 'to ready, s', digits: 1 },
  readyMegabytes: { title: 'memory touched when ready, MB', digits: 0 },
  idleMegabytes: { title: 'memory touched after 20 s idle, MB', digits: 0 },
  idleCpuShare: { title: 'of a processor while idle, %', digits: 1, scale: 100 },
  megabytes: { title: 'size, MB', digits: 1 },
  unpackedMegabytes: { title: 'before compression, MB', digits: 1 },
  unpackedShare: { title: 'of all before compression, %', digits: 0, scale: 100 },
};

const ours = 'cloister';
const tablesBegin = '<!-- tables: node bench/tables.ts -->';
const tablesEnd = '<!-- end of tables -->';

/** One run: its conditions, then a table per scenario. */
export function renderTables(results: Results): string {
  const scenarios = Map.groupBy(results.cases, ({ scenario }) => scenario);
  return [
    `### ${results.name}, ${results.date.slice(0, 10)}${results.quick ? ' (quick run: these figures mean nothing)' : ''}`,
    renderConditions(results),
    ...[...scenarios].map(([scenario, cases]) => `#### ${scenario}\n\n${renderScenario(cases)}`),
  ].join('\n\n');
}

function renderConditions({ machine, settings, servers }: Results): string {
  const facts = [
    `${machine.cpu}, ${machine.cores} cores (${machine.cpuFlags}), ${machine.memoryGb} GB, Linux ${machine.kernel}, ` +
      `Node ${machine.node}, llama.cpp ${machine.llamaCpp}, commit ${machine.commit}, load ${machine.loadAverage} at the start`,
    Object.entries(settings)
      .map(([key, value]) => `${key} ${value}`)
      .join(', '),
    ...Object.entries(servers).map(([name, [version]]) => `${name}: ${version}`),
  ];
  return facts.map((fact) => `- ${fact}`).join('\n');
}

function renderScenario(cases: readonly Case[]): string {
  const names = [...new Set(cases.flatMap(({ samples }) => Object.keys(samples)))];
  const peers = names.filter((name) => name !== ours);
  const ratios = names.includes(ours) ? peers.map((peer) => `${ours} ÷ ${peer}`) : [];
  const header = ['case', 'figure', ...names, ...ratios];
  const rows = cases.flatMap((each) => renderCase(each, { names, ratioTo: ratios.length > 0 ? peers : [] }));
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function renderCase(each: Case, { names, ratioTo }: { names: readonly string[]; ratioTo: readonly string[] }) {
  const rows: string[][] = [];
  for (const [key, figure] of Object.entries(figures)) {
    const values = new Map(names.map((name) => [name, valuesOf(each.samples[name] ?? [], key)]));
    if ([...values.values()].every((list) => list.length === 0)) continue;
    const ratios = ratioTo.map((peer) => ratio(values.get(ours)!, values.get(peer)!));
    rows.push([each.label, figure.title, ...names.map((name) => renderSpread(values.get(name)!, figure)), ...ratios]);
  }
  return rows;
}

function valuesOf(samples: readonly Sample[], key: string): number[] {
  return samples.map((sample) => sample[key]).filter((value) => value !== undefined);
}

/** `median (least–greatest)`, or the value alone if all are equal. */
function renderSpread(values: readonly number[], { digits, scale = 1 }: Figure): string {
  if (values.length === 0) return '–';
  const { median, min, max } = spread(values);
  const [middle, least, greatest] = [median, min, max].map((value) => (value * scale).toFixed(digits));
  return least === greatest ? middle! : `${middle} (${least}–${greatest})`;
}

/** The ratio of the medians. */
function ratio(ours: readonly number[], theirs: readonly number[]): string {
  if (ours.length === 0 || theirs.length === 0) return '–';
  const divisor = spread(theirs).median;
  return divisor === 0 ? '–' : `${(spread(ours).median / divisor).toFixed(2)}×`;
}

/** @returns the page with the text between its two markers replaced · @throws {Error} if a marker is missing */
export function replaceTables(page: string, tables: string): string {
  const begin = page.indexOf(tablesBegin);
  const end = page.indexOf(tablesEnd);
  if (begin < 0 || end < begin) throw new Error(`the page needs the lines ${tablesBegin} and ${tablesEnd}`);
  return `${page.slice(0, begin + tablesBegin.length)}\n\n${tables}\n\n${page.slice(end)}`;
}

function main(): void {
  const path = join(import.meta.dirname, 'results/README.md');
  const runs = loadResults();
  const tables = runs.length > 0 ? runs.map(renderTables).join('\n\n') : 'No full run yet.';
  writeFileSync(path, replaceTables(readFileSync(path, 'utf8'), tables));
}

if (import.meta.main) main();
