/** Shows one request on the bill, and checks its place on the signed statement. */
import { useState } from 'preact/hooks';
import { call, reasonOf } from '../api/request.ts';
import { BillProofView } from '../parts/bill-proof.tsx';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { bundleOf, proveServer } from '../proof/server-proof.ts';
import { type BilledRequest, type BillProof, proveBill, type Statement } from '../proof/statement.ts';

interface Proven {
  readonly proof: BillProof;
  /** The request, the statement and the evidence, for the verifier that works from a disk. */
  readonly file: string;
}

export function BillCheck() {
  const [proven, setProven] = useState<Proven>();
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get('id')).trim();
    setProven(undefined);
    try {
      setProven(await proveRequest(id));
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
      {proven !== undefined && (
        <>
          <BillProofView proof={proven.proof} />
          <p>
            <button type="button" onClick={() => saveFile('cloister-charge.json', proven.file)}>
              Save the proof
            </button>
          </p>
        </>
      )}
    </section>
  );
}

/** @throws {ApiError} if the account has no request with this id */
async function proveRequest(requestId: string): Promise<Proven> {
  const request = await call<BilledRequest>(`/v1/usage/requests/${encodeURIComponent(requestId)}`);
  const statement = await call<Statement>(`/v1/usage/statements/${request.statement.day}`);
  const server = await proveServer();
  const file = { billed: request, statement, bundle: JSON.parse(bundleOf(server)) as unknown };
  return {
    proof: await proveBill({ request, statement }, server.verification),
    file: `${JSON.stringify(file, null, 2)}\n`,
  };
}
