/** Texts that an agent's tool must survive, and the assertion that its time grows in proportion to them. */
import type { AgentTool, Json } from '../../../agents/agent/agent.ts';

/** The surface's limit, I-044. */
export const charactersMax = 200_000;

/**
 * Inputs that make naive regular expressions slow: long runs, openings without ends, alternations, prefixes of the tools' patterns.
 */
const units: readonly string[] = [
  ' ',
  '\n',
  ' \n',
  '\t',
  '\u00a0',
  'a',
  'a ',
  'A',
  '1',
  '1,',
  '1.',
  '1 ',
  '1/',
  '12-',
  '111 ',
  '(',
  ')',
  '((1',
  '"',
  '“',
  '("',
  '"a',
  '.',
  '. ',
  'A. ',
  '-',
  '- ',
  '|',
  '| a ',
  '|-',
  '| a | b |\n',
  'a  b\n',
  'a\tb\n',
  'a;b;c\n',
  'a,b,c\n',
  '#',
  '# a\n',
  '1. A\n',
  '1.1.1 ',
  'Article 1 ',
  'a@',
  '@a',
  'a@a.',
  'a.',
  'http://',
  '%',
  '€',
  'EUR ',
  '€ 1',
  '1 €',
  '1 million ',
  'thirty (30) ',
  '30 days ',
  'twenty ',
  '1 January ',
  '2026-',
  '1.1.2026 ',
  'DE',
  'DE89 ',
  '4111 ',
  '+49 ',
  ':',
  '::',
  'a:',
  '0x',
  'f',
  'é',
  'e\u0301',
  '\ud83d\ude00',
  '\ud83d',
  '\u0000',
  'not ',
  'no ',
  'shall not ',
  'liability ',
  'governed by ',
  'between ',
  'and ',
  '\\',
  '\r',
  '\r\n',
];

export interface AgentInput {
  readonly name: string;
  /** Exactly `characters` long. */
  readonly text: string;
}

/** @param extra units of the tool's own patterns, each repeated to the full length */
export function* hostileTexts(
  characters: number = charactersMax,
  extra: readonly string[] = [],
): Generator<AgentInput> {
  for (const unit of new Set([...units, ...extra])) {
    yield { name: `${JSON.stringify(unit)} repeated`, text: filled(unit, characters) };
  }
  yield { name: 'prose without an end', text: filled('the quick brown fox jumps over the lazy dog and ', characters) };
  yield {
    name: 'one open parenthesis, then prose',
    text: filled('(', 1) + filled('lorem ipsum dolor ', characters - 1),
  };
}

/** A document from a single message. */
export function documentOf(text: string, message = 0): { message: number; text: string } {
  return { message, text };
}

export interface TimeClaim {
  /** Units of the tool's own patterns. */
  readonly units?: readonly string[];
}

/** Shorter than the limit: a time that grows faster than the text shows here too, and the whole list takes seconds. */
const longCharacters = 48_000;

/**
 * Below this, garbage collection and other work on the machine outweigh the tools' own time: a table of 8,000 short rows takes 220 ms.
 * A quadratic tool takes seconds.
 */
const floorMs = 400;

/**
 * @returns the inputs for which eight times the text took more than sixteen times the time (and more than a floor), with both
 *   times; empty if the tools take linear time
 */
export function superLinearInputs(tools: readonly AgentTool[], { units: extra = [] }: TimeClaim = {}): string[] {
  const offenders: string[] = [];
  const short = hostileTexts(longCharacters / 8, extra);
  for (const long of hostileTexts(longCharacters, extra)) {
    const shortText = short.next().value!.text;
    // The best of three, so that a pause of the machine does not look like a slow tool.
    for (let attempt = 1; ; attempt += 1) {
      const longMs = timeMs(tools, long.text);
      const allowedMs = Math.max(floorMs, 16 * timeMs(tools, shortText));
      if (longMs <= allowedMs) break;
      if (attempt === 3) {
        offenders.push(`${long.name}: ${longMs.toFixed(0)} ms, ${allowedMs.toFixed(0)} ms allowed`);
        break;
      }
    }
  }
  return offenders;
}

/** Runs the tools over one text. @throws the error of a tool, or an error if a result is too big or not plain data */
export function runTools(tools: readonly AgentTool[], text: string): { results: Json[]; digestLines: number } {
  // All tools share one object, as in a turn, so that the parsed document is cached.
  const documents = [documentOf(text)];
  const results: Json[] = [];
  let digestLines = 0;
  for (const tool of tools) {
    const { result, digest } = tool.run(documents);
    results.push(result);
    digestLines += digest.length;
  }
  return { results, digestLines };
}

/** Bytes of a result as it travels. @throws if it is not well-formed JSON text */
export function resultBytes(result: Json): number {
  const json = JSON.stringify(result);
  // An escape written by JSON itself: an even number of backslashes before it belong to the text.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(json)) throw new Error('a result holds half a surrogate pair');
  return Buffer.byteLength(json);
}

function timeMs(tools: readonly AgentTool[], text: string): number {
  // CPU time of this thread only, so that other load on the machine does not count.
  const before = process.threadCpuUsage();
  runTools(tools, text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function filled(unit: string, characters: number): string {
  return unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters);
}
