/** Rows of data under named columns, in a box that scrolls sideways in narrow windows. */
import type { ComponentChildren } from 'preact';
import { ScrollBox } from './scroll-box.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Has sentences, which need a line length that can be read. */
  readonly isProse?: boolean;
  /** The title is for screen readers only, as over buttons. */
  readonly isTitleHidden?: boolean;
}

export interface DataTableProps<Row> {
  /** For screen readers; a heading above says it to the others. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}

export function DataTable<Row>({ caption, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <ScrollBox label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isTitleHidden }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {isTitleHidden ? <span class="hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, isProse }) => (
                <td key={title} class={isNumber ? 'number' : isProse ? 'prose' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
