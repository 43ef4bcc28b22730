/** Logs of several families read into the same counts. Lines are our own, after the formats of the programs. */
import { describe, expect, it } from 'vitest';
import { analyzeLog } from '../../../../agents/tools/security/log-analysis.ts';
import { readLog } from '../../../../agents/tools/security/log-reader.ts';

const analyze = (lines: readonly string[]) => analyzeLog(readLog(lines.join('\n')));
const counts = (lines: readonly string[]) =>
  Object.fromEntries(
    analyze(lines).counts.map(({ event, actor, source, count }) => [
      [event, actor, source].filter(Boolean).join(' '),
      count,
    ]),
  );

describe('log families', () => {
  it('counts one login of sshd and PAM once, by account and by address', () => {
    const lines = [
      'Feb  3 07:00:01 gate sshd[7]: pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=198.51.100.7  user=eve',
      'Feb  3 07:00:01 gate sshd[7]: pam_sss(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=198.51.100.7 user=eve',
      'Feb  3 07:00:02 gate sshd[7]: Failed password for eve from 198.51.100.7 port 4 ssh2',
      'Feb  3 07:00:04 gate sshd[7]: message repeated 2 times: [ Failed password for eve from 198.51.100.7 port 4 ssh2]',
      'Feb  3 07:00:05 gate sshd[7]: PAM 2 more authentication failures; logname= uid=0 euid=0 tty=ssh ruser= rhost=198.51.100.7  user=eve',
      'Feb  3 07:01:00 gate sshd[8]: Accepted password for eve from 198.51.100.7 port 5 ssh2',
      'Feb  3 07:01:00 gate sshd[8]: pam_unix(sshd:session): session opened for user eve(uid=9) by (uid=0)',
    ];
    expect(counts(lines)).toEqual({
      'failed-login': 3,
      'failed-login eve': 3,
      'failed-login 198.51.100.7': 3,
      'successful-login': 1,
      'successful-login eve': 1,
      'successful-login 198.51.100.7': 1,
    });
    expect(analyze(lines)).toMatchObject({
      compromises: [{ account: 'eve', source: '198.51.100.7' }],
      target: 'gate',
      firstEvent: { day: '02-03', time: '07:00:01' },
    });
  });

  it('distinguishes a refused sudo from a successful one, and counts the lines of one new account once', () => {
    const lines = [
      'Feb  3 07:00:01 gate sudo:  ann : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/ls',
      'Feb  3 07:00:02 gate sudo:  ben : user NOT in sudoers ; TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/ls',
      'Feb  3 07:00:03 gate useradd[3]: new group: name=cy, GID=5',
      'Feb  3 07:00:03 gate useradd[3]: new user: name=cy, UID=5, GID=5, home=/home/cy, shell=/bin/sh',
      "Feb  3 07:00:03 gate useradd[3]: add 'cy' to group 'wheel'",
      "Feb  3 07:00:03 gate useradd[3]: add 'cy' to shadow group 'wheel'",
    ];
    expect(counts(lines)).toEqual({
      sudo: 1,
      'sudo ann': 1,
      'sudo-denied': 1,
      'sudo-denied ben': 1,
      'account-created': 1,
      'group-member-added': 1,
    });
  });

  it('reads Windows events from a table whose first row is the newest', () => {
    const lines = [
      'TimeCreated,Event ID,Computer,User,IpAddress,Message',
      '5/3/2026 1:00:09 PM,4624,PC1,ACME\\dee,203.0.113.8,ok',
      '5/3/2026 1:00:08 PM,4776,PC1,ACME\\dee,-,validated',
      '5/3/2026 12:59:59 PM,4625,PC1,ACME\\dee,203.0.113.8,"failed, twice"',
    ];
    expect(counts(lines)).toMatchObject({ 'failed-login dee': 1, 'successful-login 203.0.113.8': 1 });
    expect(analyze(lines)).toMatchObject({
      firstEvent: { date: '2026-05-03', time: '12:59:59' },
      lastEvent: { date: '2026-05-03', time: '13:00:09' },
    });
  });

  it('takes the account of a Windows text from the logon, not from the subject', () => {
    const lines = [
      'Log Name: Security',
      'Date: 5/3/2026 1:00:09 PM',
      'Event ID: 4625',
      'Computer: PC1',
      'Subject:\n\tAccount Name:\t\t-',
      'Account For Which Logon Failed:\n\tAccount Name:\t\tdee\n\tAccount Domain:\t\tACME',
      'Network Information:\n\tSource Network Address:\t203.0.113.8',
    ];
    expect(counts(lines)).toEqual({ 'failed-login': 1, 'failed-login dee': 1, 'failed-login 203.0.113.8': 1 });
  });

  it('counts lines of Unix and of Windows in one text together', () => {
    const lines = [
      'Feb  3 07:01:00 gate sshd[8]: Accepted password for eve from 198.51.100.7 port 5 ssh2',
      '2026-02-03 07:02:00 PC1 EventID=4624 TargetUserName=dee IpAddress=203.0.113.8',
      '2026-02-03 07:03:00 PC1 EventID=1102 SubjectUserName=dee',
    ];
    expect(counts(lines)).toMatchObject({ 'successful-login': 2, 'successful-login eve': 1, 'log-cleared': 1 });
  });

  it('reads each CloudTrail record once, and no failed one as successful', () => {
    const record = (id: string, rest: object) =>
      JSON.stringify({
        eventTime: '2026-01-02T03:04:05Z',
        eventSource: 'iam.amazonaws.com',
        eventID: id,
        sourceIPAddress: '203.0.113.9',
        userIdentity: { userName: 'fay' },
        ...rest,
      });
    const lines = [
      record('1', { eventName: 'ConsoleLogin', responseElements: { ConsoleLogin: 'Failure' } }),
      record('1', { eventName: 'ConsoleLogin', responseElements: { ConsoleLogin: 'Failure' } }),
      record('2', { eventName: 'CreateUser', errorCode: 'AccessDenied' }),
      record('3', { eventName: 'CreateUser', errorCode: 'EntityAlreadyExists' }),
    ];
    expect(counts(lines)).toMatchObject({ 'failed-login': 1, 'access-denied fay': 1 });
    expect(counts(lines)).not.toHaveProperty('account-created');
  });

  it('reads firewalls: key=value, iptables and ASA', () => {
    expect(
      counts([
        'date=2026-01-02 time=03:04:05 devname="fw" type="traffic" srcip=203.0.113.9 dstip=192.0.2.1 dstport=22 action="deny" policyname="x"',
        'date=2026-01-02 time=03:04:06 devname="fw" type="traffic" srcip=203.0.113.9 dstip=192.0.2.1 dstport=22 action="close" policyname="deny"',
        'Jan  2 03:04:07 gw kernel: [UFW BLOCK] IN=eth0 OUT= MAC=aa SRC=203.0.113.9 DST=192.0.2.1 LEN=40 PROTO=TCP SPT=1 DPT=23',
        'Jan  2 03:04:08 asa : %ASA-4-106023: Deny tcp src outside:203.0.113.9/4711 dst inside:192.0.2.1/80 by access-group "x"',
      ]),
    ).toEqual({ 'blocked-connection': 3, 'blocked-connection 203.0.113.9': 3 });
  });

  it('counts errors of a web server by status, and not sizes or paths', () => {
    expect(
      counts([
        '203.0.113.9 - - [02/Jan/2026:03:04:05 +0000] "GET /404 HTTP/1.1" 200 500 "-" "x"',
        '203.0.113.9 - - [02/Jan/2026:03:04:06 +0000] "GET /a HTTP/1.1" 404 153 "-" "x"',
      ]),
    ).toEqual({ 'web-request-error': 1, 'web-request-error 203.0.113.9': 1 });
  });

  it.each([
    ['A', '{"a":'.repeat(30_000)],
    ['event numbers', 'Event ID 4625 '.repeat(14_000)],
    ['ids', 'Event ID: 4625\n'.repeat(13_000)],
    ['pairs', 'date=2026-01-02 time=03:04:05 '.repeat(6_600)],
    ['quotes', `Event ID,Date\n${'"'.repeat(190_000)}`],
    ['commas', `Event ID,Date\n${','.repeat(190_000)}`],
    ['lines', 'Feb  3 07:00:01 gate sshd[7]: Failed password for \n'.repeat(4_000)],
    ['blanks', ' '.repeat(200_000)],
    ['dates', '1/1/2026 '.repeat(22_000)],
  ])('reads 200,000 hostile characters of %s in time', (_, text) => {
    const start = process.cpuUsage();
    analyzeLog(readLog(text));
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1_500);
  });
});
