/** The form of the EU legal assistant's own report. */
import type { Json } from '../agent/agent.ts';

const text: Json = { type: 'string' };
const texts: Json = { type: 'array', items: text };

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['question', 'short_answer', 'sources', 'reasoning', 'deadlines', 'risks', 'open_points'],
  properties: {
    question: text,
    short_answer: text,
    sources: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['citation', 'celex', 'rank', 'status'],
        properties: {
          citation: text,
          celex: { type: ['string', 'null'] },
          rank: {
            type: 'string',
            enum: [
              'primary law',
              'international agreements',
              'regulations',
              'directives',
              'decisions',
              'delegated acts',
              'implementing acts',
              'recommendations and opinions',
              'case-law',
              'national law',
            ],
          },
          status: {
            type: 'string',
            enum: ['in force per document', 'repealed', 'invalid', 'not yet applicable', 'not known'],
          },
        },
      },
    },
    reasoning: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['point', 'basis', 'kind', 'confidence'],
        properties: {
          point: text,
          basis: texts,
          kind: { type: 'string', enum: ['rule', 'fact', 'application', 'counter-argument'] },
          confidence: { type: 'string', enum: ['high', 'medium', 'low'] },
        },
      },
    },
    deadlines: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['what', 'event', 'length', 'ends', 'rules', 'computed_by_tool'],
        properties: {
          what: text,
          event: { type: ['string', 'null'] },
          length: text,
          ends: { type: ['string', 'null'] },
          rules: texts,
          computed_by_tool: { type: 'boolean' },
        },
      },
    },
    risks: texts,
    open_points: texts,
  },
};
