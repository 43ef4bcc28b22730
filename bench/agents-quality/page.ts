/** Writes `docs/reference/agents-quality.md` from the evaluation. */
import type { DocumentSet } from './documents.ts';
import { countJudgements, type Judgement } from './evaluate.ts';
import { comparedCells, comparedHeader, figureCells, figureHeader, tableOf } from './figures-table.ts';
import { type PublicResult, renderPublicSection } from './public-page.ts';

export interface AgentJudgements {
  readonly slug: string;
  readonly bySet: Readonly<Record<DocumentSet, readonly Judgement[]>>;
}

/** Recall and precision are shares; everything else is a count. */
export function renderTable(agents: readonly AgentJudgements[], set: DocumentSet): string {
  const judged = agents.filter(({ bySet }) => bySet[set].length > 0);
  const rows = judged.map(({ slug, bySet }) => [slug, ...figureCells(countJudgements(bySet[set]))]);
  const all = agents.flatMap(({ bySet }) => bySet[set]);
  return tableOf(figureHeader, [...rows, ['all', ...figureCells(countJudgements(all))]]);
}

/** Per kind of fact: labelled, missed and wrongly reported facts in both sets together. */
export function renderKinds({ bySet }: AgentJudgements): string {
  const judgements = Object.values(bySet).flat();
  const missed = judgements.flatMap((each) => each.missed);
  const wrong = judgements.flatMap((each) => each.wrong);
  const labels = judgements.flatMap(({ document }) => document.labels.facts);
  const kinds = [...new Set([...labels, ...wrong].map(({ kind }) => kind))].sort();
  const count = (facts: readonly { kind: string }[], kind: string) => facts.filter((fact) => fact.kind === kind).length;
  const rows = kinds.map((kind) => [`\`${kind}\``, ...[labels, missed, wrong].map((facts) => count(facts, kind))]);
  return tableOf(['kind', 'labelled', 'missed', 'reported wrongly'], rows);
}

/** The facts of a recorded model, joined with those of the tools, next to the tools alone on the same documents. */
function renderListed(agents: readonly AgentJudgements[], listedOf: (slug: string) => readonly Judgement[]): string {
  const recorded = agents.map(({ slug, bySet }) => {
    const listed = listedOf(slug);
    const names = new Set(listed.map(({ document }) => document.name));
    return { slug, listed, tools: bySet['held-out'].filter(({ document }) => names.has(document.name)) };
  });
  const rowOf = (name: string, listed: readonly Judgement[], tools: readonly Judgement[]) => [
    name,
    ...comparedCells({ listed: countJudgements(listed), tools: countJudgements(tools) }),
  ];
  const all = (of: 'listed' | 'tools') => recorded.flatMap((each) => each[of]);
  return tableOf(comparedHeader, [
    ...recorded.map(({ slug, listed, tools }) => rowOf(slug, listed, tools)),
    rowOf('all', all('listed'), all('tools')),
  ]);
}

export function renderPage(
  agents: readonly AgentJudgements[],
  publicResult: PublicResult,
  listedOf: (slug: string) => readonly Judgement[],
): string {
  const ranked = agents
    .map(({ bySet }) => countJudgements(bySet['held-out']).rankedPairs)
    .find((share) => share !== undefined);
  return `# Quality of the agents' findings

How many of the facts that a specialist labelled in a document the tools of an agent report, and how many of the reported facts are
right. \`npm run eval:agents -- --write\` writes this page; a test fails if it is out of date.

- **Documents**: \`bench/agents-quality/documents/\`, written for this evaluation after the layouts of real documents, with the noise
  that real ones have. A third are adversarial: negation, relatives, boilerplate, swapped columns, quoted law. They were labelled before
  the output of any tool was read.
- **Development and held-out**: authors of the tools read only the documents for development. The held-out table shows what to
  expect from a document that the authors have not seen. It is not an independent sample of real documents. Held-out documents are
  written by authors who have not read the tools. When the tools are developed further, they become documents for development, and new
  ones are held out, most recently on 2026-11-30 for all agents. Totals of half of them were known while the tools were last developed.
  On all of them, the tools of the day before have a recall of 0.53 and a precision of 0.85.
- **Recall**: labels that are reported with every labelled field, as a share of all labels.
- **Precision**: reported facts that agree with a label, as a share of the reported facts that the labels allow to judge.
- **Wrong numbers**: wrong facts that state a number, a date or a duration. **Critical false alarms**: wrong facts of critical severity.

\`npm run eval:agents:mutations\` changes the development documents in ways that make no other fact true (unknown words, unrelated
sentences and asides, quoted sentences with other numbers, other orders of columns, a column under an unknown heading), and counts
the wrong numbers that the tools then report.

The goal is a recall of 0.85, a precision of 0.95, no wrong number and no critical false alarm.

## Held-out documents

${renderTable(agents, 'held-out')}
${ranked === undefined ? '' : `\nOf all pairs of a low-risk and a high-risk contract, ${Math.round(ranked * 100)} % have risk scores in this order.\n`}
## With a model that lists the facts

\`response_format: {"type": "agent_facts"}\` asks the model for the facts, and code confirms each number, date and duration in the
document ([decision](../decisions/2026-11-30-models-list-facts-and-code-confirms-them.md)). The table joins the recorded lists of a large
general-purpose model (not one that Cloister ships, and far larger than the demo model) with the findings of the tools. It had the same
instruction as a served model, each document once, and no labels. Model and authors of labels are language models of one family, which
may agree more than a specialist would. \`npm run eval:agents -- --answers FOLDER --server URL\` measures another model.

${renderListed(agents, listedOf)}

## Public documents

${renderPublicSection(publicResult)}

## Development documents

${renderTable(agents, 'development')}

${agents.map((agent) => `## ${agent.slug}\n\n${renderKinds(agent)}`).join('\n\n')}
`;
}
