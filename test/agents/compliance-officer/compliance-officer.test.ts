/** The compliance officer over two documents written for this test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { complianceOfficer } from '../../../agents/compliance-officer/index.ts';
import { describeAgent } from '../../support/agents/agent-golden.ts';

const documents = join(import.meta.dirname, 'documents');

describeAgent({
  agent: complianceOfficer,
  documents,
  flood: (index) =>
    `Personal data breaches of 漢字 ${index} under GDPR are notified to the supervisory authority within ${index} days ${'漢字 '.repeat(60)}; ` +
    `write to a${index}@b${index}.example, +49 30 1234${index}, 10.0.0.${index % 256}, Mr. A${'b'.repeat(index % 20)}, diabetes, backup, firewall.`,
  units: [
    'breach notify 72 hours ',
    'GDPR ',
    'encrypted at rest ',
    'no backup ',
    'a@b.co ',
    'DE89370400440532013000 ',
    'DE89 3704 ',
    '4111 1111 1111 1111 ',
    '+49 30 123456 ',
    'tel. 0',
    '1.1.1.1 ',
    '::1 ',
    'ab:',
    'Mr. A',
    'Mr. Aa ',
    'Astraße 1 ',
    'rue de la ',
    '12 Aa ',
    'born on 1.1.2000 ',
    'diabetes ',
    '44051401359 ',
    '000000/0000 ',
    'BSN ',
  ],
});

describe('the report of personal data', () => {
  it('repeats no value that it found', () => {
    const text = readFileSync(join(documents, 'incident-note.txt'), 'utf8');
    const tool = complianceOfficer.tools.find(({ name }) => name === 'personal_data')!;
    const report = JSON.stringify(tool.run([{ message: 0, text }]));
    const values = [
      'jana.dvorak',
      'mail.example',
      '601 234',
      '0800 0000',
      '4111',
      '44051401359',
      '203.0.113',
      '1984',
      'Brandt',
      'Varga',
      'Hauptstra',
    ];
    expect(values.filter((value) => report.includes(value))).toEqual([]);
  });
});
