/**
 * Requests to the Docker Engine API. dockerode transports them (unix socket, TLS, SSH); its own methods are not
 * used, because they repeat fields of the body in the URL, which servers log.
 */
import type Docker from 'dockerode';
import type { PodLogs } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { ask } from './ask.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without an API version, so the engine's default applies. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** A tar archive, sent instead of `body`. */
  readonly archive?: Buffer;
  readonly registryAuth?: RegistryAuth;
}

/** The content of the header `X-Registry-Auth`. */
export interface RegistryAuth {
  readonly username: string;
  readonly password: string;
  readonly serveraddress: string;
}

const successStatuses = { 200: true, 201: true, 204: true, 304: true };
/** Maximum length of one line of a stream; a longer line ends the stream with an error. */
const lineCharsMax = 1024 * 1024;
const outputBytesMax = 64 * 1024;
/** Read from an engine at most, since single lines can be long. */
const logBytesMax = 1024 * 1024;

export class DockerApi {
  readonly #docker: Docker;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** @throws {Refusal} · {EngineError}, as {@link ask} */
  send<Answer>(call: EngineCall, request: ApiRequest): Promise<Answer> {
    return ask(call, (signal) => this.#dial<Answer>(request, signal, false));
  }

  /** Reads a response of JSON lines to its end. @param each called with every line */
  async readAll(call: EngineCall, request: ApiRequest, each: (line: unknown) => void): Promise<void> {
    await ask(call, async (signal) => {
      for await (const line of this.lines(request, signal)) each(line);
    });
  }

  /** Streams a response of JSON lines. Yields undefined first, once it is connected. */
  async *lines(request: ApiRequest, signal: AbortSignal): AsyncGenerator<unknown> {
    const stream = await this.#dial<NodeJS.ReadableStream & { destroy(): void }>(request, signal, true);
    yield undefined;
    let rest = '';
    try {
      for await (const chunk of stream) {
        const parts = (rest + String(chunk)).split('\n');
        rest = parts.pop()!;
        if (rest.length > lineCharsMax)
          throw new Error(`the engine sent a line of more than ${lineCharsMax} characters`);
        for (const part of parts) if (part.trim() !== '') yield JSON.parse(part);
      }
      if (rest.trim() !== '') yield JSON.parse(rest);
    } finally {
      stream.destroy();
    }
  }

  /**
   * Runs a program inside a container.
   * @returns its standard output, or undefined if it could not be run or failed
   */
  async run(call: EngineCall, containerId: string, command: readonly string[]): Promise<string | undefined> {
    const asked = { AttachStdout: true, AttachStderr: true, Cmd: command, User: '0:0' };
    const { Id } = await this.send<{ Id: string }>(call, {
      method: 'POST',
      path: `/containers/${containerId}/exec`,
      body: asked,
    });
    const start: ApiRequest = { method: 'POST', path: `/exec/${Id}/start`, body: { Detach: false, Tty: false } };
    const output = await ask(call, async (signal) => {
      const stream = await this.#dial<NodeJS.ReadableStream>(start, signal, true);
      return readOutput(stream);
    });
    const { ExitCode } = await this.send<{ ExitCode: number }>(call, { method: 'GET', path: `/exec/${Id}/json` });
    return ExitCode === 0 ? output : undefined;
  }

  /** Reads the last lines of a container's output. */
  async logs(call: EngineCall, containerId: string, { linesMax }: { linesMax: number }): Promise<PodLogs> {
    const query = { stdout: true, stderr: true, timestamps: true, tail: linesMax };
    const request: ApiRequest = { method: 'GET', path: `/containers/${containerId}/logs`, query };
    return await ask(call, async (signal) => {
      return await readLogs(await this.#dial<NodeJS.ReadableStream>(request, signal, true));
    });
  }

  #dial<Answer>(request: ApiRequest, signal: AbortSignal, isStream: boolean): Promise<Answer> {
    const { method, path, query = {}, body, archive, registryAuth } = request;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = {
      path: `${path}?`,
      method,
      // Without this split, the client sends the options both in the URL and in the body.
      options: { _query: query, _body: body ?? {} },
      ...(archive === undefined ? {} : { file: archive }),
      ...(registryAuth === undefined ? {} : { authconfig: registryAuth }),
      // Sends an empty body if one was given: podman requires a body for commits.
      allowEmpty: body !== undefined,
      abortSignal: signal,
      isStream,
      statusCodes: successStatuses,
    };
    this.#docker.modem.dial(options, (error: unknown, answer: unknown) => {
      if (error) reject(error);
      else resolve(answer as Answer);
    });
    return promise;
  }
}

/** Extracts standard output. */
async function readOutput(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > outputBytesMax) throw new Error(`a program in the container printed more than ${outputBytesMax} bytes`);
    chunks.push(Buffer.from(chunk));
  }
  return framesOf(Buffer.concat(chunks))
    .filter(({ stream: number }) => number === 1)
    .map(({ text }) => text)
    .join('');
}

/** Output and errors in the order in which they were printed. Reads at most `logBytesMax`, and keeps the end. */
async function readLogs(stream: NodeJS.ReadableStream): Promise<PodLogs> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > logBytesMax) break;
  }
  const text = Buffer.from(
    framesOf(Buffer.concat(chunks))
      .map((frame) => frame.text)
      .join(''),
  );
  // From the beginning of a line, so that no character is cut.
  const surplus = Math.max(0, text.length - outputBytesMax);
  const lineEnd = surplus === 0 ? -1 : text.indexOf(10, surplus);
  const from = lineEnd === -1 ? surplus : lineEnd + 1;
  return { text: text.toString('utf8', from), isCut: from > 0 || bytes > logBytesMax };
}

/** Splits a stream of frames with a header of 8 bytes: number of the stream, three zeros, length. */
function framesOf(all: Buffer): { readonly stream: number; readonly text: string }[] {
  const frames = [];
  for (let at = 0; at + 8 <= all.length; ) {
    const length = all.readUInt32BE(at + 4);
    frames.push({ stream: all[at]!, text: all.toString('utf8', at + 8, at + 8 + length) });
    at += 8 + length;
  }
  return frames;
}
