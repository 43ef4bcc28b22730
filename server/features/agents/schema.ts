/** The body of `POST /v1/confidential/chat/completions`: that of the direct route, with the limits of this surface. */
import type { Agent } from '@cloister/agents/agent/agent';
import { type ChatCall, readChatCall } from '../chat/call.ts';
import { type ChatRules, directRules } from '../chat/rules.ts';
import { agentBody, confidentialBody } from '../chat/schema.ts';

/** The properties of an agent that its calls depend on. */
export type AgentRules = Pick<Agent, 'defaults' | 'reportSchema'>;

/** I-044 and I-046. */
const surfaceRules: ChatRules = {
  ...directRules,
  body: confidentialBody,
  charactersMax: 200_000,
  acceptsImages: false,
};

/**
 * @param options.findAgent the agent that a `model` names; undefined for one that names a model
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readConfidentialCall(
  body: unknown,
  { findAgent, randomSeed }: { findAgent: (slug: string) => AgentRules | undefined; randomSeed: () => number },
): ChatCall {
  return readChatCall(body, randomSeed, (model) => {
    const agent = findAgent(model);
    return agent === undefined ? surfaceRules : rulesOf(agent);
  });
}

function rulesOf({ defaults, reportSchema }: AgentRules): ChatRules {
  return {
    ...surfaceRules,
    ...defaults,
    body: agentBody,
    acceptsFiles: true,
    reportSchema: JSON.stringify(reportSchema),
  };
}
