/** Financial covenants that a certificate tests: limit, actual figure, and whether the figure meets the limit. */
import type { Block } from '../../document/blocks.ts';
import { findDates } from '../text/dates.ts';
import { statedDate, type TestDate, testDateOf } from './covenant-dates.ts';
import {
  type CovenantTest,
  type Definition,
  definitionIn,
  definitionsIn,
  number,
  numberIn,
  outcomeOf,
} from './covenant-kinds.ts';
import { covenantsInLines } from './covenant-lines.ts';
import { covenantsInTables } from './covenant-tables.ts';
import { type Unrivalled, withoutRivals } from './disclosure-certainty.ts';
import type { DocumentReading } from './document-reading.ts';
import { findScaledAmounts, flattened } from './prose-sentences.ts';
import { parseRational, type Rational } from './rational.ts';

const times = `${number}\\s{0,2}(?::\\s?1(?:[.,]0{1,2})?|x\\b|times|to 1(?:[.,]0{1,2})?\\b|[- ]?fach|mal\\b|fois|veces|volte|maal)`;
const percent = `${number}\\s{0,2}(?:%|percent|per cent|prozent)`;
const maximumCue =
  '(?:(?:not|never|nicht|ne) (?:to |be permitted to |be |may |pas )?(?:exceed|[üu]bersteigen|[üu]berschreiten|d[ée]passer|superar)|(?:not|no) (?:be |to be )?(?:more|greater|higher) than|maximum(?: permitted)?(?: (?:ratio|level))?(?: of)?|(?<!\\p{L})maxim(?:aal|ale?|a)(?!\\p{L})|(?<!\\p{L})max(?:\\.|(?!\\p{L}))|limit(?: for [^.]{0,60}| of)?|h[öo]chstens|ten hoogste|maximal|less than or equal to|at most|au plus|höchstwert(?: von)?|obergrenze(?: von)?|plafond(?: contractuel)?(?: de)?|inf[ée]rieure? ou [ée]gale? [àa]|m[áa]ximo|massimo|no superior a|non superiore a|≤|<=|<)';
const minimumCue =
  '(?:(?:not|no|nicht|never) (?:be |to be |fall |to fall |unter )?(?:less|lower|below|smaller)(?: than)?|at least|minimum(?: required)?(?: (?:ratio|level))?(?: of)?|(?<!\\p{L})minim(?:aal|ale?|a)(?!\\p{L})|(?<!\\p{L})min(?:\\.|(?!\\p{L}))|mindestens|ten minste|nicht unter|greater than or equal to|equal to or greater than|au moins|mindest(?:quote|wert)(?: von)?|untergrenze(?: von)?|plancher(?: contractuel)?(?: de)?|sup[ée]rieure? ou [ée]gale? [àa]|m[íi]nimo|minimo|no inferior a|non inferiore a|≥|>=|>|exceed)';
const supposed =
  /\b(?:would|were|by way of example|for example|for instance|if|after an injection|w[üu]rde|beispiel\w*|falls|par exemple|por ejemplo|falling after|we expect|the board expects|outlook|guidance|could|after \d{1,2} \w+ \d{4} the group)\b/iu;
const numberGap = '[^\\d.;]{0,50}?';

/** Documents contain few covenants; a unit is a paragraph with the lines that belong to it. */
const testsMax = 30;
const certificate =
  /covenant|compliance certificate|kreditvertrag|facilit(?:y|ies) agreement|credit agreement|loan agreement|finanzkennzahl|ratios? financi(?:ers|eros)|financiaci[óo]n sindicada|contrato de (?:pr[ée]stamo|cr[ée]dito|financiaci[óo]n)|contratto di finanziamento|parametri finanziari|convenio|convenant|clausole finanziarie|contrat de (?:pr[êe]t|cr[ée]dit)|konsortialkredit|plafond contractuel|ratio contractuel|kredietovereenkomst/iu;

/** One test of each covenant; none of a covenant for which the document gives two limits or two actual figures. */
export function readCovenants(reading: DocumentReading): Unrivalled<CovenantTest> {
  if (!certificate.test(reading.document.text)) return { facts: [], leftOut: 0 };
  const testDate = testDateOf(reading);
  const found = [
    ...covenantsInTables(reading, testDate.iso),
    ...covenantsInText(reading, testDate),
    ...covenantsInLines(reading, testDate.iso),
  ];
  return withoutRivals(withoutQuoted(found, reading).slice(0, testsMax), {
    keyOf: ({ covenant }) => covenant,
    amountsOf: ({ limit, actual }) => [limit, actual],
  });
}

/** A quoted message is older than the one that tests the covenant again. */
function withoutQuoted(
  found: readonly CovenantTest[],
  { document: { quotations } }: DocumentReading,
): readonly CovenantTest[] {
  const isQuoted = ({ start }: CovenantTest) => quotations.some((range) => start >= range.start && start < range.end);
  const own = new Set(found.filter((test) => !isQuoted(test)).map(({ covenant }) => covenant));
  return found.filter((test) => !isQuoted(test) || !own.has(test.covenant));
}

function covenantsInText(reading: DocumentReading, testDate: TestDate): CovenantTest[] {
  const { document } = reading;
  const { blocks } = document;
  const dateFor = (text: string) =>
    testDate.isLabelled ? testDate.iso : (statedDate(text, document.dateOrder) ?? testDate.iso);
  return blocks.flatMap((block, index): CovenantTest[] => {
    if (block.kind === 'table') return [];
    const own = document.text.slice(block.start, Math.min(block.end, block.start + 1_500));
    const several = covenantsOf(own);
    const parts =
      several.length < 2
        ? []
        : several.flatMap(({ text, definition, at }): CovenantTest[] => {
            const test = testOf(
              statedSentences(flattened(text).replace(/ {2,}/g, ' ')),
              definition,
              dateFor(sentenceBefore(own, at) + text),
              reading,
            );
            return test === undefined
              ? []
              : [{ ...test, start: block.start + at, end: block.start + at + text.length }];
          });
    if (parts.length > 0) return parts;
    const definition = definitionIn(own.slice(0, 400));
    if (definition === undefined) return [];
    // What the next blocks state about the same covenant: the requirement, or a table of limits by date.
    const rest = blocks
      .slice(index + 1, index + 3)
      .filter((next, nth, all) => belongs(next, document.text) && (nth === 0 || belongs(all[0]!, document.text)));
    const text = [own, ...rest.map(({ start, end }) => document.text.slice(start, Math.min(end, start + 800)))].join(
      '\n',
    );
    const test = testOf(statedSentences(flattened(text).replace(/ {2,}/g, ' ')), definition, dateFor(text), reading);
    return test === undefined
      ? []
      : [{ ...test, start: block.start, end: Math.min(block.end, block.start + own.length) }];
  });
}

/** "Leverage was 3.42:1 (maximum 3.75:1) and the fixed charge coverage ratio was 1.18:1 (minimum 1.15:1)": one part for each. */
function covenantsOf(own: string): { readonly text: string; readonly definition: Definition; readonly at: number }[] {
  const named = definitionsIn(own);
  const parts = named.map(({ definition, at }, index) => ({
    definition,
    at,
    text: own.slice(at, named[index + 1]?.at ?? own.length),
  }));
  return parts.every(({ text }) => /\d/.test(text)) ? parts : [];
}

/** The words of a sentence before a position in it. */
function sentenceBefore(text: string, at: number): string {
  return text
    .slice(0, at)
    .split(/[.;]\s+(?=\p{Lu})|\n\s*\n/u)
    .at(-1)!;
}

/** Whether the block continues the one above and is not a separate covenant. */
function belongs({ start, end, kind }: Block, text: string): boolean {
  const shown = text.slice(start, Math.min(end, start + 200));
  return (
    kind === 'table' ||
    (!/^\(?[a-z0-9]{1,3}[.)]/i.test(shown) && definitionIn(shown) === undefined) ||
    /^(?:clause|section) [\d.]+\([a-z]\) requires/i.test(shown)
  );
}

/** Worked examples and conditions are not tests. */
function statedSentences(text: string): string {
  return text
    .split(/(?<=[.;])\s+(?=\p{Lu})/u)
    .filter((sentence) => !supposed.test(sentence))
    .join(' ');
}

function testOf(
  text: string,
  { kind, bound, unit }: Definition,
  testDate: string | undefined,
  reading: DocumentReading,
): Omit<CovenantTest, 'start' | 'end'> | undefined {
  const limit = limitOf(text, unit, bound, testDate, reading);
  if (limit === undefined) return undefined;
  const actual = actualOf(text, unit, limit, reading);
  if (actual === undefined) return undefined;
  // Prose that says that all covenants were met, or names no breach, contradicts a breach that only its numbers give.
  const outcome = outcomeOf(actual, limit.value, limit.bound);
  if (outcome === 'breached' && !breachWord.test(text)) return undefined;
  return {
    covenant: kind,
    limit: limit.value,
    bound: limit.bound,
    actual,
    outcome,
    ...(testDate === undefined ? {} : { testDate }),
  };
}

const breachWord =
  /(?<!\p{L})(?:breach\w*|default\w*|waive[rd]?s?|not (?:met|satisfied|compl(?:ied|y)|in compliance|achieved)|fail\w*|exceed\w*|below|short(?:fall)?|non-?complian\w*|verletz\w*|verstoß\w*|nicht eingehalten|überschritt\w*|unterschritt\w*|bris de|non[- ]respect\w*|dépass\w*|incumpl\w*|no (?:se )?cumpl\w*|violat\w*|superat\w*|overschr\w*|niet (?:voldaan|nageleefd)|geschonden|narusz\w*|brutit\w*)(?!\p{L})/iu;

/** "Minimum liquidity: cash was 7,412": the words name the covenant, and the figure is the company's. */
const stated =
  /(?<!\p{L})(?:was|were|is|stood|amounted|betrug|betr[äa]gt|lag|[ée]tait|est|fue|era|ammonta|bedroeg|uppgick)(?!\p{L})/iu;

interface Limit {
  readonly value: Rational;
  readonly bound: 'maximum' | 'minimum';
  readonly at: number;
  readonly until: number;
}

function limitOf(
  text: string,
  unit: Definition['unit'],
  usual: 'maximum' | 'minimum',
  testDate: string | undefined,
  reading: DocumentReading,
): Limit | undefined {
  const order = usual === 'maximum' ? (['maximum', 'minimum'] as const) : (['minimum', 'maximum'] as const);
  if (!anyBound.test(text)) return undefined;
  const stepped = unit === 'amount' ? undefined : steppedLimit(text, unit, testDate);
  for (const bound of order) {
    const cues = boundCues[bound];
    if (unit === 'amount') {
      for (const match of text.matchAll(cues.each)) {
        const amount = findScaledAmounts(
          text.slice(match.index, match.index + 130),
          reading.document.decimalMark,
          reading,
        )[0];
        const value =
          amount === undefined ||
          amount.start > match[0].length + 40 ||
          stated.test(text.slice(match.index, match.index + amount.start))
            ? undefined
            : parseRational(amount.value);
        if (value !== undefined)
          return { value, bound, at: match.index + amount!.start, until: match.index + amount!.end };
      }
      continue;
    }
    const match = cues[unit].exec(text);
    if (match !== null && (stepped === undefined || match.index + match[0].length < stepped.at)) {
      const value = numberIn(match[1]!);
      if (value !== undefined)
        return {
          value,
          bound,
          at: match.index + match[0].lastIndexOf(match[1]!),
          until: match.index + match[0].length,
        };
    }
    if (stepped !== undefined && cues.any.test(text)) return { ...stepped, bound };
  }
  return undefined;
}

function cuesOf(cue: string) {
  return {
    any: new RegExp(cue, 'iu'),
    each: new RegExp(cue, 'giu'),
    times: new RegExp(`${cue}${numberGap}${times}`, 'iu'),
    percent: new RegExp(`${cue}${numberGap}${percent}`, 'iu'),
  };
}

const boundCues = { maximum: cuesOf(maximumCue), minimum: cuesOf(minimumCue) };
const anyBound = new RegExp(`${maximumCue}|${minimumCue}`, 'iu');

const dateShape = String.raw`(?:\d{1,2}\.? ?\p{L}{3,9}\.? \d{4}|\p{L}{3,9} \d{1,2}, \d{4}|\d{2}[./]\d{2}[./]\d{4})`;

function stepsOf(value: string): RegExp {
  const until = String.raw`(?:\s{1,3}(?:to|through|until|bis|-|–)\s{1,3}${dateShape})?`;
  return new RegExp(String.raw`(?<![\p{L}\d])(${dateShape}${until})[\s;:|]{1,40}${value}$`, 'iu');
}

const steps = { times: stepsOf(times), percent: stepsOf(percent) };
/** A year and the number after it: searched first, because most texts have none. */
const stepTails = {
  times: new RegExp(`\\d{4}[\\s;:|]{1,40}${times}`, 'giu'),
  percent: new RegExp(`\\d{4}[\\s;:|]{1,40}${percent}`, 'giu'),
};
/** Two dates with their connecting word. */
const rangeCharactersMax = 60;

/** "30 June 2025 to 31 March 2026   2.75:1": the limit of the row whose dates include the test date. */
function steppedLimit(
  text: string,
  unit: 'times' | 'percent',
  testDate: string | undefined,
): Omit<Limit, 'bound'> | undefined {
  if (testDate === undefined) return undefined;
  for (const tail of text.matchAll(stepTails[unit])) {
    const end = tail.index + tail[0].length;
    const start = Math.max(0, tail.index - rangeCharactersMax);
    const match = steps[unit].exec(text.slice(start, end));
    if (match === null) continue;
    const dates = findDates(match[1]!);
    const [from, to] = [dates[0]?.iso, dates.at(-1)?.iso];
    const value = numberIn(match[2]!);
    if (from !== undefined && to !== undefined && value !== undefined && from <= testDate && testDate <= to) {
      return { value, at: start + match.index, until: end };
    }
  }
  return undefined;
}

function actualOf(
  text: string,
  unit: Definition['unit'],
  { at, until }: Limit,
  reading: DocumentReading,
): Rational | undefined {
  if (unit === 'amount') {
    const amounts = findScaledAmounts(text, reading.document.decimalMark, reading).filter(
      ({ start, end }) => end <= at || start >= until,
    );
    const stated = amounts.filter(({ start }) =>
      /\b(?:was|is|were|of|stood at|amounted to|totalled|betrug|betr[äa]gt|s.[ée]l[èe]ve [àa]|fue|era|ammonta a|bedroeg)\s{1,3}$/iu.test(
        text.slice(Math.max(0, start - 24), start),
      ),
    );
    return parseRational((stated[0] ?? amounts[0])?.value ?? '');
  }
  const shape = new RegExp(unit === 'times' ? times : percent, 'giu');
  const others = [...text.matchAll(shape)].filter(({ index, 0: all }) => index + all.length <= at || index >= until);
  const stated = others.filter(
    ({ index }) =>
      /(?:\b(?:was|is|were|of|at|therefore|giving|equal(?:s|led)?(?: to)?|actual|betrug|betr[äa]gt|ist|war|ressort [àa]|est de|fue(?: de)?|[èe] (?:pari a|stato)|bedroeg|resulting in|being)|[:=])\s{0,3}(?:therefore |approximately )?$/iu.test(
        text.slice(Math.max(0, index - 30), index),
      ) &&
      !/\b(?:limit|maximum|minimum|exceed|less than|more than|requires?)\b[^.]{0,25}$/iu.test(
        text.slice(Math.max(0, index - 40), index),
      ),
  );
  return numberIn(stated[0]?.[1] ?? '');
}
