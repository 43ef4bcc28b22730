/** What one surface takes of a chat's body, where the surfaces differ. */
import { type ChatBodySchema, chatBody } from './schema.ts';

export interface ChatRules {
  readonly body: ChatBodySchema;
  /** Unicode characters of all `content` together; undefined: the size of the body is the limit. */
  readonly charactersMax: number | undefined;
  /** Where the caller says nothing, here and below. */
  readonly temperature: number;
  /** Tokens per answer; undefined: what the context leaves. */
  readonly maxTokens: number | undefined;
  /** JSON text of the schema behind `{"type": "agent_report"}`; undefined where that is not taken. */
  readonly reportSchema: string | undefined;
}

/** Of the direct route. */
export const directRules: ChatRules = {
  body: chatBody,
  charactersMax: undefined,
  temperature: 1,
  maxTokens: undefined,
  reportSchema: undefined,
};
