/** A value that satisfies a schema, with the required fields only. */
import { type OpenApiDocument, resolve, type Schema } from './document.ts';

const depthMax = 6;

export function exampleOf(schema: Schema, document: OpenApiDocument, depth = 0): unknown {
  const { schema: known } = resolve(schema, document);
  const { examples, const: constant, enum: values, anyOf, oneOf, items, properties, required = [] } = known;
  if (examples?.[0] !== undefined) return examples[0];
  if (known.default !== undefined) return known.default;
  if (constant !== undefined) return constant;
  if (values !== undefined) return values[0];
  const alternative = (anyOf ?? oneOf)?.[0];
  if (alternative !== undefined) return exampleOf(alternative, document, depth + 1);
  if (depth > depthMax) return null;
  if (items !== undefined) return [exampleOf(items, document, depth + 1)];
  if (properties !== undefined) {
    const named = required.filter((name) => properties[name] !== undefined);
    return Object.fromEntries(named.map((name) => [name, exampleOf(properties[name]!, document, depth + 1)]));
  }
  return scalarOf(known);
}

function scalarOf({ type, minimum }: Schema): unknown {
  const [kind] = [type ?? 'string'].flat();
  if (kind === 'integer' || kind === 'number') return minimum ?? 1;
  if (kind === 'boolean') return false;
  if (kind === 'null') return null;
  return kind === 'object' ? {} : 'text';
}
