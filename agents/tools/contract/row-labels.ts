/** The label of a row of particulars, which a number or a reference may precede: "A1 | The Customer | Acme Ltd". */

const reference = /^[\p{Lu}\p{Ll}]{0,3}[-. ]?\d{1,3}(?:\.\d{1,2}){0,2}[.)]?$|^\(?\p{L}[.)]$/u;

/** The cells from the label on; all cells if the first one is the label. */
export function fromLabel<Cell extends { readonly text: string }>(
  cells: readonly (Cell | undefined)[],
): readonly (Cell | undefined)[] {
  const [first, second] = cells;
  return first !== undefined && cells.length > 2 && reference.test(first.text) && /\p{L}/u.test(second?.text ?? '')
    ? cells.slice(1)
    : cells;
}
