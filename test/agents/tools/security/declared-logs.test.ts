/** Logs whose format or headings declare their fields, in any order and language. Lines are our own. */
import { describe, expect, it } from 'vitest';
import { analyzeLog } from '../../../../agents/tools/security/log-analysis.ts';
import { readLog } from '../../../../agents/tools/security/log-reader.ts';
import { isLog } from '../../../../agents/tools/security/log-share.ts';

const counts = (lines: readonly string[]) =>
  Object.fromEntries(
    analyzeLog(readLog(lines.join('\n'))).counts.map(({ event, actor, source, count }) => [
      [event, actor, source].filter(Boolean).join(' '),
      count,
    ]),
  );
const login = {
  'failed-login': 2,
  'failed-login mila': 2,
  'failed-login 203.0.113.9': 2,
  'successful-login': 1,
  'successful-login otto': 1,
  'successful-login 192.0.2.4': 1,
};

describe('declared logs', () => {
  it('reads CEF, whose values contain blanks', () => {
    const head = 'CEF:0|Acme|Gate|1|7|';
    expect(
      counts([
        `${head}Login failure|5|src=203.0.113.9 suser=mila reason=bad password rt=Mar 02 2026 10:00:01`,
        `${head}Login failure|5|src=203.0.113.9 suser=mila reason=bad password rt=Mar 02 2026 10:00:04`,
        `${head}Login success|2|src=192.0.2.4 suser=otto rt=Mar 02 2026 10:02:00`,
      ]),
    ).toEqual(login);
  });

  it('reads LEEF with tabs', () => {
    const line = (event: string, rest: string) => `LEEF:1.0|Acme|VPN|2|${event}|${rest}`;
    expect(
      counts([
        line('AUTH_FAILED', 'devTime=2026-03-02 10:00:01\tsrc=203.0.113.9\tusrName=mila'),
        line('AUTH_FAILED', 'devTime=2026-03-02 10:00:04\tsrc=203.0.113.9\tusrName=mila'),
        line('AUTH_SUCCESS', 'devTime=2026-03-02 10:02:00\tsrc=192.0.2.4\tusrName=otto'),
      ]),
    ).toEqual(login);
  });

  it.each([
    ['Datum;Tijd;IP-adres;Gebruiker;Gebeurtenis', 'Aanmelden mislukt', 'Aanmelden gelukt'],
    ['Data;Godzina;Adres IP;Użytkownik;Zdarzenie', 'Logowanie nieudane', 'Logowanie udane'],
    ['Fecha;Hora;IP origen;Usuario;Evento', 'Inicio de sesión fallido', 'Inicio de sesión correcto'],
    ['Date;Heure;Adresse IP;Utilisateur;Événement', 'Échec de connexion', 'Connexion réussie'],
    ['Datum;Tid;IP-adress;Användare;Händelse', 'Inloggning misslyckades', 'Inloggning lyckades'],
  ])('reads a table under %s', (head, failed, succeeded) => {
    expect(
      counts([
        head,
        `2026-03-02;10:00:01;203.0.113.9;mila;${failed}`,
        `2026-03-02;10:00:04;203.0.113.9;mila;${failed}`,
        `2026-03-02;10:02:00;192.0.2.4;otto;${succeeded}`,
      ]),
    ).toEqual(login);
  });

  it('reads rows of HTML', () => {
    const row = (...cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    expect(
      counts([
        '<table><tr><th>Date/time</th><th>Account</th><th>Source address</th><th>Activity</th><th>Status</th></tr>',
        row('2026-03-02 10:00:01', 'mila', '203.0.113.9', 'Sign-in', 'Failed'),
        row('2026-03-02 10:00:04', 'mila', '203.0.113.9', 'Sign-in', 'Failed'),
        `${row('2026-03-02 10:02:00', 'otto', '192.0.2.4', 'Sign-in', 'Success')}</table>`,
      ]),
    ).toEqual(login);
  });

  it('reads blocks of labelled lines', () => {
    const block = (time: string, user: string, from: string, event: string) =>
      `Time: 2026-03-02 ${time}\nClient: ${from}\nUser: ${user}\nEvent: ${event}\n`;
    expect(
      counts([
        block('10:00:01', 'mila', '203.0.113.9', 'Sign-in failed'),
        block('10:00:04', 'mila', '203.0.113.9', 'Sign-in failed'),
        block('10:02:00', 'otto', '192.0.2.4', 'Sign-in successful'),
      ]),
    ).toEqual(login);
  });

  it('takes the account and the address of a login from the message of a table', () => {
    expect(
      counts([
        'Level;Time;User;Event',
        'Warning;2026-03-02 10:00:01;SYSTEM;User [mila] from [203.0.113.9] could not sign in, reason: wrong password.',
        'Warning;2026-03-02 10:00:04;SYSTEM;User [mila] from [203.0.113.9] could not sign in, reason: wrong password.',
        'Info;2026-03-02 10:02:00;otto;User [otto] from [192.0.2.4] signed in successfully.',
        'Info;2026-03-02 10:03:00;SYSTEM;Test message: User [eve] from [192.0.2.9] could not sign in.',
        'Warning;2026-03-02 10:04:00;SYSTEM;The address [203.0.113.9] was blocked after 2 failed attempts.',
      ]),
    ).toEqual(login);
  });

  it('names the operations of a cloud by their words, and a missing permission as refused', () => {
    const entry = (time: string, method: string, code?: number) =>
      JSON.stringify({
        protoPayload: {
          methodName: method,
          authenticationInfo: { principalEmail: 'kai' },
          ...(code === undefined ? {} : { status: { code } }),
        },
        timestamp: `2026-03-02T10:${time}Z`,
      });
    expect(
      counts([
        entry('00:00', 'google.iam.admin.v1.CreateServiceAccount', 7),
        entry('01:00', 'google.iam.admin.v1.CreateServiceAccount'),
        entry('02:00', 'google.iam.admin.v1.CreateServiceAccountKey'),
        entry('03:00', 'SetIamPolicy'),
        entry('04:00', 'google.logging.v2.ConfigServiceV2.DeleteSink'),
        entry('05:00', 'storage.buckets.get', 5),
      ]),
    ).toMatchObject({
      'access-denied': 1,
      'account-created': 1,
      'access-key-created': 1,
      'policy-attached': 1,
      'logging-disabled': 1,
    });
  });

  it('reads the audit log of Kubernetes by verb and resource', () => {
    const entry = (verb: string, resource: string, code: number) =>
      JSON.stringify({
        verb,
        requestURI: '/apis/x',
        objectRef: { resource },
        user: { username: 'kai' },
        responseStatus: { code },
        requestReceivedTimestamp: '2026-03-02T10:00:00Z',
      });
    expect(
      counts([entry('list', 'secrets', 403), entry('create', 'rolebindings', 201), entry('get', 'pods', 200)]),
    ).toEqual({ 'access-denied': 1, 'access-denied kai': 1, 'policy-attached': 1, 'policy-attached kai': 1 });
  });

  it('does not read the chronology of a report as a log', () => {
    const rows = [
      'Step | Date',
      'First errors | 02/03/2026 08:10',
      'Detected | 02/03/2026 08:20',
      'Fixed | 02/03/2026 09:00',
    ];
    expect(isLog(rows.join('\n'))).toBe(false);
  });
});
