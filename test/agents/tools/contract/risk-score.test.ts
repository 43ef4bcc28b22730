/** The risk score measures terms against one side, and not how many clauses a contract has. */
import { expect, it } from 'vitest';
import { clauseChecklist } from '../../../../agents/tools/contract/clause-checklist.ts';

const scoreOf = (text: string) => {
  const { result } = clauseChecklist.run([{ message: 0, text }]);
  return (result as unknown as { score: number | null }).score;
};

const head =
  'CONDITIONS OF PURCHASE\nThese conditions apply between Alder Rail Limited ("Buyer") and Birch Castings Ltd ("Seller").\n';
const common = [
  '1. Scope\nThe Seller supplies the goods of the order.',
  '2. Price\nThe Buyer pays the price of EUR 90,000 within 30 days after receipt of an invoice.',
  '9. Law\nThe laws of England govern this contract and the courts of England have jurisdiction.',
];

it('is higher for a one-sided contract than for a balanced one with fewer clauses', () => {
  const oneSided = [
    ...common,
    '3. Liability\nThere is no limit on the liability of the Seller. The total liability of the Buyer does not exceed the price.',
    '4. Indemnity\nThe Seller shall indemnify the Buyer against all claims.',
    '5. Termination\nThe Buyer may terminate this contract at any time on 7 days’ written notice.',
  ].join('\n\n');
  const balanced = [
    ...common,
    '3. Liability\nThe total liability of each party does not exceed EUR 90,000.',
    '4. Termination\nEither party may terminate this contract on 30 days’ written notice.',
  ].join('\n\n');
  expect(scoreOf(head + balanced)).toBeLessThan(25);
  expect(scoreOf(head + oneSided)! - scoreOf(head + balanced)!).toBeGreaterThanOrEqual(40);
});

it('lists clauses that the contract can do without, and adds nothing for them', () => {
  const { result } = clauseChecklist.run([{ message: 0, text: head + common.join('\n\n') }]);
  const { clauses } = result as unknown as { clauses: { id: string; status: string; points: number }[] };
  expect(clauses.find(({ id }) => id === 'waiver')).toMatchObject({ status: 'absent', points: 0 });
});
