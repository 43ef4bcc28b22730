/** DAC6 hallmarks that a document finds met or not met. */

import { fullRows } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { foldText } from './fold.ts';
import type { Layout } from './layout.ts';

export interface HallmarkFinding extends Range {
  /** "E3", "C1(b)(i)". */
  readonly id: string;
  readonly status: 'met' | 'not-met';
}

const code =
  /(?<![A-Za-z\d.])([A-E])[ .]?([1-4])(?![\d%])(?:,? ?[.]?\(?([a-d])\)?(?![a-z]))?(?:,? ?[.]?\(?(i{1,2})\)?(?![a-z]))?/g;
const notMet =
  /\b(?:not (?:been )?(?:met|fulfilled|satisfied|applicable|triggered|relevant|present|given)|(?:is|are|was|were) not|does not apply|do not apply|did not apply|not apply|no|n\/a|none|negative|nee|nej|nei|nie|ne|ei|nao|\u043d\u0435|nu|nicht (?:erfullt|einschlagig|anwendbar|gegeben|vorliegend)|nein|kein[a-z]*|liegt nicht vor|non (?:rempli|satisfait|applicable|soddisfatto|presente)|pas (?:rempli|satisfait|applicable)|niet (?:vervuld|van toepassing|voldaan|aanwezig)|ne (?:remplit|satisfait|repond|correspond|releve)[a-z ]{0,12} pas|n'est pas (?:rempli|satisfait|applicable)|n'est pas|non (?:e |risulta )?(?:integrat|soddisfatt|presente|applicabil)[a-z]*|no (?:concurre|concurren|se da)|no (?:se cumple|aplica|cumplido)|ikke oppfylt|ej uppfyllt|inte uppfyllt|nie (?:spelnion[a-z]*|wystepuje)|nesplnen[a-z]*)\b/;
const met =
  /\b(?:met|fulfilled|satisfied|triggered|applies|apply|applicable|present|yes|erfullt|einschlagig|liegt vor|gegeben|ja|rempli[e]?|satisfait[e]?|oui|si|sim|da|ano|kylla|soddisfatto|presente|vervuld|van toepassing|voldaan|se cumple|cumplido|oppfylt|uppfyllt|spelnion[a-z]*|tak|splnen[a-z]*)\b/;
const supposed =
  /\b(?:if|whether|would|could|may|might|ob|wenn|falls|wurde|si|serait|se|potrebbe|concerns?|concern|cover[s]?|refers?|relates?|betrifft|means|requires?|reference|test is not required|not required)\b/;

export function findHallmarkFindings({ document }: Layout): HallmarkFinding[] {
  const { sentences, text } = document;
  const found = new Map<string, HallmarkFinding>();
  const isOnTopic =
    /dac ?-?6|hallmark|2011\/16|2018\/822|kennzeichen|marqueur|elementi distintivi|wezenskenmerk|señas? distintiva|kjennetegn|mdr/i.test(
      text,
    );
  if (!isOnTopic) return [];
  for (const sentence of sentences) {
    if (sentence.end - sentence.start > 500) continue;
    const shown = text.slice(sentence.start, sentence.end);
    for (const clause of clausesOf(shown)) {
      const folded = foldText(clause.text).replaceAll('\n', ' ');
      const codes = idsIn(clause.text);
      if (codes.length === 0) continue;
      const rest = folded.replace(/main benefit test[^.;,]{0,60}/g, ' ');
      const isTable = clause.text.includes('\t');
      if (!isTable && supposed.test(rest)) continue;
      const last = isTable
        ? (findingCell(document, sentence.start) ??
          foldText(
            clause.text
              .split('\t')
              .slice(1)
              .filter((cell) => cell.length < 60 && (notMet.test(foldText(cell)) || met.test(foldText(cell))))
              .at(-1) ?? '',
          ))
        : rest;
      if (!isTable && ofOthers.test(rest)) continue;
      const status = notMet.test(last) ? 'not-met' : met.test(last) ? 'met' : undefined;
      if (status === undefined) continue;
      for (const id of codes) found.set(id, { id, status, start: sentence.start, end: sentence.end });
    }
  }
  return [...found.values()];
}

/** Another arrangement than that of the document. */
const ofOthers =
  /\b(?:another|other|earlier|previous|former|different) (?:client|group|taxpayer|arrangement|case|transaction)\b|\ba (?:client|competitor)\b|\blast year\b|\bandere[rn]? (?:mandant|fall|gestaltung)|\bautre (?:client|dispositif)\b/;

const findingHead =
  /finding|status|result|conclusion|outcome|\bmet\b|met\?|fulfilled|satisfied|ergebnis|befund|erfullt|einschlagig|beurteilung|resultat|rempli|constat|esito|integrat|soddisfatt|resultado|cumpl|conclusie|voldaan|vervuld|uppfyll|oppfylt|ocena|wynik|spelnion/;
const otherHead = /benefit|\bmbt\b|main|test|required|hauptvorteil|avantage|vantaggio|beneficio|voordeel/;

/** The cell below the heading for the findings, in the row of a table that begins at a position. */
function findingCell({ tables }: Layout['document'], at: number): string | undefined {
  const table = tables.find(({ start, end }) => start <= at && at < end);
  if (table === undefined) return undefined;
  const [heads, ...rows] = fullRows(table);
  const columns = (heads ?? []).flatMap(({ text }, column) => {
    const folded = foldText(text);
    return findingHead.test(folded) && !otherHead.test(folded) ? [column] : [];
  });
  const row = rows.find((cells) => cells.some(({ start, end, text }) => text !== '' && start <= at && at <= end));
  const cell = columns.length === 1 ? row?.[columns[0]!]?.text : undefined;
  return cell === undefined ? undefined : foldText(cell);
}

function clausesOf(shown: string): { readonly text: string }[] {
  return shown
    .split(
      /;|, (?:whereas|while|but|and hallmark|wahrend|aber|tandis que|mais)|(?<=\bmet|fulfilled|erfüllt|applicable), /,
    )
    .map((text) => ({ text }));
}

function idsIn(shown: string): string[] {
  const matches = [...shown.matchAll(code)];
  const ids = matches.map(
    ([, letter, number, sub, item]) =>
      `${letter}${number}${letter === 'C' && number === '1' && sub !== undefined ? `(${sub})` : ''}${letter === 'C' && number === '1' && sub === 'b' && item !== undefined ? `(${item})` : ''}`,
  );
  // "A1 to A3" names what is between.
  const [first, second] = matches;
  if (
    matches.length === 2 &&
    first![1] === second![1] &&
    /^\s?(?:to|bis|–|-|à|tot|a|through)\s?$/.test(shown.slice(first!.index + first![0].length, second!.index))
  ) {
    return Array.from(
      { length: Number(second![2]) - Number(first![2]) + 1 },
      (_, index) => `${first![1]}${Number(first![2]) + index}`,
    );
  }
  return ids;
}
