import { describe, expect, it } from 'vitest';
import { cvssScores, findCvss } from '../../../../agents/tools/security/find-cvss.ts';
import { findIdentifiers } from '../../../../agents/tools/security/identifiers.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const critical = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

describe('CVSS vectors in texts', () => {
  it('finds a vector once, with its places counted', () => {
    const [finding, ...others] = findCvss([documentOf(`First ${critical}; again ${critical}.`)]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ vector: critical, score: 9.8, rating: 'critical', count: 2 });
    expect(finding?.span).toEqual({ message: 0, start: 6, end: 6 + critical.length });
  });

  it.each([
    ['agrees', `Base score 9.8 (${critical})`, 9.8, true],
    ['disagrees', `Base score 9.1 (${critical})`, 9.1, false],
    ['agrees after the vector', `${critical} = 9.8`, 9.8, true],
    ['is not the version', `CVSS v3.1 ${critical}, score 7.5`, 7.5, false],
  ])('reports whether the stated score %s', (_what, text, stated, agrees) => {
    expect(findCvss([documentOf(text)])[0]).toMatchObject({ stated, agrees });
  });

  it('reports no stated score if there is none', () => {
    expect(findCvss([documentOf(`CVSS v3.1 vector: ${critical}`)])[0]).not.toHaveProperty('stated');
  });

  it('reads vectors without a prefix and marks them', () => {
    expect(findCvss([documentOf('(AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H)')])[0]).toMatchObject({
      score: 9.8,
      note: expect.stringContaining('3.1'),
    });
    expect(findCvss([documentOf('AV:N/AC:L/Au:N/C:P/I:P/A:P')])[0]).toMatchObject({ version: '2.0' });
    expect(findCvss([documentOf('AV:N/AC:L/Au:N/C:P/I:P/A:P')])[0]).not.toHaveProperty('score');
  });

  it('states a disagreement in the findings', () => {
    expect(cvssScores.run([documentOf(`9.1 ${critical}`)]).digest[0]).toContain('DISAGREES');
  });
});

describe('identifiers', () => {
  it('recognises identifiers of every catalogue', () => {
    const text =
      'cve-2021-44228 (CWE-502, CAPEC-248), GHSA-jfh8-c2jp-5v3q; MITRE ATT&CK TA0001, T1190, T1059.001, G0016, S0154, M1051.';
    expect(findIdentifiers(text).map(({ id }) => id)).toEqual([
      'CVE-2021-44228',
      'CWE-502',
      'CAPEC-248',
      'GHSA-jfh8-c2jp-5v3q',
      'TA0001',
      'T1190',
      'T1059.001',
      'G0016',
      'S0154',
      'M1051',
    ]);
  });

  it('has names for the identifiers that reports cite most', () => {
    expect(findIdentifiers('CWE-79 and T1566.001 and T1566.003')).toMatchObject([
      { name: 'cross-site scripting' },
      { name: 'Spearphishing Attachment' },
      { name: 'Phishing' },
    ]);
  });

  it.each([
    'CVE-1998-1234',
    'CVE-2021-123',
    'T9999',
    't1059',
    'XCVE-2021-44228',
    'G0016 in a parts list',
    'T1059.0011',
  ])('finds no identifier in %s', (text) => {
    expect(findIdentifiers(text)).toEqual([]);
  });
});
