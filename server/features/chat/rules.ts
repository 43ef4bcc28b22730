/** What one surface takes of a chat's body, where the surfaces differ. */
export interface ChatRules {
  readonly messagesMax: number;
  /** Unicode characters of all `content` together; undefined: the size of the body is the limit. */
  readonly charactersMax: number | undefined;
  readonly temperatureMax: number;
  /** Where the caller says nothing, here and below. */
  readonly temperature: number;
  /** Tokens per answer; undefined: what the context leaves. */
  readonly maxTokens: number | undefined;
  /** JSON text of the schema behind `{"type": "agent_report"}`; undefined where that is not taken. */
  readonly reportSchema: string | undefined;
}

/** Of the direct route. The number of messages is bounded by the size of the body long before this. */
export const directRules: ChatRules = {
  messagesMax: 100_000,
  charactersMax: undefined,
  temperatureMax: 2,
  temperature: 1,
  maxTokens: undefined,
  reportSchema: undefined,
};
