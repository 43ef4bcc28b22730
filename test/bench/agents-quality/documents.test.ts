import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  labelledAgents,
  labelProblems,
  readDocuments,
  readKinds,
  sets,
} from '../../../bench/agents-quality/documents.ts';
import { evaluateAgent } from '../../../bench/agents-quality/evaluate.ts';
import { renderPage } from '../../../bench/agents-quality/page.ts';
import { readPublicResult } from '../../../bench/agents-quality/public-page.ts';

describe.runIf(labelledAgents().length > 0).each(labelledAgents())('the labelled documents of %s', (slug) => {
  it.each(sets)('%s: quote the document, and use the defined kinds, fields and codes', (set) => {
    const kinds = readKinds(slug);
    const documents = readDocuments(slug, set);
    // Held-out documents that have been used are development documents until new ones replace them.
    const isUsedUp = set === 'held-out' && documents.length === 0;
    expect(isUsedUp || documents.length >= (set === 'development' ? 20 : 8)).toBe(true);
    expect(documents.flatMap((document) => labelProblems(document, kinds))).toEqual([]);
  });
});

it('docs/reference/agents-quality.md shows the current measurements of the tools', async () => {
  const results = await Promise.all(
    labelledAgents().map(async (slug) => ({
      slug,
      bySet: {
        development: await evaluateAgent(slug, 'development'),
        'held-out': await evaluateAgent(slug, 'held-out'),
      },
    })),
  );
  const page = readFileSync(new URL('../../../docs/reference/agents-quality.md', import.meta.url), 'utf8');
  expect(page, 'run `npm run eval:agents -- --write`').toBe(renderPage(results, readPublicResult()));
});
