/** The operator's catalogue of pod templates, read from a file and cached for two minutes (C-073). */
import { isDeepStrictEqual } from 'node:util';
import { ServerError } from '@cloister/server/http/errors';
import { Type } from '@cloister/server/schema/type';
import { ComputeError } from '../base/errors.ts';
import { fileReader } from '../base/readers.ts';
import { closed } from '../base/schemas.ts';

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

const text = Type.String({ maxLength: 2_000 });
const texts = Type.Optional(Type.Array(text, { maxItems: 64 }));
const common = {
  name: text,
  description: Type.Optional(text),
  image: text,
  commands: texts,
  args: texts,
  ports: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), { maxItems: 16 })),
  env: Type.Optional(Type.Record(Type.String(), text, { maxProperties: 32 })),
};

const standardEntry = Type.Object(
  { ...common, id: text, category: Type.Optional(text), default: Type.Optional(Type.Boolean()) },
  closed,
);
const confidentialEntry = Type.Object(
  { ...common, uid: text, type: Type.Enum(['SERVERLESS', 'RENTAL']), resource_name: text },
  closed,
);

const catalogueSchema = Type.Object(
  {
    standard: Type.Optional(Type.Array(standardEntry)),
    confidential: Type.Optional(Type.Array(confidentialEntry)),
  },
  closed,
);

const startDefaults = { commands: [], args: [], ports: [], env: {}, description: '' };

/** @throws {ServerError} ERR_CONFIG */
export function parseTemplates(raw: unknown): TemplateCatalogue {
  const file = fileReader.read(catalogueSchema, raw, 'templates');
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

  /** @param load reads the catalogue as parsed JSON · `now` monotonic milliseconds */
  constructor({ load, now }: { load: () => Promise<unknown>; now: () => number }) {
    this.#load = load;
    this.#now = now;
  }

  /** Reads the catalogue again. @returns whether it changed · @throws {ServerError} ERR_CONFIG; the known one then stays */
  async reload(): Promise<boolean> {
    const catalogue = parseTemplates(await this.#load());
    const isChanged = this.#known !== undefined && !isDeepStrictEqual(this.#known.catalogue, catalogue);
    this.#known = { at: this.#now(), catalogue };
    return isChanged;
  }

  /** Serves the previous catalogue if the file cannot be read. @throws {ComputeError} UNAVAILABLE if it was never read */
  async catalogue(): Promise<TemplateCatalogue> {
    const now = this.#now();
    if (this.#known !== undefined && now - this.#known.at < catalogueMs) return this.#known.catalogue;
    try {
      this.#known = { at: now, catalogue: parseTemplates(await this.#load()) };
    } catch (cause) {
      if (this.#known === undefined) {
        throw new ComputeError('UNAVAILABLE', 'the templates are temporarily unavailable: try again', {
          cause,
          retryAfterSeconds: retrySeconds,
          fields: { charged: false },
        });
      }
    }
    return this.#known.catalogue;
  }
}
