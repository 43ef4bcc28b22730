/** The compliance officer's report, for `response_format: {"type": "agent_report"}`. */
import type { Json } from '../agent/agent.ts';

const text: Json = { type: 'string' };
const texts: Json = { type: 'array', maxItems: 30, items: text };
const priority: Json = { type: 'string', enum: ['critical', 'high', 'medium', 'low'] };

function list(fields: Readonly<Record<string, Json>>): Json {
  const items = { type: 'object', additionalProperties: false, required: Object.keys(fields), properties: fields };
  return { type: 'array', maxItems: 40, items };
}

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'frameworks', 'gaps', 'notification_times', 'personal_data', 'actions', 'open_questions'],
  properties: {
    summary: text,
    frameworks: list({
      name: text,
      controls: { type: 'integer', minimum: 0 },
      addressed: { type: 'integer', minimum: 0 },
      assessment: text,
    }),
    gaps: list({ framework: text, control: text, priority, evidence: text, consequence: text }),
    notification_times: list({ regime: text, step: text, within: text, article: text, document_states: text }),
    personal_data: list({ kind: text, count: { type: 'integer', minimum: 0 }, remark: text }),
    actions: list({ action: text, owner: text, priority, reason: text }),
    open_questions: texts,
  },
};
