/** The foreign fields of an API that is not OpenAI's chat: advice in the names of its own fields. Pure. */
import { type ForeignFields, foreignFieldsExcept } from './foreign-fields.ts';
import { thinkingSwitches } from './thinking-switches.ts';

/** The API's own names for fields of a chat. */
export type FieldNames = Readonly<
  Partial<Record<'response_format' | 'reasoning_effort' | 'max_completion_tokens' | 'stop', string>>
>;

/** @param names the API's own names · @param own names of fields that the API reads, whose values its schema checks */
export function foreignFieldsFor(names: FieldNames, own: readonly string[]): ForeignFields {
  const isForeign = (name: string) => !own.includes(name);
  const renamed = Object.entries(names).filter(([name]) => isForeign(name));
  const switches = thinkingSwitches
    .filter(isForeign)
    .map((name) => [name, { instead: `\`${names.reasoning_effort}\`` }]);
  return Object.fromEntries([
    ...Object.entries(foreignFieldsExcept(own)).map(([name, field]) => [name, { ...field, ...advice(field, names) }]),
    ...switches,
    ...renamed.map(([name, ours]) => [name, { instead: `\`${ours}\`` }]),
    ...(isForeign('n') ? [['n', { neutral: [1], instead: 'as many requests' }]] : []),
  ]);
}

function advice({ instead }: ForeignFields[string], names: FieldNames): { readonly instead?: string } {
  if (instead === undefined) return {};
  return {
    instead: instead.replace(/`(\w+)`/g, (_, name: string) => `\`${(names as Record<string, string>)[name] ?? name}\``),
  };
}
