/** The form of the medical analyst's own report. */
import type { Json } from '../agent/agent.ts';

const text: Json = { type: 'string' };
const texts: Json = { type: 'array', items: text };

function list(properties: { readonly [name: string]: Json }): Json {
  return {
    type: 'array',
    items: { type: 'object', additionalProperties: false, required: Object.keys(properties), properties },
  };
}

export const reportSchema: Json = {
  type: 'object',
  additionalProperties: false,
  required: [
    'notice',
    'summary',
    'urgent',
    'abnormal_values',
    'medications',
    'interactions',
    'scores',
    'timeline',
    'contradictions',
    'questions_for_clinician',
  ],
  properties: {
    notice: { type: 'string', description: 'States that this is decision support and not a diagnosis.' },
    summary: text,
    urgent: list({ finding: text, reason: text, place: text }),
    abnormal_values: list({
      analyte: text,
      value: text,
      range: text,
      flag: { type: 'string', enum: ['critically low', 'low', 'high', 'critically high'] },
      date: { type: ['string', 'null'] },
      place: text,
    }),
    medications: list({
      medicine: text,
      dose: text,
      frequency: text,
      daily: { type: ['string', 'null'] },
      remark: text,
    }),
    interactions: list({
      medicines: texts,
      severity: { type: 'string', enum: ['contraindicated', 'major', 'moderate'] },
      effect: text,
      to_consider: text,
    }),
    scores: list({ score: text, result: text, missing: texts }),
    timeline: list({ date: text, event: text }),
    contradictions: texts,
    questions_for_clinician: texts,
  },
};
