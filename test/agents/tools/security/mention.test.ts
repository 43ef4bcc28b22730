/** Identifiers, scores and secrets that a text mentions only to exclude them. */
import { describe, expect, it } from 'vitest';
import { findCvss } from '../../../../agents/tools/security/find-cvss.ts';
import { findIdentifiers } from '../../../../agents/tools/security/identifiers.ts';
import { findSecrets } from '../../../../agents/tools/security/secrets.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

describe('identifiers that a text denies', () => {
  it.each([
    'The gateway is not\naffected by CVE-2024-1234.',
    'We saw no use of CVE-2024-1234 in these attacks.',
    'CVE-2024-1234 is not exploitable here.',
    'Nicht betroffen ist das Produkt von CVE-2024-1234.',
    '  Impact   T1486   Data Encrypted for Impact   0 of 9',
  ])('marks %j', (text) => {
    expect(findIdentifiers(text)).toMatchObject([{ isDenied: true }]);
  });

  it.each([
    'The gateway is affected by CVE-2024-1234.',
    'Not the old bug, but CVE-2024-1234 was used.',
    'T1486 was seen.',
    'It resembles T1486, but the sample was not analysed.',
  ])('leaves %j', (text) => {
    expect(findIdentifiers(text)[0]).not.toHaveProperty('isDenied');
  });
});

describe('stated scores', () => {
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  it.each([
    [`Base score 9,8 (critical)\n${vector}`, 9.8],
    [`Score 9.8\nVector ${vector}\nScore 4.0: 9.3`, 9.8],
    [`${vector}\n\n3.2  The next finding`, undefined],
  ])('reads %j', (text, stated) => {
    expect(findCvss([documentOf(text)])[0]?.stated).toBe(stated);
  });
});

describe('examples of secrets', () => {
  it.each([
    'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
    'TOKEN=xoxb-your-bot-token-here',
    'URL=postgres://user:password@db/app',
    `TOKEN=ghp_${'x'.repeat(36)}`,
  ])('are not secrets: %s', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});
