import { useEffect, useState } from 'preact/hooks';
import type { List, Model } from '../api/answers.ts';
import { ApiError, call, reasonOf } from '../api/request.ts';
import { session } from '../api/session.ts';
import { verdictOf } from '../parts/evidence.tsx';
import { formatTime } from '../parts/format.ts';
import { show } from '../parts/page.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { serverProof } from '../proof/server-proof.ts';

const refreshMs = 5_000;

interface Health {
  readonly isReady: boolean;
  readonly reason: string;
  /** Reason by failing check. */
  readonly checks: Readonly<Record<string, string>>;
  readonly at: number;
}

interface Change {
  readonly at: number;
  readonly text: string;
}

function Status() {
  const [health, setHealth] = useState<Health>();
  const [changes, setChanges] = useState<readonly Change[]>([]);
  useEffect(() => {
    let last: string | undefined;
    const refresh = async () => {
      const next = await readHealth();
      setHealth(next);
      const text = next.isReady ? 'ready' : next.reason;
      if (last !== undefined && last !== text) setChanges((known) => [{ at: next.at, text }, ...known].slice(0, 50));
      last = text;
    };
    void refresh();
    const timer = setInterval(() => void refresh(), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <h1>Status</h1>
      <section aria-live="polite">
        {health === undefined ? (
          <p>Asking the server…</p>
        ) : (
          <p class={`notice ${health.isReady ? 'good' : 'bad'}`}>
            <strong>{health.isReady ? 'Ready.' : 'Not ready.'}</strong> {health.reason}{' '}
            <span class="fine">{formatTime(health.at)}</span>
          </p>
        )}
        {health !== undefined && Object.keys(health.checks).length > 0 && (
          <dl class="facts">
            {Object.entries(health.checks).map(([name, reason]) => [
              <dt key={name}>{name}</dt>,
              <dd key={`${name} reason`}>{reason}</dd>,
            ])}
          </dl>
        )}
      </section>
      <Evidence />
      {session.value !== undefined && session.value !== 'unknown' && <Models />}
      <h2>Changes since this page was opened</h2>
      {changes.length === 0 ? (
        <p class="fine">None.</p>
      ) : (
        <ul>
          {changes.map(({ at, text }) => (
            <li key={at}>
              {formatTime(at)}: {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

async function readHealth(): Promise<Health> {
  const at = Date.now();
  try {
    await call('/health/ready');
    return { isReady: true, reason: 'Requests are accepted.', checks: {}, at };
  } catch (error) {
    const checks = error instanceof ApiError ? ((error.details.checks as Health['checks'] | undefined) ?? {}) : {};
    return { isReady: false, reason: reasonOf(error), checks, at };
  }
}

function Evidence() {
  const state = serverProof.value;
  const { text, tone } = verdictOf(state);
  return (
    <section>
      <h2>Evidence</h2>
      <p>
        <span class={`verdict ${tone}`}>
          <span class="dot" aria-hidden="true" />
          {text}
        </span>
      </p>
      {state.kind === 'done' && (
        <dl class="facts">
          <dt>Verified</dt>
          <dd>{formatTime(state.proof.takenAtMs)}</dd>
          <dt>Evidence and keys expire</dt>
          <dd>
            {state.proof.verification.expiresAtMs === undefined
              ? 'unknown'
              : formatTime(state.proof.verification.expiresAtMs)}
          </dd>
          <dt>Platform's security level</dt>
          <dd>{state.proof.verification.tcbStatus ?? 'unknown'}</dd>
        </dl>
      )}
    </section>
  );
}

function Models() {
  const { answer, reload } = useAnswer<List<Model>>('/v1/models');
  useEffect(() => {
    const timer = setInterval(() => void reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <section>
      <h2>Models</h2>
      <dl class="facts">
        {(answer?.data ?? []).map(({ id, status }) => [<dt key={id}>{id}</dt>, <dd key={`${id} state`}>{status}</dd>])}
      </dl>
    </section>
  );
}

show(Status);
