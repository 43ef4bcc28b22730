/** Converts a reference (`hf:owner/name`, `url:https://…`, a path) to a catalogue entry with pinned digests. */
import { resolve } from 'node:path';
import { type CatalogueEntry, idForFile } from '../catalogue/catalogue.ts';
import { requireSafeUrl } from '../files/safe-url.ts';
import { ModelError } from '../interface/errors.ts';
import type { PinnedWeights, PinOptions, Reference } from './pin.ts';
import { pinPath } from './pin-path.ts';
import { pinHub, pinUrls } from './pin-remote.ts';

const contextLengthFallback = 4096;

/** @throws {ModelError} ERR_REFERENCE_INVALID, ERR_URL_REFUSED */
export function parseReference(text: string, cwd: string): Reference {
  if (text.startsWith('hf:')) {
    const match = /^hf:([\w.-]+\/[\w.-]+)(?:@([^:\s]+))?(?::(\S.*))?$/.exec(text);
    const [, repository, revision = 'main', file] = match ?? [];
    if (repository !== undefined) return { kind: 'hub', repository, revision, file };
    throw new ModelError('ERR_REFERENCE_INVALID', `${JSON.stringify(text)} must be hf:owner/name[@revision][:file]`);
  }
  if (text.startsWith('path:')) return { kind: 'path', path: resolve(cwd, text.slice(5)) };
  if (text.startsWith('url:')) return { kind: 'url', url: requireSafeUrl(text.slice(4)).href };
  if (/^\w+:\/\//.test(text)) {
    throw new ModelError('ERR_REFERENCE_INVALID', `${JSON.stringify(text)} is an address: write url:${text}`);
  }
  return { kind: 'path', path: resolve(cwd, text) };
}

/** Determines digests, sizes and parts. @throws {ModelError} see `hub.ts` and `digest.ts` */
export async function pinWeights(reference: Reference, options: PinOptions): Promise<PinnedWeights> {
  switch (reference.kind) {
    case 'hub':
      return pinHub(reference, options);
    case 'url':
      return pinUrls(reference, options);
    case 'path':
      return pinPath(reference, options);
  }
}

/**
 * @param previous the existing entry with this id; its other fields are kept
 * @param given fields that the user set explicitly
 */
export function buildEntry(
  { stem, source, files, facts }: PinnedWeights,
  { previous, given }: { previous: CatalogueEntry | undefined; given: Partial<CatalogueEntry> },
): CatalogueEntry {
  const { kind, capabilities } = facts;
  // Settings of one kind do not apply to another.
  const kept = previous?.kind === kind ? previous : undefined;
  const contextLength = given.contextLength ?? kept?.contextLength ?? facts.contextLength ?? contextLengthFallback;
  const fallback = {
    id: idForFile(stem),
    name:
      (facts.name ?? stem)
        .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
        .trim()
        .slice(0, 200) || 'model',
    maxOutputTokens: contextLength,
    capabilities,
    pricing: { promptPerMillion: 0, completionPerMillion: 0 },
    plans: ['*'],
  } as const;
  const adapters = kept?.adapters?.filter(({ path }) => files.some((file) => file.path === path)) ?? [];
  const entry = { ...fallback, ...kept, ...given, kind, source, files, contextLength, adapters: undefined };
  const maxOutputTokens = Math.min(entry.maxOutputTokens, contextLength);
  return { ...entry, maxOutputTokens, ...(adapters.length > 0 && { adapters }) };
}
