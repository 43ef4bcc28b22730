/** Term sheets: amounts of a whole round next to convertibles, and vesting that a change of control accelerates. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { checkFlags } from '../../../../agents/tools/due-diligence/red-flags.ts';
import { findInstruments } from '../../../../agents/tools/due-diligence/round-terms.ts';
import { formatDecimal } from '../../../../agents/tools/text/decimal.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const instrumentsIn = (text: string) =>
  findInstruments(parseDocument(documentOf(text))).map(({ kind, terms }) => [
    kind,
    terms.holder,
    formatDecimal(terms.amount),
    terms.cap === undefined ? undefined : formatDecimal(terms.cap),
  ]);
const flagsIn = (text: string) => checkFlags([documentOf(text)]).raised.map(({ id }) => id);

describe('convertibles in a sentence about the whole round', () => {
  it.each([
    [
      'Amount of Financing: $14,000,000, of which $12,500,000 is new cash and $1,500,000 is conversion of outstanding SAFEs (post-money cap $18,000,000, 20% discount).',
      ['SAFE', 'SAFE', '1500000', '18000000'],
    ],
    [
      'Aggregate proceeds: €8 million, including conversion of outstanding SAFEs of €1.2 million with a valuation cap of €9 million.',
      ['SAFE', 'SAFE', '1200000', '9000000'],
    ],
    [
      'Round size: $10,000,000. Outstanding SAFEs of $2,000,000 (cap $15,000,000) convert at closing.',
      ['SAFE', 'SAFE', '2000000', '15000000'],
    ],
    [
      'Total investment: $6,000,000, of which $900,000 comes from convertible notes (20% discount).',
      ['convertible note', 'Note', '900000', undefined],
    ],
    [
      'SAFE with Angel Capital LLC: $250,000, post-money cap $8,000,000.',
      ['SAFE', 'Angel Capital LLC', '250000', '8000000'],
    ],
  ])('%s', (text, instrument) => {
    expect(instrumentsIn(text)).toEqual([instrument]);
  });

  it('are left out if no amount is that of the instrument', () => {
    const text = 'Total financing of $14,000,000, of which $12,500,000 is new cash; SAFEs convert (cap $18,000,000).';
    expect(instrumentsIn(text)).toEqual([]);
  });
});

describe('a change of control', () => {
  it.each([
    'Vesting: Founders: 4 years; double-trigger acceleration of 100% if terminated without Cause within 12 months after a change of control.',
    'Vesting:   Founders: 4 years, remainder monthly over 36 months; double-trigger acceleration\n           of 100% if terminated without Cause within 12 months after a change of control.',
    'Options accelerate in full upon a change of control (single trigger).',
    'Unvested shares of the founders vest upon an exit or change of control.',
  ])('that accelerates vesting is no right in a contract: %s', (text) => {
    expect(flagsIn(text)).toEqual([]);
  });

  it.each([
    'Customer may terminate the agreement upon a change of control of the Company.',
    'The loan accelerates in full upon a change of control.',
    "The CEO receives a severance of 12 months' salary if terminated without cause within 12 months of a change of control.",
    'Options vest over four years. The supply agreement may be terminated upon a change of control.',
  ])('raises the flag: %s', (text) => {
    expect(flagsIn(text)).toContain('change_of_control');
  });
});
