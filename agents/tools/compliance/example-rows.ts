/** Rows of registers that are no records. */
import { isEmptyCell, type RegisterRow } from './register-rows.ts';

/** "MODEL - do not fill in", or a row whose cells say "example": a row that shows how to fill in the register. */
export function isExampleRow({ cells, columns }: Pick<RegisterRow, 'cells' | 'columns'>): boolean {
  if (columns.length === 0) return false;
  return (
    exampleOpening.test(cells.find(({ text }) => !isEmptyCell(text))?.text ?? '') ||
    cells.filter(({ text }) => exampleCell.test(text.trim())).length >= exampleCellsMin
  );
}

const exampleCellsMin = 2;
const exampleCell =
  /^\(?(?:example|sample|beispiel|exemple|ejemplo|esempio|voorbeeld|exemplo|przykład|exempel|eksempel)\)?$/iu;
const exampleOpening =
  /^(?:template|example|sample(?: row)?|model(?: row)?|muster(?:zeile)?|beispiel(?:zeile)?|modèle|exemple|modelo|ejemplo|modello|esempio|voorbeeld|exemplo|wzór|przykład|mall|exempel|skabelon|eksempel)(?: ?[-–—:(]| row$|$)/iu;
