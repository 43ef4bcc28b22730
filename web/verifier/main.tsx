/** The page that verifies servers from outside: one file, which works from a disk and sends nothing but a nonce. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { BillProofView } from '../parts/bill-proof.tsx';
import { Checks } from '../parts/checks.tsx';
import { formatTime } from '../parts/format.ts';
import { Measurements } from '../parts/measurements.tsx';
import { Problem } from '../parts/problem.tsx';
import { StartLog } from '../parts/start-log.tsx';
import {
  changedChecks,
  type Finding,
  fetchSubject,
  holds,
  judge,
  policyFrom,
  readSubject,
  type Subject,
} from './subject.ts';

function Verifier() {
  const [subject, setSubject] = useState<Subject>();
  const [finding, setFinding] = useState<Finding>();
  const [before, setBefore] = useState<Finding>();
  const [policy, setPolicy] = useState('');
  const [root, setRoot] = useState('');
  const [problem, setProblem] = useState('');

  useEffect(() => {
    if (subject === undefined) return;
    judge(subject, { policy, root }).then(
      (next) => {
        setBefore(finding);
        setFinding(next);
        setProblem('');
      },
      (error: unknown) => setProblem(reasonOf(error)),
    );
    // The last finding is compared with the next one, and is no reason to verify again.
  }, [subject, policy, root]);

  const open = async (read: () => Subject | Promise<Subject>) => {
    try {
      setFinding(undefined);
      setBefore(undefined);
      setSubject(await read());
      setProblem('');
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <main class="wide">
      <h1>Verify a Cloister server</h1>
      <p>
        This page runs on your machine. It asks a server for its evidence, or reads evidence that you saved, and checks
        hardware, software, models, keys and receipts here. It sends nothing but a random number.
      </p>
      <Sources
        onAddress={(address) => void open(() => fetchSubject(address))}
        onFile={(text) => void open(() => readSubject(text))}
      />
      <TrustFields
        policy={policy}
        root={root}
        onPolicy={setPolicy}
        onRoot={setRoot}
        draft={finding === undefined ? undefined : () => setPolicy(policyFrom(finding.verification))}
      />
      <Problem text={problem} />
      {subject !== undefined && finding !== undefined && <FindingView {...{ subject, finding, before }} />}
    </main>
  );
}

interface SourcesProps {
  readonly onAddress: (address: string) => void;
  readonly onFile: (text: string) => void;
}

function Sources({ onAddress, onFile }: SourcesProps) {
  const drop = async (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file !== undefined) onFile(await file.text());
  };
  return (
    <section
      class="card stack"
      aria-label="What to verify"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void drop(event.dataTransfer?.files);
      }}
    >
      <form
        class="row end"
        onSubmit={(event) => {
          event.preventDefault();
          onAddress(String(new FormData(event.currentTarget).get('address')).trim());
        }}
      >
        <label>
          Address <input name="address" required placeholder="https://tee.example.com" size={36} />
        </label>
        <button type="submit" class="primary">
          Verify
        </button>
      </form>
      <label>
        Or a file: evidence, a report, or the proof of an answer or of a charge. You can drop it here.
        <input type="file" accept=".json" onChange={(event) => void drop(event.currentTarget.files)} />
      </label>
    </section>
  );
}

interface TrustProps {
  readonly policy: string;
  readonly root: string;
  readonly onPolicy: (text: string) => void;
  readonly onRoot: (text: string) => void;
  /** Fills the policy with what the server runs; undefined without a finding. */
  readonly draft: (() => void) | undefined;
}

function TrustFields({ policy, root, onPolicy, onRoot, draft }: TrustProps) {
  return (
    <section class="stack">
      <label>
        Policy: the software that you accept. Without one, nothing is verified.
        <textarea
          class="mono"
          rows={6}
          spellcheck={false}
          value={policy}
          placeholder='{ "measurements": [{ "mrTd": "…" }] }'
          onInput={(event) => onPolicy(event.currentTarget.value)}
        />
      </label>
      {draft !== undefined && (
        <p>
          <button type="button" onClick={draft}>
            Start from what this server runs
          </button>{' '}
          <span class="fine">Compare the values with the operator's published ones before you rely on them.</span>
        </p>
      )}
      <details>
        <summary>Root of a simulation</summary>
        <label>
          PEM text; a simulation proves nothing about hardware
          <textarea
            class="mono"
            rows={4}
            spellcheck={false}
            value={root}
            onInput={(event) => onRoot(event.currentTarget.value)}
          />
        </label>
      </details>
    </section>
  );
}

interface FindingProps {
  readonly subject: Subject;
  readonly finding: Finding;
  readonly before: Finding | undefined;
}

const verdicts = {
  verified: ['good', 'Verified.'],
  'not-verified': ['bad', 'Not verified.'],
  'could-not-check': ['caution', 'Could not be checked.'],
} as const;

function FindingView({ subject: { bundle, answer }, finding, before }: FindingProps) {
  const { verification, receiptChecks, billProof } = finding;
  const [tone, text] = verdicts[verification.verdict as keyof typeof verdicts] ?? verdicts['not-verified'];
  const blocking = verification.checks.find(({ outcome, required }) => outcome !== 'pass' && required);
  const changed = changedChecks(before?.verification.checks ?? [], verification.checks);
  return (
    <section aria-label="Result">
      <h2>{bundle.source}</h2>
      <p class={`notice ${tone}`} role="status">
        <strong>{text}</strong>{' '}
        {verification.simulated && 'The machine is simulated: this proves nothing about hardware. '}
        {blocking !== undefined && `${blocking.title}: ${blocking.reason}.`}
      </p>
      {changed.length > 0 && <p class="fine">The change affected: {changed.map(({ title }) => title).join('; ')}.</p>}
      {answer !== undefined && (
        <>
          <h3>Receipt of the answer</h3>
          <p class={`notice ${holds(receiptChecks) ? 'good' : 'bad'}`}>
            {holds(receiptChecks)
              ? 'The receipt is signed by this machine, for the exact request and answer in the file.'
              : 'The receipt is not proven.'}
          </p>
          <Checks checks={receiptChecks} />
        </>
      )}
      {billProof !== undefined && (
        <>
          <h3>Charge</h3>
          <BillProofView proof={billProof} />
        </>
      )}
      <h3>Checks</h3>
      <Checks checks={verification.checks} />
      <h3>Contents</h3>
      <dl class="facts">
        <dt>Taken</dt>
        <dd>{formatTime(bundle.takenAtMs)}</dd>
        <dt>Expires</dt>
        <dd>{verification.expiresAtMs === undefined ? 'unknown' : formatTime(verification.expiresAtMs)}</dd>
        <dt>Security level</dt>
        <dd>{verification.tcbStatus ?? 'unknown'}</dd>
        <Measurements verification={verification} />
      </dl>
      <StartLog events={verification.startLog} />
    </section>
  );
}

render(<Verifier />, document.body);
