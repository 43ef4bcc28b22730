import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentDocument } from '../../agents/agent/agent.ts';
import { choosePassages, rankPassages, splitDocument } from '../../agents/agent/passages.ts';

const contract = [
  'SERVICE AGREEMENT between Alder Ltd and Birch GmbH.',
  '1. Services. The supplier repairs lifts in every building of the customer.',
  '2. Fees. The customer pays 4,000 EUR a month.\nInvoices are due after 30 days.',
  '3. Liability. The liability of the supplier is limited to the fees of twelve months.',
  '4. Governing law. The law of Austria governs this agreement.',
].join('\n\n');

const document = (text: string, message = 0): AgentDocument => ({ message, text });

function chosen(text: string, question: string, unitsMax: number): string[] {
  const queries = [{ text: question, weight: 1 }];
  return choosePassages(rankPassages({ documents: [document(text)], queries, kept: [] }), unitsMax).map(
    ({ start, end }) => text.slice(start, end),
  );
}

describe('passages', () => {
  it('are paragraphs without the white space around them', () => {
    const text = '  one\nline. \n \n\n\ttwo.\r\n\r\nthree.';
    expect(splitDocument(document(text)).map(({ start, end }) => text.slice(start, end))).toEqual([
      'one\nline.',
      'two.',
      'three.',
    ]);
  });

  it('keep headings with the text below them', () => {
    const text = 'ANNEX\n\n1. Fees\n\nThe fee is 5 EUR.\n\n2. Law\n\nAustria.\n\nSigned';
    expect(splitDocument(document(text)).map(({ start, end }) => text.slice(start, end))).toEqual([
      'ANNEX\n\n1. Fees\n\nThe fee is 5 EUR.',
      '2. Law\n\nAustria.',
      'Signed',
    ]);
  });

  it('do not merge paragraphs that must stay separate', () => {
    const text = 'Signed\n\nReview it.';
    const apart = [{ message: 0, start: 8, end: 18 }];
    expect(splitDocument(document(text), apart)).toEqual([{ message: 0, start: 0, end: 6 }, ...apart]);
  });

  it('split long paragraphs at the end of a sentence', () => {
    const text = 'All of this sentence has forty characters. '.repeat(100).trim();
    for (const { start, end } of splitDocument(document(text))) {
      expect(text.slice(start, end)).toMatch(/^All .*characters\.$/);
      expect(end - start).toBeLessThanOrEqual(1200);
    }
  });

  it('never end within a surrogate pair', () => {
    const text = '👋'.repeat(2000);
    for (const { start, end } of splitDocument(document(text)))
      expect(text.slice(start, end).isWellFormed()).toBe(true);
  });

  it('contain every character of the text except white space', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '.', '\t', '😀', 'word '), maxLength: 3000 }),
        (text) => {
          const parts = splitDocument(document(text)).map(({ start, end }) => text.slice(start, end));
          expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
          for (const part of parts) expect(part.trim()).toBe(part);
        },
      ),
    );
  });
});

describe('chosen passages', () => {
  it('are those with the words of the question', () => {
    expect(chosen(contract, 'Which law governs it?', 80)).toEqual([
      '4. Governing law. The law of Austria governs this agreement.',
    ]);
  });

  it('are those with other forms of its words', () => {
    expect(chosen(contract, 'Who repaired the lift?', 80)).toEqual([contract.split('\n\n')[1]]);
  });

  it('keep the order of the documents', () => {
    expect(chosen(contract, 'Is the liability limited, and by which law?', 170)).toEqual([
      '3. Liability. The liability of the supplier is limited to the fees of twelve months.',
      '4. Governing law. The law of Austria governs this agreement.',
    ]);
  });

  it('are the first ones if no passage has a word of the question', () => {
    expect(chosen(contract, 'Was meinst du?', 60)).toEqual([contract.split('\n\n')[0]]);
  });

  it('never exceed their size limit', () => {
    for (const unitsMax of [0, 10, 100, 200, 1000]) {
      const parts = chosen(contract, 'fees of the supplier', unitsMax);
      expect(parts.join('').length).toBeLessThanOrEqual(unitsMax);
    }
  });

  it('begin with the passages that must be kept', () => {
    const kept = [{ message: 0, start: 0, end: 10 }];
    const queries = [{ text: 'liability', weight: 1 }];
    const [first] = choosePassages(rankPassages({ documents: [document(contract)], queries, kept }), 60);
    expect(first).toEqual({ message: 0, start: 0, end: 51 });
  });

  it('are found in scripts without spaces', () => {
    const text = '本契約は甲と乙の間で締結する。\n\n責任は報酬の額を上限とする。\n\n準拠法は日本法とする。';
    expect(chosen(text, '準拠法は何ですか', 16)).toEqual(['準拠法は日本法とする。']);
  });

  it('are the same for the same texts', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 60 }), { maxLength: 12 }), fc.lorem(), (paragraphs, question) => {
        const text = paragraphs.join('\n\n');
        expect(chosen(text, question, 300)).toEqual(chosen(text, question, 300));
      }),
    );
  });

  it.each([
    ['white space', ' '.repeat(200_000)],
    ['one word', 'a'.repeat(200_000)],
    ['one-letter paragraphs', 'a\n\n'.repeat(66_666)],
    ['line feeds', '\n'.repeat(200_000)],
    ['words', 'fee law '.repeat(25_000)],
    ['ideographs', '法'.repeat(200_000)],
  ])('are found quickly in 200,000 characters of %s', (_what, text) => {
    const queries = [{ text: 'a fee law 法', weight: 1 }];
    const begin = performance.now();
    choosePassages(rankPassages({ documents: [document(text)], queries, kept: [] }), 4000);
    expect(performance.now() - begin).toBeLessThan(2000);
  });
});
