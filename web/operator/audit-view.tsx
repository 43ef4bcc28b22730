/** The check of the books: double entry over all accounts. */
import { useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { formatCount, formatMoney } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { type Audit, admin } from './admin-api.ts';

export function AuditView() {
  const [audit, setAudit] = useState<Audit>();
  const [problem, setProblem] = useState('');
  const run = async () => {
    try {
      setAudit(await admin<Audit>('GET', '/admin/audit'));
      setProblem('');
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <section>
      <h2>Books</h2>
      <p>Each movement debits one side and credits another. The check adds up all of them for every account.</p>
      <p>
        <button type="button" onClick={() => void run()}>
          Recompute the books
        </button>
      </p>
      <Problem text={problem} />
      {audit !== undefined && (
        <div role="status">
          <p class={`notice ${audit.faults.length === 0 ? 'good' : 'bad'}`}>
            {audit.faults.length === 0
              ? `${formatCount(audit.movements)} movements of ${formatCount(audit.accounts)} accounts agree.`
              : audit.faults.join(' ')}
          </p>
          <dl class="facts">
            <dt>Paid in</dt>
            <dd>{formatMoney(audit.paidIn)}</dd>
            <dt>Available</dt>
            <dd>{formatMoney(audit.available)}</dd>
            <dt>Held</dt>
            <dd>{formatMoney(audit.held)}</dd>
            <dt>Spent</dt>
            <dd>{formatMoney(audit.spent)}</dd>
          </dl>
        </div>
      )}
    </section>
  );
}
