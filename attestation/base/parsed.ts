/** The outcome of parsing untrusted bytes once, so that every later step shares the value or the error. Pure. */

export type Parsed<T> = { readonly value: T } | { readonly error: unknown };

/** Never throws: what `parse` throws becomes the error. */
export function tryParse<T>(parse: () => T): Parsed<T> {
  try {
    return { value: parse() };
  } catch (error) {
    return { error };
  }
}

/** @throws the error of the parser */
export function parsedValue<T>(parsed: Parsed<T>): T {
  if ('value' in parsed) return parsed.value;
  throw parsed.error;
}

export function parsedOrUndefined<T>(parsed: Parsed<T>): T | undefined {
  return 'value' in parsed ? parsed.value : undefined;
}
