/** Tables of the evaluation's figures, in Markdown. */
import type { Figures } from './evaluate.ts';

export type PlainFigures = Omit<Figures, 'rankedPairs'>;

export const figureHeader = [
  'agent',
  'documents',
  'labels',
  'recall',
  'judged',
  'precision',
  'wrong numbers',
  'critical false alarms',
];

/** The cells of a row after the agent: recall and precision are shares, the latter of at least one fact; everything else is a count. */
export function figureCells(figures: PlainFigures): string[] {
  const { documents, labels, recall, judged, precision, wrongNumbers, criticalFalseAlarms } = figures;
  const precisionCell = judged === 0 ? '–' : precision.toFixed(2);
  return [documents, labels, recall.toFixed(2), judged, precisionCell, wrongNumbers, criticalFalseAlarms].map(String);
}

export const comparedHeader = [...figureHeader, 'tools alone: recall', 'precision', 'wrong numbers'];

/** The cells of a row after the agent. @param listed of the tools joined with a model's list */
export function comparedCells({ listed, tools }: { listed: PlainFigures; tools: PlainFigures }): string[] {
  const { recall, precision, wrongNumbers, judged } = tools;
  const toolCells = [recall.toFixed(2), judged === 0 ? '–' : precision.toFixed(2), String(wrongNumbers)];
  return [...figureCells(listed), ...toolCells];
}

export function tableOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
