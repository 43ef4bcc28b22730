/** The differences of the surfaces in the body of a chat. */
import { type ChatBodySchema, chatBody, openAiChatBody } from './schema.ts';

export interface ChatRules {
  readonly body: ChatBodySchema;
  /** Unicode characters of all `content` together; undefined: the size of the body is the limit. */
  readonly charactersMax: number | undefined;
  /** Default, like `maxTokens`. */
  readonly temperature: number;
  /** Tokens per answer; undefined: limited by the context. */
  readonly maxTokens: number | undefined;
  /** Whether messages may have files. */
  readonly acceptsFiles: boolean;
  /** Whether messages of users may have images. Whether the model takes them is checked later. */
  readonly acceptsImages: boolean;
  /** JSON text of the schema behind `{"type": "agent_report"}`; undefined if the surface does not support it. */
  readonly reportSchema: string | undefined;
}

/** The rules of the direct route. */
export const directRules: ChatRules = {
  body: chatBody,
  charactersMax: undefined,
  temperature: 1,
  maxTokens: undefined,
  acceptsFiles: false,
  acceptsImages: true,
  reportSchema: undefined,
};

/** The rules of the same route below `/openai/v1`. */
export const openAiRules: ChatRules = { ...directRules, body: openAiChatBody };
