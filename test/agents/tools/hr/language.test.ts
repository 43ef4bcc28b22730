import { describe, expect, it } from 'vitest';
import { findMentions } from '../../../../agents/tools/hr/language.ts';
import { checkPolicy, policyTopics } from '../../../../agents/tools/hr/policy-checklist.ts';

const mentions = (text: string) => findMentions({ message: 0, text }).map(({ kind, context }) => `${kind} ${context}`);

describe('mentions', () => {
  it('are listed first if near a decision', () => {
    expect(mentions('The ideal candidate is a digital native.')).toEqual(['age decision']);
    expect(mentions('We did not hire her because she is pregnant.')).toEqual(['pregnancy_or_parenthood decision']);
  });

  it('in a sentence that promises equal treatment are policy', () => {
    expect(new Set(mentions('We hire regardless of age, gender, religion or disability.'))).toEqual(
      new Set(['age policy', 'sex policy', 'religion_or_belief policy', 'disability_or_health policy']),
    );
  });

  it('of harassment distinguish allegations from policy', () => {
    expect(mentions('He shouted at her and called her an idiot.')).toContain('degrading other');
    expect(mentions('Harassment is prohibited.')).toEqual(['complaint policy']);
  });

  it('are found in German, Czech and French too', () => {
    expect(mentions('Junges Team sucht Verstärkung.')).toEqual(['age other']);
    expect(mentions('Uchazečka uvedla, že je těhotná.')).toContain('pregnancy_or_parenthood decision');
    expect(mentions('Langue maternelle exigée.')).toEqual(['nationality_or_language other']);
  });

  it('are not found in neutral prose', () => {
    expect(mentions('The report is due on Friday and covers three projects.')).toEqual([]);
  });
});

describe('the policy checklist', () => {
  it('has unique topics, each with a source', () => {
    expect(new Set(policyTopics.map(({ id }) => id)).size).toBe(policyTopics.length);
    expect(policyTopics.every(({ source }) => source.length > 3)).toBe(true);
  });

  it('covers the points of article 4(2) of Directive (EU) 2019/1152 that apply to every employee', () => {
    const sources = policyTopics.map(({ source }) => source).join(' ');
    for (const letter of 'abcdeghijklno') expect(sources).toContain(`(${letter})`);
  });

  it('counts mentions and gives the first place', () => {
    const text = 'The place of work is Brno. The workplace has a canteen.';
    const found = checkPolicy([{ message: 2, text }]).filter(({ count }) => count > 0);
    expect(found).toMatchObject([
      { topic: { id: 'place' }, count: 2, first: { document: { message: 2 }, start: 4, end: 17 } },
    ]);
  });
});
