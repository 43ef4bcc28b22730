/** What tenants import in a web page: everything of `index.ts`, and a fetch that seals what it sends. */

export { type SealedFetchOptions, sealedFetch } from './client/sealed-fetch.ts';
export * from './index.ts';
