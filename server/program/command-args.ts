/** Parses the options of a command, with messages of our own for what is wrong. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { usageError } from './command.ts';
import { suggestion } from './suggestion.ts';

/** @param command for the reference to its help · @throws {ServerError} ERR_USAGE */
export function parseCommandArgs<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { command, options }: { command: string; options: Options },
) {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const { rawName, value } = token;
    if (option === undefined) {
      const known = Object.keys(options).map((name) => `--${name}`);
      throw usageError(`${rawName} is not an option${suggestion(rawName, known)}`, command);
    }
    if (option.type === 'boolean' && value !== undefined) throw usageError(`${rawName} takes no value`, command);
    if (option.type === 'string' && value === undefined) throw usageError(`${rawName} needs a value`, command);
    if (option.type === 'string' && token.inlineValue === false && value?.startsWith('-') && value.length > 1) {
      throw usageError(`${rawName} needs a value; write ${rawName}=${value} if this is the value`, command);
    }
  }
  return parseArgs({ args, options, allowPositionals: true, strict: true });
}
