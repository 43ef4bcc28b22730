/** The parties that rows name: tables of parties with their roles, lists of sub-processors, and answers. */
import type { Range } from '../text/span.ts';
import { countryOfAddress, findCountries } from './countries.ts';
import type { DocumentType } from './document-types.ts';
import { isExampleRow } from './example-rows.ts';
import { isOrganisation, namesWithPlaces, withoutMarks } from './organisation-names.ts';
import type { Reading } from './reading.ts';
import { cellText, isEmptyCell, type RegisterRow } from './register-rows.ts';
import { type ProcessingRole, roleOf } from './role-words.ts';

export interface RoleOfParty {
  /** As printed, without the address. */
  readonly name: string;
  readonly role: ProcessingRole;
  /** Country in English: of the processing, else of the seat. */
  readonly place?: string;
  /** Whether a place is printed that was not read, so that no other evidence counts. */
  readonly hasUnreadPlace?: boolean;
  readonly range: Range;
}

const subprocessorWords =
  /(?<!\p{L})(?:sub-?\s?processors?|sub-?processing|unterauftrag\p{L}*|subunternehmer\p{L}*|weitere auftragsverarbeiter|sous-traitants?(?: ultérieurs?)?|sous-traitance|subencargad\p{L}*|subprocesador\p{L}*|sub-?responsabil\p{L}*|subfornitor\p{L}*|subverwerker\p{L}*|sub-verwerker\p{L}*|onderaannemer\p{L}*|subcontractors?|underbiträde\p{L}*|underdatabehandler\p{L}*|underleverandør\p{L}*|subcontratantes? ulteriores?|podwykonawc\p{L}*|podprocesor\p{L}*|dalsz\p{L}{1,4} (?:podmiot\p{L}*|przetwarzając\p{L}*)|dals\p{L}+ procesor\p{L}*)(?!\p{L})/iu;

/** Tables of parties with their roles, lists of sub-processors, and answers that name them. */
export function partiesOfRow(row: RegisterRow, type: DocumentType | undefined, reading: Reading): RoleOfParty[] {
  if (isExampleRow(row) || row.cells.some(({ text }) => formerParty.test(text))) return [];
  const range = { start: row.start, end: row.end };
  const place = placeOf(cellText(row, 'place'));
  const where = place === undefined ? {} : { place };
  const name = cellText(row, 'name');
  const roleCell = cellText(row, 'role');
  const processor = cellText(row, 'processor');
  const recipients = row.columns.includes('processor') ? processor : name;
  if (type === 'processing-record' && recipients !== undefined) {
    const explained = explainedParties(recipients, row.columns.includes('processor') ? 'processor' : undefined, range);
    if (explained.length > 0) return explained;
  }
  if (processor !== undefined && type !== 'vendor-questionnaire')
    return isOrganisation(processor) ? [{ name: withoutMarks(processor), role: 'processor', ...where, range }] : [];
  if (name !== undefined && roleCell !== undefined) {
    const role = roleOf(roleCell);
    return role === undefined ? [] : [{ name: withoutMarks(name), role, ...where, range }];
  }
  if (row.columns.includes('question') || row.columns.includes('answer') || type === 'vendor-questionnaire')
    return answeredParties(row, reading);
  const isList =
    subprocessorWords.test(row.heading) ||
    (type === 'data-processing-agreement' && row.columns.includes('place')) ||
    (type === 'data-processing-agreement' && row.columns.includes('service'));
  if (name === undefined || !isList || row.columns.includes('inherent') || row.columns.includes('period')) return [];
  return isOrganisation(name) ? [{ name: withoutMarks(name), role: 'sub-processor', ...where, range }] : [];
}

/** "Manila, Philippines - removed", "Acme Inc. (until 3/2026)": who no longer processes. */
const formerParty =
  /(?:^|[-–—(,;]\s?)(?:removed|terminated|discontinued|no longer (?:used|engaged)|contract ended|until (?:\d{1,2}[/.])?(?:\d{1,2}[/.])?20\d\d|ended (?:on|in)|entfernt|beendet|ausgeschieden|gekündigt|bis (?:\d{1,2}\.)?\d{1,2}\.20\d\d|supprimée?|résiliée?|jusqu.(?:en|au) \d|retirad[oa]|rescindid[oa]|hasta (?:el )?\d|rimoss[oa]|cessat[oa]|fino al? \d|verwijderd|beëindigd|t\/m \d|usunięt[ya]|zakończon[oya]|removid[oa]|terminad[oa]|borttagen|avslutad|fjernet|ophørt)(?!\p{L})/iu;

/** "Acme GmbH (AV, Deutschland); sub-processor: Beta Inc. (USA)": the parentheses and the label give the role and the country of each name. */
function explainedParties(text: string, of: ProcessingRole | undefined, range: Range): RoleOfParty[] {
  return text.split(';').flatMap((part): RoleOfParty[] => {
    const [, label = '', shown = '', note = ''] =
      /^\s{0,4}(?:([\p{L} -]{3,40}):\s)?([^()]{3,80}?)\s{0,2}(?:\(([^()]{2,60})\))?\s{0,2}$/u.exec(part) ?? [];
    const name = withoutMarks(shown);
    const role = subprocessorWords.test(`${label} ${note}`)
      ? 'sub-processor'
      : ownController.test(note)
        ? 'controller'
        : shortProcessor.test(note)
          ? 'processor'
          : (roleOf(note) ?? roleOf(label) ?? of);
    if (
      role === undefined ||
      !(isOrganisation(name) || (note !== '' && roleOf(note) !== undefined && isOrganisation(name, true)))
    )
      return [];
    const place = findCountries(note).at(-1)?.country;
    return [{ name, role, ...(place === undefined ? { hasUnreadPlace: /,\s*\p{Lu}/u.test(note) } : { place }), range }];
  });
}

const shortProcessor = /(?<!\p{L})(?:AV|AVV|ST|AP)(?!\p{L})/u;
const ownController =
  /(?<!\p{L})(?:eigene[rn]? verantwortliche[rn]?|independent controller|own controller|separate controller|responsable (?:autonome|independiente|distinct)|titolare autonomo|zelfstandig verantwoordelijke|eget ansvar)(?!\p{L})/iu;

function placeOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : countryOfAddress(text);
}

/** "Subprocessor 1 | Acme LLC | Ohio, USA", "List all sub-processors. | Acme GmbH (Germany), …". */
function answeredParties(row: RegisterRow, { document }: Reading): RoleOfParty[] {
  const at = row.cells.findIndex(({ text }) => subprocessorWords.test(text));
  const question = row.cells[at]?.text;
  if (
    question === undefined ||
    /(?<!\p{L})(?:notice|notify|objection|approval|change|audit|list of changes|ankündigung|widerspruch|préavis|aviso|preavviso|aankondiging|are any|do (?:any|your)|certified|validated)(?!\p{L})/iu.test(
      question,
    )
  )
    return [];
  const rest = row.cells.slice(at + 1).filter(({ text }) => !isEmptyCell(text));
  const range = { start: row.start, end: row.end };
  const listed = rest.flatMap(({ text }) => namesWithPlaces(text));
  if (listed.length > 0)
    return listed.map(({ name, place }) => {
      const country = place === undefined ? undefined : countryOfAddress(place);
      return { name, role: 'sub-processor', ...(country === undefined ? {} : { place: country }), range };
    });
  const [name, where] = rest;
  if (name === undefined || !isOrganisation(name.text)) return [];
  const place = where === undefined ? undefined : countryOfAddress(where.text);
  return [
    {
      name: withoutMarks(document.text.slice(name.start, name.end)),
      role: 'sub-processor',
      ...(place === undefined ? {} : { place }),
      range,
    },
  ];
}
