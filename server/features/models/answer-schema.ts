/** The answers of `GET /v1/models` and `/v1/models/{id}`. */
import { choice, count, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const dollars = Type.Optional(Type.Number({ minimum: 0 }));

const pricing = Type.Object(
  { prompt: dollars, completion: dollars, image: dollars, step: dollars },
  {
    description:
      'What the account pays, in US dollars: `prompt` and `completion` per million tokens, `image` for each image, `step` ' +
      'for each of its denoising steps.',
  },
);

export const model = Type.Object({
  id: text,
  object: Type.Literal('model'),
  created: Type.Optional(Type.Integer()),
  owned_by: Type.Optional(text),
  aliases: Type.Optional(Type.Array(text, { description: 'Other names that requests may use; answers name `id`.' })),
  parent: Type.Optional(Type.String({ description: 'Of a LoRA adapter: the model whose weights it changes.' })),
  status: Type.Optional(text),
  requests_running: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Answers, images or batches that the model computes now.' }),
  ),
  requests_waiting: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Requests, or texts to embed or rank, that wait for the model.' }),
  ),
  context_length: Type.Optional(count),
  max_output_tokens: Type.Optional(count),
  max_input_tokens: Type.Optional(count),
  name: Type.Optional(text),
  mode: Type.Optional(choice(['chat', 'embedding', 'rerank', 'image_generation'])),
  input_cost_per_token: dollars,
  output_cost_per_token: dollars,
  output_cost_per_image: dollars,
  input_modalities: Type.Optional(Type.Array(text)),
  output_modalities: Type.Optional(Type.Array(text)),
  supported_parameters: Type.Optional(Type.Array(text)),
  top_provider: Type.Optional(
    Type.Object({ context_length: count, max_completion_tokens: count, is_moderated: Type.Boolean() }),
  ),
  pricing: Type.Optional(pricing),
  capabilities: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  endpoint: Type.Optional(text),
});

export const modelList = Type.Object({ object: Type.Literal('list'), data: Type.Array(model) });
