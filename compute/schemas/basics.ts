/** Building blocks of the response schemas. */
import { Type } from '@cloister/server/schema/type';
import { closed } from '../base/schemas.ts';

export const text = Type.String();
export const textOrNull = Type.Union([Type.String(), Type.Null()]);
export const number = Type.Number();
export const integer = Type.Integer();
export const integerOrNull = Type.Union([Type.Integer(), Type.Null()]);
export const boolean = Type.Boolean();
export const time = Type.String({ format: 'date-time' });
export const timeOrNull = Type.Union([time, Type.Null()]);

/** Members that only plain virtual machines for tests have. */
export const plainMarks = { protection: Type.Optional(text), warning: Type.Optional(text) };

/** The error envelope (C-023). The optional members appear only with some codes. */
export const errorSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: text,
    message: text,
    code: text,
    status: integer,
    status_code: integer,
    timestamp: time,
    charged: Type.Optional(boolean),
    required: Type.Optional(number),
    balance: Type.Optional(number),
    scope: Type.Optional(text),
    needsSshKey: Type.Optional(boolean),
    reason: Type.Optional(text),
    pod_id: Type.Optional(text),
  },
  closed,
);

/** C-067. */
export const attestationSchema = Type.Object(
  {
    verified: boolean,
    verifiedOn: textOrNull,
    evidenceUrl: textOrNull,
    generatedBy: textOrNull,
    verifyInsideTheVm: Type.Array(text),
    index: text,
  },
  closed,
);
