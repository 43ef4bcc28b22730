import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';
import { type Scope, scopeOf } from '../../../agents/document/scope.ts';

const scope = (text: string, thing = 'stroke'): Scope => {
  const document = parseDocument({ message: 0, text });
  const start = document.text.toLowerCase().lastIndexOf(thing);
  return scopeOf(document, { start, end: start + thing.length });
};

describe('negation', () => {
  it.each([
    'No stroke.',
    'He denies fever, chills, seizure, or stroke.',
    'Negative for fever, seizure or stroke.',
    'There is no evidence of an acute or a prior stroke.',
    'The patient does not have a history of stroke.',
    'Stroke was ruled out.',
    'Stroke: no',
    'Stroke | none\nAnaemia | none',
    'A stroke is not present.',
  ])('is found in: %s', (text) => {
    expect(scope(text)).toMatchObject({ isNegated: true });
  });

  it.each([
    'No fever, but a stroke in May.',
    'No fever was seen. Stroke in May.',
    'No diabetes, prior stroke.',
    'Not only a seizure, also a stroke.',
    'She has no fever and had a stroke.',
    'No change since the stroke.',
  ])('is not found in: %s', (text) => {
    expect(scope(text)).toMatchObject({ isNegated: false });
  });
});

it('distinguishes a statement of fact from relatives, suppositions and names of laws', () => {
  expect(scope('His father had a stroke.')).toMatchObject({ isOfRelative: true });
  expect(scope('He lives with his father and had a stroke.')).toMatchObject({ isOfRelative: false });
  expect(scope('Return if signs of stroke appear.')).toMatchObject({ isSupposed: true });
  expect(scope('The stroke was treated.')).toMatchObject({ isSupposed: false, isNegated: false });
  expect(scope('subject to bankruptcy, insolvency and similar laws', 'insolvency')).toMatchObject({ isOfLaw: true });
  expect(scope('The insolvency was filed under the law of 2005', 'insolvency')).toMatchObject({ isOfLaw: false });
});
