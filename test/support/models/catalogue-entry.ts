/** A valid catalogue entry, and a function that changes one of its fields. */
import { parseCatalogue } from '../../../models/catalogue/catalogue.ts';

export const digest = 'a'.repeat(64);
export const entry = {
  id: 'tiny-TEE',
  kind: 'llama-text',
  name: 'Tiny',
  source: { kind: 'hub', repository: 'acme/tiny', revision: 'b'.repeat(40), files: ['tiny.gguf'] },
  files: [{ path: 'acme/tiny/tiny.gguf', sha256: digest, bytes: 42 }],
  contextLength: 2048,
  capabilities: ['streaming'],
  pricing: { promptPerMillion: 150_000, completionPerMillion: 600_000 },
  plans: ['free', 'team-starter'],
};

export function parseChanged(change: object, rest: object = {}) {
  return parseCatalogue(JSON.stringify({ version: 1, models: [{ ...entry, ...change }], ...rest }), 'c.json');
}
