/** Shows one request on the bill, and checks its place on the signed statement. */
import { useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { formatCount, formatMoney, formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { type BillProof, proveRequest } from './statement.ts';

export function BillCheck() {
  const [proof, setProof] = useState<BillProof>();
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get('id')).trim();
    setProof(undefined);
    try {
      setProof(await proveRequest(id));
      setProblem('');
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <section>
      <h2>Check a charge</h2>
      <p>
        Each response has a request ID in its header <code>x-request-id</code>. This page recomputes the hashes from the
        request to the root of that day's statement, and checks the signature of the machine.
      </p>
      <form class="row end" onSubmit={(event) => void submit(event)}>
        <label>
          Request ID <input name="id" required spellcheck={false} />
        </label>
        <button type="submit">Check</button>
      </form>
      <Problem text={problem} />
      {proof !== undefined && <Proven proof={proof} />}
    </section>
  );
}

function Proven({ proof: { request, isOnStatement, isSigned } }: { readonly proof: BillProof }) {
  const isGood = isOnStatement && isSigned !== false;
  return (
    <div role="status">
      <p class={`notice ${isGood ? 'good' : 'bad'}`}>
        {isOnStatement
          ? `The request is number ${request.statement.index + 1} of ${request.statement.size} on the statement of ${request.statement.day}.`
          : 'The request is not on the statement that the server published.'}{' '}
        {isSigned === undefined && 'This server does not sign statements.'}
        {isSigned === true && 'The statement is signed by a key of the verified machine.'}
        {isSigned === false && 'The signature of the statement is invalid.'}
      </p>
      <dl class="facts">
        <dt>Model</dt>
        <dd>{request.model}</dd>
        <dt>Time</dt>
        <dd>{formatTime(request.created * 1000)}</dd>
        <dt>Tokens</dt>
        <dd>
          {formatCount(request.prompt_tokens)} + {formatCount(request.completion_tokens)}
        </dd>
        <dt>Price</dt>
        <dd>{formatMoney(request.price_micro_dollars)}</dd>
      </dl>
    </div>
  );
}
