/** `GET /.well-known/hpke-keys`: the key that bodies are sealed to. It needs no API key, and evidence has to vouch for it. */

import { SEALING_KEYS_PATH, SEALING_KEYS_TYPE } from '@cloister/attestation/sealed/protocol';
import type { FastifyInstance } from 'fastify';
import type { SealingKey } from '../../enclave/sealing-key.ts';

export function hpkeKeyRoutes(app: FastifyInstance, { key }: { key: Pick<SealingKey, 'keyConfig'> }): void {
  app.get(SEALING_KEYS_PATH, async (_request, reply) => reply.type(SEALING_KEYS_TYPE).send(Buffer.from(key.keyConfig)));
}
