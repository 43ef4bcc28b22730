/** Finds placeholders of a draft: brackets, blanks, drafting notes. */
import { lineAround, type Range } from '../text/span.ts';

export interface Placeholder extends Range {
  /** The text in the bracket; undefined if it has only punctuation. */
  readonly what?: string;
  /** A note to the drafter or an alternative that is offered. */
  readonly isNote: boolean;
}

const note =
  '\\[(?:DN|ALTERNATIVE|Alternative|OPTION(?:AL)?|Option(?:al)?|DRAFTING|Drafting|NOTE|Note|GUIDANCE|Guidance|COMMENT|Comment|Hinweis|Anmerkung)\\b[^[\\]]{0,1500}\\]';
/** Bracketed text in a contract is open unless it says that something is left out on purpose, or comments a quotation. */
const settled =
  '(?!/?INST\\]|SYS\\]|(?:[Aa]ssistant|[Ss]ystem|[Uu]ser|[Tt]ool)\\]|RESERVED|Reserved|reserved|NOT USED|[Nn]ot used|INTENTIONALLY|[Ii]ntentionally|REDACTED|[Rr]edacted|[Rr]emainder|REMAINDER|[Ss]ignature|SIGNATURE|sic\\]|[Ss]eal\\]|[Ll]ogo\\]|[Dd]eleted|[Ss]truck|[Ss]uprimid|[Ss]upprim|[Ee]liminad|[Gg]estrichen|[Gg]eschrapt|[Vv]ervallen|[Ss]tralciat|[Ss]kreślon|[Uu]tgår|[Oo]mitted|[Ee]ntfällt|L\\.S\\.|https?:)';
const open = `\\[(?:●|•|\\*|\\.{2,8}|…|_{1,20}|-{2,10}| {1,10}|${settled}(?=[^\\]]{0,3}[\\p{L}\\d])[^[\\]\\n]{1,80}(?:\\n[^[\\]\\n]{1,80})?)\\]`;
const pattern = new RegExp(
  `${note}|${open}|\\{\\{[^{}\\n]{1,60}\\}\\}|\\[\\[[^[\\]\\n]{1,60}\\]\\]|<(?:insert|name|date|amount)[^<>\\n]{0,40}>|\\bTB[DC]\\b|_{4,80}|\\.{6,80}(?= ?\\()|\\b[Tt]o be (?:agreed|determined|defined|confirmed)\\b|(?:●|\\bXX+\\b)`,
  'gu',
);

/** Ordered by position in the text. Signature lines are excluded, because they are filled in by hand. */
export function findPlaceholders(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  for (const match of text.matchAll(pattern)) {
    const range = { start: match.index, end: match.index + match[0].length };
    const words = match[0];
    if (/^[_.]/.test(words) && isSignatureLine(text, range.start)) continue;
    // "[1]" after a word is a footnote; "[4]" before a unit is a number that is still open.
    if (
      /^\[\d{1,4}\]$/.test(words) &&
      !/^ (?:business |calendar |working )?(?:days?|months?|years?|weeks?|hours?|%|per cent)/.test(
        text.slice(range.end, range.end + 30),
      )
    )
      continue;
    // "[Link](…)" and "[a]" in running text are marks of the format.
    if (/^\[\p{L}\]$/u.test(words) || text[range.end] === '(') continue;
    // "Comment [AB]: …": the initials of a commentator.
    if (/^\[\p{Lu}{2,3}\]$/u.test(words) && /^[ *_]{0,4}:/.test(text.slice(range.end, range.end + 5))) continue;
    const isNote = new RegExp(`^${note}$`).test(words);
    const what = sayingOf(text, range, isNote);
    found.push({ ...range, ...(what === undefined ? {} : { what }), isNote });
    if (found.length >= 400) break;
  }
  return found;
}

/** The text of the bracket, or of the bracket after an underscore blank. */
function sayingOf(text: string, { start, end }: Range, isNote: boolean): string | undefined {
  const inner = text
    .slice(start, end)
    .replace(/^[[{<]{1,2}|[\]}>]{1,2}$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (isNote) return inner.split(':')[0]!.slice(0, 80);
  if (/^[_.]/.test(inner)) {
    const behind = /^ ?\(([^()\n]{3,60})\)/.exec(text.slice(end, end + 70));
    return behind?.[1];
  }
  return /\p{L}|\d/u.test(inner) ? inner : undefined;
}

/** "Signed for Acme: ______", "Name: ____", a line of nothing else. */
function isSignatureLine(text: string, position: number): boolean {
  const line = lineAround(text, position, 160);
  const words = text.slice(line.start, line.end).replace(/[_.]{4,240}/g, ' ');
  if (words.trim().length < 4) return true;
  const isShort = words.trim().split(/\s+/).length <= 10 && !/\b(?:shall|is|are|means|ist|sind|wird)\b/i.test(words);
  if (isShort && position > text.length * 0.75) return true;
  return (
    /\b(?:sign\p{L}{0,8}|by|name|title|date|its|place|unterschrift|datum|ort)\s{0,4}:|^\s{0,20}(?:sign\p{L}{0,8}|by|for)\b|\bfor and on behalf\b|\b(?:Place|Date|Name|Title|Ort, Datum|Signature|Unterschrift)\s{0,3}$|Signed\b/iu.test(
      words,
    ) ||
    (/^\s*\p{Lu}[\p{L}. ]{2,40}\s*$/u.test(words) && words.trim().split(/\s+/).length <= 6)
  );
}
