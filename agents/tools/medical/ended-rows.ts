/** Rows of medication tables that say in a column of their own that the medicine has ended. */
import type { Document } from '../../document/document.ts';
import type { Cell } from '../../document/table.ts';
import { clinicalDates, dayIn } from './clinical-dates.ts';

const endTitle =
  /^(?:stop(?:ped)?|end|ends?(?: date)?|end(?:e)?|enddatum|einde|stopdatum|until|bis|fin|date de fin|jusqu'au|fecha fin|hasta|fine|fino al|do|koniec|tot|al|slut|slutdatum|utsatt|seponeret|slutt|sluttdato|slutdato|término|fim|data fim|data fine|fecha de fin|suspensión|einddatum|stopdato|t\.? ?o\.? ?m\.?|data zakończenia|gestopt|beendet|abgesetzt(?: am)?)(?: date| datum)?$/iu;
const remarkTitle =
  /^(?:remarks?|comments?|notes?|status|bemerkung(?:en)?|hinweise?|kommentar|commentaires?|remarques?|statut|observaciones|observations|comentarios|osservazioni|opmerking(?:en)?|uwagi|observações)(?: ?\/.{0,20})?$/iu;
const endedRemark =
  /^(?:stop(?:ped)?|discontinued|completed|finished|no longer taken|not prescribed|abgesetzt|beendet|nicht mehr|arr[êe]t(?:é|ée)?|suspendue?|ne prend plus|termin(?:é|ée)|contre-indiqué|suspendid[oa]|retirad[oa]|terminad[oa]|finalizad[oa]|sospes[oa]|terminat[oa]|gestopt|gestaakt|afgerond|odstawion[ey]|zakończon[ey])(?!\p{L})|[;:.] ?(?:stopped|completed|finished|beendet|abgesetzt|terminé|terminad[oa]|finalizad[oa]|terminat[oa]|gestopt|zakończone)(?!\p{L})/iu;

interface TitledCells {
  readonly cells: readonly Cell[];
  readonly titles: readonly string[];
}

/** @param from the end of the name: cells before it are of another medicine */
export function hasEnded(document: Document, { cells, titles }: TitledCells, from: number): boolean {
  return titles.some((title, column) => {
    const cell = cells[column];
    if (cell === undefined || cell.text === '' || cell.start < from || cell.text === title) return false;
    // A cell over two columns is of the first one.
    if (cells.findIndex((other) => other?.start === cell.start) !== column) return false;
    const parts = title.trim().split(/ ?\/ ?/);
    if (endTitle.test(title.trim())) return isLongPast(document, cell.text);
    return parts.length <= 2 && remarkTitle.test(title.trim()) && endedRemark.test(cell.text.trim());
  });
}

const givenRemark =
  /^(?:was |wurde |è stat[oa] |fue )?(?:given|administered|infused|injected|verabreicht|gegeben|appliziert|administrée?|donnée?|injectée?|administrad[oa]|puest[oa]|somministrat[oa]|praticat[oa]|toegediend|gegeven|podan[oaey]|givet|gitt|ministrad[oa])(?!\p{L})/iu;
const notGivenRemark =
  /^(?:was |wurde )?(?:not (?:required|given|needed|used|administered|necessary)|none given|nicht (?:erforderlich|gegeben|benötigt|notwendig|verabreicht)|non (?:nécessaire|administrée?|requise?|donnée?|somministrat[oa]|necessari[oa]|richiest[oa])|no (?:precisa|precisó|administrad[oa]|requerid[oa]|necesari[oa])|niet (?:nodig|gegeven|toegediend)|nie (?:podano|wymagał[oa]?)|(?:ej|inte|ikke) (?:givet|gitt|nødvendig(?:t)?|behövd\p{L}?)|não (?:administrad[oa]|necessári[oa]))(?!\p{L})/iu;

/** What a cell behind the medicine says of its administration: "given 10:04", "not required". */
export function administrationIn({ cells }: TitledCells, from: number): 'given' | 'not given' | undefined {
  const later = cells.flatMap((cell) => (cell === undefined || cell.start < from ? [] : [cell.text.trim()]));
  if (later.some((text) => notGivenRemark.test(text))) return 'not given';
  return later.some((text) => givenRemark.test(text)) ? 'given' : undefined;
}

/** More than a month before the last day that the record names: a course that ends about now may still be taken. */
function isLongPast(document: Document, text: string): boolean {
  const month = /^(\d{1,2})[-/.]((?:19|20)\d\d)$/.exec(text.trim());
  const year = /^(?:19|20)\d\d$/.exec(text.trim());
  const end = dayIn(document, text) ?? (month === null ? year?.[0] : `${month[2]}-${month[1]!.padStart(2, '0')}`);
  if (end === undefined) return false;
  const last = lastDay(document);
  if (last === '') return false;
  // A month or a year alone ends with its last day.
  const full = end.length === 10 ? end : end.length === 7 ? `${end}-28` : `${end}-12-31`;
  return Date.parse(last) - Date.parse(full) > 31 * 86_400_000;
}

const lastDays = new WeakMap<Document, string>();

function lastDay(document: Document): string {
  const last =
    lastDays.get(document) ??
    clinicalDates(document).reduce((latest, { iso }) => (iso.length === 10 && iso > latest ? iso : latest), '');
  lastDays.set(document, last);
  return last;
}
