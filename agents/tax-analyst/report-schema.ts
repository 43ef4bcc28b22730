/** The tax analyst's report, for `response_format: {"type": "agent_report"}`. Numbers are strings, as the tools return them. */
import type { Json } from '../agent/agent.ts';

const texts = { type: 'array', maxItems: 15, items: { type: 'string' } } as const;
const place = { type: 'string', description: 'Place of the finding, for example [m0:120-164]' } as const;

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: [
    'summary',
    'findings',
    'transfer_pricing',
    'pillar_two',
    'reportable_arrangements',
    'missing_information',
    'next_steps',
  ],
  properties: {
    summary: { type: 'string' },
    findings: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['topic', 'finding', 'number', 'place'],
        properties: {
          topic: {
            type: 'string',
            enum: [
              'transfer_pricing',
              'effective_rate',
              'vat',
              'withholding_tax',
              'permanent_establishment',
              'related_parties',
              'deadline',
              'dac6',
              'pillar_two',
              'other',
            ],
          },
          finding: { type: 'string' },
          number: { type: 'string' },
          place,
        },
      },
    },
    transfer_pricing: {
      type: 'array',
      maxItems: 8,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['method', 'lower', 'median', 'upper', 'position', 'adjustment'],
        properties: {
          method: { type: 'string', enum: ['us_regulation', 'linear_interpolation'] },
          lower: { type: 'string' },
          median: { type: 'string' },
          upper: { type: 'string' },
          position: { type: 'string', enum: ['below', 'within', 'above', 'not_tested'] },
          adjustment: { type: 'string' },
        },
      },
    },
    pillar_two: {
      type: 'array',
      maxItems: 60,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['jurisdiction', 'effective_rate', 'top_up_tax', 'remark'],
        properties: {
          jurisdiction: { type: 'string' },
          effective_rate: { type: 'string' },
          top_up_tax: { type: 'string' },
          remark: { type: 'string' },
        },
      },
    },
    reportable_arrangements: {
      type: 'array',
      maxItems: 15,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['hallmark', 'why_to_look', 'deciding_fact', 'place'],
        properties: {
          hallmark: { type: 'string' },
          why_to_look: { type: 'string' },
          deciding_fact: { type: 'string' },
          place,
        },
      },
    },
    missing_information: texts,
    next_steps: texts,
  },
};
