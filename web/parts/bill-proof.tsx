/** The verdict about one charge: its place on the statement, and the signature. */
import type { BillProof, StatementSignature } from '../proof/statement.ts';
import { formatCount, formatMoney, formatTime } from './format.ts';

const signatures: Readonly<Record<StatementSignature, string>> = {
  valid: 'The statement is signed by a key of the verified machine.',
  invalid: 'The signature of the statement is invalid.',
  missing: 'This server does not sign statements.',
  unproven: 'The evidence does not hold, so the signature proves nothing.',
};

export function BillProofView({ proof: { request, isOnStatement, signature } }: { readonly proof: BillProof }) {
  const isGood = isOnStatement && (signature === 'valid' || signature === 'missing');
  const { index, size, day } = request.statement;
  return (
    <div role="status">
      <p class={`notice ${isGood ? 'good' : 'bad'}`}>
        {isOnStatement
          ? `The request is number ${index + 1} of ${size} on the statement of ${day}.`
          : 'The request is not on the statement that the server published.'}{' '}
        {signatures[signature]}
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
