/** Requests a server's report with a nonce, and records the TLS key of the connection. For Node. */
import { AttestationError } from '../base/errors.ts';
import type { ObservedServer } from './channel.ts';
import { type ConnectionProofResult, requestConnectionProof } from './check-connection.ts';
import { PinnedAgent, sendPinned } from './pinned-https.ts';
import { reportPath, requestReport } from './report-request.ts';

export interface FetchedReport {
  /** The exact bytes. */
  readonly report: Uint8Array;
  readonly observed: ObservedServer;
  /** Undefined if no proof of the connection was requested. */
  readonly connection: ConnectionProofResult | undefined;
}

export interface ReportRequest {
  /** 64 lowercase hexadecimal digits. */
  readonly nonce: string;
  readonly signal?: AbortSignal | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Whether to also request a proof that the server terminates this connection. */
  readonly isProofRequired: boolean;
}

/**
 * Sends nothing but the nonce, and verifies nothing.
 * @param origin `https://host[:port]`
 * @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE · the signal's reason on abort
 */
export async function fetchReport(
  origin: string,
  { nonce, signal, connectTimeoutMs, isProofRequired }: ReportRequest,
): Promise<FetchedReport> {
  let observed: ObservedServer | undefined;
  let connection: ConnectionProofResult | undefined;
  const agent = new PinnedAgent({
    accept: async (opened) => {
      observed = opened.server;
      if (isProofRequired) connection = await requestConnectionProof(opened);
    },
    connectTimeoutMs,
  });
  try {
    const url = new URL(`${reportPath}?nonce=${nonce}`, origin);
    const ask = () => sendPinned(agent, { url, method: 'GET', headers: new Headers(), signal });
    const report = await requestReport(ask, { signal });
    return { report, observed: observed!, connection };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AttestationError) throw cause;
    const message = `the report of ${origin} could not be fetched: ${reasonOf(cause)}`;
    throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', message, { cause });
  } finally {
    agent.destroy();
  }
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof TypeError && cause.cause instanceof Error ? cause.cause : cause;
  const { code, message } = inner as NodeJS.ErrnoException;
  return code ?? message;
}
