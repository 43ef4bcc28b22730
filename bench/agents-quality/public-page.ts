/** The results on public documents, as recorded by a run that had them, and their section of the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countJudgements, type Figures, type Judgement } from './evaluate.ts';
import { figureCells, figureHeader, tableOf } from './figures-table.ts';

const resultPath = join(import.meta.dirname, 'public', 'result.json');

export interface PublicResult {
  /** The day of the run. */
  readonly recorded: string;
  /** The commit of this repository whose tools ran. */
  readonly commit: string;
  /** Labels that were added or changed after a wrong finding had been compared with the document. */
  readonly corrections: number;
  readonly agents: readonly { readonly slug: string; readonly figures: Omit<Figures, 'rankedPairs'> }[];
  readonly all: Omit<Figures, 'rankedPairs'>;
}

export function readPublicResult(): PublicResult {
  return JSON.parse(readFileSync(resultPath, 'utf8')) as PublicResult;
}

export function writePublicResult(result: PublicResult): void {
  writeFileSync(resultPath, `${JSON.stringify(result, undefined, 2)}\n`);
}

export function summarizePublic(
  bySlug: ReadonlyMap<string, readonly Judgement[]>,
  run: Pick<PublicResult, 'recorded' | 'commit' | 'corrections'>,
): PublicResult {
  return {
    ...run,
    agents: [...bySlug].map(([slug, judgements]) => ({ slug, figures: countJudgements(judgements) })),
    all: countJudgements([...bySlug.values()].flat()),
  };
}

export function renderPublicTable({ agents, all }: Pick<PublicResult, 'agents' | 'all'>): string {
  return tableOf(figureHeader, [
    ...agents.map(({ slug, figures }) => [slug, ...figureCells(figures)]),
    ['all', ...figureCells(all)],
  ]);
}

export function renderPublicSection(result: PublicResult): string {
  return `Documents that others wrote and published: an agreement, a term sheet, a handbook, a log, a post-mortem, invoices, a clinical
note, a procedure, an EU regulation and an annual report. \`bench/agents-quality/public/manifest.json\` names repository, commit, path
and SHA-256 digest of each; the repository has labels with values only, not the texts. With one or two documents per agent, the
figures show what goes wrong, not how often.

The labels were written before a tool was run on the documents. Each wrong finding was then compared with its document;
${result.corrections} labels were added or corrected. The tools of the financial, medical, HR, tax, compliance
and EU-law agents have since been developed on these documents, so the figures do not predict results on unseen documents. The first
figures, before any such change, were a recall of 0.31 and a precision of 0.92 for all documents, with 7 wrong numbers.

Recorded on ${result.recorded} at commit \`${result.commit.slice(0, 12)}\`, by \`npm run eval:agents -- --public FOLDER --write\`
with the documents in \`FOLDER\`:

${renderPublicTable(result)}`;
}
