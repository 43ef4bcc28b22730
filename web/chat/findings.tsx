/** The findings of an agent's tools: values computed by code, in the form of their JSON. */
import type { ComponentChildren } from 'preact';
import { DataTable } from '../parts/data-table.tsx';
import { formatName } from '../parts/format.ts';
import type { AgentReport } from './chat-stream.ts';

type Fields = Readonly<Record<string, unknown>>;

export function Findings({ report }: { readonly report: AgentReport }) {
  return (
    <section class="findings" aria-label="Findings of the tools">
      {report.context?.complete === false && (
        <p class="notice caution">
          The documents are longer than the model's window: it read parts, the tools read all.
        </p>
      )}
      {report.tools.map(({ name, result, called_by: caller }, index) => (
        <details key={index}>
          <summary>
            {formatName(name)} {caller === 'model' && <span class="fine">called by the model</span>}
          </summary>
          <Value value={result} />
        </details>
      ))}
    </section>
  );
}

function Value({ value }: { readonly value: unknown }): ComponentChildren {
  if (Array.isArray(value)) return <ListValue items={value as readonly unknown[]} />;
  if (isFields(value)) return <FieldsValue fields={value} />;
  return <span>{value === null || value === undefined ? '–' : String(value)}</span>;
}

function FieldsValue({ fields }: { readonly fields: Fields }) {
  return (
    <dl class="facts">
      {Object.entries(fields).map(([name, value]) => [
        <dt key={name}>{formatName(name)}</dt>,
        <dd key={`${name} value`}>
          <Value value={value} />
        </dd>,
      ])}
    </dl>
  );
}

function ListValue({ items }: { readonly items: readonly unknown[] }) {
  if (items.length === 0) return <span class="fine">nothing found</span>;
  const columns = [...new Set(items.flatMap((item) => (isFields(item) ? Object.keys(item) : [])))];
  const isTable = columns.length > 0 && items.every((item) => isFields(item) && Object.values(item).every(isScalar));
  if (!isTable) {
    return (
      <ul>
        {items.map((item, index) => (
          <li key={index}>
            <Value value={item} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <DataTable<{ fields: Fields; index: number }>
      caption="Findings as a table"
      columns={columns.map((column) => ({
        title: formatName(column),
        cell: ({ fields }) => <Value value={fields[column]} />,
      }))}
      rows={(items as readonly Fields[]).map((fields, index) => ({ fields, index }))}
      keyOf={({ index }) => index}
    />
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
