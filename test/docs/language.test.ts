/** The documentation does not use the project's former private words for terms that the field already has. */
import { describe, expect, it } from 'vitest';
import { markdownPages, proseOf } from './markdown.ts';
import { sourceProse } from './source-prose.ts';

/** A retired word or phrase, and its replacement. */
interface Retired {
  readonly phrase: RegExp;
  readonly write: string;
  /** Whether it is also forbidden in comments and test titles; the other phrases have valid uses there. */
  readonly inSources?: boolean;
}

const retired: readonly Retired[] = [
  { phrase: /\bwho(?:m|so)?ever\b/i, write: 'name the actor', inSources: true },
  { phrase: /\bwhatever\b/i, write: 'any, or name what' },
  { phrase: /\bnobody knows\b/i, write: 'unknown', inSources: true },
  { phrase: /\b(?:is|are) none\b(?=[.,;:)]|$)/i, write: 'is not …, or does not exist' },
  { phrase: /\bthere is none of\b/i, write: 'does not exist' },
  { phrase: /\btold\b/i, write: 'reported, emitted or sent' },
  { phrase: /\btells? (?:people|nobody|nothing|of)\b/i, write: 'reports, shows', inSources: true },
  { phrase: /\bbesides?\b/i, write: 'next to, alongside, compared with, or in addition to', inSources: true },
  { phrase: /\b(?:is|are|was) let\b/i, write: 'rented' },
  { phrase: /\blets no\b/i, write: 'offers no' },
  { phrase: /\b(?:taken|takes|took) up\b(?! to)/i, write: 'loaded', inSources: true },
  { phrase: /\bside by side\b/i, write: 'in parallel, or compared with' },
  { phrase: /\bin turns\b(?! with)/i, write: 'interleaved' },
  { phrase: /\bset aside\b/i, write: 'reserved', inSources: true },
  { phrase: /\bguess(?:es|ing)?\b/i, write: 'draft, or speculative decoding' },
  { phrase: /\bwish(?:es)?\b/i, write: 'requirement or option', inSources: true },
  { phrase: /\bborn\b/i, write: 'created or generated', inSources: true },
  { phrase: /\bnot a word\b/i, write: 'no prompts or completions' },
  { phrase: /\bwhat it holds\b/i, write: 'contents' },
  { phrase: /\bat hand\b/i, write: 'available' },
  { phrase: /\b(?:is|are|gives?) (?:given )?out nothing\b/i, write: 'has no output' },
  { phrase: /\bby itself\b|\bof (?:its|our|their) own making\b/i, write: 'on its own, or name the maker' },
  { phrase: /\bas good as its\b|\bas ever\b/i, write: 'unchanged' },
  { phrase: /\bpictures?\b/i, write: 'image' },
];

/** Exceptions in which one of the phrases is correct. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // Titles of tests, which the page quotes.
  'docs/audit/README.md': ['told', 'born', 'whichever'],
  // Rows that quote the contract.
  'docs/contract/compute.md': ['whatever'],
  'docs/contract/inference.md': ['whatever'],
};

// Results are generated and prompts are measured; the cards of models are revised separately.
const pages = markdownPages({
  except: ['models/demo/', 'bench/results/'],
}).filter(({ path }) => !path.endsWith('/prompt.md'));

describe.each(pages)('$path', ({ path, text }) => {
  it('uses no former private words of the project', () => {
    const lines = proseOf(text)
      .replaceAll(/\]\([^)\s]*\)/g, ']')
      .split('\n');
    const found = retired.flatMap(({ phrase, write }) =>
      lines.flatMap((line, index) => {
        const [words] = phrase.exec(line) ?? [];
        return words === undefined || allowed[path]?.includes(words) ? [] : [`line ${index + 1}: "${words}": ${write}`];
      }),
    );
    expect(found).toEqual([]);
  });
});

it('sources use the words of the field in comments and titles', () => {
  const sources = sourceProse({ except: ['bench/peers/'] });
  const found = sources.flatMap(({ path, lines }) =>
    retired
      .filter(({ inSources }) => inSources)
      .flatMap(({ phrase, write }) =>
        lines.flatMap(({ line, text }) => {
          const [words] = phrase.exec(text) ?? [];
          return words === undefined ? [] : [`${path}:${line}: "${words}": ${write}`];
        }),
      ),
  );
  expect(found).toEqual([]);
});
