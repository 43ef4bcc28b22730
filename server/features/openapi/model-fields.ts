/** Texts of the fields of models, for the OpenAPI document. */
import type { FieldTable } from '../../schema/field-texts.ts';

const modelId = 'cloister-demo-TEE';

export const modelFields: FieldTable = {
  'Model.id': ['ID of the model, for `model` of requests.', modelId],
  'Model.status': ['`ready`, or why requests are refused now.', 'ready'],
  'Model.created': ['Unix seconds.', 1_795_478_400],
  owned_by: ['The author of the model.', 'cloister'],
  aliases: ['Other names.', ['gpt-4o-mini']],
  'Model.parent': ['Of a LoRA adapter: the model whose weights it changes.', modelId],
  context_length: ['Tokens of prompt and answer together.', 4096],
  'Model.max_output_tokens': ['Maximum number of tokens of an answer.', 4096],
  'Model.max_input_tokens': ['Tokens of prompt and answer together, on the plan of the account.', 4096],
  'Model.name': ['Name for display.', 'Cloister Demo'],
  'Model.mode': ['What the model does, in the words of LiteLLM.', 'chat'],
  input_cost_per_token: ['US dollars for a token of a prompt.', 0.000_000_5],
  output_cost_per_token: ['US dollars for a token of an answer.', 0.000_001_5],
  output_cost_per_image: ['US dollars for an image, without its steps.', 0.02],
  input_modalities: ['What prompts may contain.', ['text']],
  output_modalities: ['What answers contain.', ['text']],
  supported_parameters: ['Fields of a chat that have an effect, in the words of OpenRouter.', ['temperature', 'tools']],
  top_provider: 'The limits again, in the form of OpenRouter.',
  max_completion_tokens: ['Maximum number of tokens of an answer.', 4096],
  is_moderated: ['Always false: no prompt is judged.', false],
  pricing: 'What the account pays.',
  'pricing.prompt': ['US dollars for a million tokens of prompts.', 0.5],
  'pricing.completion': ['US dollars for a million tokens of answers.', 1.5],
  'pricing.image': ['US dollars for an image.', 0.02],
  'pricing.step': ['US dollars for a denoising step.', 0.001],
  capabilities: ['What the model can do.', { tools: true, vision: false }],
  endpoint: ['The route that answers for this model.', '/v1/chat/completions'],
  'ModelList.data': 'The models.',
};
