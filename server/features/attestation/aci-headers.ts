/** Adds headers to every answer: the keyset of the server, and whether its attestation is simulated. */
import { aciVersion } from '@cloister/attestation/aci/report';
import type { FastifyInstance } from 'fastify';
import type { Enclave } from '../../enclave/enclave.ts';

/** The headers are hints; the report and the receipt are the evidence. Without an enclave there are no headers. */
export function showIdentity(app: FastifyInstance, { enclave }: { enclave: () => Enclave | undefined }): void {
  app.addHook('onRequest', (_request, { raw }, next) => {
    const own = enclave();
    if (own !== undefined) {
      // On the raw answer, so that hijacked streams have them too.
      raw.setHeader('x-aci-version', aciVersion);
      raw.setHeader('x-aci-keyset-digest', own.identity.digest);
      // A simulation must never look like a real enclave (I-048).
      raw.setHeader('x-confidential', own.isSimulated ? 'simulated' : 'true');
    }
    next();
  });
}
