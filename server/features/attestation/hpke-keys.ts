/** `GET /.well-known/hpke-keys`: the key for sealed bodies. It needs no API key. Clients verify the key by the evidence. */
import { sealingKeysPath, sealingKeysType } from '@cloister/attestation/sealed/protocol';
import type { FastifyInstance } from 'fastify';
import type { SealingKey } from '../../enclave/sealing-key.ts';

export function hpkeKeyRoutes(app: FastifyInstance, { key }: { key: Pick<SealingKey, 'keyConfig'> }): void {
  app.get(sealingKeysPath, async (_request, reply) => reply.type(sealingKeysType).send(Buffer.from(key.keyConfig)));
}
