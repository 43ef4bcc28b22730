/** The facts that an agent's model listed and the documents confirm: one table for each kind. */
import type { ComponentChildren } from 'preact';
import { DataTable } from '../parts/data-table.tsx';
import { formatCount, formatName } from '../parts/format.ts';
import { saveFile } from '../parts/save-file.ts';
import type { FactsReport, FactValue, ReportedFact } from './chat-stream.ts';

const finders: Readonly<Record<ReportedFact['by'], string>> = {
  model: 'model',
  tools: 'tools',
  both: 'model and tools',
  computed: 'computed',
};

export function ListedFacts({ report }: { readonly report: FactsReport }) {
  const kinds = Map.groupBy(report.facts, ({ kind }) => kind);
  const leftOut = report.left_out.reduce((sum, { facts }) => sum + facts, 0);
  return (
    <section class="findings" aria-label="Facts of the documents">
      {!report.complete && (
        <p class="notice caution">The list was cut off. Allow more tokens in the settings, and try again.</p>
      )}
      {report.facts.length === 0 && <p>No fact was found.</p>}
      {[...kinds].map(([kind, facts]) => (
        <FactsOfKind key={kind} kind={kind} facts={facts} />
      ))}
      {report.facts.length > 0 && (
        <p class="fine">
          The documents state every number, date and duration that the model found, except those in <em>italics</em>:
          these are the model's own reading.
        </p>
      )}
      {leftOut > 0 && (
        <details>
          <summary>Left out: {formatCount(leftOut)}</summary>
          <ul>
            {report.left_out.map(({ because, facts }) => (
              <li key={because}>
                {formatCount(facts)}: {because}
              </li>
            ))}
          </ul>
        </details>
      )}
      <button
        type="button"
        class="quiet"
        onClick={() => saveFile('facts.json', `${JSON.stringify(report, undefined, 2)}\n`)}
      >
        Save facts
      </button>
    </section>
  );
}

function FactsOfKind({ kind, facts }: { readonly kind: string; readonly facts: readonly ReportedFact[] }) {
  const fields = [...new Set(facts.flatMap(({ value }) => Object.keys(value)))];
  const rows = facts.map((fact, index) => ({ fact, index }));
  return (
    <>
      <h2>{formatName(kind)}</h2>
      <DataTable<{ fact: ReportedFact; index: number }>
        caption={formatName(kind)}
        columns={[
          ...fields.map((field) => ({
            title: formatName(field),
            isNumber: facts.every(({ value }) => ['number', 'undefined'].includes(typeof value[field])),
            cell: ({ fact }: { fact: ReportedFact }) => cellOf(fact, field),
          })),
          { title: 'found by', cell: ({ fact }) => finders[fact.by] },
        ]}
        rows={rows}
        keyOf={({ index }) => index}
      />
    </>
  );
}

function cellOf({ value, judged = [] }: ReportedFact, field: string): ComponentChildren {
  const content = value[field];
  if (content === undefined) return '–';
  return judged.includes(field) ? <em>{textOf(content)}</em> : textOf(content);
}

function textOf(content: FactValue): string {
  if (typeof content === 'number') return content.toLocaleString('en', { maximumFractionDigits: 6 });
  if (typeof content === 'string') return content;
  const { count, unit } = content;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
