/** Asks a server for its report with a nonce of our own, and sees whose key its connection has. For Node. */
import { AttestationError } from '../base/errors.ts';
import type { ObservedServer } from './channel.ts';
import { askAboutConnection, type ConnectionAnswer } from './check-connection.ts';
import { PinnedAgent, sendPinned } from './pinned-https.ts';
import { askForReport, reportPath } from './report-request.ts';

export interface FetchedReport {
  /** The exact bytes. */
  readonly report: Uint8Array;
  readonly observed: ObservedServer;
  /** Where the server was asked to prove the connection. */
  readonly connection: ConnectionAnswer | undefined;
}

export interface ReportRequest {
  /** 64 lowercase hexadecimal digits. */
  readonly nonce: string;
  readonly signal?: AbortSignal | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Whether the server is also asked to prove that it ends this connection. */
  readonly isProofWanted: boolean;
}

/**
 * Nothing but the nonce is sent, and nothing of the answer is believed here.
 * @param origin `https://host[:port]`
 * @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE · the signal's reason where it was aborted
 */
export async function fetchReport(
  origin: string,
  { nonce, signal, connectTimeoutMs, isProofWanted }: ReportRequest,
): Promise<FetchedReport> {
  let observed: ObservedServer | undefined;
  let connection: ConnectionAnswer | undefined;
  const agent = new PinnedAgent({
    accept: async (opened) => {
      observed = opened.server;
      if (isProofWanted) connection = await askAboutConnection(opened);
    },
    connectTimeoutMs,
  });
  try {
    const url = new URL(`${reportPath}?nonce=${nonce}`, origin);
    const ask = () => sendPinned(agent, { url, method: 'GET', headers: new Headers(), signal });
    const report = await askForReport(ask, { signal });
    return { report, observed: observed!, connection };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AttestationError) throw cause;
    const message = `${origin} could not be asked for its report: ${reasonOf(cause)}`;
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
