/** Pieces of answers' schemas. */
import { type JsonSchema, objectOf } from '../base/json-schema.ts';

export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
export const number: JsonSchema = { type: 'number' };
export const integer: JsonSchema = { type: 'integer' };
export const integerOrNull: JsonSchema = { type: ['integer', 'null'] };
export const boolean: JsonSchema = { type: 'boolean' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const timeOrNull: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
export const anything: JsonSchema = {};

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** What only tests' plain virtual machines show. */
export const plainMarks = { protection: text, warning: text } as const;

/** C-023. Some errors have further members: `charged`, `required`, `balance`, `scope`, `needsSshKey`, `reason`, `pod_id`. */
export const errorSchema: JsonSchema = {
  type: 'object',
  properties: {
    success: { type: 'boolean', enum: [false] },
    error: text,
    message: text,
    code: text,
    status: integer,
    status_code: integer,
    timestamp: time,
    charged: boolean,
    required: number,
    balance: number,
    scope: text,
    needsSshKey: boolean,
    reason: text,
    pod_id: text,
  },
  required: ['success', 'error', 'message', 'code', 'status', 'status_code', 'timestamp'],
  additionalProperties: false,
};

/** C-067. */
export const attestationSchema = objectOf({
  verified: boolean,
  verifiedOn: textOrNull,
  evidenceUrl: textOrNull,
  generatedBy: textOrNull,
  verifyInsideTheVm: listOf(text),
  index: text,
});
