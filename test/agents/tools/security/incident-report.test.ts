/** Reports of incidents and of tests, of our own wording, in several languages and forms of tables. */
import { describe, expect, it } from 'vitest';
import { incidentReport } from '../../../../agents/tools/security/incident-report.ts';
import { indicators } from '../../../../agents/tools/security/iocs.ts';

interface Lists {
  readonly [list: string]: { readonly items: readonly Readonly<Record<string, unknown>>[] };
}

const read = (text: string) => incidentReport.run([{ message: 0, text }]).result as unknown as Lists;
const without = (lists: Lists, list: string) =>
  lists[list]!.items.map(({ span: _, isNamed: _isNamed, ...rest }) => rest);

const timeline = [
  ['Time', 'Event'],
  ['09:02', 'Release 7 is rolled out'],
  ['09:10', 'First uploads fail (start of impact)'],
  ['09:31', 'Alert pages the on-call engineer'],
  ['10:05', 'Error rate back to normal (mitigated)'],
  ['11:00', 'Incident closed'],
];
const forms: Readonly<Record<string, (rows: readonly (readonly string[])[]) => string>> = {
  pipes: ([head, ...rows]) =>
    [`| ${head!.join(' | ')} |`, '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
  'aligned text': (rows) => rows.map(([time, what]) => `  ${time!.padEnd(8)}${what}`).join('\n'),
  list: ([, ...rows]) => rows.map(([time, what]) => `- ${time} UTC – ${what}`).join('\n'),
  HTML: (rows) =>
    `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
};
const incident = (form: string) =>
  form === 'HTML'
    ? `<html><body><h1>Incident report: upload outage</h1><p>Incident date: 2026-05-04</p><h2>Timeline</h2>${forms[form]!(timeline)}</body></html>`
    : `# Incident report: upload outage\n\nIncident date: 2026-05-04\n\n## Timeline\n\n${forms[form]!(timeline)}\n\n## Impact\n\nThe outage affected everybody.\n`;

describe('the times of an incident', () => {
  it.each(Object.keys(forms))('are read from a chronology as %s', (form) => {
    const found = read(incident(form));
    expect(without(found, 'times')).toEqual([
      { point: 'start', date: '2026-05-04', time: '09:10' },
      { point: 'detection', date: '2026-05-04', time: '09:31' },
      { point: 'mitigation', date: '2026-05-04', time: '10:05' },
      { point: 'end', date: '2026-05-04', time: '11:00' },
    ]);
    expect(without(found, 'durations')).toEqual([
      { of: 'impact', minutes: 55, isStated: false },
      { of: 'detection', minutes: 21, isStated: false },
      { of: 'mitigation', minutes: 34, isStated: false },
    ]);
  });

  it('reach the next day after midnight, and are not reported without a date', () => {
    const lines = '- 23:50 Störung beginnt: erste Fehler\n- 00:20 Alarm der Überwachung\n- 00:45 Vorfall beendet';
    const report = (date: string) =>
      `# Bericht zum Vorfall\n\n${date}\n\n## Zeitlicher Ablauf\n\n${lines}\n\n## Ursache\n\nUnbekannt.`;
    expect(without(read(report('Datum: 03.05.2026')), 'times')).toContainEqual({
      point: 'detection',
      date: '2026-05-04',
      time: '00:20',
    });
    expect(without(read(report('Ohne Angabe.')), 'times')).toEqual([]);
  });

  it('do not come from the length of another incident', () => {
    const text =
      '# Incident\n\n## Impact\n\nThe comparable outage of March lasted 3 hours.\n\n## Root cause\n\nA full disk.';
    expect(without(read(text), 'durations')).toEqual([]);
  });
});

describe('the impact of an incident', () => {
  it.each([
    [
      'The incident',
      '## Impact',
      '1,250 customers were affected and 17 servers were encrypted',
      [
        ['customers', 1250],
        ['hosts', 17],
      ],
    ],
    [
      'Der Vorfall',
      '## Auswirkungen',
      'Betroffen waren 1.250 Kundinnen und Kunden; kopiert wurden 300 Datensätze',
      [
        ['customers', 1250],
        ['records', 300],
      ],
    ],
    [
      "L'incident",
      '## Conséquences',
      'L’attaque a touché 40 serveurs et 1 250 dossiers',
      [
        ['hosts', 40],
        ['records', 1250],
      ],
    ],
  ] as const)('%s: is counted by what was affected', (opening, heading, sentence, expected) => {
    const text = `# ${opening}: report on the incident\n\n${heading}\n\n${sentence}.\n\n## Timeline\n\nNone.`;
    expect(without(read(text), 'impacts').map(({ of, count }) => [of, count])).toEqual(expected);
  });

  it('leaves out numbers that the report denies or takes out of others', () => {
    const text =
      '# Incident report\n\n## Impact\n\n90 customers were affected; of these 30 were refunded. The 5,000 users of the archive were not affected.\n\n## Root cause\n\nA disk.';
    expect(without(read(text), 'impacts')).toEqual([{ of: 'customers', count: 90 }]);
  });
});

describe('corrective actions', () => {
  const rows = [
    ['Nr', 'Maßnahme', 'Verantwortlich', 'Termin'],
    ['1', 'Sicherung täglich prüfen', 'Betrieb', '30.06.2026'],
    ['2', 'entfällt (siehe 1)', '-', '-'],
  ];
  it.each([',', ';', '\t'])('are read from a table separated by %j', (mark) => {
    const text = `# Vorfall\n\nBericht zum Vorfall.\n\n## Ursache\n\nEin Ausfall.\n\n## Maßnahmen\n\n${rows.map((row) => row.join(mark)).join('\n')}\n`;
    expect(without(read(text), 'actions')).toEqual([
      { task: 'Sicherung täglich prüfen', owner: 'Betrieb', due: '2026-06-30' },
    ]);
  });

  it('are read from a list with owners', () => {
    const text =
      '# Postmortem of the incident\n\n## Root cause\n\nA disk.\n\n## Action items\n\n- [ ] Add an alert on disk space (owner: Mara Lind, due 2026-07-01)\n- [x] Rotate the logs – owner: storage team\n';
    expect(without(read(text), 'actions')).toEqual([
      { task: 'Add an alert on disk space', owner: 'Mara Lind', due: '2026-07-01' },
      { task: 'Rotate the logs', owner: 'storage team' },
    ]);
  });
});

describe('a quotation', () => {
  it('is left out if its sentence has a credential', () => {
    const text =
      '# Incident report\n\n## Root cause\n\nThe root cause was password: Quarry-Lamp-81 in the script.\n\n## Impact\n\nNone of the customers.';
    expect(JSON.stringify(read(text))).not.toContain('Quarry');
  });
});

describe('findings of a penetration test', () => {
  it.each([
    ['Penetration test', 'Finding 3: Weak cipher\n\nSeverity: High\nAffected host: web.one.example', 'high'],
    [
      'Penetrationstest',
      'Befund 3: Schwache Chiffre\n\nSchweregrad: Hoch\nBetroffene Systeme: web.one.example',
      'high',
    ],
    [
      "Test d'intrusion",
      'Constat 3 : Chiffrement faible\n\nCriticité: Faible\nSystèmes affectés: web.one.example',
      'low',
    ],
  ])('%s: have number, rating and host', (title, finding, severity) => {
    expect(without(read(`# ${title}\n\n${finding}\n`), 'testFindings')).toEqual([
      { id: '3', severity, host: 'web.one.example' },
    ]);
  });
});

describe('indicators of compromise', () => {
  const roles = (text: string) =>
    Object.fromEntries(
      Object.values(indicators.run([{ message: 0, text }]).result as unknown as Lists).flatMap(({ items }) =>
        items.map(({ defanged, role }) => [String(defanged).replaceAll(/[[\]]/g, ''), role]),
      ),
    );

  it('are distinguished from contacts, versions and systems of the reader', () => {
    const text = [
      '# Incident report',
      'The malware contacted 185.220.101.4 and dropped updater.exe.',
      'The agent of version 9.1.14.3 was not involved. The address 93.184.216.34 is the proxy of the customer.',
      'Contact: soc@victim-corp.com',
    ].join('\n\n');
    expect(roles(text)).toEqual({
      '185.220.101.4': 'attacker',
      'updater.exe': 'attacker',
      '9.1.14.3': 'mentioned',
      '93.184.216.34': 'mentioned',
      'soc@victim-corp.com': 'mentioned',
    });
  });

  it('do not include the visitors in a log of a web server', () => {
    const line = (ip: string, path: string, status: number) =>
      `${ip} - - [04/Mar/2026:10:00:0${status % 9} +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "Mozilla/5.0 (+https://bot.one-search.com/about)"`;
    const log = [
      line('93.184.216.34', '/', 200),
      line('93.184.216.34', '/a', 200),
      ...['/.env', '/.git/config', '/wp-login.php'].map((path) => line('185.220.101.4', path, 404)),
    ];
    expect(roles(log.join('\n'))).toMatchObject({ '185.220.101.4': 'attacker', '93.184.216.34': 'mentioned' });
  });
});

describe('reports of 200,000 characters', () => {
  it.each([
    'incident customers 5 customers were affected ',
    '# Incident impact\n',
    'incident | a | 12:00 |\n',
    'attack HKLM\\a',
    'attack 5 hours ',
    'Penetration test Finding 1: x\nSeverity: High\n',
    'incident Abc Abc GmbH was ',
    'incident track as ABC ',
  ])('are read in time if they repeat %j', (unit) => {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    const start = process.cpuUsage();
    read(text);
    indicators.run([{ message: 0, text }]);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(3_000);
  });
});
