/** Finds CVSS vectors in texts, scores them and compares them with the scores that the text states next to them. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import { spanOf } from '../text/span.ts';
import { scoreCvss3 } from './cvss3.ts';
import { scoreCvss4 } from './cvss4.ts';

interface CvssFinding {
  readonly vector: string;
  readonly version: string;
  /** The severity score: that of the last group of metrics that is given. */
  readonly score?: number;
  /** The name of the standard for the score, with "none". */
  readonly rating?: string;
  readonly parts?: Readonly<Record<string, number | string>>;
  readonly error?: string;
  /** The number that the text states within 80 characters of the vector, and whether it equals one of the scores. */
  readonly stated?: number;
  readonly agrees?: boolean;
  readonly note?: string;
  readonly count: number;
  readonly span: { readonly message: number; readonly start: number; readonly end: number };
}

/** Vectors of CVSS 3.0, 3.1 and 4.0, each once, in the order of their first position, with the number of occurrences. */
export const cvssScores: AgentTool = {
  name: 'cvss_scores',
  version: '2',
  purpose: 'Scores CVSS 3.0, 3.1 and 4.0 vectors by the official formulas. Text: the vectors.',
  run(documents) {
    const found = findCvss(documents);
    return toFindings(sharedBytes({ vectors: found }), found.map(digestLine), 25);
  },
};

export function findCvss(documents: readonly AgentDocument[]): CvssFinding[] {
  const found = new Map<string, CvssFinding>();
  for (const { message, text } of documents) {
    for (const match of text.matchAll(vectorShape)) {
      const known = found.get(match[0]);
      if (known !== undefined) {
        found.set(match[0], { ...known, count: known.count + 1 });
        continue;
      }
      const range = { start: match.index, end: match.index + match[0].length };
      const scored = scoreWritten(match[0]);
      const stated = scored.score === undefined ? undefined : statedScore(text, range.start, range.end);
      const numbers = [scored.score, ...Object.values(scored.parts ?? {})];
      found.set(match[0], {
        ...scored,
        ...(stated === undefined ? {} : { stated, agrees: numbers.includes(stated) }),
        count: 1,
        span: spanOf(message, range),
      });
    }
  }
  return [...found.values()];
}

/** With its prefix, or without it as in older texts; the first metric of every version is AV. */
const vectorShape =
  /(?:\bCVSS:?\s?v?\d\.\d(?:\/[A-Za-z]{1,3}:[A-Za-z]{1,5}){1,40}|(?<![/\w])AV:[A-Z](?:\/[A-Za-z]{1,3}:[A-Z]{1,3}){4,40})/g;

type Scored = Omit<CvssFinding, 'count' | 'span'>;

function scoreWritten(raw: string): Scored {
  const written = raw.replace(/^CVSS:?\s?v?(?=\d)/, 'CVSS:');
  if (written.startsWith('CVSS:4.0/')) return scoredAs4(written);
  if (written.startsWith('CVSS:3.')) return scoredAs3(written, undefined);
  if (written.startsWith('CVSS:')) {
    return {
      vector: written,
      version: written.slice(5, 8),
      error: 'not scored: only versions 3.0, 3.1 and 4.0 are supported',
    };
  }
  if (/\/Au:/.test(written)) return { vector: written, version: '2.0', error: 'not scored: CVSS 2.0 is superseded' };
  if (/\/AT:/.test(written)) return { ...scoredAs4(`CVSS:4.0/${written}`), note: 'prefix missing, read as CVSS 4.0' };
  return scoredAs3(`CVSS:3.1/${written}`, 'prefix missing, read as CVSS 3.1');
}

function scoredAs3(vector: string, note: string | undefined): Scored {
  const score = scoreCvss3(vector);
  if ('error' in score) return { vector, version: vector.slice(5, 8), error: score.error };
  const { base, temporal, environmental } = score;
  return {
    vector: score.vector,
    version: score.version,
    score: score.overall,
    rating: score.severity,
    parts: {
      base,
      ...(temporal === undefined ? {} : { temporal }),
      ...(environmental === undefined ? {} : { environmental }),
    },
    ...(note === undefined ? {} : { note }),
  };
}

function scoredAs4(vector: string): Scored {
  const score = scoreCvss4(vector);
  if ('error' in score) return { vector, version: '4.0', error: score.error };
  const { nomenclature, macroVector } = score;
  return {
    vector: score.vector,
    version: '4.0',
    score: score.overall,
    rating: score.severity,
    parts: { nomenclature, macroVector },
  };
}

/** A score has one decimal (or is 10); version numbers and numbers such as 1.2.3 are not scores. */
const scoreShape = /(?<![\d.,])(?:10(?:[.,]0)?|\d[.,]\d)(?![\d.,]?\d)/g;
const versionBefore = /(?:cvss|version|score|cvss:)[\s(]{0,2}v?$/i;
/** "In version 1.0 we had printed 5.4": the number of a document, and a score that is withdrawn. */
const otherVersion = /(?:version|fassung|versión|versione|versão|revision|rev\.?|release|v)[\s(]{0,2}$/i;
const withdrawnBefore =
  /(?<!\p{L})(?:had (?:printed|stated|given|scored)|previously|formerly|originally|was scored|proposes?|statt|vorher|zuvor|noch mit|auparavant|antes|in precedenza|eerder)\s(?:\p{L}+\s){0,2}$/iu;

/** @returns the score nearest to the vector, on its line or on adjacent lines */
function statedScore(text: string, start: number, end: number): number | undefined {
  const from = Math.max(0, start - 80);
  const around = text.slice(from, end + 80);
  let nearest: { readonly value: number; readonly distance: number } | undefined;
  for (const match of around.matchAll(scoreShape)) {
    const at = from + match.index;
    if (at >= start && at < end) continue;
    const before = around.slice(Math.max(0, match.index - 10), match.index);
    // "CVSS 3.1" and "CVSS v4.0" name a version; "CVSS 9.8" states a score.
    if (['2.0', '3.0', '3.1', '4.0'].includes(match[0]) && (versionBefore.test(before) || /v$/i.test(before))) continue;
    if (otherVersion.test(before) || withdrawnBefore.test(around.slice(Math.max(0, match.index - 40), match.index)))
      continue;
    const between = at < start ? text.slice(at, start) : text.slice(end, at);
    // A line above is more likely to state the score of this vector than a line below, which may belong to the next.
    const distance = between.length + (at > end && between.includes('\n') ? 80 : 0);
    if (isNumbering(around, match.index, match[0])) continue;
    if (nearest === undefined || distance < nearest.distance)
      nearest = { value: Number(match[0].replace(',', '.')), distance };
  }
  return nearest?.value;
}

/** "3.3  CVE-2026-…" at the beginning of a line is a section number; a score there needs a sign or words before it. */
function isNumbering(around: string, at: number, written: string): boolean {
  if (written.includes(',') || at === 0) return false;
  const isFirst = /(?:^|\n)[ \t#*]{0,8}$/.test(around.slice(Math.max(0, at - 10), at));
  return isFirst && /^[ \t]{1,4}\p{Lu}/u.test(around.slice(at + written.length));
}

function digestLine(finding: CvssFinding): string {
  const where = place(finding.span);
  if (finding.error !== undefined) return `CVSS vector ${finding.vector}: ${finding.error} ${where}`;
  const stated =
    finding.stated === undefined
      ? ''
      : finding.agrees
        ? `; the text states ${finding.stated.toFixed(1)}, which agrees`
        : `; the text states ${finding.stated.toFixed(1)}, which DISAGREES`;
  const note = finding.note === undefined ? '' : ` (${finding.note})`;
  return `CVSS ${finding.version} ${finding.score?.toFixed(1)} ${finding.rating}: ${finding.vector}${note}${stated} ${where}`;
}
