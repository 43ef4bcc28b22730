import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cybersecurityAnalyst } from '../../../agents/cybersecurity-analyst/index.ts';
import { describeAgent } from '../../support/agents/agent-golden.ts';
import { documentOf } from '../../support/agents/agent-inputs.ts';

const documents = join(import.meta.dirname, 'documents');

const hex = (index: number, digits: number) =>
  Array.from({ length: digits }, (_, at) => ((index * 7 + at * at * 11 + at) % 16).toString(16)).join('');

describeAgent({
  agent: cybersecurityAnalyst,
  documents,
  flood: (index) =>
    [
      `2026-11-21 08:09:10 ERROR Failed password from 8.8.${index % 250}.${Math.floor(index / 250)}`,
      `http://host-${index}.example.com/a/path/that/is/long/enough/to/fill/a/list/${index}.html d-${index}.com u${index}@x.com`,
      `2606:4700::${(index % 65_000).toString(16)} CVE-2021-${10_000 + index} CWE-${index % 1_400} T1${100 + (index % 500)} CAPEC-${index % 900}`,
      `GHSA-${hex(index, 4).replace(/[^2-9cf]/g, 'c')}-jfh8-c2jp ${hex(index, 32)} ${hex(index, 40)} ${hex(index, 64)} ${hex(index, 128)}`,
      `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:${'HLN'[index % 3]}/I:${'HLN'[Math.floor(index / 3) % 3]}/A:H/E:${'XUPFH'[index % 5]}/RL:${'XOTWU'[index % 4]}/CR:${'XLMH'[index % 4]}`,
      `password=Pw${hex(index, 12)}`,
    ].join('\n'),
  units: [
    'CVSS:3.1/AV:N/',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H ',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N ',
    'AV:N/',
    'CVE-2021-',
    'CVE-2021-44228 ',
    'GHSA-',
    'T1059.',
    'T1059 ',
    'hxxp://',
    'http://a.com/ ',
    'https://a:b@',
    'a[.]',
    'a[.]com ',
    'a.com ',
    '[.]',
    '1.1.1.',
    '1.1.1.1 ',
    '1[.]1',
    'a [at] ',
    'a@a.com ',
    'a:a:',
    '2001:db8::1 ',
    'ab12',
    '0123456789abcdef0123456789abcdef ',
    'password=',
    'password="',
    'password: hunter2x ',
    'a_secret=',
    'a_',
    'eyJ',
    'eyJaaaaaaaa.',
    'aws key ',
    'AKIA',
    'AKIAIOSFODNN7EXAMPLE ',
    'sk-',
    '-----BEGIN ',
    '-----BEGIN RSA PRIVATE KEY-----',
    'Bearer ',
    'a://a:',
    '$2b$10$',
    '<13>',
    'level=error\n',
    '2026-11-21 08:09:10 ERROR\n',
    '2026-11-21 08:09:10 Failed password from 1.2.3.4\n',
    'GET /?a=union ',
    'Event ID 4625 ',
    '{"level":',
  ],
});

describe('what the cybersecurity analyst reads in the golden documents', () => {
  const resultsOf = (file: string) => {
    const list = [documentOf(readFileSync(join(documents, file), 'utf8'))];
    return Object.fromEntries(cybersecurityAnalyst.tools.map((tool) => [tool.name, tool.run(list)]));
  };

  it('reports a stated score that differs from the score of its vector', () => {
    const vectors = JSON.parse(JSON.stringify(resultsOf('penetration-test.txt').cvss_scores!.result)).vectors.items;
    expect(vectors.map(({ score, stated, agrees }: never) => [score, stated, agrees])).toEqual([
      [8.1, 8.1, true],
      [10, 9.8, false],
      [6.9, 6.9, true],
      [3.1, 3.1, true],
      [undefined, undefined, undefined],
    ]);
  });

  it('never repeats a credential from the documents, even through another tool', () => {
    const shown = JSON.stringify(resultsOf('penetration-test.txt'));
    for (const secret of ['IOSFODNN7', 'wJalrX', 'Zk7-wunder', 'Herbst-Laub']) expect(shown).not.toContain(secret);
    // Two more are the keys of Amazon's documentation, which open nothing.
    expect(resultsOf('penetration-test.txt').secret_detection!.digest).toHaveLength(2);
  });

  it('links the brute-forced password to the login that followed', () => {
    expect(resultsOf('incident-report.txt').log_summary!.result).toMatchObject({
      failedLoginSeries: { items: [{ source: '45.83.122.17', failures: 6, successAfterFailures: true }] },
    });
  });
});
