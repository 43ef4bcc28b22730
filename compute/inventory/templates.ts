/** What pods can be made from: the operator's catalogue, read from a file and kept for two minutes (C-073). */
import { ServerError } from '@cloister/server/http/errors';
import { ComputeError } from '../base/errors.ts';
import { findMismatch, type JsonSchema, objectOf } from '../base/json-schema.ts';

export interface StandardTemplate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly default: boolean;
  readonly image: string;
  readonly commands: readonly string[];
  readonly args: readonly string[];
  readonly ports: readonly number[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ConfidentialTemplate {
  readonly uid: string;
  readonly name: string;
  readonly description: string;
  readonly type: 'SERVERLESS' | 'RENTAL';
  readonly image: string;
  readonly resource_name: string;
  readonly visibility: 'PUBLIC';
  readonly commands: readonly string[];
  readonly args: readonly string[];
  readonly ports: readonly number[];
  readonly env: Readonly<Record<string, string>>;
}

export interface TemplateCatalogue {
  readonly standard: readonly StandardTemplate[];
  readonly confidential: readonly ConfidentialTemplate[];
}

const text: JsonSchema = { type: 'string', maxLength: 2_000 };
const texts: JsonSchema = { type: 'array', items: text, maxItems: 64 };
const start = {
  commands: texts,
  args: texts,
  ports: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 65_535 }, maxItems: 16 },
  env: { type: 'object', additionalProperties: text, maxProperties: 32 },
} as const satisfies Record<string, JsonSchema>;
const named = { name: text, description: text, image: text } as const;
const optional = ['commands', 'args', 'ports', 'env', 'description'];

const schema = objectOf(
  {
    standard: {
      type: 'array',
      items: objectOf(
        { ...start, ...named, id: text, category: text, default: { type: 'boolean' } },
        { optional: [...optional, 'default', 'category'] },
      ),
    },
    confidential: {
      type: 'array',
      items: objectOf(
        {
          ...start,
          ...named,
          uid: text,
          type: { type: 'string', enum: ['SERVERLESS', 'RENTAL'] },
          resource_name: text,
        },
        { optional },
      ),
    },
  },
  { optional: ['standard', 'confidential'] },
);

const startDefaults = { commands: [], args: [], ports: [], env: {}, description: '' };

/** @throws {ServerError} ERR_CONFIG */
export function parseTemplates(raw: unknown): TemplateCatalogue {
  const mismatch = findMismatch(schema, raw)?.replace('the request body', 'the file');
  if (mismatch !== undefined) throw new ServerError('ERR_CONFIG', `templates: ${mismatch}`);
  const file = raw as { standard?: StandardTemplate[]; confidential?: ConfidentialTemplate[] };
  const standard = (file.standard ?? []).map(
    (one): StandardTemplate => ({
      ...startDefaults,
      ...one,
      category: one.category ?? '',
      default: one.default === true,
    }),
  );
  const defaults = standard.filter((one) => one.default).length;
  if (standard.length > 0 && defaults !== 1) {
    throw new ServerError(
      'ERR_CONFIG',
      `templates: exactly one standard template must be the default, got ${defaults}`,
    );
  }
  const confidential = (file.confidential ?? []).map(
    (one): ConfidentialTemplate => ({ ...startDefaults, ...one, visibility: 'PUBLIC' }),
  );
  return { standard, confidential };
}

const catalogueMs = 120_000;
const retrySeconds = 5;

export class Templates {
  readonly #load: () => Promise<unknown>;
  readonly #now: () => number;
  #known: { at: number; catalogue: TemplateCatalogue } | undefined;

  /** @param load reads the catalogue, as JSON · `now` milliseconds that only go forward */
  constructor({ load, now }: { load: () => Promise<unknown>; now: () => number }) {
    this.#load = load;
    this.#now = now;
  }

  /** An old catalogue is better than none. @throws {ComputeError} UNAVAILABLE where none was ever read */
  async catalogue(): Promise<TemplateCatalogue> {
    const now = this.#now();
    if (this.#known !== undefined && now - this.#known.at < catalogueMs) return this.#known.catalogue;
    try {
      this.#known = { at: now, catalogue: parseTemplates(await this.#load()) };
    } catch (cause) {
      if (this.#known === undefined) {
        throw new ComputeError('UNAVAILABLE', 'the templates are unavailable for the moment: try again', {
          cause,
          retryAfterSeconds: retrySeconds,
          fields: { charged: false },
        });
      }
    }
    return this.#known.catalogue;
  }
}
