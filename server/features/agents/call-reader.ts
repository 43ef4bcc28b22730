/** Reads the body of `POST /v1/confidential/chat/completions`, on the serving thread or on the thread for large bodies. */
import type { CallReader } from '../../bodies/call-reader.ts';
import type { ChatCall } from '../chat/call.ts';
import { type AgentRules, readConfidentialCall } from './schema.ts';

export interface ConfidentialTerms {
  /** The seed for a request without `seed`. */
  readonly seed: number;
  /** Agents by slug. */
  readonly agents: ReadonlyMap<string, AgentRules>;
}

export const confidentialCallReader: CallReader<ChatCall, ConfidentialTerms> = {
  name: 'confidential',
  read: (body, { seed, agents }) =>
    readConfidentialCall(body, { findAgent: (slug) => agents.get(slug), randomSeed: () => seed }),
};
