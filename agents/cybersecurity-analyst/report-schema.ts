/** The form of the cybersecurity analyst's own report. */
import type { Json } from '../agent/agent.ts';

const text: Json = { type: 'string' };
const severity: Json = { type: 'string', enum: ['critical', 'high', 'medium', 'low', 'none', 'unknown'] };

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'severity', 'findings', 'vulnerabilities', 'indicators', 'actions', 'open_questions'],
  properties: {
    summary: text,
    severity,
    findings: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['title', 'severity', 'evidence', 'source', 'attack'],
        properties: {
          title: text,
          severity,
          evidence: text,
          source: { type: 'string', enum: ['tool', 'document', 'inference'] },
          attack: { type: 'array', items: text },
        },
      },
    },
    vulnerabilities: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'vector', 'score', 'severity', 'note'],
        properties: { id: text, vector: text, score: { type: ['number', 'null'] }, severity, note: text },
      },
    },
    indicators: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['kind', 'defanged', 'context'],
        properties: { kind: text, defanged: text, context: text },
      },
    },
    actions: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['action', 'urgency', 'reason'],
        properties: {
          action: text,
          urgency: { type: 'string', enum: ['now', 'within 24 hours', 'within 7 days', 'planned'] },
          reason: text,
        },
      },
    },
    open_questions: { type: 'array', items: text },
  },
};
