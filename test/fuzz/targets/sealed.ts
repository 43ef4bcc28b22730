/** Sealed bodies (EHBP): frames, key configurations and streams of events, and damaged bodies sent to the plugin. */
import fastify from 'fastify';
import { AttestationError } from '../../../attestation/base/errors.ts';
import { sealRequest } from '../../../attestation/sealed/client.ts';
import { EventStreamEnd } from '../../../attestation/sealed/event-stream-end.ts';
import { FrameReader } from '../../../attestation/sealed/frames.ts';
import { parseKeyConfig } from '../../../attestation/sealed/key-config.ts';
import { readJsonBodies } from '../../../server/bodies/json-body.ts';
import { createSealingKey } from '../../../server/enclave/sealing-key.ts';
import { filterAnswers } from '../../../server/http/answer-body.ts';
import { sendErrorReplies } from '../../../server/http/error-replies.ts';
import { openSealedBodies } from '../../../server/serving/sealed-body.ts';
import { Random } from '../../support/random.ts';
import { mutate } from '../mutation/bytes.ts';
import { bytesOf, canary, type FuzzTarget, refusalsOf } from '../target.ts';

const frameWords = [
  [0, 0, 0, 0],
  [0, 0, 0, 15],
  [0, 0, 0, 16],
  [0, 0, 4, 0],
  [0x7f, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0xff],
].map((word) => Uint8Array.from(word));

export const targets: readonly FuzzTarget[] = [sealedFrames(), sealedBodies(), keyConfigs(), eventStreams()];

/** The last byte of an input determines how it is split into pieces. */
function sealedFrames(): FuzzTarget {
  return {
    name: 'sealed-frames',
    summary: 'frames of sealed bodies: however the bytes are cut, the same frames come out',
    words: frameWords,
    open: () => ({
      isRefusal: refusalsOf(AttestationError, 'ERR_SEALED_MALFORMED'),
      run(input) {
        const whole = framesOf([input]);
        const pieceBytes = 1 + (input.at(-1) ?? 0);
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < input.length; at += pieceBytes) pieces.push(input.subarray(at, at + pieceBytes));
        if (framesOf(pieces) !== whole) throw new Error('the frames depend on how the bytes are split');
      },
    }),
  };
}

function framesOf(pieces: readonly Uint8Array[]): string {
  const reader = new FrameReader({ frameBytesMax: 4_096, framesMax: 64 });
  const frames = pieces.flatMap((piece) => reader.push(piece));
  reader.end();
  return frames.map((frame) => Buffer.from(frame).toString('hex')).join();
}

/** An input is a plaintext. It is sealed to a new key, mutated depending on its bytes, and sent. */
function sealedBodies(): FuzzTarget {
  return {
    name: 'sealed-bodies',
    summary: 'damaged sealed bodies, sent to an application that opens them',
    async open() {
      const key = createSealingKey();
      const app = fastify({ bodyLimit: 100_000 });
      sendErrorReplies(app);
      filterAnswers(app);
      openSealedBodies(app, { key, sealedOnly: true, bodyBytesMax: 100_000 });
      readJsonBodies(app, { threadUrl: new URL('../../../server/start/body-reader-thread.ts', import.meta.url) });
      app.post('/echo', async ({ body }) => ({ got: body }));
      await app.ready();
      return {
        isRefusal: () => false,
        async run(input) {
          const { request } = await sealRequest(
            new Request('https://cloister.test/echo', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: Buffer.from(input),
            }),
            key.publicKey,
          );
          const random = new Random(input.reduce((sum, byte) => Math.imul(sum, 31) + byte, 7));
          const payload = mutate(new Uint8Array(await request.arrayBuffer()), frameWords, random);
          const { statusCode, body } = await app.inject({
            ...{ method: 'POST', url: '/echo', payload: Buffer.from(payload) },
            headers: Object.fromEntries(request.headers),
          });
          if (statusCode >= 500) throw new Error(`responded with ${statusCode}: ${body}`);
          if (body.includes(canary)) throw new Error('the response contains the plaintext');
        },
        close: async () => app.close(),
      };
    },
  };
}

function keyConfigs(): FuzzTarget {
  return {
    name: 'sealing-keys',
    summary: 'key configurations of servers, as clients read them',
    words: [Uint8Array.of(0, 0x20), Uint8Array.of(0, 1, 0, 2), Uint8Array.of(0xff, 0xff)],
    open: () => ({
      isRefusal: refusalsOf(AttestationError, 'ERR_SEALED_MALFORMED'),
      run(input) {
        if (parseKeyConfig(input).length !== 32) throw new Error('a key is not 32 bytes');
      },
    }),
  };
}

function eventStreams(): FuzzTarget {
  return {
    name: 'event-streams',
    summary: 'ends of event streams: however the bytes are cut, the same verdict',
    words: ['data: [DONE]\n\n', 'event: message_stop\n', '\r\n', '\n', ':', 'event: error\n', 'data:'].map(bytesOf),
    open: () => ({
      isRefusal: () => false,
      run(input) {
        const [whole, single] = [new EventStreamEnd(), new EventStreamEnd()];
        whole.push(input);
        for (const byte of input) single.push(Uint8Array.of(byte));
        const differs = whole.isComplete !== single.isComplete || whole.isEventStream !== single.isEventStream;
        if (differs) throw new Error('the verdict depends on how the bytes are split');
      },
    }),
  };
}
