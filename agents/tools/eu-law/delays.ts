/** "On the twentieth day following that of its publication": days between publication and entry into force, in nine languages. */
import { numberOfOrdinal, ordinal } from './article-words.ts';
import { entryIntoForce } from './periods.ts';

export interface Delay {
  readonly count: number;
  readonly unit: 'day';
}

const day = 'day|tage?s?|jour|día|giorno|dag(?:en)?|dnia|dniem|dni|dnem|den|dia|zi|päivänä|deň|dan';
const after =
  'following|after|nach|suivant|siguiente|successivo|na|po|od|seguinte|volgende op|volgend op|efter|etter|de la|sedmi';
const publication =
  /publi|veröffentlich|verkündung|bekendm|opublik|ogłosz|vyhláš|zveřejn|pubbl|offentliggj|kungör|julkais|uverejn|objav/iu;

const counted = new RegExp(
  `(?<![A-Za-zÀ-ž])(${ordinal}) (?:${day}) (?:${after})|(?:${day}) (${ordinal}) (?:${after})`,
  'iu',
);
/** "The day following that of its publication". */
const next =
  /(?<![A-Za-zÀ-ž])(?:the (?:day|date) (?:following|after)|am tag(?:e)? nach|le (?:lendemain|jour suivant)|el día siguiente|il giorno (?:successivo|seguente)|(?:op )?de dag na|(?:następnego dnia|dniem następującym) po|dnem následujícím po|no dia seguinte|dagen efter(?: det)?|dagen efter den)(?![A-Za-zÀ-ž])/iu;
/** "A los veinte días de su publicación". */
const cardinal =
  /(?<![A-Za-zÀ-ž])(?:a los|después de|trascorsi|po upływie|uplynutím) (\d{1,2}|[A-Za-zÀ-ž]+) (?:días|giorni|dni|dnů)(?![A-Za-zÀ-ž])/iu;
const cardinals: ReadonlyMap<string, number> = new Map([
  ['tres', 3],
  ['cinco', 5],
  ['siete', 7],
  ['diez', 10],
  ['quince', 15],
  ['veinte', 20],
  ['treinta', 30],
  ['quindici', 15],
  ['venti', 20],
  ['trenta', 30],
  ['czternastu', 14],
  ['trzydziestu', 30],
]);

/** @returns undefined if the sentence counts no days from a publication */
export function delayOf(sentence: string): Delay | undefined {
  if (!publication.test(sentence)) return undefined;
  const inOrder = counted.exec(sentence);
  const count =
    numberOfOrdinal(inOrder?.[1] ?? inOrder?.[2] ?? '') ??
    cardinalOf(cardinal.exec(sentence)?.[1]) ??
    (next.test(sentence) ? 1 : undefined);
  return count === undefined ? undefined : { count, unit: 'day' };
}

function cardinalOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  return /^\d+$/.test(word) ? Number(word) : cardinals.get(word.toLowerCase());
}

/** @param published ISO day of the Official Journal · @returns ISO day of the entry into force */
export function entryDateOf(published: string | undefined, { count }: Delay): string | undefined {
  return published === undefined ? undefined : entryIntoForce(published, count);
}
