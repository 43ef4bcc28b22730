/** The real application in a simulated enclave, with the parcel clerk, and the requests of a caller of the confidential surface. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { AgentTools } from '../../../server/features/agents/tools.ts';
import type { AppDependencies } from '../../../server/start/app.ts';
import { inlineTools, testAgent, testSurface } from '../agents/test-agent.ts';
import { type AttestedApp, type AttestedAppOptions, startAttestedApp } from './attested-app.ts';
import type { Posted } from './test-app.ts';

export interface ConfidentialApp extends AttestedApp {
  /** POST to the chat route of the surface. */
  ask(fields: Record<string, unknown>, headers?: Record<string, string>): Promise<Posted>;
}

export interface ConfidentialAppOptions extends AttestedAppOptions {
  readonly tools?: AgentTools;
}

/** Overrides of what `startAttestedApp` builds go through `confidential`. */
export async function startConfidentialApp({
  tools,
  ...options
}: ConfidentialAppOptions = {}): Promise<ConfidentialApp> {
  const confidential: AppDependencies['confidential'] = testSurface(tools ?? inlineTools());
  const running = await startAttestedApp({ confidential, ...options });
  return {
    ...running,
    async ask(fields, headers = {}) {
      const response = await running.app.inject({
        method: 'POST',
        url: '/v1/confidential/chat/completions',
        headers: { authorization: `Bearer ${running.secret}`, 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ model: testAgent.slug, ...fields }),
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        json: () => response.json(),
      };
    },
  };
}

export const letter = 'Dear house, parcel 12 is here and parcel 7 is not.';
export const messages = [
  { role: 'system', content: 'Answer in Latin.' },
  { role: 'user', content: letter },
];

/**
 * Sends a request over a separate connection, and closes it as soon as a tool waits.
 * @param waiting the signal passed to the tool
 */
export async function leaveWhileWaiting(
  app: ConfidentialApp,
  waiting: Promise<AbortSignal>,
): Promise<{ readonly answer: Promise<Response>; readonly signal: AbortSignal }> {
  const baseUrl = await app.listen();
  setDefaultCACertificates([...getCACertificates('bundled'), app.identity.certificate]);
  const leave = new AbortController();
  const answer = fetch(`${baseUrl}/confidential/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: testAgent.slug, messages }),
    signal: leave.signal,
  });
  const signal = await waiting;
  leave.abort();
  return { answer, signal };
}
