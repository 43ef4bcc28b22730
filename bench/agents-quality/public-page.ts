/** The results on public documents, as recorded by a run that had them, and their section of the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countJudgements, type Judgement } from './evaluate.ts';
import { comparedCells, comparedHeader, type PlainFigures, tableOf } from './figures-table.ts';
import type { PublicEntry } from './public-documents.ts';

const resultPath = join(import.meta.dirname, 'public', 'result.json');

/** The tools, and the tools joined with the recorded lists of a model. */
interface Compared<Of> {
  readonly tools: Of;
  readonly listed: Of;
}

/** Documents that were chosen on one day. */
interface PublicBatch {
  readonly chosen: string;
  readonly agents: readonly ({ readonly slug: string } & Compared<PlainFigures>)[];
  readonly all: Compared<PlainFigures>;
}

export interface PublicResult {
  /** The day of the run. */
  readonly recorded: string;
  /** The commit of this repository whose tools ran. */
  readonly commit: string;
  /** The latest first. */
  readonly batches: readonly PublicBatch[];
}

/** How a public document was read. */
export type PublicJudgement = Pick<PublicEntry, 'agent' | 'chosen'> & Compared<Judgement>;

export function readPublicResult(): PublicResult {
  return JSON.parse(readFileSync(resultPath, 'utf8')) as PublicResult;
}

export function writePublicResult(result: PublicResult): void {
  writeFileSync(resultPath, `${JSON.stringify(result, undefined, 2)}\n`);
}

export function summarizePublic(
  judgements: readonly PublicJudgement[],
  run: Pick<PublicResult, 'recorded' | 'commit'>,
): PublicResult {
  const batches = Object.entries(Object.groupBy(judgements, ({ chosen }) => chosen)).map(([chosen, some = []]) => ({
    chosen,
    agents: Object.entries(Object.groupBy(some, ({ agent }) => agent)).map(([slug, ofAgent = []]) => ({
      slug,
      ...countCompared(ofAgent),
    })),
    all: countCompared(some),
  }));
  return { ...run, batches: batches.toSorted((one, other) => (one.chosen < other.chosen ? 1 : -1)) };
}

function countCompared(judgements: readonly PublicJudgement[]): Compared<PlainFigures> {
  return {
    tools: countJudgements(judgements.map(({ tools }) => tools)),
    listed: countJudgements(judgements.map(({ listed }) => listed)),
  };
}

export function renderBatch({ agents, all }: Pick<PublicBatch, 'agents' | 'all'>): string {
  return tableOf(comparedHeader, [
    ...agents.map(({ slug, ...figures }) => [slug, ...comparedCells(figures)]),
    ['all', ...comparedCells(all)],
  ]);
}

export function renderPublicSection({ recorded, commit, batches }: PublicResult): string {
  return `Documents that others wrote and published. \`bench/agents-quality/public/manifest.json\` names repository, commit, path
and SHA-256 digest of each; the repository has labels and lists with values only, not the texts. The labels were written before a tool
was run on the documents, and a model listed the facts without labels, as above.

Recorded on ${recorded} at commit \`${commit.slice(0, 12)}\`, by \`npm run eval:agents -- --public FOLDER --write\`
with the documents in \`FOLDER\`.

${batches.map((batch) => `${introductions[batch.chosen] ?? `Chosen on ${batch.chosen}:`}\n\n${renderBatch(batch)}`).join('\n\n')}`;
}

/** By the day on which documents were chosen. */
const introductions: Readonly<Record<string, string>> = {
  '2026-11-30': `Chosen on 2026-11-30, two per agent, six of them in German or Spanish: annual and quarterly reports, an executive's contract, a
prospectus, a certificate of incorporation, policies, terms of business, a server's log, a post-mortem, a judgment, a regulation, a handbook, case reports
and an invoice. No author of a tool had read them. The first figures were a recall of 0.94, a precision of 0.98 and 8 wrong numbers with a
model's list, and 0.47, 0.80 and 68 with the tools alone; 63 of the 68 come from one annual report, whose fiscal 2024 ends in February 2025. The code was
then changed where they showed a general mistake: such fiscal years, shares counted in thousands below figures in millions, amounts that look
like years ("1,943"), debt that is printed in parts, totals above a row with a dash, thirty-nine weeks, and dates without a blank.`,
  '2026-11-28': `Chosen on 2026-11-28: an agreement, a term sheet, a handbook, a log, a post-mortem, invoices, a clinical note, a procedure, an EU
regulation and an annual report. The tools have since been developed on them, so the figures of the tools do not predict results on
unseen documents. Before any such change, the tools had a recall of 0.31 and a precision of 0.92, with 7 wrong numbers. Three labels were
added or corrected after a wrong finding had been compared with its document.`,
};
