/** Layouts of policies, registers and agreements that published documents have, with invented content. */
import { describe, expect, it } from 'vitest';
import { documentTypeOf } from '../../../../agents/tools/compliance/document-types.ts';
import { missingElements } from '../../../../agents/tools/compliance/missing-elements.ts';
import { findPeriodicControls } from '../../../../agents/tools/compliance/periodic-controls.ts';
import { findRoles } from '../../../../agents/tools/compliance/processing-roles.ts';
import { readingOf } from '../../../../agents/tools/compliance/reading.ts';
import { findRetention } from '../../../../agents/tools/compliance/retention.ts';
import { findRisks } from '../../../../agents/tools/compliance/risks.ts';
import { findMeasures } from '../../../../agents/tools/compliance/security-measures.ts';
import { findTimeLimits } from '../../../../agents/tools/compliance/time-limits.ts';

const read = (text: string) => readingOf({ message: 0, text });
const rolesOf = (text: string) =>
  findRoles(read(text)).map(({ name, role, place }) => [name, role, place].filter(Boolean).join(', '));
const repeated = (text: string) =>
  findPeriodicControls(read(text)).facts.map(({ activity, period: { count, unit }, owner }) =>
    [`${activity} ${count} ${unit}`, owner].filter(Boolean).join(', '),
  );
const measuresOf = (text: string) =>
  findMeasures(read(text)).facts.map(({ measure, status }) => `${measure} ${status}`);

describe('the parties of an agreement', () => {
  it('have their roles in brackets without quotation marks', () => {
    const text =
      '# Beveiligingsaddendum bij de verwerkersovereenkomst\n\nDit addendum hoort bij de overeenkomst tussen **Zeilmakerij Noord B.V.** (verwerkingsverantwoordelijke) en **Roosterwerk B.V.** (verwerker, leverancier van het platform).';
    expect(rolesOf(text)).toEqual([
      'Zeilmakerij Noord B.V., controller, Netherlands',
      'Roosterwerk B.V., processor, Netherlands',
    ]);
  });

  it('have their roles on the line below the name', () => {
    const text =
      '# Auftragsverarbeitungs-Vertrag\n\nzwischen\n\nSegelwerk Nord GmbH, Hafenweg 2, 24103 Kiel, Deutschland\n\n- nachstehend Auftraggeber genannt -\n\nund\n\nPlanwerk Süd GmbH, Talweg 9, 80331 München, Deutschland\n\n- nachstehend Auftragnehmer genannt -\n';
    expect(rolesOf(text)).toEqual([
      'Segelwerk Nord GmbH, controller, Germany',
      'Planwerk Süd GmbH, processor, Germany',
    ]);
  });

  it('are all sub-processors of a list of names with addresses', () => {
    const text =
      '# Sub-processors\n\n**Hafen Hosting GmbH**<br>\n_Servers_<br>\nKai 4, 20457 Hamburg, Germany<br>\n\n**Fjord Backup ehf**<br>\n_Backup_<br>\nBox 7, 121 Reykjavík, Iceland<br>\n';
    expect(rolesOf(text)).toEqual([
      'Hafen Hosting GmbH, sub-processor, Germany',
      'Fjord Backup ehf, sub-processor, Iceland',
    ]);
  });
});

describe('an element that a contract must have', () => {
  const clauses = 'The processor keeps the measures of this document in force under Article 28 GDPR. '.repeat(12);
  const gapsOf = (title: string) => {
    const reading = read(`# ${title}\n\n${clauses}`);
    return missingElements(reading, documentTypeOf(reading)?.type).length;
  };

  it('is not missing in a part of the contract', () => {
    expect(gapsOf('Data processing agreement')).toBeGreaterThan(0);
    expect(gapsOf('Security addendum to the data processing agreement')).toBe(0);
  });

  it('is not missing in a document that names a contract in a list', () => {
    const reading = read(
      `# Measures under Art. 32 GDPR\n\n- Data processing agreement with Hafen Hosting signed.\n\n${clauses}`,
    );
    expect(documentTypeOf(reading)?.type).not.toBe('data-processing-agreement');
  });
});

describe('the review of a document', () => {
  it('is a review of documents, of any subject', () => {
    const rule = (name: string) =>
      `# ${name} policy\n\n## Roles\n\nThe Security Review team is responsible for reviewing and updating the ${name} process on an annual basis.`;
    expect(repeated(rule('Access control'))).toEqual(['document-review 1 year, Security Review team']);
    expect(repeated(rule('Testing'))).toEqual(['document-review 1 year, Security Review team']);
  });

  it('has no owner that begins with its period', () => {
    expect(repeated('# Supplier policy\n\n## Reviews\n\n- Annual security review').join()).not.toContain('Annual');
  });
});

describe('a register', () => {
  it('with likelihood and impact gives risks without a score of which the time is unknown', () => {
    const text =
      'risk_id,risk,likelihood,impact,score,control,owner,status\nR-001,Sailmaker keeps access,4,5,20,Leaver list,IT Desk,Open\nR-002,Lost rig plans,2,5,10,Backups,Yard Lead,Open\n';
    expect(findRisks(read(text)).map(({ id, inherent, owner }) => [id, inherent, owner])).toEqual([
      ['R-001', undefined, 'IT Desk'],
      ['R-002', undefined, 'Yard Lead'],
    ]);
  });

  it('with many columns joins no period of one cell with the activity of another', () => {
    const head =
      'Risk ID,Risk title,Description,Assets,Threat,Controls,Likelihood,Impact,Inherent risk,Residual risk,Treatment,Owner,Next review';
    const row =
      'R-1,Rig plans leak,Plans reach others,Share,Insider,"Penetration test, backups",2,5,10,4,Accept,Yard Lead,Quarterly';
    expect(repeated(`# Risk register\n\n${head}\n${row}\n${row.replace('R-1', 'R-2')}\n`)).toEqual([]);
    expect(measuresOf(`${head}\n${row}\n${row.replace('R-1', 'R-2')}\n`)).toEqual([]);
  });
});

describe('a table', () => {
  it('of questions has answers in a column of responses', () => {
    const row = (question: string, response: string) => `| Q | ${question} | ${response} |\n`;
    const text = `# Security questionnaire\n\n| ID | Customer question | Response |\n|---|---|---|\n${row('Do you enforce MFA?', 'MFA is required.')}${row('Do you encrypt data at rest?', 'Yes, AES-256.')}${row('Do you have network segmentation?', 'No.')}${row('Do you take backups?', 'Yes.')}`;
    expect(measuresOf(text)).toEqual([
      'mfa in-place',
      'encryption-at-rest in-place',
      'network-segmentation absent',
      'backup in-place',
    ]);
  });

  it('with a column of retention periods has their subjects in its first column', () => {
    const text =
      '# Backup policy\n\n## Schedules\n\n| Resource | Frequency | Retention | Method |\n|---|---|---|---|\n| Rig database | Daily | 30 days | Vault |\n| Sail files | Weekly | 365 days | Vault |\n';
    expect(
      findRetention(read(text)).facts.map(({ subject, period: { count, unit } }) => `${subject}: ${count} ${unit}`),
    ).toEqual(['Rig database: 30 day', 'Sail files: 365 day']);
  });
});

describe('a measure', () => {
  it('is not absent because a rule forbids an act on something else', () => {
    expect(measuresOf('# Password policy\n\n## Logs\n\nPasswords must not be logged.')).toEqual([]);
  });

  it('is not absent because a list names exceptions or what suppliers may lack', () => {
    expect(measuresOf('# Backup policy\n\n**Not backed up** (replaceable):\n- Caches')).not.toContain('backup absent');
    expect(measuresOf('# Supplier policy\n\n## Assessment\n\n- No incident response capability')).toEqual([]);
  });
});

describe('a period', () => {
  it('of a report on the causes is no time for notice', () => {
    const text =
      '# Incident policy (GDPR)\n\n## Incidents\n\nWe notify you no later than 24 hours after we became aware of the breach. We report the post mortem no later than 4 weeks after the incident.';
    expect(findTimeLimits(read(text)).facts.map(({ period: { count, unit } }) => `${count} ${unit}`)).toEqual([
      '24 hour',
    ]);
  });

  it('of retention keeps its subject behind an opening and the act of keeping', () => {
    const text =
      '# Retention policy\n\n## Rules\n\nBy default, the retention period of rig plans shall be nine years. The default archiving period of sail tests shall be 3 years.';
    expect(
      findRetention(read(text)).facts.map(({ subject, period: { count, unit } }) => `${subject}: ${count} ${unit}`),
    ).toEqual(['rig plans: 9 year', 'sail tests: 3 year']);
  });
});
