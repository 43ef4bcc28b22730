/** Finds terms of a list in a text, the longest at each position, in one pass regardless of the list's length. */
import type { Range } from '../text/span.ts';

export interface FoundTerm<Value> extends Range {
  readonly value: Value;
}

/** Indexed by the first run of letters or digits in lower case; the longest term of a run first. */
type TermIndex<Value> = ReadonlyMap<string, readonly { readonly term: string; readonly value: Value }[]>;

/** @param entries lower-case terms that begin with a letter or digit */
export function indexTerms<Value>(entries: Iterable<readonly [string, Value]>): TermIndex<Value> {
  const index = new Map<string, { term: string; value: Value }[]>();
  for (const [term, value] of entries) {
    const first = /^[\p{L}\d]+/u.exec(term)?.[0] ?? '';
    const list = index.get(first) ?? [];
    list.push({ term, value });
    index.set(
      first,
      list.sort((one, other) => other.term.length - one.term.length),
    );
  }
  return index;
}

/** Ordered by position in the text, without overlaps. A term ends where no letter or digit follows. */
export function findTerms<Value>(text: string, index: TermIndex<Value>): FoundTerm<Value>[] {
  const found: FoundTerm<Value>[] = [];
  let readUpTo = 0;
  for (const match of text.matchAll(/[\p{L}\d]+/gu)) {
    const start = match.index;
    if (start < readUpTo || match[0].length > 40) continue;
    const candidates = index.get(match[0].toLowerCase());
    const hit = candidates?.find(({ term }) => {
      const end = start + term.length;
      return text.slice(start, end).toLowerCase() === term && !/[\p{L}\d]/u.test(text[end] ?? '');
    });
    if (hit === undefined) continue;
    found.push({ start, end: start + hit.term.length, value: hit.value });
    readUpTo = start + hit.term.length;
  }
  return found;
}
