/** Logs whose fields are named: exports as CSV, W3C logs, JSON of several vendors, auditd and Zeek. Lines are our own. */
import { describe, expect, it } from 'vitest';
import { analyzeLog } from '../../../../agents/tools/security/log-analysis.ts';
import { readLog } from '../../../../agents/tools/security/log-reader.ts';

const totals = (text: string) =>
  Object.fromEntries(
    analyzeLog(readLog(text)).counts.flatMap(({ event, actor, source, count }) =>
      actor === undefined && source === undefined ? [[event, count]] : [],
    ),
  );

describe('logs with named fields', () => {
  const rows = [
    ['Timestamp', 'Event', 'Result', 'User name', 'Source IP'],
    ['2026-03-04 08:00:01', 'User login', 'Failure', 'ann', '198.51.100.4'],
    ['2026-03-04 08:00:05', 'User login', 'Success', 'ann', '198.51.100.4'],
    ['2026-03-04 08:01:00', 'User account created', 'Success', 'ann', '198.51.100.4'],
  ];

  it.each([',', ';', '\t', ' | '])('counts the events of an export separated by %j', (mark) => {
    expect(totals(rows.map((row) => row.join(mark)).join('\n'))).toEqual({
      'failed-login': 1,
      'successful-login': 1,
      'account-created': 1,
    });
  });

  it('does not depend on the order of the columns', () => {
    expect(totals(rows.map((row) => row.toReversed().join(',')).join('\n'))).toEqual(
      totals(rows.map((row) => row.join(',')).join('\n')),
    );
  });

  it('reads the fields of a W3C extended log', () => {
    const log = [
      '#Version: 1.0',
      '#Fields: date time s-ip cs-method cs-uri-stem cs-username c-ip sc-status',
      '2026-03-04 00:00:10 10.0.0.4 GET / - 198.51.100.4 200',
      '2026-03-04 00:00:11 10.0.0.4 GET /x - 198.51.100.4 404',
    ].join('\n');
    expect(totals(log)).toEqual({ 'web-request-error': 1 });
  });

  it('reads sign-ins of cloud services as JSON', () => {
    const log = [
      {
        createdDateTime: '2026-03-04T10:00:00Z',
        userPrincipalName: 'a@b.example',
        ipAddress: '198.51.100.7',
        status: { errorCode: 50126 },
      },
      {
        '@timestamp': '2026-03-04T10:00:06Z',
        event: { action: 'authentication', outcome: 'failure' },
        user: { name: 'zoe' },
        source: { ip: '198.51.100.8' },
      },
      { time: '2026-03-04T10:00:07Z', msg: 'user logged in', user: 'zoe', ip: '198.51.100.8' },
    ].map((record) => JSON.stringify(record));
    expect(totals(log.join('\n'))).toEqual({ 'failed-login': 2, 'successful-login': 1 });
  });

  it('counts an attempt that auditd records twice once', () => {
    const line = (type: string, pid: number, seconds: number, result: string) =>
      `type=${type} msg=audit(17000000${seconds}.100:5): pid=${pid} uid=0 msg='op=login acct="root" exe="/usr/sbin/sshd" addr=198.51.100.9 terminal=ssh res=${result}'`;
    const log = [
      line('USER_AUTH', 7, 10, 'failed'),
      line('USER_LOGIN', 7, 11, 'failed'),
      line('USER_LOGIN', 8, 12, 'failed'),
      line('USER_LOGIN', 9, 13, 'success'),
    ];
    expect(totals(log.join('\n'))).toEqual({ 'failed-login': 2, 'successful-login': 1 });
  });

  it('reads the logins of Zeek', () => {
    const log = [
      '#fields\tts\tuid\tid.orig_h\tid.resp_h\tauth_success',
      '1760000000.1\tC1\t198.51.100.9\t10.0.0.5\tF',
      '1760000010.1\tC2\t198.51.100.9\t10.0.0.5\tT',
    ];
    expect(totals(log.join('\n'))).toEqual({ 'failed-login': 1, 'successful-login': 1 });
  });

  it('reads a W3C log whose lines are all indented', () => {
    const log = [
      '#Fields: date time cs-method cs-uri-stem sc-status c-ip',
      '2026-03-04 08:00:01 GET /a 404 198.51.100.9',
      '2026-03-04 08:00:02 GET /b 403 198.51.100.9',
      '2026-03-04 08:00:03 GET /c 200 198.51.100.9',
    ];
    expect(totals(log.map((line) => `   ${line}`).join('\n'))).toEqual({ 'web-request-error': 2 });
  });

  it.each([
    ['line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['blanks at the ends of lines', (text: string) => text.replaceAll('\n', '  \n')],
    ['labels in bold', (text: string) => text.replace(/^(\w[^:\n]+):/gm, '**$1:**')],
  ])('reads a list of Windows events with %s', (_form, change) => {
    const log = [
      'TimeCreated  : 04.03.2026 08:00:01',
      'Id           : 4732',
      'Message      : A member was added to a group. Subject: Account Name:',
      '               backup2  Member: guest',
      '',
      'TimeCreated  : 04.03.2026 08:00:09',
      'Id           : 4720',
      'Message      : A user account was created. Subject: Account Name: backup2  New Account: guest2',
    ].join('\n');
    expect(readLog(change(log)).map(({ event, actor }) => [event, actor])).toEqual([
      ['group-member-added', 'backup2'],
      ['account-created', 'backup2'],
    ]);
  });
});
