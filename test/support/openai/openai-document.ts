/**
 * OpenAI's published OpenAPI document, which is not part of this project: OPENAI_OPENAPI names a copy, in JSON or YAML. Tests that
 * need it are skipped with a printed reason if the variable is not set.
 * @see https://github.com/openai/openai-openapi
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

type Schema = Record<string, unknown>;
type Check = ReturnType<Ajv2020['compile']>;

interface Document {
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const path = process.env.OPENAI_OPENAPI;

export const hasOpenAiDocument = path !== undefined && path !== '';

/** For the title of a `describe.skipIf(!hasOpenAiDocument)`. */
export const openAiDocumentNote = hasOpenAiDocument ? '' : ' (skipped: OPENAI_OPENAPI names no file)';

export class OpenAiSchemas {
  readonly version: string;
  readonly #schemas: Document['components']['schemas'];
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #checks = new Map<string, Check>();

  constructor(document: Document) {
    this.version = document.info.version;
    this.#schemas = document.components.schemas;
    this.#ajv.addSchema({ $id: 'openai', components: withNulls({ schemas: this.#schemas }) });
  }

  /** @returns one line per violation of the schema of this name */
  violations(name: string, value: unknown): string[] {
    const check = this.#checkOf(name);
    if (check(value)) return [];
    return [...new Set((check.errors ?? []).map((error) => `${name}${error.instancePath}: ${error.message}`))];
  }

  /**
   * As `violations`, for a schema that is a list of alternatives: reports those of the alternative for the `type` of the value.
   * @returns a line for a type that no alternative has
   */
  violationsByType(name: string, value: { readonly type?: unknown }): string[] {
    const { anyOf = [] } = this.#schemas[name] as { anyOf?: readonly { $ref: string }[] };
    const names = anyOf.map(({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1));
    const found = names.find((one) => typesOf(this.#schemas[one]).includes(value.type));
    return found === undefined ? [`${name}: no event has the type ${value.type}`] : this.violations(found, value);
  }

  #checkOf(name: string): Check {
    const known = this.#checks.get(name);
    if (known !== undefined) return known;
    if (this.#schemas[name] === undefined) throw new Error(`OpenAI's document has no schema ${name}`);
    const check = this.#ajv.compile({ $ref: `openai#/components/schemas/${name}` });
    this.#checks.set(name, check);
    return check;
  }
}

let schemas: OpenAiSchemas | undefined;

/** @throws if OPENAI_OPENAPI names no file */
export function openAiSchemas(): OpenAiSchemas {
  if (path === undefined) throw new Error('OPENAI_OPENAPI is not set');
  // Reading the document takes seconds.
  const text = readFileSync(path, 'utf8');
  schemas ??= new OpenAiSchemas(path.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1 }));
  return schemas;
}

function typesOf(schema: Schema | undefined): readonly unknown[] {
  const { type } = (schema?.properties ?? {}) as { type?: { enum?: readonly unknown[]; const?: unknown } };
  return type?.enum ?? (type?.const === undefined ? [] : [type.const]);
}

/** The document's version of OpenAPI has no `nullable`, which many of its schemas use. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = value as Schema;
  const read = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, withNulls(member)]));
  return nullable === true ? { anyOf: [read, { type: 'null' }] } : read;
}
