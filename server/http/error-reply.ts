/** The reply to a request that failed. */

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly type?: string;
    readonly request_id?: string;
    readonly error: string | AciError | OpenAiError | AnthropicError;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** An error in the form of ACI, which is OpenAI's. Its `code` is always null; our code is in `details`. */
export interface AciError {
  readonly message: string;
  readonly type: string;
  readonly code: null;
  readonly param: null;
}

/** @see openai-errors.ts */
export interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
}

/** @see anthropic-errors.ts */
export interface AnthropicError {
  readonly message: string;
  readonly type: string;
}
