/**
 * Logs one line per request: id, method, route pattern, status, milliseconds. Never a URL, a body, a key or an account:
 * what is not written cannot leak (I-004). Fastify's own lines are therefore off, and errors are logged without their
 * messages.
 */
import { type FastifyInstance, LogController } from 'fastify';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { onRequestEnd } from './request-end.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The error code of a failed request, also if it failed after its headers were sent. */
    outcome: string | undefined;
  }
}

export type { Logger } from 'pino';

/** A logger that uses only our own serialisers. */
export function buildLogger({ level, destination }: { level: string; destination: DestinationStream }): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeFault, error: describeFault, req: () => undefined, res: () => undefined },
  };
  return pino(options, destination);
}

/** Disables Fastify's own lines, several of which contain the raw URL. */
export class NoFrameworkLines extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }
  override incomingRequest(): void {}
  override requestCompleted(): void {}
  override defaultErrorLog(): void {}
  override streamError(): void {}
  override routeNotFound(): void {}
  override writeHeadError(): void {}
  override serializerError(): void {}
  override serviceUnavailable(): void {}
}

/**
 * Writes the line when the response is complete or the client has disconnected. Successful health probes, which balancers send
 * every second, are lines of level debug.
 */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('outcome', undefined);
  onRequestEnd(app, (request, { status, ms }) => {
    const route = request.routeOptions.url ?? 'unknown';
    const level = route.startsWith('/health/') && status < 400 ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        code: request.outcome,
      },
      'request',
    );
  });
}

/** The kind and place of a fault, without its message: that of JSON.parse, for example, quotes the text. */
export function describeFault(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && /^[A-Z0-9_]{1,64}$/.test(String(error.code)) ? String(error.code) : undefined;
  const cause = error.cause === undefined ? undefined : describeFault(error.cause);
  return { type: error.name, code, reason: reasonOf(error), at: placesOf(error), cause };
}

/** The stack after the message, whose lines may look like stack lines; empty if the message was changed later. */
function placesOf({ stack = '', message }: Error): readonly string[] {
  const messageAt = stack.indexOf(message);
  const behind = messageAt < 0 ? '' : stack.slice(messageAt + message.length);
  return behind.split('\n').filter((line) => /^ {4}at /.test(line));
}

/**
 * A reason from a closed set, such as `devices_missing`: several joined words, which a caller's text does not match by
 * chance.
 */
function reasonOf(error: Error): string | undefined {
  const { reason } = error as { reason?: unknown };
  return typeof reason === 'string' && /^[a-z]{1,20}(_[a-z]{1,20}){1,3}$/.test(reason) ? reason : undefined;
}
