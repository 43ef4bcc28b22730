/** Creates parts of `@huggingface/tokenizers` by name; its module exports them, its types do not. */
import * as library from '@huggingface/tokenizers';

type PartClass<Part> = new (config: object) => Part;

/** @throws {Error} if the library has no such part */
export function libraryPart<Part>(name: string, config: object): Part {
  const Part = (library as unknown as Readonly<Record<string, PartClass<Part> | undefined>>)[name];
  if (Part === undefined) throw new Error(`${name} is not supported`);
  return new Part(config);
}
