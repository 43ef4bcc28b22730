/** The verdict of the server's evidence, and every check behind it. */
import { blockingCheck } from '@cloister/attestation/browser';
import { bundleOf, type ProofState, proveServer, type ServerProof, serverProof } from '../proof/server-proof.ts';
import { Checks } from './checks.tsx';
import { formatTime } from './format.ts';
import { Measurements } from './measurements.tsx';
import { saveFile } from './save-file.ts';
import { StartLog } from './start-log.tsx';

type Tone = 'good' | 'bad' | 'caution' | 'plain';

/** A few words for the header of the page. */
export function Verdict() {
  const { tone, text } = verdictOf(serverProof.value);
  return (
    <span class={`verdict ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

export function verdictOf(state: ProofState): { readonly tone: Tone; readonly text: string } {
  if (state.kind === 'none' || state.kind === 'checking') return { tone: 'plain', text: 'Checking evidence…' };
  if (state.kind === 'failed') return { tone: 'bad', text: 'No evidence' };
  const { verification } = state.proof;
  if (!verification.acceptable) return { tone: 'bad', text: 'Evidence does not hold' };
  if (verification.simulated) return { tone: 'caution', text: 'Simulated machine' };
  return { tone: 'good', text: 'Intel TDX machine' };
}

export function EvidenceView() {
  const state = serverProof.value;
  if (state.kind === 'none' || state.kind === 'checking') return <p role="status">Checking the evidence…</p>;
  if (state.kind === 'failed') {
    return (
      <>
        <p class="notice bad">There is no evidence: {state.reason}.</p>
        <Again />
      </>
    );
  }
  return <Verified proof={state.proof} />;
}

function Verified({ proof }: { proof: ServerProof }) {
  const { verification, takenAtMs } = proof;
  const { source } = verification;
  return (
    <>
      <Summary proof={proof} />
      <h3>Checks</h3>
      <Checks checks={verification.checks} />
      <h3>What was measured</h3>
      <dl class="facts">
        <dt>Source</dt>
        <dd>{source?.commit === undefined ? 'not recorded' : `${source.repositoryUrl ?? ''} ${source.commit}`}</dd>
        <Measurements verification={verification} />
      </dl>
      <StartLog events={verification.startLog} />
      <p class="row">
        <button type="button" onClick={() => saveFile('cloister-evidence.json', bundleOf(proof))}>
          Save the evidence
        </button>
        <Again />
      </p>
      <p class="fine">
        Taken {formatTime(takenAtMs)}. Check the file with <code>npx cloister-verify --offline FILE</code>.
      </p>
    </>
  );
}

function Summary({ proof: { verification } }: { proof: ServerProof }) {
  const failed = blockingCheck(verification.checks);
  if (!verification.acceptable) {
    return (
      <p class="notice bad">
        <strong>The evidence does not hold.</strong> {failed?.title}: {failed?.reason}. Send nothing to this server.
      </p>
    );
  }
  return (
    <>
      {verification.simulated ? (
        <p class="notice caution">
          <strong>This machine is simulated.</strong> It follows the protocol, but no hardware protects what you send.
        </p>
      ) : (
        <p class="notice good">
          <strong>Genuine Intel TDX hardware</strong> holds the keys that answer here, and your messages are encrypted
          to them.
        </p>
      )}
      <p class="fine">
        This page came from the server that it judges, so it cannot prove that server to you. For a proof, verify from a
        machine of yours, with a policy that names the software:{' '}
        <code>npx cloister-verify {location.origin} --policy policy.json</code>
      </p>
    </>
  );
}

function Again() {
  return (
    <button type="button" onClick={() => void proveServer({ isForced: true }).catch(() => undefined)}>
      Verify again
    </button>
  );
}
