/** Logs of several programs in one text: times without a year, and sessions that are no logins. */
import { describe, expect, it } from 'vitest';
import { analyzeLog } from '../../../../agents/tools/security/log-analysis.ts';
import { logSummary } from '../../../../agents/tools/security/log-lines.ts';
import { readLog } from '../../../../agents/tools/security/log-reader.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const access = (time: string, path = '/a') => `203.0.113.77 - - [${time} +0000] "GET ${path} HTTP/1.1" 404 153 "-" "x"`;
const failed = (time: string) =>
  `${time} web01 sshd[20411]: Failed password for root from 203.0.113.77 port 40112 ssh2`;

const boundsOf = (lines: readonly string[]) => {
  const { firstEvent, lastEvent } = analyzeLog(readLog(lines.join('\n')));
  return [firstEvent, lastEvent];
};

describe('the first and the last event', () => {
  const web = [access('12/May/2026:03:14:02'), access('12/May/2026:03:17:02', '/b')];
  const system = [failed('May 12 03:18:03'), failed('May 12 03:30:12')];

  it.each([
    ['before', [...web, ...system]],
    ['behind', [...system, ...web]],
  ])('take the year of an access log %s the lines of syslog', (_, lines) => {
    expect(boundsOf(lines)).toEqual([
      { date: '2026-05-12', time: '03:14:02' },
      { date: '2026-05-12', time: '03:30:12' },
    ]);
  });

  it('take the next year behind the turn of a year', () => {
    const lines = [access('31/Dec/2025:23:58:02'), failed('Dec 31 23:59:10'), failed('Jan  1 00:00:10')];
    expect(boundsOf(lines)).toEqual([
      { date: '2025-12-31', time: '23:58:02' },
      { date: '2026-01-01', time: '00:00:10' },
    ]);
  });

  it('are left out where no dated record is near', () => {
    expect(boundsOf([access('31/Dec/2025:23:58:02'), ...system])).toEqual([undefined, undefined]);
  });

  it('have no year where no record has one', () => {
    expect(boundsOf([failed('May 12 03:14:02'), ...system])).toEqual([
      { day: '05-12', time: '03:14:02' },
      { day: '05-12', time: '03:30:12' },
    ]);
  });
});

describe('logins', () => {
  const text = [
    'May 12 03:20:33 web01 sshd[20502]: Accepted publickey for deploy from 192.0.2.40 port 51544 ssh2: ED25519 SHA256:q1nH0',
    'May 12 03:20:33 web01 sshd[20502]: pam_unix(sshd:session): session opened for user deploy(uid=1001) by (uid=0)',
    'May 12 03:21:02 web01 sudo: pam_unix(sudo:session): session opened for user root(uid=0) by deploy(uid=1001)',
    'May 12 03:22:02 web01 su[20580]: pam_unix(su-l:session): session opened for user root(uid=0) by deploy(uid=1001)',
    'May 12 03:25:01 web01 CRON[20590]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)',
    'May 12 03:26:01 web01 login[22]: pam_unix(login:session): session opened for user anna(uid=1000) by LOGIN(uid=0)',
  ].join('\n');

  it('are no jobs of cron and no commands of sudo, and have one count', () => {
    const { events, eventCounts } = JSON.parse(JSON.stringify(logSummary.run([documentOf(text)]).result));
    expect(events.items).toMatchObject([{ kind: 'successful login', count: 2 }]);
    expect(eventCounts.items[0]).toMatchObject({ event: 'successful-login', count: 2 });
    expect(eventCounts.items).not.toContainEqual(expect.objectContaining({ actor: 'root' }));
  });
});
