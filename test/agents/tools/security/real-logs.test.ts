/** Logs in which several programs report the same login. Lines are our own, in the formats of OpenSSH and PAM. */
import { describe, expect, it } from 'vitest';
import { logSummary } from '../../../../agents/tools/security/log-lines.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

// biome-ignore lint/suspicious/noExplicitAny: results are plain JSON
const summary = (lines: readonly string[]): any =>
  JSON.parse(JSON.stringify(logSummary.run([documentOf(lines.join('\n'))]).result));
const failures = (lines: readonly string[]): number | undefined =>
  summary(lines).events.items.find(({ kind }: { kind: string }) => kind === 'failed login')?.count;

const attempt = (pid: number) => [
  `Nov 21 08:09:10 gate sshd[${pid}]: Invalid user oracle from 198.51.100.7`,
  `Nov 21 08:09:10 gate sshd[${pid}]: pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=198.51.100.7`,
  `Nov 21 08:09:12 gate sshd[${pid}]: Failed password for invalid user oracle from 198.51.100.7 port 4122 ssh2`,
];

describe('failed logins', () => {
  it('count once, regardless of the number of lines that sshd and PAM write about one', () => {
    const lines = [...attempt(100), ...attempt(101), ...attempt(102), ...attempt(103), ...attempt(104)];
    expect(failures(lines)).toBe(5);
    expect(summary(lines).failedLoginSeries.items).toMatchObject([{ source: '198.51.100.7', failures: 5 }]);
  });

  it('count each password of one connection, including those that the log repeats', () => {
    const again = 'Nov 21 08:09:13 gate sshd[100]: Failed password for root from 198.51.100.7 port 4122 ssh2';
    expect(failures([...attempt(100), again, again])).toBe(3);
    expect(
      failures([
        ...attempt(100),
        `Nov 21 08:09:20 gate sshd[100]: message repeated 4 times: [ Failed password for root from 198.51.100.7]`,
      ]),
    ).toBe(5);
  });

  it('count PAM lines if no other program logs the attempt', () => {
    const line = (pid: number) =>
      `Jun 14 15:16:01 combo sshd(pam_unix)[${pid}]: authentication failure; logname= uid=0 rhost=203.0.113.9`;
    expect(failures([line(1), line(2), line(3)])).toBe(3);
  });
});
