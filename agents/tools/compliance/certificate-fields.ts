/** The fields of a certificate: its number and dates by their labels, its holder and its scope. */
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { printed } from './flat-text.ts';
import { isOrganisation, nameIn, organisationsIn, withoutMarks } from './organisation-names.ts';
import type { Reading } from './reading.ts';

export type Field = 'number' | 'issued' | 'first' | 'expires';

/** The label of a line or row. "First issue" comes before "issue". */
const fields: readonly (readonly [Field, RegExp])[] = [
  [
    'first',
    /(?:first|original|initial(?:ly)?|erst(?:e|mals|malige)?|erstausstellung|erstzertifizierung|prima|première|initiale|primera|inicial|eerste)(?!\p{L}).{0,40}|ursprünglich|originally|certified since|zertifiziert seit|certifié depuis/iu,
  ],
  [
    'expires',
    /(?:expir\p{L}*|valid (?:until|to|through)|validity|end of validity|gültig bis|gültigkeit|ablauf\p{L}*|läuft ab|valable jusqu|valide jusqu|fin de validité|échéance|date d.expiration|scadenza|valido fino|validità|válido hasta|fecha de (?:caducidad|expiración|vencimiento)|validez|caduca|geldig (?:tot|t\/m)|vervaldatum|einddatum|certificate expiry)/iu,
  ],
  [
    'issued',
    /(?:issued?|date of issue|issue date|current issue|re-?issued?|decision date|certification date|effective|délivrance|ausgestellt|ausstellung\p{L}*|ausgabedatum|datum der (?:ausstellung|zertifizierung)|délivré|émis|date d.(?:émission|effet|édition)|emissione|emesso|rilasci\p{L}*|fecha de (?:emisión|expedición|concesión|renovación)|emitido|expedid\p{L}*|uitgegeven|uitgifte|heruitgifte|afgegeven|afgiftedatum|datum van afgifte|valid from|gültig ab|gültig von|certificatiedatum)/iu,
  ],
  [
    'number',
    /(?:(?:certificate|certificat|zertifikat\p{L}*|certificato|certificado|certificaat\p{L}*|registration|registrierungs?\p{L}*|registratie\p{L}*)(?: registr\p{L}*)?[\s-]{0,2}(?:no|nr|n|nummer|number|numéro|numero|número|n°|nº|núm|id)\.?)/iu,
  ],
];

export function fieldOf(label: string): Field | undefined {
  return fields.find(([, shape]) => shape.test(label))?.[0];
}

export const numberShape =
  /(?:no|nr|n|nummer|number|numéro|numero|número|n°|nº|núm|id)?[.:°º]?\s{0,4}((?=[\p{L}\d/.-]{0,24}\d)[\p{L}\d][\p{L}\d/.-]{2,28}(?:[ ]\d{2,6})?)/iu;

/** "Valid until 14 September 2027": each date with the nearest label before it. */
export function fieldsIn(range: Range, { document }: Reading): [Field, string][] {
  const text = document.text.slice(range.start, range.end);
  const found: [Field, string][] = [];
  let from = 0;
  for (const date of allWithin(document.dates, range)) {
    if (date.iso.length !== 10 || date.ambiguous) continue;
    const at = date.start - range.start;
    const label = text.slice(Math.max(from, at - 60), at);
    from = date.end - range.start;
    const field = fieldOf(label);
    if (field !== undefined && field !== 'number') found.push([field, date.iso]);
  }
  const number = fields.find(([name]) => name === 'number')![1].exec(text);
  if (number !== null) {
    const value = numberShape.exec(
      text.slice(number.index + number[0].length, number.index + number[0].length + 60),
    )?.[1];
    if (value !== undefined) found.push(['number', value.replace(/[.,]$/, '')]);
  }
  return found;
}

const certifies =
  /(?<!\p{L})(?:certif(?:y|ies|ied) that|(?:is |hereby )?(?:awarded|granted|issued) to|this is to certify|management system of|bescheinigt|zertifiziert|bestätigt|erteilt|verliehen an|für das unternehmen|inhaber|certifie que|attribué à|délivré à|atteste que|le système de management de|si certifica che|rilasciato a|certifica che|sistema di gestione|certifica que|concedido a|se concede|otorgado a|sistema de gestión|verleend aan|toegekend aan|verklaart dat|managementsysteem van|certificate holder|certified organi[sz]ation|titulaire|titolare|titular|certificaathouder|organisation|organization|organizzazione|organización|organisatie|unternehmen|company)(?!\p{L})/iu;

/** The organisation named after the words that certify, on the same line or below; not the body that certifies. */
export function holderOf({ clauses, document }: Reading): string | undefined {
  for (const [index, clause] of clauses.slice(0, 40).entries()) {
    const match = certifies.exec(clause.text);
    if (match === null) continue;
    const behind = clause.text.slice(match.index + match[0].length).replace(/^[\s:]{1,20}/, '');
    const rest = nameIn(behind) ?? organisationsIn(behind)[0];
    if (rest !== undefined) return rest;
    const below = clauses
      .slice(index + 1, index + 4)
      .find(({ text }) => !fieldLabel.test(text) && (nameIn(text) !== undefined || isCapitalLine(text)));
    if (below !== undefined)
      return nameIn(below.text) ?? withoutMarks(printed(document.text.slice(below.start, below.end)));
  }
  return undefined;
}

/** "Scope: Hosting of platforms" is no name. */
const fieldLabel = /^\s{0,8}\p{L}[\p{L} ]{2,30}:\s/u;

function isCapitalLine(text: string): boolean {
  const shown = text.trim();
  return (
    shown.length >= 5 &&
    shown.length <= 80 &&
    shown === shown.toUpperCase() &&
    /\p{Lu}{3}/u.test(shown) &&
    !/\d{3}/.test(shown) &&
    isOrganisation(shown, true)
  );
}

const scopeLabel =
  /(?<!\p{L})(?:scope|field of application|geltungsbereich|anwendungsbereich|für den geltungsbereich|domaine d.application|périmètre|portée|campo d\p{L}* appl\p{L}*\.?|campo di applicazione|alcance|ámbito|ámbito de aplicación|toepassingsgebied|reikwijdte|scope of (?:certification|registration))(?!\p{L})/iu;
const scopeCharactersMax = 160;

/** What follows "for the following scope:", on the line or below. */
export function scopeOf({ clauses, rows }: Reading): string | undefined {
  for (const row of rows) {
    const at = row.cells.findIndex(({ text }) => text.length < 50 && scopeLabel.test(text));
    const value = at === -1 ? undefined : row.cells[at + 1]?.text;
    if (value !== undefined && value.length > 5) return shownScope(value);
  }
  for (const [index, clause] of clauses.entries()) {
    const match = scopeLabel.exec(clause.text.replaceAll('´', "'"));
    if (match === null || match.index > 60) continue;
    const rest = clause.text.slice(match.index + match[0].length).replace(/^[\s:–-]{1,20}/, '');
    if (rest.length > 10) return shownScope(rest);
    const below = clauses[index + 1];
    if (below !== undefined && below.text.trim().length > 10) return shownScope(below.text);
  }
  return undefined;
}

function shownScope(text: string): string {
  const shown = printed(text).replace(/^(?:het|the|die|der|das|la|le|el|il|l')\s?/iu, '');
  const end =
    /,? (?:in accordo|in accordance|gemäß|entsprechend|conformément|de acuerdo|conforme|overeenkomstig|according to)(?!\p{L})/iu.exec(
      shown,
    )?.index;
  return shown.slice(0, Math.min(end ?? scopeCharactersMax, scopeCharactersMax)).trim();
}
