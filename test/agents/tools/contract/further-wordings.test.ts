/** General terms, parties, terms, dates and liability in further wordings and languages. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { findContractDates } from '../../../../agents/tools/contract/contract-dates.ts';
import { isContract } from '../../../../agents/tools/contract/contract-nature.ts';
import { partiesOf } from '../../../../agents/tools/contract/contract-parties.ts';
import { findTerm } from '../../../../agents/tools/contract/contract-term.ts';
import { findLiabilityExclusions } from '../../../../agents/tools/contract/liability-exclusions.ts';
import { findReferenceProblems } from '../../../../agents/tools/contract/references.ts';
import { glossOf } from '../../../../agents/tools/gloss/gloss.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const read = (text: string) => glossOf(documentOf(text), 'contract');

describe('general terms', () => {
  it('are a contract, although they name one party', () => {
    const clauses = '(1) Der Anbieter stellt Lagerraum. (2) Der Kunde zahlt binnen zehn Tagen. '.repeat(30);
    expect(isContract(read(`Allgemeine Geschäftsbedingungen für Lagerraum\n\n§ 1 Geltung\n\n${clauses}`))).toBe(true);
  });
});

describe('parties', () => {
  const rolesOf = (text: string) => partiesOf(read(text)).map(({ name, function: role }) => `${name}: ${role}`);

  it('of a Danish agreement have their roles', () => {
    const text = 'DATABEHANDLERAFTALE mellem Holme Kommune ("den dataansvarlige") og SkyNord ApS ("databehandleren")';
    expect(rolesOf(text)).toEqual(['Holme Kommune: controller', 'SkyNord ApS: processor']);
  });

  it('keep the initials of a person', () => {
    const text =
      'Overeenkomst van opdracht\n\nPartijen:\n\n1. Stichting Duinhuis, gevestigd te Petten, hierna: Opdrachtgever;\n2. mevrouw J. Kramer, te Bergen, hierna: Opdrachtnemer;\n\nkomen overeen dat de opdrachtnemer voor de opdrachtgever een plan maakt en dat de prijs door partijen is bepaald.\n';
    expect(rolesOf(text)).toEqual(['Stichting Duinhuis: customer', 'J. Kramer: contractor']);
  });
});

describe('term and dates', () => {
  it('of a Dutch agreement start and end on the days named', () => {
    const text =
      'OVEREENKOMST\n\nArtikel 2 - Duur\n\n2.1 De overeenkomst gaat in op 1 mei 2026 en eindigt van rechtswege op 30 april 2027. Partijen kunnen haar met zes maanden verlengen, als zij dat schriftelijk en voor het einde van de looptijd overeenkomen.\n';
    const dates = findContractDates(read(text), 20);
    expect(dates.map(({ iso, role }) => `${iso} ${role}`)).toEqual(['2026-05-01 start', '2027-04-30 end']);
    expect(findTerm(read(text), dates)).toMatchObject({ ending: 'fixed', renewal: 'option', renewalLength: 'P6M' });
  });

  it('are read from labelled lines', () => {
    const text =
      'Initial term: 24 months\nRenewal: automatic, 12 months each, unless cancelled 60 days before the end\n';
    expect(findTerm(read(text), [])).toMatchObject({ length: 'P24M', renewal: 'automatic', notice: 'P60D' });
  });
});

describe('liability', () => {
  it('has carve-outs in a sentence of its own', () => {
    const text =
      '§ 7 Haftung\n\nDie Haftung ist auf 10.000 EUR begrenzt. Die Beschränkungen gelten nicht bei Vorsatz und grober Fahrlässigkeit. Für mittelbare Schäden wird nicht gehaftet.\n';
    expect(findLiabilityExclusions(read(text)).map(({ effect, matter }) => `${effect} ${matter}`)).toEqual([
      'carve-out gross-negligence',
      'carve-out wilful-misconduct',
      'excluded loss indirect-loss',
    ]);
  });
});

describe('references', () => {
  it('to attachments that a sentence or a footer lists are not broken', () => {
    const clauses = [1, 2, 3, 4, 5, 6]
      .map((number) => `${number}. Clause\n${number}.1 Text of the clause.\n`)
      .join('\n');
    const text = `AGREEMENT between Ash Ltd and Elm Ltd\n\n${clauses}\n6.2 The work is described in Exhibit B and Exhibit D.\n\nExhibit A (Plan) and Exhibit B (Work) follow.\n`;
    expect(findReferenceProblems(read(text)).map(({ what }) => what)).toEqual(['Exhibit D']);
  });
});
