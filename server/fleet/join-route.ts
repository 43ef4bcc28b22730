/** `/v1/fleet/join`: a starting node gets a nonce, then the sealed secrets of the fleet. Needs no key: evidence takes its place. */
import { joinRequestCharactersMax } from '@cloister/attestation/fleet/join';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { receiveBody } from '../bodies/receive.ts';
import { ReceivingTurns } from '../bodies/receiving-turns.ts';
import { whenCallerLeaves } from '../http/caller-signal.ts';
import { clientNetwork } from '../http/client-network.ts';
import { bodyTooLarge } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';
import type { SecretGiver } from './secret-giver.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The nonce of an admitted attempt to join. */
    joinNonce: string | undefined;
  }
}

/** @param options.giver undefined if this server gives no secrets */
export function joinRoutes(app: FastifyInstance, { giver }: { readonly giver: SecretGiver | undefined }): void {
  const json = 'application/json; charset=utf-8';
  app.get('/fleet/join', async (request, reply) => {
    return reply.type(json).send(requireGiver(giver).challenge(clientNetwork(request.ip)));
  });
  app.register(async (scope) => {
    const turns = new ReceivingTurns();
    scope.decorateRequest('joinNonce', undefined);
    scope.removeAllContentTypeParsers();
    // The other routes parse JSON at once; these texts are parsed strictly, and only after the attempt was admitted.
    scope.addContentTypeParser('application/json', (request: FastifyRequest, payload: FastifyRequest['raw']) =>
      receiveText(request, payload, turns),
    );
    scope.post<{ Querystring: Record<string, unknown>; Body: Buffer | undefined }>(
      '/fleet/join',
      {
        bodyLimit: joinRequestCharactersMax,
        onRequest: async (request, reply) => {
          const admitting = requireGiver(giver);
          request.joinNonce = admitting.admit(clientNetwork(request.ip), request.query.nonce);
          reply.raw.once('close', () => admitting.end());
        },
      },
      async (request, reply) => {
        const { body, joinNonce } = request;
        if (!Buffer.isBuffer(body)) throw new ServerError('ERR_REQUEST_INVALID', 'the request has no body');
        const call = { nonce: joinNonce!, signal: whenCallerLeaves(reply) };
        return reply.type(json).send(await requireGiver(giver).give(body, call));
      },
    );
  });
}

async function receiveText(
  { headers, ip }: FastifyRequest,
  payload: FastifyRequest['raw'],
  turns: ReceivingTurns,
): Promise<Buffer> {
  const length = headers['content-length'];
  const pieces = await receiveBody(payload, {
    ...{ turns, bytesMax: joinRequestCharactersMax, account: ip },
    contentLength: length === undefined ? undefined : Number(length),
    tooLarge: () => bodyTooLarge(joinRequestCharactersMax),
  });
  return Buffer.concat(pieces);
}

function requireGiver(giver: SecretGiver | undefined): SecretGiver {
  if (giver !== undefined) return giver;
  throw new ServerError('ERR_ROUTE_UNKNOWN', 'this server gives no secrets: it runs without --fleet-secrets');
}
