/** The help text of the settings: one paragraph per subject, one line per setting, wrapped on a terminal. */
import type { Setting } from './setting-kinds.ts';
import { flagName, settingGroups } from './settings.ts';

/** An option and its description. */
export type OptionHelp = readonly [option: string, help: string];

/** Longer options have their description on the next line. */
const optionColumnsMax = 38;
/** A narrower description is not readable. */
const descriptionColumnsMin = 30;

/**
 * @param more options of the command itself, in a paragraph of their own
 * @param columns of the terminal; undefined: lines are not wrapped
 */
export function settingsHelp(more: readonly OptionHelp[] = [], columns?: number): string {
  const groups = settingGroups.map(({ title, settings }) => ({
    title,
    options: Object.entries(settings).map(([key, setting]) => settingLine(key, setting)),
  }));
  const all = more.length === 0 ? groups : [...groups, { title: 'Other', options: more }];
  const paragraphs = all.map(({ title, options }) => `${title}:\n${optionLines(options, columns)}`);
  return paragraphs.join('\n');
}

/** `--port <0…65535>` and its description, with the default in brackets. */
function settingLine(key: string, setting: Setting<unknown>): OptionHelp {
  const { fallback, placeholder, range, help } = setting;
  const shown = typeof fallback === 'boolean' ? (fallback ? 'on' : 'off') : fallback;
  return [`--${flagName(key)} <${placeholder ?? range}>`, shown === undefined ? help : `${help} [${shown}]`];
}

/** Two columns: options, and their descriptions. */
function optionLines(options: readonly OptionHelp[], columns: number | undefined): string {
  const indent = ' '.repeat(optionColumnsMax + 2);
  const width = columns === undefined ? Number.POSITIVE_INFINITY : columns - indent.length - 1;
  return options
    .map(([option, help]) => {
      const [first, ...rest] = width < descriptionColumnsMin ? [help] : wrap(help, width);
      const head =
        `  ${option}`.length <= optionColumnsMax ? `  ${option}`.padEnd(indent.length) : `  ${option}\n${indent}`;
      return [`${head}${first}`, ...rest.map((line) => `${indent}${line}`)].join('\n');
    })
    .map((lines) => `${lines}\n`)
    .join('');
}

/** Lines of at most `width` characters, except for longer words. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
