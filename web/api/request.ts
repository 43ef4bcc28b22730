/** Calls of this server's documented API. The browser adds the session's cookie; a page never has a key. */

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = String(details.code ?? '');
    this.details = details;
  }
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only place that opens connections. @param request with a path of this server */
export async function send(request: Request | string, init: RequestInit = {}): Promise<Response> {
  return await fetch(request, { credentials: 'same-origin', cache: 'no-store', redirect: 'error', ...init });
}

/** @returns the parsed answer · @throws {ApiError} for an error of the API · {TypeError} without a connection */
export async function call<Answer>(
  path: string,
  { method = 'GET', body, signal, headers = {} }: Call = {},
): Promise<Answer> {
  const response = await send(path, {
    method,
    ...(signal && { signal }),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Answer;
}

/** The error in an answer; its text if it is not JSON. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error, details, ...fields } = JSON.parse(text) as { error: string | { message: string }; details?: object };
    const message = typeof error === 'string' ? error : error.message;
    // The compute API has the members of `details` next to the message.
    return new ApiError(response.status, message, { ...fields, ...details });
  } catch {
    return new ApiError(response.status, `the server answered ${response.status}`);
  }
}

/** A sentence for people. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof DOMException && error.name === 'AbortError') return 'stopped';
  if (error instanceof TypeError) return 'the server cannot be reached';
  return error instanceof Error ? error.message : String(error);
}
