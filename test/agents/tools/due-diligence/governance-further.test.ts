/** Consents, seats and preferences in lists, tables and other languages. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { dealTerms } from '../../../../agents/tools/due-diligence/terms.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

type Entry = Readonly<Record<string, string | number | undefined>>;

function listOf(text: string, list: 'consents' | 'seats' | 'preferences'): Entry[] {
  const result = dealTerms.run([documentOf(text)]).result as unknown as Record<string, { items: Entry[] }>;
  return result[list]!.items;
}

describe('consents', () => {
  it('are read below a sentence on the majority of the investors', () => {
    const text =
      'Folgende Maßnahmen bedürfen der Zustimmung der Investorenmehrheit:\na) Änderungen der Satzung;\nb) Auflösung der Gesellschaft;\nc) Geschäfte mit Gesellschaftern;\nd) Aufnahme von Krediten über 90.000 EUR.\n';
    expect(listOf(text, 'consents').map(({ action }) => action)).toEqual([
      'charter-change',
      'winding-up',
      'related-party',
      'debt',
    ]);
  });

  it('are read from what a company may not do without a named investor', () => {
    const text =
      'Sans accord préalable de LUNDI CAPITAL, la Société ne pourra : modifier ses statuts ; attribuer des BSPCE au-delà du plan. L’arrêté du budget relève de la présidente.';
    expect(listOf(text, 'consents').map(({ action }) => action)).toEqual(['charter-change', 'option-plan']);
  });
});

describe('seats', () => {
  it('have the elector before the number where it ends the clause', () => {
    const text =
      'Der Beirat hat fünf Mitglieder. Die Gründer entsenden drei Mitglieder, der Hauptinvestor zwei; sie tagen viermal im Jahr.';
    expect(listOf(text, 'seats').map(({ elected_by: by, seats }) => `${by} ${seats}`)).toEqual([
      'total 5',
      'common 3',
      'preferred 2',
    ]);
  });

  it('of a former agreement are left out, and an office is a seat', () => {
    const text =
      'Under the Prior Agreement the board consisted of three directors.\n\nThe size of the Board shall be set and remain at four (4) directors. The following persons shall be elected as directors:\n\n(a) Two persons designated by the Investors;\n\n(b) One person designated by the Key Holders; and\n\n(c) The Chief Executive Officer.\n';
    expect(listOf(text, 'seats').map(({ elected_by: by, seats }) => `${by} ${seats}`)).toEqual([
      'total 4',
      'preferred 2',
      'common 1',
      'chief-executive 1',
    ]);
  });
});

describe('preferences', () => {
  const shown = (text: string) =>
    listOf(text, 'preferences').map(({ share_class: share, multiple, participation, cap_multiple: cap }) =>
      [share, multiple, participation, cap].filter((each) => each !== undefined).join(' '),
    );

  it('are read from items that name class, multiple and participation', () => {
    const text =
      'Ranking\n\n1. Series B: 1x of its price, non-participating; ranks first.\n2. Series A: 1.5x, then participates until 3x of its price.\n';
    expect(shown(text)).toEqual(['Series B 1 non-participating', 'Series A 1.5 capped 3']);
  });

  it('are read from tables with a row per class', () => {
    const text =
      '| Class | Seniority | Preference | Participation |\n|---|---|---|---|\n| Series C | 1 | 1.25x | None |\n| Series B | 2 | 1.0x | Participating |\n';
    expect(shown(text)).toEqual(['Series C 1.25 non-participating', 'Series B 1.0 participating']);
  });
});
