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
  required: [
    'summary',
    'document_type',
    'frameworks',
    'certificates',
    'audit_opinions',
    'gaps',
    'controls',
    'periodic_controls',
    'time_limits',
    'retention',
    'parties',
    'transfers',
    'measures',
    'risks',
    'incident',
    'notification_times',
    'personal_data',
    'actions',
    'open_questions',
  ],
  properties: {
    summary: text,
    document_type: text,
    frameworks: list({
      name: text,
      controls: { type: 'integer', minimum: 0 },
      addressed: { type: 'integer', minimum: 0 },
      assessment: text,
    }),
    certificates: list({ standard: text, holder: text, number: text, scope: text, issued: text, expires: text }),
    audit_opinions: list({ framework: text, result: text, auditor: text, from: text, to: text }),
    gaps: list({ framework: text, control: text, priority, due: text, evidence: text, consequence: text }),
    controls: list({ framework: text, number: text, status: text, evidence: text, owner: text }),
    periodic_controls: list({ activity: text, period: text, owner: text }),
    time_limits: list({ what: text, period: text }),
    retention: list({ subject: text, period: text, from: text }),
    parties: list({ name: text, role: text, place: text }),
    transfers: list({ destination: text, mechanism: text, recipient: text }),
    measures: list({ measure: text, status: text }),
    risks: list({ id: text, before: text, after: text, treatment: text, owner: text }),
    incident: list({ event: text, date: text }),
    notification_times: list({ regime: text, step: text, within: text, article: text, document_states: text }),
    personal_data: list({ kind: text, count: { type: 'integer', minimum: 0 }, remark: text }),
    actions: list({ action: text, owner: text, priority, reason: text }),
    open_questions: texts,
  },
};
