/** The JSON answer of `POST /v1/images/generations`. */
import { text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

export const imageList = Type.Object({
  created: Type.Integer(),
  data: Type.Array(
    Type.Object({ url: Type.Optional(text), b64_json: Type.Optional(text) }, { minProperties: 1, maxProperties: 1 }),
  ),
});
