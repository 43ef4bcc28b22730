/** The contract analyst's report, for `response_format: {"type": "agent_report"}`. */
import type { Json } from '../agent/agent.ts';

const place = { type: 'string', description: 'Place of the finding, for example [m0:120-164]' } as const;

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'risk_score', 'parties', 'issues', 'key_terms', 'negotiation_points', 'open_questions'],
  properties: {
    summary: { type: 'string' },
    risk_score: {
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 100,
      description: 'null if there is nothing to review',
    },
    parties: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'role'],
        properties: { name: { type: 'string' }, role: { type: 'string' } },
      },
    },
    issues: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['clause', 'status', 'severity', 'consequence', 'proposal', 'place'],
        properties: {
          clause: { type: 'string' },
          status: { type: 'string', enum: ['absent', 'weak', 'unfavourable'] },
          severity: { type: 'string', enum: ['critical', 'high', 'medium'] },
          consequence: { type: 'string' },
          proposal: { type: 'string' },
          place,
        },
      },
    },
    key_terms: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['term', 'value', 'place'],
        properties: { term: { type: 'string' }, value: { type: 'string' }, place },
      },
    },
    negotiation_points: { type: 'array', maxItems: 15, items: { type: 'string' } },
    open_questions: { type: 'array', maxItems: 15, items: { type: 'string' } },
  },
};
