/** Terms that a text defines: in quotes before "means", or in quotes within parentheses. */
import type { Range } from './span.ts';

export interface Definition extends Range {
  readonly term: string;
  /** `clause`: `"Fees" means …`; `inline`: `(the "Fees")`. The range includes the quotation marks. */
  readonly kind: 'clause' | 'inline';
}

const quoted = /["“„»]([^"“”„»«\n]{1,60})["”“«]/g;
const meaning =
  /[ \u00a0]{0,2}(?:\([^()\n]{0,60}\) ?)?(?:shall |will )?(?:means?\b|ha(?:s|ve) the meaning|refers? to|bezeichnet|bedeutet|désigne|znamená|se rozumí)/iy;

/** Ordered by position in the text; each term once per kind, where it first appears. */
export function findDefinitions(text: string): Definition[] {
  const found: Definition[] = [];
  const seen = new Set<string>();
  for (const match of text.matchAll(quoted)) {
    const range = { start: match.index, end: match.index + match[0].length };
    const term = match[1]!.replace(/^[*_ ]{1,3}|[*_ ]{1,3}$/g, '');
    if (!/\p{L}/u.test(term)) continue;
    meaning.lastIndex = range.end;
    const kind = meaning.test(text) ? 'clause' : isInParentheses(text, range) ? 'inline' : undefined;
    if (kind === undefined || seen.has(`${kind} ${term}`)) continue;
    seen.add(`${kind} ${term}`);
    found.push({ ...range, term, kind });
  }
  return found;
}

/** `("Fees")`, `(the "Fees")`, `(together, the "Parties")`: opened at most 60 characters before, closed at most 30 after. */
function isInParentheses(text: string, { start, end }: Range): boolean {
  const before = text.slice(Math.max(0, start - 60), start);
  const opened = before.lastIndexOf('(');
  if (opened === -1 || before.includes(')', opened)) return false;
  const after = text.slice(end, end + 30);
  const closed = after.indexOf(')');
  return closed !== -1 && !after.slice(0, closed).includes('(');
}
