/** Says on every answer which keyset serves it, and whether that is proven by hardware or only simulated. */
import { aciVersion } from '@cloister/attestation/aci/report';
import type { FastifyInstance } from 'fastify';
import type { Enclave } from '../../enclave/enclave.ts';

/** Hints, no proof: what counts is the report and the receipt. Without an enclave there is nothing to say. */
export function showIdentity(app: FastifyInstance, { enclave }: { enclave: () => Enclave | undefined }): void {
  app.addHook('onRequest', (_request, { raw }, next) => {
    const own = enclave();
    if (own !== undefined) {
      // On the raw answer, so that streams which leave the framework have them too.
      raw.setHeader('x-aci-version', aciVersion);
      raw.setHeader('x-aci-keyset-digest', own.identity.digest);
      // What is only simulated must never look like the real thing (I-048).
      raw.setHeader('x-confidential', own.isSimulated ? 'simulated' : 'true');
    }
    next();
  });
}
