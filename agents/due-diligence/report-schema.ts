/** The due diligence analyst's report, for `response_format: {"type": "agent_report"}`. */
import type { Json } from '../agent/agent.ts';

const text: Json = { type: 'string' };
const severity: Json = { type: 'string', enum: ['critical', 'high', 'medium'] };

function list(fields: Readonly<Record<string, Json>>): Json {
  const items = { type: 'object', additionalProperties: false, required: Object.keys(fields), properties: fields };
  return { type: 'array', maxItems: 40, items };
}

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: [
    'summary',
    'score',
    'red_flags',
    'cap_table',
    'change_of_control',
    'litigation',
    'missing_documents',
    'conditions',
    'questions',
  ],
  properties: {
    summary: text,
    score: { type: 'integer', minimum: 0, maximum: 100 },
    red_flags: list({ area: text, title: text, severity, evidence: text, consequence: text, response: text }),
    cap_table: text,
    change_of_control: list({ contract: text, effect: text, evidence: text }),
    litigation: list({ matter: text, status: text, amount: text, evidence: text }),
    missing_documents: { type: 'array', maxItems: 70, items: text },
    conditions: list({
      kind: { type: 'string', enum: ['condition precedent', 'indemnity', 'warranty', 'price'] },
      proposal: text,
    }),
    questions: { type: 'array', maxItems: 30, items: text },
  },
};
