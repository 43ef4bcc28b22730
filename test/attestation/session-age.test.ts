/** How long a verification of a server is valid, and when the server is verified again without delaying requests. */
import { afterEach, describe, expect, it } from 'vitest';
import { AttestationError } from '../../attestation/base/errors.ts';
import { type AttestedFetchOptions, attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { sealedFetch } from '../../attestation/client/sealed-fetch.ts';
import { type Session, Sessions, type SessionsOptions } from '../../attestation/client/sessions.ts';
import {
  type AttestedServer,
  type AttestedServerOptions,
  simulatedSoftware,
  startAttestedServer,
  startManInTheMiddle,
} from '../support/attestation/attested-server.ts';

const origin = 'https://tee.example.org';
const minute = 60_000;
const unavailable = new AttestationError('ERR_EVIDENCE_UNAVAILABLE', 'no answer');
const notVerified = new AttestationError('ERR_NOT_VERIFIED', 'another machine');

/** Sessions whose verifications a test settles by hand. */
function manualSessions(options: Partial<SessionsOptions<Session>> = {}) {
  const time = { wall: 1_800_000_000_000, clock: 5_000 };
  const asked: PromiseWithResolvers<Session>[] = [];
  const closed: string[] = [];
  const sessions = new Sessions<Session>({
    now: () => time.wall,
    clock: () => time.clock,
    attest: () => {
      const verification = Promise.withResolvers<Session>();
      asked.push(verification);
      return verification.promise;
    },
    ...options,
  });
  const session = (name: string, expiresAtMs = Number.MAX_SAFE_INTEGER): Session => ({
    keysetDigest: name.replace(/ .*/, ''),
    expiresAtMs,
    close: () => closed.push(name),
  });
  return {
    ...{ sessions, asked, closed, session, time },
    advance(ms: number) {
      time.wall += ms;
      time.clock += ms;
    },
    /** The session that a request gets now; does not wait for verifications that it starts. */
    open: () => sessions.open(origin, undefined),
    async opened(name: string, expiresAtMs?: number) {
      const opening = sessions.open(origin, undefined);
      asked.at(-1)!.resolve(session(name, expiresAtMs));
      return opening;
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a session', () => {
  it('is used for ten minutes after its evidence was requested, then verified again', async () => {
    const { open, opened, advance, asked, closed } = manualSessions();
    await opened('one');
    advance(10 * minute - 1);
    expect((await open()).keysetDigest).toBe('one');
    asked.at(-1)!.reject(unavailable);
    await turn();
    advance(1);
    expect((await opened('two')).keysetDigest).toBe('two');
    expect(closed).toEqual(['one']);
  });

  it('counts the time that its verification took', async () => {
    const { sessions, asked, session, advance, open } = manualSessions();
    const opening = sessions.open(origin, undefined);
    advance(9 * minute);
    asked[0]!.resolve(session('slow'));
    await opening;
    advance(minute);
    void open().catch(() => {});
    expect(asked).toHaveLength(2);
  });

  it('has the configured maximum age, of one second to one day', async () => {
    const { open, opened, advance, asked } = manualSessions({ ageMaxMs: 1000 });
    await opened('one');
    advance(1000);
    void open();
    expect(asked).toHaveLength(2);
    for (const ageMaxMs of [0, 999, 86_400_001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => manualSessions({ ageMaxMs })).toThrow(RangeError);
    }
  });

  it('ends with the first part of its evidence, if that is earlier', async () => {
    const { open, opened, advance, asked, time } = manualSessions();
    await opened('one', time.wall + 2 * minute);
    advance(2 * minute);
    void open();
    expect(asked).toHaveLength(2);
  });

  it.each<[string, (time: { wall: number; clock: number }) => void]>([
    ['the clock on the wall stood still', (time) => (time.clock += 10 * minute)],
    ['the process was asleep', (time) => (time.wall += 10 * minute)],
    ['the clock on the wall was set to before it began', (time) => (time.wall -= 1)],
  ])('ends if %s', async (_, change) => {
    const { open, opened, asked, time } = manualSessions();
    await opened('one');
    change(time);
    void open();
    expect(asked).toHaveLength(2);
  });
});

describe('a verification that several connections share', () => {
  it('is begun again by those that remain when the connection that it runs over is given up', async () => {
    const { sessions, asked, session } = manualSessions();
    const leaving = new AbortController();
    const over = (abandoned: AbortSignal) =>
      sessions.open(origin, abandoned, {
        ...{ key: 'one', matches: () => true, abandoned },
        attest: (signal) => {
          const verification = Promise.withResolvers<Session>();
          signal.addEventListener('abort', () => verification.reject(signal.reason));
          asked.push(verification);
          return verification.promise;
        },
      });
    const [first, ...others] = [leaving.signal, new AbortController().signal, new AbortController().signal].map(over);
    await turn();
    expect(asked).toHaveLength(1);
    leaving.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    await turn();
    expect(asked).toHaveLength(2);
    asked[1]!.resolve(session('one'));
    expect((await Promise.all(others)).map(({ keysetDigest }) => keysetDigest)).toEqual(['one', 'one']);
  });
});

describe('renewing in the background', () => {
  it('begins once, with the first request of the second half, without delaying any request', async () => {
    const { open, opened, advance, asked, closed, session } = manualSessions();
    await opened('one');
    advance(5 * minute - 1);
    await open();
    expect(asked).toHaveLength(1);
    advance(1);
    for (let count = 0; count < 3; count++) expect((await open()).keysetDigest).toBe('one');
    expect(asked).toHaveLength(2);
    asked[1]!.resolve(session('one renewed'));
    await turn();
    expect((await open()).keysetDigest).toBe('one');
    expect(closed).toEqual(['one']);
    expect(asked).toHaveLength(2);
  });

  it('is retried every ten seconds, and the old session is used up to its maximum age', async () => {
    const { open, opened, advance, asked } = manualSessions();
    await opened('one');
    advance(5 * minute);
    await open();
    asked.at(-1)!.reject(unavailable);
    await turn();
    advance(9_999);
    expect((await open()).keysetDigest).toBe('one');
    expect(asked).toHaveLength(2);
    advance(1);
    expect((await open()).keysetDigest).toBe('one');
    asked.at(-1)!.reject(unavailable);
    await turn();
    expect(asked).toHaveLength(3);
    advance(5 * minute);
    const late = open();
    asked.at(-1)!.reject(unavailable);
    await expect(late).rejects.toBe(unavailable);
  });

  it('ends the session at once if the evidence fails', async () => {
    const { open, opened, advance, asked, closed } = manualSessions();
    await opened('one');
    advance(5 * minute);
    await open();
    asked.at(-1)!.reject(notVerified);
    await turn();
    expect(closed).toEqual(['one']);
    const next = open();
    asked.at(-1)!.reject(notVerified);
    await expect(next).rejects.toBe(notVerified);
  });

  it('is not started by every request if the evidence expires soon', async () => {
    const { open, opened, advance, asked, session, time } = manualSessions();
    const endsAt = time.wall + 4 * minute;
    await opened('one', endsAt);
    advance(2 * minute);
    await open();
    asked.at(-1)!.resolve(session('two', endsAt));
    await turn();
    for (let count = 0; count < 5; count++) await open();
    expect(asked).toHaveLength(2);
  });
});

describe('servers that share one origin', () => {
  const reached = (name: string, attest: () => Promise<Session>) => ({
    key: name,
    matches: ({ keysetDigest }: Session) => keysetDigest === name,
    attest,
  });

  it('have a session each, verified over the connection that reached them', async () => {
    const { sessions, session, asked } = manualSessions();
    let verified = 0;
    const openAt = (name: string) =>
      sessions.open(
        origin,
        undefined,
        reached(name, async () => {
          verified += 1;
          return session(name);
        }),
      );
    const names = ['a', 'b', 'a', 'b', 'c', 'a'];
    const opened = await Promise.all(names.map(openAt));
    expect(opened.map(({ keysetDigest }) => keysetDigest)).toEqual(names);
    expect([verified, asked.length]).toEqual([3, 0]);
    expect(opened.every((each) => sessions.isUsable(origin, each))).toBe(true);
  });

  it('expire one by one', async () => {
    const { sessions, session, advance, closed } = manualSessions();
    const openAt = (name: string) =>
      sessions.open(
        origin,
        undefined,
        reached(name, async () => session(name)),
      );
    const early = await openAt('early');
    advance(6 * minute);
    const late = await openAt('late');
    advance(4 * minute);
    expect([early, late].map((each) => sessions.isUsable(origin, each))).toEqual([false, true]);
    sessions.prune(origin);
    expect([closed, sessions.has(origin)]).toEqual([['early'], true]);
  });

  it('are at most 64: further ones displace the one that was verified first', async () => {
    const { sessions, session, closed } = manualSessions();
    const names = Array.from({ length: 66 }, (_, index) => `s${index}`);
    for (const name of names) {
      await sessions.open(
        origin,
        undefined,
        reached(name, async () => session(name)),
      );
    }
    expect(closed).toEqual(['s0', 's1']);
  });
});

describe('attestedFetch', () => {
  const running: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
  });
  const start = async (options: AttestedServerOptions = {}): Promise<AttestedServer> => {
    const keyset = { notAfter: Math.floor(Date.now() / 1000) + 30 * 86_400 };
    const server = await startAttestedServer({ keyset, ...options });
    running.push(server);
    return server;
  };
  const request = { method: 'POST', body: 'a secret' };
  function timed<T extends AttestedFetchOptions>(options: T = {} as T) {
    const time = { wall: Date.now(), clock: 0 };
    const advance = (ms: number) => {
      time.wall += ms;
      time.clock += ms;
    };
    return { advance, options: { ...options, now: () => time.wall, clock: () => time.clock } };
  }

  it("uses a verification for ten minutes, regardless of the keyset's lifetime", async () => {
    const server = await start();
    const { advance, options } = timed({ roots: server.rootPem });
    const send = attestedFetch({ measurements: 'any' }, options);
    await send(server.origin, request);
    advance(10 * minute);
    await send(server.origin, request);
    expect(server.attestations).toBe(2);
  });

  it('renews without delaying requests, and moves them to newly verified connections', async () => {
    const server = await start();
    const { advance, options } = timed({ roots: server.rootPem });
    const renewed = Promise.withResolvers<void>();
    let verifications = 0;
    const onVerification = () => void (++verifications === 2 && renewed.resolve());
    const send = attestedFetch({ measurements: 'any' }, { ...options, onVerification });
    await (await send(server.origin, request)).text();
    advance(5 * minute);
    await (await send(server.origin, request)).text();
    await renewed.promise;
    await turn();
    const before = server.channelQuotes.counts;
    await (await send(server.origin, request)).text();
    const { pooled, direct } = server.channelQuotes.counts;
    expect(pooled + direct - before.pooled - before.direct).toBe(1);
    expect(server.attestations).toBe(2);
  });

  it('rejects a server without new evidence at the maximum age', async () => {
    let status: number | undefined;
    const server = await start({ busy: () => status });
    const { advance, options } = timed({ roots: server.rootPem, sessionAgeMaxMs: 20_000 });
    const send = attestedFetch({ measurements: 'any' }, options);
    await send(server.origin, request);
    status = 503;
    advance(19_999);
    expect((await send(server.origin, request)).status).toBe(200);
    advance(1);
    await expect(send(server.origin, request)).rejects.toMatchObject({ code: 'ERR_EVIDENCE_UNAVAILABLE' });
    expect(server.requests).toHaveLength(2);
  });

  it('has the same maximum age in web pages', async () => {
    const server = await start();
    const way = await startManInTheMiddle(server);
    running.push(way);
    const { advance, options } = timed({});
    const seen: string[] = [];
    const onVerification = (_: string, { verdict }: { verdict: string }) => void seen.push(verdict);
    const roots = [server.platform.rootCa];
    const send = sealedFetch(
      { measurements: simulatedSoftware },
      { ...options, roots, fetch: way.fetch, onVerification },
    );
    // The server of these tests does not open sealed bodies; only whether the request was sent matters.
    const sent = () => send(way.origin, request).catch(() => undefined);
    await sent();
    advance(5 * minute - 1);
    await sent();
    expect(seen).toHaveLength(1);
    advance(5 * minute + 1);
    await sent();
    expect(seen).toEqual(['verified', 'verified']);
    expect(() => sealedFetch({ measurements: 'any' }, { sessionAgeMaxMs: 1 })).toThrow(RangeError);
  });
});
