import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../../agents/agent/vocabulary.ts';
import { labelledAgents, readJson, readKinds, valueProblems } from '../../../bench/agents-quality/documents.ts';
import { answerPath, recordedAnswers } from '../../../bench/agents-quality/listed-facts.ts';
import {
  missingDocuments,
  nameOf,
  type PublicEntry,
  readManifest,
  readPublicDocument,
  readPublicLabels,
  sourceOf,
} from '../../../bench/agents-quality/public-documents.ts';
import { readPublicResult, renderPublicSection, summarizePublic } from '../../../bench/agents-quality/public-page.ts';

const manifest = readManifest();
const folder = mkdtempSync(join(tmpdir(), 'public-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Words of the longest label: a longer text would be a sentence of the document. */
const labelWordsMax = 12;

function longTexts(facts: readonly Fact[]): string[] {
  const texts = facts.flatMap(({ value }) => Object.values(value)).filter((each) => typeof each === 'string');
  return texts.filter((text) => text.split(/\s+/).length > labelWordsMax);
}

function readPublicAnswer({ agent, file }: PublicEntry): { facts: readonly Fact[] } {
  return readJson(answerPath(recordedAnswers.public, agent, { name: nameOf(file) })) as { facts: readonly Fact[] };
}

describe('the manifest of public documents', () => {
  it('has a document for each agent, and each file once', () => {
    expect([...new Set(manifest.map(({ agent }) => agent))].sort()).toEqual(labelledAgents().sort());
    expect(new Set(manifest.map(({ file }) => file)).size).toBe(manifest.length);
  });

  it.each(manifest)('$file: its labels use the defined kinds, fields and codes, and quote no sentence', (entry) => {
    const labels = readPublicLabels(entry);
    expect(labels.facts.length).toBeGreaterThan(0);
    expect(valueProblems(entry.file, labels, readKinds(entry.agent))).toEqual([]);
    expect(longTexts(labels.facts)).toEqual([]);
  });

  it.each(manifest)('$file: its recorded list quotes no sentence', (entry) => {
    expect(longTexts(readPublicAnswer(entry).facts)).toEqual([]);
  });

  it('has an ordered range where only a part of a document is labelled', () => {
    const ranges = manifest.flatMap(({ range }) => (range === undefined ? [] : [range]));
    expect(ranges.filter(([from, to]) => from >= to)).toEqual([]);
  });
});

describe('reading a public document', () => {
  const sha256 = createHash('sha256').update('a public text').digest('hex');
  const entry: PublicEntry = { ...manifest[0]!, sha256, path: 'a folder/a text.md' };

  it('reports documents that the folder lacks, with the address of their source', () => {
    expect(missingDocuments(folder, [entry])).toEqual([entry]);
    expect(sourceOf(entry)).toBe(
      `https://raw.githubusercontent.com/${entry.repository}/${entry.commit}/a%20folder/a%20text.md`,
    );
  });

  it('rejects a file with another digest, and says where the expected one comes from', async () => {
    writeFileSync(join(folder, entry.file), 'another text');
    await expect(readPublicDocument(folder, entry)).rejects.toThrow(`expected ${sha256}: download ${sourceOf(entry)}`);
  });

  it('returns the range of a file with the expected digest', async () => {
    writeFileSync(join(folder, entry.file), 'a public text');
    const { text, labels } = await readPublicDocument(folder, { ...entry, range: [2, 8] });
    expect(text).toBe('public');
    expect(labels.facts.map(({ kind, value }) => ({ kind, value }))).toEqual(readPublicLabels(entry).facts);
  });
});

it('the section of the page names day and commit of the run, the latest batch first, and a precision only where facts were judged', () => {
  const run = { recorded: '2026-11-28', commit: '0123456789abcdef' };
  const document = {
    name: 'note',
    text: '',
    labels: { layout: '', language: '', facts: [], absent: [], complete: [] },
  };
  const tools = { document, missed: [], wrong: [], labels: 3, judged: 0, score: undefined };
  const judgement = { agent: 'eu-legal', tools, listed: { ...tools, judged: 3 } };
  const judgements = ['2026-11-27', '2026-11-30'].map((chosen) => ({ ...judgement, chosen }));
  const section = renderPublicSection(summarizePublic(judgements, run));
  expect(section).toContain('Recorded on 2026-11-28 at commit `0123456789ab`');
  expect(section).toContain('| eu-legal | 1 | 3 | 1.00 | 3 | 1.00 | 0 | 0 | 1.00 | – | 0 |');
  expect(section.indexOf('2026-11-30')).toBeLessThan(section.indexOf('2026-11-27'));
});

it('the recorded result covers the documents of the manifest', () => {
  const { batches } = readPublicResult();
  const recorded = batches.flatMap(({ chosen, agents }) =>
    agents.map(({ slug, tools }) => `${chosen} ${slug} ${tools.documents}`),
  );
  const chosen = Object.groupBy(manifest, (entry) => `${entry.chosen} ${entry.agent}`);
  expect(recorded.sort()).toEqual(
    Object.entries(chosen)
      .map(([name, some = []]) => `${name} ${some.length}`)
      .sort(),
  );
});
