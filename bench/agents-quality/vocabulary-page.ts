/** Writes `docs/reference/agents-facts.md`: the vocabularies of all agents. */
import type { FactField } from '../../agents/agent/vocabulary.ts';
import { agents } from '../../agents/registry.ts';
import { tableOf } from './figures-table.ts';

export function renderVocabularyPage(): string {
  return `# Facts that the agents list

The kinds and fields of facts in an answer to \`response_format: {"type": "agent_facts"}\` ([agents](agents.md#facts)). Fields that a
document does not state are absent. Kinds and fields marked *computed* come from code alone.
\`npm run eval:agents -- --write\` writes this page from \`agents/*/facts.json\`.

A number is in base units, a date \`2026\`, \`2026-03\` or \`2026-03-31\`, a duration \`{"count": 3, "unit": "month"}\`.

${agents
  .map(
    ({ slug, facts }) =>
      `## ${slug}\n\n${Object.entries(facts)
        .map(([name, kind]) => renderKind(name, kind))
        .join('\n\n')}`,
  )
  .join('\n\n')}
`;
}

function renderKind(
  name: string,
  { means, by, fields }: { means: string; by?: 'code'; fields: Readonly<Record<string, FactField>> },
): string {
  const rows = Object.entries(fields).map(([field, of]) => [
    `\`${field}\``,
    valuesOf(of),
    cell(of.means + computed(of.by)),
  ]);
  return `### ${name}\n\n${cell(means)}${computed(by)}\n\n${tableOf(['field', 'value', 'meaning'], rows)}`;
}

function computed(by: 'code' | undefined): string {
  return by === undefined ? '' : ' *Computed.*';
}

function valuesOf({ type, values }: FactField): string {
  return values === undefined ? type : values.map((value) => `\`${value}\``).join(', ');
}

/** Bars end a cell, and angle brackets would be HTML. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
