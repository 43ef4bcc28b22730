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
import { recordedJudgements } from '../../../bench/agents-quality/listed-facts.ts';
import { renderPage } from '../../../bench/agents-quality/page.ts';
import { readPublicResult } from '../../../bench/agents-quality/public-page.ts';
import { renderVocabularyPage } from '../../../bench/agents-quality/vocabulary-page.ts';

describe.runIf(labelledAgents().length > 0).each(labelledAgents())('the labelled documents of %s', (slug) => {
  it.each(sets)('%s: quote the document, and use the defined kinds, fields and codes', (set) => {
    const kinds = readKinds(slug);
    expect(readDocuments(slug, set).flatMap((document) => labelProblems(document, kinds))).toEqual([]);
  });

  it('are at least 20 for development', () => {
    expect(readDocuments(slug, 'development').length).toBeGreaterThanOrEqual(20);
  });

  // When tools are changed with held-out documents in view, these move to development, and others write new ones.
  it('are at least 7 held out', () => {
    expect(readDocuments(slug, 'held-out').length).toBeGreaterThanOrEqual(7);
  });
});

it('docs/reference/agents-quality.md shows the current measurements of the tools', { timeout: 180_000 }, () => {
  const results = labelledAgents().map((slug) => ({
    slug,
    bySet: { development: evaluateAgent(slug, 'development'), 'held-out': evaluateAgent(slug, 'held-out') },
  }));
  const page = readFileSync(new URL('../../../docs/reference/agents-quality.md', import.meta.url), 'utf8');
  expect(page, 'run `npm run eval:agents -- --write`').toBe(
    renderPage(results, readPublicResult(), recordedJudgements),
  );
});

it('docs/reference/agents-facts.md shows the current vocabularies', () => {
  const page = readFileSync(new URL('../../../docs/reference/agents-facts.md', import.meta.url), 'utf8');
  expect(page, 'run `npm run eval:agents -- --write`').toBe(renderVocabularyPage());
});
