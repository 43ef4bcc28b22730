/** The HR analyst's report, for `response_format: {"type": "agent_report"}`. */
import type { Json } from '../agent/agent.ts';

const texts = { type: 'array', maxItems: 15, items: { type: 'string' } } as const;
const place = { type: 'string', description: 'Place of the finding, for example [m0:120-164]' } as const;

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'working_time', 'terms', 'language_and_conduct', 'gaps', 'next_steps', 'open_questions'],
  properties: {
    summary: { type: 'string' },
    working_time: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['person', 'rule', 'date', 'recorded', 'required'],
        properties: {
          person: { type: 'string' },
          rule: {
            type: 'string',
            enum: ['weekly_average', 'daily_rest', 'spread', 'break', 'weekly_rest', 'night_work', 'annual_leave'],
          },
          date: { type: 'string' },
          recorded: { type: 'string' },
          required: { type: 'string' },
        },
      },
    },
    terms: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['term', 'value', 'caution', 'place'],
        properties: { term: { type: 'string' }, value: { type: 'string' }, caution: { type: 'string' }, place },
      },
    },
    language_and_conduct: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['subject', 'why_to_look', 'neutral_wording', 'place'],
        properties: {
          subject: { type: 'string' },
          why_to_look: { type: 'string' },
          neutral_wording: { type: 'string' },
          place,
        },
      },
    },
    gaps: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['topic', 'source'],
        properties: { topic: { type: 'string' }, source: { type: 'string' } },
      },
    },
    next_steps: texts,
    open_questions: texts,
  },
};
