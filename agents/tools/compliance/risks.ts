/** The risks of a register or an assessment, as rated in the present edition. */

import { lazily } from '../text/lazily.ts';
import { splitWords } from '../text/words.ts';
import { isClosed } from './control-statuses.ts';
import type { Reading } from './reading.ts';
import { cellText, type RegisterRow } from './register-rows.ts';

export type Treatment = 'mitigate' | 'accept' | 'transfer' | 'avoid';

export interface Risk {
  /** As printed. */
  readonly id: string;
  readonly title?: string;
  readonly inherent?: number;
  readonly residual?: number;
  readonly treatment?: Treatment;
  /** As printed. */
  readonly owner?: string;
  readonly row: RegisterRow;
}

/** Beginnings of words. */
const treatments: readonly (readonly [Treatment, RegExp])[] = [
  [
    'accept',
    /^(?:accept|akzept|tragen|toler|toller|acept|accett|accepter|aanvaard|assum|retain|rétent|conserv|retención|ritenzione|risikoakzeptanz|hinnehm)/u,
  ],
  [
    'transfer',
    /^(?:transf|übertrag|verlager|überwälz|versicher|assur|asegur|overdra|verzeker|share|shared|teilen|partag|compart|condivi|trasfer|traslad|insur|delen)/u,
  ],
  ['avoid', /^(?:avoid|vermeid|évit|evit|vermijd|elimin|termin|refus|beëindig|cease|ausschließ)/u],
  [
    'mitigate',
    /^(?:mitig|reduc|reduz|reduk|minder|rédui|réduct|attén|beperk|behandel|treat|modif|verringer|senk|traiter|tratar|trattar|riduz|ridur|limit|vermind|reduz|minimier|minimis|control|beheers|maîtris)/u,
  ],
];

/** In the order of the text. Rows of a template, without scores or withdrawn are left out. */
export function findRisks({ rows, flat }: Reading): Risk[] {
  const legend = lazily(() => legendOf(flat));
  const found = new Map<string, Risk>();
  for (const row of rows) {
    const isRated = row.columns.includes('residual') || row.columns.includes('inherent');
    const risk = isRated || isAssessed(row) ? riskOf(row, legend) : undefined;
    if (risk !== undefined && !found.has(risk.id)) found.set(risk.id, risk);
  }
  return [...found.values()];
}

/** A risk with its likelihood and impact, whose only score does not say whether it is that before treatment. */
function isAssessed({ cells, columns }: RegisterRow): boolean {
  const has = (shape: RegExp) => cells.some(({ header }) => header !== undefined && shape.test(header));
  return (
    columns.includes('risk') &&
    has(
      /^(?:likelihood|probability|eintrittswahrscheinlichkeit|probabilit[éà]|probabilidad|kans|waarschijnlijkheid)/iu,
    ) &&
    has(/^(?:impact|severity|auswirkung|schadenshöhe|impacto|impatto|gravité)/iu)
  );
}

function riskOf(row: RegisterRow, legend: () => ReadonlyMap<string, Treatment>): Risk | undefined {
  const first = row.cells.find(({ part }) => part === 'id')?.text ?? row.cells[0]?.text;
  // "R-01 Ransomware on file servers": one blank between two columns.
  const id = first === undefined ? undefined : (idAndTitle.exec(first)?.[1] ?? first);
  if (id === undefined || !/^[\p{L}#]{0,8}[ ._/-]?[\p{L}]{0,4}[-.]?\d[\p{L}\d./-]{0,10}$/u.test(id)) return undefined;
  const inherent = scoreOf(row, 'inherent');
  const residual = scoreOf(row, 'residual');
  if (inherent === undefined && residual === undefined && !isAssessed(row)) return undefined;
  // "closed 04/2026" in place of the score.
  if ((['inherent', 'residual'] as const).some((part) => isClosed(cellText(row, part) ?? ''))) return undefined;
  const treated = cellText(row, 'treatment') ?? shortText(cellText(row, 'measure')) ?? '';
  const treatment = letters.test(treated) ? legend().get(treated) : treatmentOf(treated);
  const owner = cellText(row, 'owner');
  const title = cellText(row, 'risk');
  return {
    id,
    ...(title === undefined ? {} : { title }),
    ...(inherent === undefined ? {} : { inherent }),
    ...(residual === undefined ? {} : { residual }),
    ...(treatment === undefined ? {} : { treatment }),
    ...(owner === undefined ? {} : { owner }),
    row,
  };
}

/** "M = mitigate, A = accept": letters that name ways of treatment, unless a letter has two meanings. */
function legendOf(text: string): ReadonlyMap<string, Treatment> {
  const found = new Map<string, Treatment>();
  const several = new Set<string>();
  for (const [, letter, word] of text.matchAll(legendEntry)) {
    const treatment = treatmentOf(word!.toLowerCase());
    if (treatment === undefined) continue;
    if (found.has(letter!) && found.get(letter!) !== treatment) several.add(letter!);
    found.set(letter!, treatment);
  }
  for (const letter of several) found.delete(letter);
  return found;
}

const letters = /^\p{Lu}{1,2}$/u;
const legendEntry = /(?<![\p{L}\d])(\p{Lu}{1,2})\)? ?[=:–-] ?(\p{L}{4,20})/gu;

const idAndTitle = /^(\p{Lu}{1,6}[-._/]?\d[\d.]{0,6}) {1,4}\p{L}{2}/u;

/** "Reduce", "Übertragen (Versicherung)": a measure that names only the way of treatment. */
function shortText(text: string | undefined): string | undefined {
  return text === undefined || text.split(' ').length > 2 ? undefined : text;
}

/** A score as a number, also "16 (high)" and "4 x 4 = 16"; undefined for ranges and words. */
function scoreOf(row: RegisterRow, part: 'inherent' | 'residual'): number | undefined {
  const text = cellText(row, part);
  if (text === undefined) return undefined;
  const product = /^\d{1,2}\s?[x×*]\s?\d{1,2}\s?=\s?(\d{1,3})\b/u.exec(text);
  if (product !== null) return Number(product[1]);
  const alone =
    /^(\d{1,3}(?:[.,]\d)?)(?:\s{0,2}\(?[\p{L}][\p{L} -]{0,16}\)?)?(?:\/\d{1,3})?$/u.exec(text) ??
    /^\p{L}[\p{L} -]{0,16}\s?\(?(\d{1,3})\)?$/u.exec(text);
  return alone === null ? undefined : Number(alone[1]!.replace(',', '.'));
}

function treatmentOf(text: string): Treatment | undefined {
  for (const word of splitWords(text).slice(0, 6)) {
    const found = treatments.find(([, shape]) => shape.test(word.text));
    if (found !== undefined) return found[0];
  }
  return undefined;
}
