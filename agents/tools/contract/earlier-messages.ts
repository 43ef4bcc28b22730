/**
 * E-mail chains: the messages that are older than the first. An agreement by e-mail quotes the offers that it replaces below
 * itself, with or without marks of quotation.
 */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';

/** The header of a message, by its first line and the line with the time. */
const header =
  /(?<=^|\n)[ \t>]{0,12}(?:From|Von|De|Da|Van)[ \t]?:[^\n]{1,200}(?:\n[ \t>]{0,12}[^\n]{0,200}){0,3}?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Fecha|Inviato|Data|Verzonden)[ \t]?:[^\n]{4,80}/gu;
const messagesMax = 100;

/** Ordered by position in the text; empty if the text does not begin with a message. */
export function earlierMessages({ text, dates }: Document): Range[] {
  const headers = [...text.matchAll(header)].slice(0, messagesMax);
  const [first] = headers;
  if (first === undefined || headers.length < 2 || text.slice(0, first.index).trim() !== '') return [];
  const sent = (match: RegExpExecArray) =>
    dates.find(({ start }) => start >= match.index && start < match.index + match[0].length)?.iso;
  const newest = sent(first);
  return headers.flatMap((match, index) => {
    const own = sent(match);
    const isEarlier = newest !== undefined && own !== undefined && own < newest;
    return isEarlier ? [{ start: match.index, end: headers[index + 1]?.index ?? text.length }] : [];
  });
}
