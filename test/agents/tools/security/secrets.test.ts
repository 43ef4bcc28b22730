import { describe, expect, it } from 'vitest';
import { entropyBitsPerCharacter } from '../../../../agents/tools/security/entropy.ts';
import { findSecrets, secretDetection } from '../../../../agents/tools/security/secrets.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

/** Assembled here, so that no scanner reports this file as a leak. Invented: none was ever valid. */
const letters = 'aB3dE5gH7jK9mN1pQ4sT6vX8zC2bF0hJ5lR7wY';
const secrets: readonly (readonly [string, string])[] = [
  ['AWS access key id', `AKIA${'Q3EXAMZ7TRW5KLMD'}`],
  ['GitHub token', `ghp_${letters.slice(0, 36)}`],
  ['GitLab token', `glpat-${letters.slice(0, 20)}`],
  ['Slack token', `xoxb-${'123456789012-abcdEFGH1234ijkl'}`],
  ['Stripe secret key', `sk_live_${letters.slice(0, 24)}`],
  ['Google API key', `AIza${letters.slice(0, 35)}`],
  ['Anthropic API key', `sk-ant-${letters}`],
  ['Hugging Face token', `hf_${letters.slice(0, 34)}`],
  ['npm token', `npm_${letters.slice(0, 36)}`],
  ['SendGrid API key', `SG.${letters.slice(0, 22)}.${letters.slice(0, 36)}aBcDeFg`],
  ['JSON Web Token', `eyJ${letters}.eyJ${letters}.${letters}`],
  ['DigitalOcean token', `dop_v1_${'0123456789abcdef'.repeat(4)}`],
  ['Telegram bot token', `123456789:AA${letters.slice(0, 33)}`],
];

describe('secrets', () => {
  it.each(secrets)('finds a %s and shows four characters of it at most', (kind, secret) => {
    const text = `value ${secret} end`;
    expect(findSecrets(text)).toMatchObject([{ kind, start: 6, end: 6 + secret.length, prefix: secret.slice(0, 4) }]);
    const shown = JSON.stringify(secretDetection.run([documentOf(text)]));
    expect(shown).not.toContain(secret.slice(0, 5));
    expect(shown).not.toContain(secret.slice(-6));
  });

  it('finds private keys by their first line', () => {
    expect(findSecrets('-----BEGIN OPENSSH PRIVATE KEY-----\nabc')).toMatchObject([{ kind: 'private key (PEM)' }]);
    expect(findSecrets('-----BEGIN PUBLIC KEY-----')).toEqual([]);
  });

  it.each(['password = correct-horse-battery', 'password: "correct horse battery"', "PWD='Tr0ub4dor&3'"])(
    'redacts the value of %s',
    (text) => {
      const [finding] = findSecrets(text);
      expect(finding).toMatchObject({ kind: 'password' });
      expect(finding).not.toHaveProperty('prefix');
    },
  );

  it('finds the password in a connection string', () => {
    const text = 'postgres://app:S3cure99@db.internal:5432/app';
    expect(findSecrets(text)).toMatchObject([{ kind: 'password in a URL', start: 15, end: 23 }]);
    expect(JSON.stringify(secretDetection.run([documentOf(text)]))).not.toContain('S3cu');
  });

  it.each(['', '   '])('passes over passwords of a test file in a listing whose lines begin with %j', (indent) => {
    const lines = ['=== src/tests/login.py ===', 'password = correct-horse-battery'];
    expect(findSecrets(lines.map((line) => `${indent}${line}`).join('\n'))).toEqual([]);
  });

  it('finds a random value that the text calls a secret', () => {
    expect(findSecrets(`client_secret: ${letters}`)).toMatchObject([
      { kind: 'assigned secret', prefix: letters.slice(0, 4) },
    ]);
  });

  it.each([
    'password: <password>',
    'password=\x24{DB_PASSWORD}',
    'token: your-token-goes-here',
    'api_key=xxxxxxxxxxxxxxxxxxxx',
    'secret: aaaaaaaaaaaaaaaaaaaa',
    'password: ********',
    'apiKey: process.env.SERVICE_KEY_2',
    'const token = config.tokens[0]',
    'secret: authentication.md',
    'password policy: ten characters',
    'Password: must be changed every year',
    'Passwort: wird nicht gespeichert.',
  ])('finds no secret in %s', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it('computes Shannon entropy', () => {
    expect(entropyBitsPerCharacter('')).toBe(0);
    expect(entropyBitsPerCharacter('aaaa')).toBe(0);
    expect(entropyBitsPerCharacter('abab')).toBe(1);
    expect(entropyBitsPerCharacter('abcdefgh')).toBe(3);
  });
});
