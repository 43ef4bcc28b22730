/** Each event counts once, however many lines a program writes about it. */
import { describe, expect, it } from 'vitest';
import { analyzeLog } from '../../../../agents/tools/security/log-analysis.ts';
import { readLog } from '../../../../agents/tools/security/log-reader.ts';

const lines = (...written: readonly (string | object)[]) =>
  written.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
const counts = (text: string) =>
  Object.fromEntries(
    analyzeLog(readLog(text)).counts.flatMap(({ event, actor, source, count }) =>
      actor === undefined && source === undefined ? [[event, count]] : [],
    ),
  );

describe('logins', () => {
  it('count once for each session', () => {
    const text = lines(
      'date=2031-03-03 time=09:00:01 devname="edge" type="event" action="tunnel-up" tunnelid=7 remip=198.51.100.7 user="ana"',
      'date=2031-03-03 time=09:00:02 devname="edge" type="event" action="tunnel-up" tunnelid=7 remip=198.51.100.7 user="ana"',
      'date=2031-03-03 time=09:30:00 devname="edge" type="event" action="tunnel-up" tunnelid=8 remip=198.51.100.7 user="ana"',
    );
    expect(counts(text)).toEqual({ 'successful-login': 2 });
  });

  it('do not count a second factor that follows the password', () => {
    const entry = (published: string, eventType: string, result: string) => ({
      published,
      eventType,
      outcome: { result },
      actor: { alternateId: 'ana@tern.example' },
      client: { ipAddress: '198.51.100.7' },
    });
    const text = lines(
      entry('2031-03-03T09:00:00Z', 'user.session.start', 'SUCCESS'),
      entry('2031-03-03T09:00:09Z', 'user.authentication.auth_via_mfa', 'SUCCESS'),
      entry('2031-03-03T11:00:00Z', 'user.session.start', 'FAILURE'),
    );
    expect(counts(text)).toEqual({ 'successful-login': 1, 'failed-login': 1 });
  });
});

describe('other events', () => {
  it('counts a request to Kubernetes once', () => {
    const entry = (stage: string) => ({
      stage,
      verb: 'create',
      user: { username: 'ana' },
      sourceIPs: ['198.51.100.7'],
      objectRef: { resource: 'clusterrolebindings' },
      requestReceivedTimestamp: '2031-03-03T09:00:00Z',
      responseStatus: { code: 201 },
    });
    expect(counts(lines(entry('RequestReceived'), entry('ResponseComplete')))).toEqual({ 'policy-attached': 1 });
  });

  it('reads what an administrator changes on a firewall', () => {
    const entry = (rest: string) =>
      `date=2031-03-03 time=09:00:01 devname="edge" type="event" subtype="system" user="eve" ui="GUI(198.51.100.7)" ${rest}`;
    const text = lines(
      entry('action="Add" cfgpath="system.admin" cfgobj="x"'),
      entry('action="Edit" cfgpath="log.disk.setting" cfgattr="status[enable->disable]"'),
      entry('action="Edit" cfgpath="log.disk.setting" cfgattr="status[disable->enable]"'),
      entry('action="Edit" cfgpath="system.admin" cfgattr="password[*]"'),
    );
    expect(counts(text)).toEqual({ 'account-created': 1, 'logging-disabled': 1, 'password-changed': 1 });
    expect(analyzeLog(readLog(text)).techniques.map(({ id }) => id)).toContain('T1136');
  });

  it('reads refused connections of flow logs, Junos and a firewall with epoch seconds', () => {
    const text = lines(
      '2 123456789012 eni-0a1 198.51.100.7 10.0.0.5 4000 22 6 3 180 1930000000 1930000060 REJECT OK',
      '2 123456789012 eni-0a1 10.0.0.9 10.0.0.5 4002 443 6 3 180 1930000002 1930000062 ACCEPT OK',
      'Mar  3 09:00:02 srx RT_FLOW: RT_FLOW_SESSION_DENY: session denied 198.51.100.7/4000->10.0.0.5/22 junos-ssh 6(0)',
      'time=1930000003 action="Drop" src="198.51.100.7" dst="10.0.0.5" service="22"',
      'mar/03/2031 09:00:01 system,error,critical login failure for user root from 198.51.100.7 via ssh',
    );
    expect(counts(text)).toEqual({ 'blocked-connection': 3, 'failed-login': 1 });
  });
});
