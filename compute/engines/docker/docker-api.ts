/**
 * The Docker Engine API as requests. Below it dockerode carries them (unix socket, TLS, SSH); its own methods are not
 * used, because they repeat a body's fields in the address, where servers log them.
 */
import type Docker from 'dockerode';
import type { Question } from '../question.ts';
import { ask } from './ask.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without a version: the engine's own is used. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** A tar archive, instead of a body. */
  readonly archive?: Buffer;
  readonly registryAuth?: RegistryAuth;
}

/** Of `X-Registry-Auth`. */
export interface RegistryAuth {
  readonly username: string;
  readonly password: string;
  readonly serveraddress: string;
}

const answeredWell = { 200: true, 201: true, 204: true, 304: true };
/** Of one line of a stream; longer ones end it. */
const lineCharsMax = 1024 * 1024;
const outputBytesMax = 64 * 1024;

export class DockerApi {
  readonly #docker: Docker;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** @throws {Refusal} · {EngineError} as `ask` */
  send<Answer>(question: Question, request: ApiRequest): Promise<Answer> {
    return ask(question, (signal) => this.#dial<Answer>(request, signal, false));
  }

  /** Reads an answer of lines of JSON to its end. @param each called with every line */
  async readAll(question: Question, request: ApiRequest, each: (line: unknown) => void): Promise<void> {
    await ask(question, async (signal) => {
      for await (const line of this.lines(request, signal)) each(line);
    });
  }

  /** @returns the lines of an answer that does not end; undefined comes first, once it is connected */
  async *lines(request: ApiRequest, signal: AbortSignal): AsyncGenerator<unknown> {
    const stream = await this.#dial<NodeJS.ReadableStream & { destroy(): void }>(request, signal, true);
    yield undefined;
    let rest = '';
    try {
      for await (const chunk of stream) {
        const parts = (rest + String(chunk)).split('\n');
        rest = parts.pop()!;
        if (rest.length > lineCharsMax) throw new Error('a line of the engine is too long');
        for (const part of parts) if (part.trim() !== '') yield JSON.parse(part);
      }
      if (rest.trim() !== '') yield JSON.parse(rest);
    } finally {
      stream.destroy();
    }
  }

  /**
   * Runs a program of the container's own.
   * @returns what it printed on standard output, or undefined where it could not be run or failed
   */
  async run(question: Question, containerId: string, command: readonly string[]): Promise<string | undefined> {
    const asked = { AttachStdout: true, AttachStderr: true, Cmd: command, User: '0:0' };
    const { Id } = await this.send<{ Id: string }>(question, {
      method: 'POST',
      path: `/containers/${containerId}/exec`,
      body: asked,
    });
    const start: ApiRequest = { method: 'POST', path: `/exec/${Id}/start`, body: { Detach: false, Tty: false } };
    const output = await ask(question, async (signal) => {
      const stream = await this.#dial<NodeJS.ReadableStream>(start, signal, true);
      return readOutput(stream);
    });
    const { ExitCode } = await this.send<{ ExitCode: number }>(question, { method: 'GET', path: `/exec/${Id}/json` });
    return ExitCode === 0 ? output : undefined;
  }

  #dial<Answer>(request: ApiRequest, signal: AbortSignal, isStream: boolean): Promise<Answer> {
    const { method, path, query = {}, body, archive, registryAuth } = request;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = {
      path: `${path}?`,
      method,
      // The client would otherwise send what it finds here both in the address and in the body.
      options: { _query: query, _body: body ?? {} },
      ...(archive === undefined ? {} : { file: archive }),
      ...(registryAuth === undefined ? {} : { authconfig: registryAuth }),
      // An empty body is sent where one was given: podman reads one from every commit.
      allowEmpty: body !== undefined,
      abortSignal: signal,
      isStream,
      statusCodes: answeredWell,
    };
    this.#docker.modem.dial(options, (error: unknown, answer: unknown) => {
      if (error) reject(error);
      else resolve(answer as Answer);
    });
    return promise;
  }
}

/** Takes standard output from a stream in which each piece has a header of 8 bytes: kind, three zeros, length. */
async function readOutput(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > outputBytesMax) throw new Error('a program in the container printed too much');
    chunks.push(Buffer.from(chunk));
  }
  const all = Buffer.concat(chunks);
  let text = '';
  for (let at = 0; at + 8 <= all.length; ) {
    const length = all.readUInt32BE(at + 4);
    if (all[at] === 1) text += all.toString('utf8', at + 8, at + 8 + length);
    at += 8 + length;
  }
  return text;
}
