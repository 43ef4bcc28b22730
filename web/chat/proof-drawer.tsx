/** The proof of one answer: the machine, the sealing, and the receipt compared with the exact bytes. */
import { blockingCheck } from '@cloister/attestation/browser';
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { Checks } from '../parts/checks.tsx';
import { Drawer } from '../parts/drawer.tsx';
import { Verdict } from '../parts/evidence.tsx';
import { formatCount, formatMoney } from '../parts/format.ts';
import { saveFile } from '../parts/save-file.ts';
import { type AnswerProof, proveAnswer } from '../proof/sealed-request.ts';
import { bundleOf, serverProof } from '../proof/server-proof.ts';
import type { Exchange } from './exchange.ts';

type State =
  | { readonly kind: 'checking' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done'; readonly proof: AnswerProof };

export function ProofDrawer({ exchange, onClose }: { readonly exchange: Exchange; readonly onClose: () => void }) {
  const [state, setState] = useState<State>({ kind: 'checking' });
  useEffect(() => {
    const { receiptId, request, response } = exchange;
    if (receiptId === undefined) {
      setState({ kind: 'failed', reason: 'this server signs no receipts' });
      return;
    }
    proveAnswer({ receiptId, request, response }).then(
      (proof) => setState({ kind: 'done', proof }),
      (error: unknown) => setState({ kind: 'failed', reason: reasonOf(error) }),
    );
  }, [exchange]);
  return (
    <Drawer title="Proof of this answer" onClose={onClose}>
      <h3>Machine</h3>
      <p>
        <Verdict />
      </p>
      <h3>Transport</h3>
      <p>
        {exchange.isSealed
          ? 'Your message and the answer were encrypted to a key of the verified machine, inside TLS.'
          : 'Your message was protected by TLS only, because the server has no attested key.'}
      </p>
      <h3>Receipt</h3>
      <Receipt state={state} />
      {state.kind === 'done' && (
        <p>
          <button type="button" onClick={() => saveFile('cloister-answer.json', proofFile(exchange, state.proof))}>
            Save the proof
          </button>
        </p>
      )}
      <p class="fine">
        The receipt is signed by a key that the evidence binds to the machine. It names the SHA-256 of what this page
        sent and received, so nothing between you and the machine changed either. The file holds your text.
      </p>
    </Drawer>
  );
}

function Receipt({ state }: { readonly state: State }) {
  if (state.kind === 'checking') return <p role="status">Checking the receipt…</p>;
  if (state.kind === 'failed') return <p class="notice bad">There is no checked receipt: {state.reason}.</p>;
  const failed = blockingCheck(state.proof.checks);
  return (
    <>
      {failed === undefined ? (
        <p class="notice good">The receipt matches the exact bytes of your message and of this answer.</p>
      ) : (
        <p class="notice bad">
          {failed.title}: {failed.reason}. {failed.action}
        </p>
      )}
      <Checks checks={state.proof.checks} />
      <Cost receipt={state.proof.receipt} />
    </>
  );
}

/** What the server charged, as the signed receipt says. */
function Cost({ receipt }: { readonly receipt: string }) {
  const { event_log: events } = JSON.parse(receipt) as { readonly event_log: readonly UsageEvent[] };
  const usage = events.find(({ type }) => type === 'cloister.usage');
  if (usage?.price_micro_dollars === undefined) return null;
  return (
    <>
      <h3>Cost</h3>
      <p>
        {formatMoney(usage.price_micro_dollars)} for {formatCount(usage.prompt_tokens ?? 0)} tokens of the prompt and{' '}
        {formatCount(usage.completion_tokens ?? 0)} of the answer. <a href="/usage">All usage</a>
      </p>
    </>
  );
}

interface UsageEvent {
  readonly type: string;
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly price_micro_dollars?: number;
}

function proofFile({ request, response }: Exchange, { receipt }: AnswerProof): string {
  const decoder = new TextDecoder();
  const state = serverProof.value;
  const bundle = state.kind === 'done' ? (JSON.parse(bundleOf(state.proof)) as unknown) : null;
  const parts = { request: decoder.decode(request), response: decoder.decode(response), receipt, bundle };
  return `${JSON.stringify(parts, null, 2)}\n`;
}
