import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  convertRound,
  type Instrument,
  type Round,
  type RoundResult,
} from '../../../../agents/tools/due-diligence/conversion.ts';
import { decimal } from '../../../../agents/tools/text/decimal.ts';

function safe(holder: string, amount: number, cap: number): Instrument {
  return { holder, amount: decimal(amount), cap: decimal(cap), capBasis: 'post' };
}

function computed(round: Round): RoundResult {
  const result = convertRound(round);
  if ('error' in result) throw new Error(result.error);
  return result;
}

const base = { fullyDiluted: 10_000_000n, unissuedPool: 1_000_000n };

describe('a round without convertibles', () => {
  it('is priced at the pre-money valuation per fully diluted share', () => {
    expect(
      computed({ ...base, preMoney: decimal(8_000_000), newMoney: decimal(2_000_000), instruments: [] }),
    ).toMatchObject({
      price: '0.8000',
      newShares: '2500000',
      fullyDilutedAfter: '12500000',
      newInvestorsPercent: '20.00',
      unissuedPoolPercent: '8.00',
      earlierHoldersPercent: '72.00',
    });
  });

  it('dilutes only existing holders by the increase of the pool', () => {
    // 12 % of the shares after the round: x = 0.12·T, T = (9,000,000 + x)·10/8.
    const round = computed({
      ...base,
      preMoney: decimal(8_000_000),
      newMoney: decimal(2_000_000),
      poolPercent: decimal(12),
      instruments: [],
    });
    expect(round.newInvestorsPercent).toBe('20.00');
    expect(round.unissuedPoolPercent).toBe('12.00');
    // Pool and new shares are rounded down separately, so the total is one share less than 9,000,000 / 0.68.
    expect(round.fullyDilutedAfter).toBe('13235293');
  });

  it('does not change a pool that is large enough', () => {
    const round = computed({
      ...base,
      preMoney: decimal(8_000_000),
      newMoney: decimal(2_000_000),
      poolPercent: decimal(5),
      instruments: [],
    });
    expect(round.poolIncrease).toBe('0');
  });
});

describe('post-money SAFEs', () => {
  // Y Combinator, Safe Quick Start Guide (post-money), "Raising money with a single Post-Money Valuation Cap":
  // 0.8 of 6.7 million sells about 12 %, 1.0 of 6.7 million about 15 %.
  it.each([
    [800_000, 12],
    [1_000_000, 15],
  ])('of %d at a cap of 6.7 million own about %d %% before the new investment', (amount, percent) => {
    const terms = {
      ...base,
      preMoney: decimal(20_000_000),
      newMoney: decimal(0),
      instruments: [safe('S', amount, 6_700_000)],
    };
    expect(Math.round(Number(computed(terms).converted[0]!.ownershipPercent))).toBe(percent);
  });

  it('do not dilute each other: 1 of 10 million is 10 %, 0.6 of 15 million 4 %', () => {
    const round = computed({
      ...base,
      preMoney: decimal(30_000_000),
      newMoney: decimal(0),
      instruments: [safe('A', 1_000_000, 10_000_000), safe('B', 600_000, 15_000_000)],
    });
    expect(round.converted.map(({ ownershipPercent }) => ownershipPercent)).toEqual(['10.00', '4.00']);
  });

  it('convert with a round as computed by hand', () => {
    // C = 10,000,000 / 0.9; price = 9,000,000 / C = 0.81; SAFE price = 5,000,000 / C = 0.45.
    const round = computed({
      ...base,
      preMoney: decimal(9_000_000),
      newMoney: decimal(1_000_000),
      instruments: [safe('A', 500_000, 5_000_000)],
    });
    expect(round).toMatchObject({ price: '0.8100', newShares: '1234567', newInvestorsPercent: '10.00' });
    expect(round.converted[0]).toEqual({
      holder: 'A',
      by: 'cap',
      price: '0.4500',
      shares: '1111111',
      ownershipPercent: '9.00',
    });
  });

  it('convert at the discount if that is lower than the cap price', () => {
    const instruments = [{ ...safe('A', 500_000, 50_000_000), discountPercent: decimal(20) }];
    const round = computed({ ...base, preMoney: decimal(9_000_000), newMoney: decimal(1_000_000), instruments });
    // V·u = N + a·u with a = 500,000 / 0.8: u = 10,000,000 / (9,000,000 − 625,000).
    expect(round).toMatchObject({ price: '0.8375' });
    expect(round.converted[0]).toMatchObject({ by: 'discount', price: '0.6700', shares: '746268' });
  });

  it('are rejected if together they convert into the whole company', () => {
    const round = { ...base, preMoney: decimal(9_000_000), newMoney: decimal(1), instruments: [safe('A', 5, 5)] };
    expect(convertRound(round)).toEqual({
      error: 'the post-money caps together convert into the whole company or more',
    });
  });
});

describe('pre-money caps', () => {
  it('use the capitalisation before any conversion', () => {
    const note: Instrument = { holder: 'N', amount: decimal('218000.00'), cap: decimal(4_000_000), capBasis: 'pre' };
    const round = computed({
      ...base,
      preMoney: decimal(12_000_000),
      newMoney: decimal(3_000_000),
      instruments: [note],
    });
    // 4,000,000 / 10,000,000 = 0.40 a share: 545,000 shares; price = 12,000,000 / 10,545,000.
    expect(round.converted[0]).toMatchObject({ by: 'cap', price: '0.4000', shares: '545000' });
    expect(round.price).toBe('1.1380');
  });
});

describe('every round', () => {
  const instrument = fc.record({
    holder: fc.constant('H'),
    amount: fc.integer({ min: 1_000, max: 500_000 }).map(decimal),
    cap: fc.integer({ min: 3_000_000, max: 50_000_000 }).map(decimal),
    capBasis: fc.constantFrom('post' as const, 'pre' as const),
    discountPercent: fc.integer({ min: 0, max: 30 }).map(decimal),
  });
  const round = fc.record({
    fullyDiluted: fc.bigInt(1_000_000n, 50_000_000n),
    unissuedPool: fc.bigInt(0n, 100_000n),
    preMoney: fc.integer({ min: 5_000_000, max: 80_000_000 }).map(decimal),
    newMoney: fc.integer({ min: 100_000, max: 20_000_000 }).map(decimal),
    instruments: fc.array(instrument, { maxLength: 4 }),
  });

  it('gives new investors the share of the post-money valuation that they invest', () => {
    fc.assert(
      fc.property(round, (terms) => {
        const result = convertRound(terms);
        if ('error' in result) return;
        const part =
          (Number(terms.newMoney.units) * 100) / (Number(terms.newMoney.units) + Number(terms.preMoney.units));
        expect(Math.abs(Number(result.newInvestorsPercent) - part)).toBeLessThan(0.011);
      }),
    );
  });

  it('gives no holder a price above the round’s', () => {
    fc.assert(
      fc.property(round, (terms) => {
        const result = convertRound(terms);
        if ('error' in result) return;
        for (const { price } of result.converted) expect(Number(price)).toBeLessThanOrEqual(Number(result.price));
      }),
    );
  });
});
