import { describe, expect, it } from 'vitest';
import { findIdentifiers } from '../../../../agents/tools/security/identifiers.ts';
import { readLog } from '../../../../agents/tools/security/log-reader.ts';
import { findSecrets } from '../../../../agents/tools/security/secrets.ts';

const wrapped = (program: string, message: string) =>
  JSON.stringify({
    '@timestamp': '2026-07-02T04:11:10.004+02:00',
    host: { name: 'bastion-3' },
    process: { name: program },
    message,
  });

describe('messages that a collector wraps', () => {
  it('reads account, address and host', () => {
    expect(
      readLog(wrapped('sshd', 'Accepted publickey: ED25519 SHA256:Xq1 for backup from 10.30.1.6 port 40153 ssh2')),
    ).toMatchObject([{ event: 'successful-login', actor: 'backup', source: '10.30.1.6', host: 'bastion-3' }]);
  });

  it('reads a command that quotes another message as a command', () => {
    const command =
      ' petersen : TTY=pts/2 ; PWD=/ ; USER=root ; COMMAND=/bin/grep Failed password for root from 1.2.3.4';
    expect(readLog(wrapped('sudo', command))).toMatchObject([{ event: 'sudo', actor: 'petersen' }]);
  });
});

describe('identifiers that a report withdraws', () => {
  it.each([
    'Die Kennung CVE-2026-31869 war ein Schreibfehler und ist zu streichen.',
    'La vulnérabilité CVE-2026-0771, citée par le prestataire, ne concerne pas notre version.',
    'La revisión 1 citaba también CVE-2025-32433: era un error.',
    'Whether data left (T1041) is unknown.',
  ])('%s', (text) => {
    expect(findIdentifiers(text)).toMatchObject([{ isDenied: true }]);
  });
});

describe('values that are no credentials', () => {
  it.each(['password: !vault sftp/carrier1', 'they start with (`-----BEGIN PRIVATE KEY-----`).'])('%s', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});
