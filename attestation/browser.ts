/** The public API in web pages: `index.ts` and a fetch that seals request bodies. */

export { type SealedFetchOptions, sealedFetch } from './client/sealed-fetch.ts';
export * from './index.ts';
