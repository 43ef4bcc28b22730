/** The body of an error of the inference API; `error-replies.ts` builds it. */
import { count, text } from '../schema/members.ts';
import { Type } from '../schema/type.ts';

const aciForm = Type.Object({ message: text, type: text, code: Type.Null(), param: Type.Null() });

export const errorBody = Type.Object({
  error: Type.Union([text, aciForm], {
    description: 'The error, and how to correct it. An object on the routes of ACI, and for refusals that ACI defines.',
  }),
  details: Type.Optional(
    Type.Object({
      status: Type.Integer(),
      endpoint: text,
      code: Type.String({ description: 'Stable.' }),
      plan: Type.Optional(text),
      attempts: Type.Optional(
        Type.Array(Type.Object({ step: text, url: text, status: Type.Integer(), latency_ms: count })),
      ),
      usage: Type.Optional(Type.Object({ tokens_used: count, tokens_limit: count })),
      retry_after: Type.Optional(Type.Integer({ description: 'Seconds.' })),
    }),
  ),
});
