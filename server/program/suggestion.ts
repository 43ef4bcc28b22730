/** Suggestions for mistyped commands, flags and settings. */

/** Longer names get no suggestion: the time grows with the product of both lengths. */
const nameCharsMax = 64;

/** `; did you mean --port?`, or nothing if no known name is similar. */
export function suggestion(name: string, known: readonly string[]): string {
  const found = nearest(name, known);
  return found === undefined ? '' : `; did you mean ${found}?`;
}

/** The known name with the fewest changed letters, if they are at most a third of the name, or two. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > nameCharsMax) return undefined;
  const ranked = known.map((one) => ({ one, changes: distance(one, name) })).toSorted((a, b) => a.changes - b.changes);
  const [best] = ranked;
  if (best === undefined || best.changes > Math.max(2, Math.floor(name.length / 3))) return undefined;
  return best.changes < name.length ? best.one : undefined;
}

/** Edit distance (Levenshtein), row by row. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const substitution = previous[column]! + (letter === other ? 0 : 1);
      current.push(Math.min(substitution, previous[column + 1]! + 1, current[column]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
