/** The manual page of `cloister`, in the language of man(7), generated from the commands' help. */
import { type CommandEntry, type CommandHelp, readCommandTree } from './command-tree.ts';

/** @param help of the program itself; its exit codes are a section of the page */
export async function manualPage(
  entries: readonly CommandEntry[],
  { version, help }: { version: string; help: string },
): Promise<string> {
  const commands = await readCommandTree(entries);
  const sections = commands.flatMap((command) => [command, ...command.subcommands.filter((one) => one.help !== '')]);
  const exitCodes = help.slice(help.indexOf('Exit codes: ') + 'Exit codes: '.length);
  return [
    `.TH CLOISTER 1 "" "cloister ${version}" "User Commands"`,
    '.SH NAME\ncloister \\- inference for confidential virtual machines',
    '.SH SYNOPSIS\n.B cloister\n.I command\n.RI [ options ]',
    `.SH COMMANDS\n${commands.map(({ name, summary }) => `.TP\n.B ${roff(name)}\n${line(summary)}`).join('\n')}`,
    ...sections.map(section),
    `.SH EXIT STATUS\n${paragraph(exitCodes)}`,
    '.SH ENVIRONMENT\nEach option of serve is also a variable: \\-\\-drain\\-timeout\\-s is CLOISTER_DRAIN_TIMEOUT_S.',
    '.SH FILES\n.TP\n.I .cloister\nstate folder of a server; see \\-\\-state\\-dir',
    '',
  ].join('\n');
}

/** The help text of one command: usage, paragraphs, options, and lines that keep their layout. */
function section({ name, help }: CommandHelp): string {
  const [usage = '', ...rest] = help.trimEnd().split(/\n\n+/);
  const lines = usage
    .replace('Usage: ', '')
    .split('\n')
    .map((one) => line(one.trim()));
  const body = rest.flatMap((part) => {
    const [first = '', ...others] = part.split('\n');
    if (/^[A-Z].*:$/.test(first)) return [`.PP\n.B ${line(first)}`, ...block(others)];
    return block([first, ...others]);
  });
  return [`.SH "CLOISTER ${name.toUpperCase()}"`, '.nf', ...lines, '.fi', ...body].join('\n');
}

function block(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  if (!lines.every((one) => one.startsWith('  '))) return [`.PP\n${paragraph(lines.join('\n'))}`];
  const width = /^ {2}-.*? {2,}(?=\S)/.exec(lines.find((one) => /^ {2}-.* {2,}\S/.test(one)) ?? '')?.[0].length;
  if (width === undefined) return ['.nf', ...lines.map(line), '.fi'];
  return lines.map((one) => {
    const [, option, description = ''] = /^ {2}(-.*?)(?: {2,}(.*))?$/.exec(one) ?? [];
    return option === undefined ? line(one.trim()) : `.TP\n.B ${line(option)}\n${line(description)}`.trimEnd();
  });
}

function paragraph(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((one) => line(one.trim()))
    .join('\n');
}

/** One line of text: a leading dot or quote would be a request of roff. */
function line(text: string): string {
  const escaped = roff(text);
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
}
