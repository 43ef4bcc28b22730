/** Sentences and single cells with prose, each with the heading above it. */
import type { Block } from '../../document/blocks.ts';
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { sentenceCharactersMax } from './prose-sentences.ts';

export interface ProseRange extends Range {
  readonly headingText: string;
}

/** In text order, without the ranges that were read as statement lines. @param itemLines in order */
export function splitSentencesOf(document: Document, itemLines: readonly Range[]): ProseRange[] {
  const headings = titlesOf(document).filter(
    ({ kind, start, end }) => kind === 'heading' || outlookTitle.test(document.text.slice(start, end)),
  );
  let next = 0;
  let headingText = '';
  return joinedSentences(document).flatMap(({ start, end }): ProseRange[] => {
    while (next < headings.length && headings[next]!.start <= start) {
      headingText = document.text.slice(
        headings[next]!.start,
        Math.min(headings[next]!.end, headings[next]!.start + 160),
      );
      next += 1;
    }
    const index = indexAt(itemLines, start);
    const isItem = index !== undefined && start < itemLines[index]!.end;
    return isItem || end - start > sentenceCharactersMax || end - start < 8 ? [] : [{ start, end, headingText }];
  });
}

/** Headings, and short lines of their own that name a year: "Perspectives 2025", "Item 2 Accounts at 31 December 2024". */
export function titlesOf({ blocks, text }: Document): readonly Block[] {
  return blocks.filter(({ kind, start, end }) => {
    if (kind !== 'paragraph') return kind === 'heading';
    const shown = end - start > titleCharactersMax ? '' : text.slice(start, end);
    return /^\p{Lu}[^\n]*(?<!\d)20\d\d(?!\d)/u.test(shown) && !/\n|[.;:,!?]\s*$/u.test(shown);
  });
}

/** The heading of a list of forecasts. */
export const outlookTitle =
  /^(?:\d{1,2}[.)]? )?(?:outlook|guidance|forecasts?|ausblick|prognose|perspectives|objectifs|perspectivas|previsiones|prospettive|previsioni|vooruitzichten|verwachtingen)(?!\p{L})/iu;

const titleCharactersMax = 90;

/** "2,05 Mrd. EUR" looks like the end of a sentence. */
export function joinedSentences({ sentences, text }: Document): Range[] {
  const joined: Range[] = [];
  for (const { start, end } of sentences) {
    const last = joined.at(-1);
    if (
      last !== undefined &&
      start - last.end <= 2 &&
      last.end - last.start < sentenceCharactersMax &&
      abbreviated.test(text.slice(Math.max(last.start, last.end - 6), last.end))
    )
      joined[joined.length - 1] = { start: last.start, end };
    else joined.push({ start, end });
  }
  return joined;
}

const abbreviated = /(?<!\p{L})(?:Mio|Mrd|Tsd|Mill|mln|mld|tis|Vj|Vgl|ca|rd|inkl|exkl|bzw|Nr|approx|vs|env|ej|jl)\.$/iu;
