/** The commands with their options, read from the same help texts that people read: for completion and the manual. */
import type { Command } from '@cloister/server/program/command';

/** One line of the list of commands. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loaded only when it runs: `keys` does not need the web server. */
  readonly load: () => Promise<Command>;
  /** A command whose options this one accepts too. */
  readonly alsoTakes?: string;
}

/** An option of a command. */
export interface CommandOption {
  /** With dashes. */
  readonly flag: string;
  /** What stands for the value, for example `file` or `on|off`; undefined for an option without a value. */
  readonly value: string | undefined;
  readonly help: string;
}

/** A command, or a subcommand with a help text of its own. */
export interface CommandHelp {
  /** `models add` */
  readonly name: string;
  readonly summary: string;
  readonly help: string;
  readonly options: readonly CommandOption[];
  readonly subcommands: readonly CommandHelp[];
}

/** Reads the help of every command. */
export async function readCommandTree(entries: readonly CommandEntry[]): Promise<readonly CommandHelp[]> {
  const read = new Map<string, CommandHelp>();
  for (const entry of entries) read.set(entry.name, await readCommand(entry));
  return entries.map(({ name, alsoTakes }) => {
    const command = read.get(name)!;
    const others = alsoTakes === undefined ? [] : read.get(alsoTakes)!.options;
    return { ...command, options: unique([...command.options, ...others]) };
  });
}

async function readCommand({ name, summary, load }: CommandEntry): Promise<CommandHelp> {
  const command = await load();
  const help = await printedHelp(command, []);
  const subcommands: CommandHelp[] = [];
  for (const word of subcommandsOf(name, help)) {
    const own = await printedHelp(command, [word]);
    const text = own === help ? '' : own;
    subcommands.push({
      name: `${name} ${word}`,
      summary: new RegExp(`^  ${word}(?: [<[].*?)? {2,}(.+)$`, 'm').exec(help)?.[1] ?? '',
      help: text,
      options: optionsOf(own),
      subcommands: [],
    });
  }
  return { name, summary, help, options: optionsOf(help), subcommands };
}

async function printedHelp(command: Command, words: readonly string[]): Promise<string> {
  let text = '';
  const stdout = { write: (part: string) => (text += part) };
  await command.run([...words, '--help'], { stdout, stderr: { write: () => undefined }, env: {}, cwd: '/' });
  return text;
}

/** From the usage lines, else from the list of commands below them. */
function subcommandsOf(name: string, help: string): readonly string[] {
  const usage = help.slice(0, help.indexOf('\n\n'));
  const words = [...usage.matchAll(new RegExp(`cloister ${name} ([a-z][a-z-]*)`, 'g'))].map(([, word]) => word!);
  const choices = new RegExp(`cloister ${name} <([a-z|]+\\|[a-z]+)>`).exec(usage)?.[1]?.split('|') ?? [];
  if (!usage.includes(`cloister ${name} <command>`)) return [...new Set([...words, ...choices])];
  return [...help.matchAll(/^ {2}([a-z][a-z-]*)(?: [<[].*?)? {2,}\S/gm)].map(([, word]) => word!);
}

/** `  --starts, --ends <time>  description` */
const optionLine = /^ {2}(--?[a-z-]+(?: <[^>]*>)?(?:, --?[a-z-]+(?: <[^>]*>)?)*)(?:\s+(.*))?$/;

/** Options begin in the third column; further lines of a description are indented more deeply. */
export function optionsOf(help: string): readonly CommandOption[] {
  const found: CommandOption[] = [];
  let open: { flags: CommandOption[] } | undefined;
  for (const line of help.split('\n')) {
    const [, head, text = ''] = optionLine.exec(line) ?? [];
    if (head !== undefined) {
      open = { flags: flagsOf(head, text) };
      found.push(...open.flags);
    } else if (open !== undefined && /^ {6,}\S/.test(line)) {
      for (const flag of open.flags) {
        const index = found.indexOf(flag);
        const joined = { ...flag, help: `${flag.help} ${line.trim()}`.trim() };
        found[index] = joined;
        open.flags[open.flags.indexOf(flag)] = joined;
      }
    } else open = undefined;
  }
  return unique(found);
}

/** `--starts, --ends <time>`: the value belongs to all flags before it. */
function flagsOf(head: string, help: string): CommandOption[] {
  const options: CommandOption[] = [];
  let value: string | undefined;
  for (const part of head.split(', ').toReversed()) {
    const [, flag, own] = /^(--?[a-z-]+)(?: <([^>]*)>)?/.exec(part) ?? [];
    value = own ?? value;
    if (flag !== undefined) options.unshift({ flag, value, help });
  }
  return options;
}

function unique(options: readonly CommandOption[]): readonly CommandOption[] {
  return [...new Map(options.map((option) => [option.flag, option])).values()];
}

/** How a value is completed: the names of files or folders, one of some words, or not at all. */
export function valueKind(value: string): 'file' | 'folder' | readonly string[] | undefined {
  if (/^[a-z]+(\|[a-z]+)+$/.test(value)) return value.split('|');
  if (value === 'folder') return 'folder';
  return ['file', 'pem', 'bundle', 'disk', 'log', 'xml', 'der,…'].includes(value) ? 'file' : undefined;
}
