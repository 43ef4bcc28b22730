/** Results of functions of a text that are computed once per text, because documents repeat their labels, headings and amounts. */

/** Results by text, of each such function. What they may hold is bounded by the texts of one request. */
const memories: Map<string, unknown>[] = [];
let runs = 0;

/** Remembers results while `work` runs, and forgets them with the texts afterwards. Calls may be nested. */
export function remembering<Result>(work: () => Result): Result {
  runs += 1;
  try {
    return work();
  } finally {
    runs -= 1;
    if (runs === 0) for (const memory of memories) memory.clear();
  }
}

/** @param compute gives equal results for equal texts; callers do not modify them */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const memory = new Map<string, Value>();
  memories.push(memory);
  return (text) => {
    if (runs === 0) return compute(text);
    const known = memory.get(text);
    if (known !== undefined || memory.has(text)) return known as Value;
    const value = compute(text);
    memory.set(text, value);
    return value;
  };
}
