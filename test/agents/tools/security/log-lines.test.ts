import { describe, expect, it } from 'vitest';
import { logSeverities, logSummary, parseLogLine } from '../../../../agents/tools/security/log-lines.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const severity = (line: string) => logSeverities[parseLogLine(line)?.severity ?? -1];

describe('log lines', () => {
  it.each([
    // RFC 5424 §6.5, examples 1 and 2; RFC 3164 §5.4, example 1.
    ["<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - 'su root' failed", 'critical'],
    ['<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It is time', 'notice'],
    ["<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8", 'critical'],
    ['2026-11-21 08:09:10,123 ERROR [main] Cannot connect', 'error'],
    ['2026-11-21T08:09:10Z level=warn msg="slow"', 'warning'],
    ['{"time":"2026-11-21T08:09:10Z","level":"fatal","msg":"down"}', 'critical'],
    ['203.0.113.5 - - [21/Nov/2026:08:09:10 +0000] "GET / HTTP/1.1" 500 12', 'error'],
    ['203.0.113.5 - - [21/Nov/2026:08:09:10 +0000] "GET / HTTP/1.1" 200 12', 'informational'],
  ])('reads the severity of %s', (line, expected) => {
    expect(severity(line)).toBe(expected);
  });

  it.each(['We met an ERROR in the minutes.', '', 'Warning: this is prose'])(
    'does not read %j as a log line',
    (line) => {
      expect(parseLogLine(line)).toBeUndefined();
    },
  );

  it('reports a series of failed logins, and a success after it', () => {
    const failure = 'Nov 21 08:09:10 host sshd[1]: Failed password for root from 203.0.113.5 port 4711 ssh2';
    const success = 'Nov 21 08:10:10 host sshd[1]: Accepted password for root from 203.0.113.5 port 4711 ssh2';
    const text = [...Array.from({ length: 6 }, () => failure), success].join('\n');
    const { result, digest } = logSummary.run([documentOf(text)]);
    expect(result).toMatchObject({
      lines: 7,
      failedLoginSeries: { items: [{ source: '203.0.113.5', failures: 6, successAfterFailures: true }] },
    });
    expect(digest.join('\n')).toContain('THEN A SUCCESSFUL LOGIN');
    const fewer = [failure, failure, success].join('\n');
    expect(logSummary.run([documentOf(fewer)]).result).toMatchObject({ failedLoginSeries: { items: [] } });
  });

  it.each([
    ['EventID: 4625 An account failed to log on', 'failed login (Windows 4625)'],
    ['Event ID 7045: A service was installed', 'service installed (Windows 7045)'],
    ['GET /?q=1%20UNION%20SELECT%201 HTTP/1.1', 'SQL injection in a request'],
    ['GET /../../etc/passwd HTTP/1.1', 'path traversal in a request'],
    ['User-Agent: \x24{jndi:ldap://x}', 'lookup expression in a request (Log4Shell)'],
    ['powershell.exe -enc SQBFAFgA', 'encoded PowerShell'],
    ['vssadmin delete shadows /all', 'shadow copies deleted'],
  ])('recognises %s', (line, kind) => {
    expect(parseLogLine(line)?.events.map((event) => event.kind)).toContain(kind);
  });
});
