/** The public API in Node: `index.ts` and the clients that compare a server's TLS key with the attested one. */

export {
  type AttestedServer,
  type AttestServerOptions,
  attestServer,
  type CollateralChoice,
} from './client/attest-server.ts';
export { type AttestedFetch, type AttestedFetchOptions, attestedFetch } from './client/attested-fetch.ts';
export { type SealedFetchOptions, sealedFetch } from './client/sealed-fetch.ts';
export * from './index.ts';
