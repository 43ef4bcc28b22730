/** Tables of the evaluation's figures, in Markdown. */
import type { Figures } from './evaluate.ts';

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
export function figureCells(figures: Omit<Figures, 'rankedPairs'>): string[] {
  const { documents, labels, recall, judged, precision, wrongNumbers, criticalFalseAlarms } = figures;
  const precisionCell = judged === 0 ? '–' : precision.toFixed(2);
  return [documents, labels, recall.toFixed(2), judged, precisionCell, wrongNumbers, criticalFalseAlarms].map(String);
}

export function tableOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
