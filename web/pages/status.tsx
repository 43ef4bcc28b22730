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

/** `GET /health/incidents`. */
interface Incident {
  readonly check: string;
  readonly from: string;
  /** Null while it lasts. */
  readonly to: string | null;
}

function Status() {
  const [health, setHealth] = useState<Health>();
  const [incidents, setIncidents] = useState<readonly Incident[]>();
  useEffect(() => {
    const refresh = async () => {
      setHealth(await readHealth());
      const found = await call<{ incidents: readonly Incident[] }>('/health/incidents').catch(() => undefined);
      if (found !== undefined) setIncidents(found.incidents);
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
      <Incidents incidents={incidents} />
    </>
  );
}

const incidentTitles: Readonly<Record<string, string>> = {
  draining: 'The server was stopping',
  models: 'A model was loaded again',
  engines: 'An engine completed no step',
  start: 'The start was measured',
  accounts: 'The account database was unavailable',
  evidence: 'There was no valid evidence',
  memory: 'Too much memory was in use',
};

function Incidents({ incidents }: { readonly incidents: readonly Incident[] | undefined }) {
  return (
    <section>
      <h2>Last incidents</h2>
      {incidents === undefined && <p role="status">Asking the server…</p>}
      {incidents?.length === 0 && <p class="fine">None since the server first became ready.</p>}
      <ol class="events">
        {(incidents ?? []).map(({ check, from, to }) => (
          <li key={`${check} ${from}`}>
            <time dateTime={from}>{formatTime(from)}</time>
            <span>
              {incidentTitles[check] ?? check}{' '}
              <span class="fine">{to === null ? 'until now' : `until ${formatTime(to)}`}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
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
        {(answer?.data ?? []).map((model) => [
          <dt key={model.id}>{model.id}</dt>,
          <dd key={`${model.id} state`}>
            {model.status}{' '}
            <span class="fine">
              {model.requests_running ?? 0} running, {model.requests_waiting ?? 0} waiting
            </span>
          </dd>,
        ])}
      </dl>
    </section>
  );
}

show(Status);
