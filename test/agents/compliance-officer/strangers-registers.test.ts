import { describe, expect, it } from 'vitest';
import { findPeriodicControls } from '../../../agents/tools/compliance/periodic-controls.ts';
import { findRoles } from '../../../agents/tools/compliance/processing-roles.ts';
import { readingOf } from '../../../agents/tools/compliance/reading.ts';
import { findRetention } from '../../../agents/tools/compliance/retention.ts';
import { findRisks } from '../../../agents/tools/compliance/risks.ts';
import { findMeasures } from '../../../agents/tools/compliance/security-measures.ts';
import { findTimeLimits } from '../../../agents/tools/compliance/time-limits.ts';
import { findTransfers } from '../../../agents/tools/compliance/transfers.ts';

const reading = (text: string) => readingOf({ message: 0, text });
const kept = (text: string) =>
  findRetention(reading(text)).facts.map(({ subject, period: { count, unit } }) => ({ subject, count, unit }));

const register =
  'REGISTRO DE ACTIVIDADES DE TRATAMIENTO\nResponsable del tratamiento: Aguas del Segre, S.L., Lleida\n\n' +
  'N.º;Tratamiento;Categorías de datos;Destinatarios;Transferencias;Plazo de conservación\n' +
  '1;Abonados;nombre, lecturas;Lectores Norte, S.L. (encargado del tratamiento, Cabo Verde);Cabo Verde: cláusulas contractuales tipo;5 años\n' +
  '2;Nóminas;salarios;ninguno;no;10 años\n' +
  'MODELO - no rellenar;ejemplo;ejemplo;Empresa X, S.L. (encargado del tratamiento, India);ejemplo;99 años\n';

describe('registers of processing', () => {
  it('keep their periods without a subject where an activity and its data could be meant', () => {
    expect(kept(register)).toEqual([
      { subject: undefined, count: 5, unit: 'year' },
      { subject: undefined, count: 10, unit: 'year' },
    ]);
  });

  it('name no party and no period in the row that shows how to fill them in', () => {
    expect(findRoles(reading(register)).map(({ name }) => name)).not.toContain('Empresa X, S.L.');
  });

  it('give a recipient the place in its brackets, and none if it is unknown', () => {
    const place = (text: string) => findRoles(reading(text)).find(({ name }) => name.startsWith('Lectores'))?.place;
    expect(place(register)).toBe('Cape Verde');
    expect(place(`${register}\nAutoridad: AEPD\n`.replaceAll('Cabo Verde', 'Isla Nublar'))).toBeUndefined();
  });
});

describe('lists of sub-processors', () => {
  const list = (state: string) =>
    'Data Processing Addendum\n\nSub-processors\n\n| Name | Service | Location |\n|---|---|---|\n' +
    `| Basalt Cloud, Inc. | hosting | Oregon, United States |\n| Alcove Support Inc. | help desk | Manila, Philippines${state} |\n`;

  it('leave out who was removed', () => {
    const names = (text: string) => findRoles(reading(text)).map(({ name }) => name);
    expect(names(list(''))).toContain('Alcove Support Inc.');
    expect(names(list(' - removed'))).not.toContain('Alcove Support Inc.');
    expect(names(list(' (until 3/2026)'))).not.toContain('Alcove Support Inc.');
  });

  it('may print the safeguard next to the place', () => {
    const text =
      'Personuppgiftsbiträdesavtal enligt GDPR\n\nUnderbiträden\n\n| Underbiträde | Tjänst | Plats |\n|---|---|---|\n' +
      '| Lantern Texts Ltd | sms | Storbritannien, adekvansbeslut |\n';
    expect(findTransfers(reading(text))).toMatchObject([
      { destination: 'United Kingdom', mechanism: 'adequacy', recipient: 'Lantern Texts Ltd' },
    ]);
  });
});

describe('registers of risks', () => {
  const rows =
    'Registro dei rischi\n\n| Id | Rischio | Iniziale | Residuo | Tratt. | Responsabile |\n|---|---|---|---|---|---|\n' +
    '| R-1 | Furto | 20 | 8 | M | Responsabile IT |\n| R-2 | Incendio | 15 | 5 | T | Direttore |\n';

  it('name the treatment by a letter of their legend', () => {
    const text = `Legenda: M = mitigare, T = trasferire\n\n${rows}`;
    expect(findRisks(reading(text)).map(({ treatment }) => treatment)).toEqual(['mitigate', 'transfer']);
  });

  it('name none by a letter without a legend, or with two meanings', () => {
    expect(findRisks(reading(rows)).map(({ treatment }) => treatment)).toEqual([undefined, undefined]);
    const text = `Legenda: M = mitigare, T = trasferire; T = tollerare\n\n${rows}`;
    expect(findRisks(reading(text)).map(({ treatment }) => treatment)).toEqual(['mitigate', undefined]);
  });
});

describe('sentences', () => {
  it('state a number in words and in figures without an aside', () => {
    const text =
      'Data Processing Addendum\n\nAfter termination, Acme shall delete Personal Information within sixty (60) days.';
    expect(kept(text)).toEqual([{ subject: 'Personal Information', count: 60, unit: 'day' }]);
  });

  it('of a period before the verb do not make the period the subject', () => {
    const text =
      'Data Processing Addendum\n\nWithin thirty (30) days Acme shall delete Customer Data, and copies are overwritten later.';
    expect(kept(text).map(({ subject }) => subject)).not.toContain('Within thirty');
  });

  it('of what a business must do under a section of a statute are no time limit', () => {
    const limits = (text: string) =>
      findTimeLimits(reading(`Privacy Addendum\n\n${text}`)).facts.map(({ period }) => period.count);
    expect(limits('Acme shall forward a request of a consumer within three (3) business days.')).toEqual([3]);
    expect(
      limits('A business must generally answer a consumer request within 45 days under Section 1798.130.'),
    ).toEqual([]);
  });

  it('plan what is ordered', () => {
    const text =
      'Procedura di sicurezza\n\nUn sistema EDR di protezione degli endpoint è stato ordinato e sarà attivo da settembre 2026.';
    expect(findMeasures(reading(text)).facts).toMatchObject([{ measure: 'endpoint-protection', status: 'planned' }]);
  });

  it('tell an exercise of recovery from the test of a restore', () => {
    const text =
      'Backup Standard\n\nA full recovery exercise at the second site takes place once a year. A restore must be tested each quarter.';
    expect(
      findPeriodicControls(reading(text)).facts.map(
        ({ activity, period }) => `${activity} ${period.count} ${period.unit}`,
      ),
    ).toEqual(['continuity-test 1 year', 'restore-test 3 month']);
  });
});

describe('rules of others', () => {
  const controls = (title: string, text: string) =>
    findPeriodicControls(reading(`${title}\n\n${text}`)).facts.map(({ activity }) => activity);

  it('are what a supplier does by itself, outside contracts', () => {
    const text = 'The cloud provider reviews its access rights every month. Critical suppliers are reviewed annually.';
    expect(controls('Information Security Policy', text)).toEqual(['supplier-review']);
  });
});

it('a deletion is no former rule', () => {
  const text =
    'Contrat de sous-traitance (RGPD)\n\nLe prestataire suit les instructions.\n\nÀ la fin du contrat, les données sont supprimées dans les 60 jours.';
  expect(kept(text)).toMatchObject([{ count: 60, unit: 'day' }]);
});
