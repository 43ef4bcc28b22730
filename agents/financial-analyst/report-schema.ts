/**
 * The financial analyst's report, for `response_format: {"type": "agent_report"}`. Numbers are strings, as the tools return
 * them.
 */
import type { Json } from '../agent/agent.ts';

const texts = { type: 'array', maxItems: 15, items: { type: 'string' } } as const;

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: [
    'summary',
    'currency',
    'periods',
    'reliability',
    'key_figures',
    'assessment',
    'scores',
    'risks',
    'open_questions',
  ],
  properties: {
    summary: { type: 'string' },
    currency: { type: 'string', description: 'ISO 4217, or "not in the documents"' },
    periods: { type: 'array', maxItems: 6, items: { type: 'string' } },
    reliability: texts,
    key_figures: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['measure', 'period', 'value', 'previous'],
        properties: {
          measure: { type: 'string' },
          period: { type: 'string' },
          value: { type: 'string' },
          previous: { type: 'string', description: 'Value for the previous period, or "not computable"' },
        },
      },
    },
    assessment: {
      type: 'object',
      additionalProperties: false,
      required: ['liquidity', 'leverage', 'profitability', 'cash'],
      properties: {
        liquidity: { type: 'string' },
        leverage: { type: 'string' },
        profitability: { type: 'string' },
        cash: { type: 'string' },
      },
    },
    scores: {
      type: 'array',
      maxItems: 6,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['model', 'period', 'value', 'reading'],
        properties: {
          model: {
            type: 'string',
            enum: ['altman_z', 'altman_z_prime', 'altman_z_double_prime', 'piotroski_f', 'beneish_m'],
          },
          period: { type: 'string' },
          value: { type: 'string' },
          reading: { type: 'string' },
        },
      },
    },
    risks: texts,
    open_questions: texts,
  },
};
