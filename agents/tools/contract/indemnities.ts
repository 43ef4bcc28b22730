/** Indemnities, with the party that owes them. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { actorOfTitles, actorsOf, subjectBefore } from './actors.ts';
import { relevant } from './statements.ts';

export interface Indemnity extends Range {
  /** Name in the contract; "each party" if it is mutual. */
  readonly by?: string;
  /** Whether it also covers losses that the indemnified side caused, or all losses. */
  readonly isBroad: boolean;
}

const indemnify =
  /\b(?:indemnif(?:y|ies)|holds?\b[^.;]{0,60}\bharmless|saves?\b[^.;]{0,60}\bharmless|(?:is|are|be) indemnified|makes? good\b[^.;]{0,60}\b(?:loss|damage)|defend and compensate|schad- und klaglos|garanti(?:t|ra|r)\b[^.;]{0,40}\bcontre|tenir indemne|mantendrá indemne|indemnizar|keeps? (?:\w+ ){0,4}indemnified|schadlos|freistellen|frei(?:zu|ge)stell\w+|stell(?:t|en)\b[^.;]{0,160}\bfrei\b)/i;
const denied =
  /\b(?:not|no|never|nor)\b[^.;,]{0,60}\b(?:required|obliged|obligat\w+|duty|reciprocal|liable)\b[^.;,]{0,30}$|\b(?:shall|will|does|do) not $|\bno $|\bnicht verpflichtet\b[^.;]{0,60}$/i;

/** One per statement and side, ordered by position in the text. */
export function findIndemnities(document: Document): Indemnity[] {
  const actors = actorsOf(document);
  const found: Indemnity[] = [];
  const seen = new Set<string>();
  for (const statement of relevant(
    document,
    /indemnif|harmless|make good|makes good|compensat|schad|garanti|indemn|frei(?:stell|zustell|gestell)|\bstellt?e?n?\b.{0,200}\bfrei\b/i,
  )) {
    const { text } = statement;
    const match = indemnify.exec(text);
    if (match === null || denied.test(text.slice(Math.max(0, match.index - 90), match.index))) continue;
    if (
      /["“„]\w+["”“] means/i.test(text) ||
      /\bto be indemnified\b|\bentitled to be\b|\b(?:obligation|obligations|duty|agrees?) (?:of \w+ )?to indemnify (?:under|in)\b/i.test(
        text,
      )
    )
      continue;
    const passive = /\bindemnified (?:and held harmless )?by (?:the )?/i.exec(text);
    const by =
      (passive === null
        ? (subjectBefore(actors, text, match.index) ??
          actors.findIn(text.slice(match.index)).find(() => /^stell/i.test(match[0])))
        : actors.findIn(text).find(({ at }) => at >= passive.index + passive[0].length)) ??
      actorOfTitles(actors, statement.titles);
    const title = actorOfTitles(actors, statement.titles);
    // "X will defend Y … and will indemnify Y": the subject of the first verb.
    const joint = /\b(?:shall|will|must|agrees? to) (?:\w+ ){0,2}defend\b/i.exec(text.slice(0, match.index));
    const defender = joint === null || passive !== null ? undefined : subjectBefore(actors, text, joint.index + 5);
    const startsBare = /^(?:[\d.()a-z]{0,8} )?To (?:\w+ ){0,3}?(?:indemnify|keep|hold)/.test(text);
    const german = /schad-? ?(?:und|los)/i.test(match[0]) ? actors.findIn(text.slice(0, match.index))[0] : undefined;
    const name =
      german !== undefined ? german.name : startsBare && title !== undefined ? title.name : (defender ?? by)?.name;
    const key = `${name}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({
      start: statement.start,
      end: statement.end,
      ...(name === undefined ? {} : { by: name }),
      isBroad: /\bwhether or not\b|\ball (?:losses|claims)\b|\bany and all\b|\bregardless\b/i.test(text),
    });
  }
  return found;
}
