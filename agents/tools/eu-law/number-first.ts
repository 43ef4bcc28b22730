/**
 * Citations in which the number stands before its noun: "7 artiklan 1 kohta" (Finnish), "17. cikk (3) bekezdés" (Hungarian), "7 straipsnio
 * 1 dalis" (Lithuanian), "7. panta 1. punkts" (Latvian); and recitals whose number stands between two words (Czech, Finnish).
 */
import type { Range } from '../text/span.ts';

export interface NumberFirst extends Range {
  readonly kind: 'article' | 'recital';
  readonly number: string;
  readonly paragraph?: string;
  readonly point?: string;
}

const article = 'artik(?:la|lan|lassa|laa|lat|lojen)|cikk\\p{L}{0,8}|straipsn\\p{L}{1,4}|pant(?:s|a|u|ā|am)';
const paragraph =
  'koh(?:ta|dan|dassa|taa|dat)|bekezdés\\p{L}{0,6}|dal(?:is|ies|yje|į)|daļ(?:a|as|u|ā)|punkt(?:s|a|u|ā)';
const point = 'alakoh(?:ta|dan|dassa|taa)|pont\\p{L}{0,6}|punkt(?:as|o|e|ą)|apakšpunkt(?:s|a|u|ā)';
const shape = new RegExp(
  `(?<![\\p{L}\\d/.])(\\d{1,3}[a-z]?)\\.? (?:${article})(?!\\p{L})(?:,? \\(?(\\d{1,2}[a-z]?)\\)?\\.? (?:${paragraph})(?!\\p{L}))?(?:,? \\(?([a-z])\\)? (?:${point})(?!\\p{L}))?`,
  'giu',
);
const recital =
  /(?<!\p{L})(?:bod(?:u|ě|em|y)? (\d{1,3}) odůvodnění|johdanto-osan (\d{1,3}) (?:perustelukap\p{L}{1,8}|kap\p{L}{1,8})|\((\d{1,3})\) preambulumbekezdés\p{L}{0,6})/giu;

/** Ordered by position within each kind. */
export function findNumberFirst(text: string): NumberFirst[] {
  const articles = [...text.matchAll(shape)].map((match): NumberFirst => {
    const [written, number, inParagraph, letter] = match;
    return {
      kind: 'article',
      number: number!,
      ...(inParagraph === undefined ? {} : { paragraph: inParagraph }),
      ...(letter === undefined ? {} : { point: letter }),
      start: match.index,
      end: match.index + written.length,
    };
  });
  const recitals = [...text.matchAll(recital)].map(
    (match): NumberFirst => ({
      kind: 'recital',
      number: (match[1] ?? match[2] ?? match[3])!,
      start: match.index,
      end: match.index + match[0].length,
    }),
  );
  return [...articles, ...recitals];
}
