/** A label in bold at the beginning of a line changes neither the layout nor the offsets of the document. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';

const parse = (text: string) => parseDocument({ message: 0, text });
const bold = (text: string) => text.replace(/^(\w[^:\n]*):(?= )/gm, '**$1:**');

describe('labels in bold', () => {
  it.each([
    ['in a field', 'Patient:  Ann Ode, born 1951\nAdmitted 3 May 2026'],
    ['above a value in columns', 'Name   : Ann Ode      Ward : 4b\nBorn   : 3 May 1951   Case : 8811'],
    ['of a numbered part', 'Article 9: “Parts are available for seven years.”'],
  ])('%s are read like plain labels', (_place, text) => {
    const shapes = ({ text: shown, blocks }: ReturnType<typeof parse>) =>
      blocks.map(({ kind, start, end }) => [kind, shown.slice(start, end)]);
    expect(shapes(parse(bold(text)))).toEqual(shapes(parse(text)));
  });

  it.each(['**Due:** 3 May', '**Due**: 3 May'])('keep the offsets of the source: %s', (text) => {
    const document = parse(text);
    expect(document.text).toBe('Due: 3 May');
    const { start, end } = document.spanOf({ start: 5, end: 10 });
    expect(text.slice(start, end)).toBe('3 May');
  });

  it('alone on a line are a heading', () => {
    expect(parse('**Scope:**\nAll sites.').blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph']);
  });
});
