/** What tenants import in Node: everything of `index.ts`, and what needs connections whose key it can see. */

export {
  type AttestedServer,
  type AttestServerOptions,
  attestServer,
  type CollateralChoice,
} from './client/attest-server.ts';
export { type AttestedFetch, type AttestedFetchOptions, attestedFetch } from './client/attested-fetch.ts';
export { type SealedFetchOptions, sealedFetch } from './client/sealed-fetch.ts';
export * from './index.ts';
