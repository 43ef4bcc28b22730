import { describe, expect, it } from 'vitest';
import { findHallmarkHints, hallmarks } from '../../../../agents/tools/tax/dac6.ts';

const ids = (text: string) => findHallmarkHints(text).map(({ hallmark }) => hallmark.id);

describe('DAC6 hallmarks', () => {
  it('are those of Annex IV, and need the main benefit test as part I requires', () => {
    expect(hallmarks.map(({ id }) => id).join(' ')).toBe('A1 A2 A3 B1 B2 B3 C1 C2 C3 C4 D1 D2 E1 E2 E3');
    expect(hallmarks.filter(({ mainBenefitTest }) => mainBenefitTest).map(({ id }) => id)).toEqual([
      'A1',
      'A2',
      'A3',
      'B1',
      'B2',
      'B3',
      'C1',
    ]);
  });

  it.each([
    ['A1', 'The client shall not disclose the structure to the tax authorities.'],
    ['A2', 'We charge a success fee of 20 % of the tax saved.'],
    ['A3', 'The adviser uses standardised documentation for all clients.'],
    ['B1', 'The group acquires a loss-making company.'],
    ['B2', 'The plan converts income into capital.'],
    ['B3', 'A circular flow of funds returns the money.'],
    ['C1', 'The recipient sits in a non-cooperative jurisdiction.'],
    ['C2', 'Depreciation of the asset is claimed in more than one jurisdiction.'],
    ['C3', 'The lease allows a double dip.'],
    ['C4', 'The transfer gives a step-up in basis.'],
    ['D1', 'The account is outside the Common Reporting Standard.'],
    ['D2', 'Shares are held by a nominee shareholder.'],
    ['E1', 'The company relies on a unilateral safe harbour.'],
    ['E2', 'Hard-to-value intangibles are transferred.'],
    ['E3', 'After the business restructuring the EBIT fell.'],
  ])('%s is indicated by: %s', (id, text) => {
    expect(ids(text)).toContain(id);
  });

  it('are not indicated by ordinary tax prose', () => {
    expect(
      ids('The company files its return in June and pays corporate income tax at 21 %. Its fee for audit is fixed.'),
    ).toEqual([]);
  });
});
