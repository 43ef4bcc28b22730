/** Certificates of management systems: the certificate that a document is, and those that it cites with a number or a last day. */
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { frameworkMentions, frameworksIn, frameworksOfText } from './applied-frameworks.ts';
import { type Field, fieldOf, fieldsIn, holderOf, numberShape, scopeOf } from './certificate-fields.ts';
import { documentTypeOf } from './document-types.ts';
import { printed } from './flat-text.ts';
import type { FrameworkId } from './framework-names.ts';
import { isOrganisation, nameIn, organisationsIn, withoutMarks } from './organisation-names.ts';
import { findRoles } from './processing-roles.ts';
import type { Clause, Reading } from './reading.ts';
import { hasCue, isAside } from './sense.ts';

export interface Certificate {
  readonly standard: FrameworkId;
  /** As printed. */
  readonly holder?: string;
  readonly number?: string;
  /** Leading words as printed. */
  readonly scope?: string;
  /** ISO date of issue of the present edition. */
  readonly issued?: string;
  /** ISO date of the last day. */
  readonly expires?: string;
  readonly range: Range;
}

const standards: ReadonlySet<FrameworkId> = new Set([
  'iso_27001',
  'iso_27701',
  'iso_27017',
  'iso_27018',
  'iso_22301',
  'iso_9001',
  'iso_42001',
  'c5',
  'pci_dss',
]);

/** In the order of the text. */
export function findCertificates(reading: Reading): Certificate[] {
  const own =
    documentTypeOf(reading)?.type === 'certificate'
      ? [...ownCertificates(reading), ...formerCertificates(reading)]
      : [...headedCertificates(reading), ...citedCertificates(reading)];
  const others = certifiedOthers(reading).filter(
    ({ standard, holder }) =>
      !own.some((each) => each.standard === standard && each.holder !== undefined && equalStart(each.holder, holder!)),
  );
  return [...own, ...others].filter(
    (each, index, all) =>
      all.findIndex(({ standard, number }) => standard === each.standard && number === each.number) === index,
  );
}

function equalStart(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a.startsWith(b) || b.startsWith(a);
}

/** "This certificate replaces certificate no. 0877, valid until 3 March 2026". */
function formerCertificates({ clauses, document }: Reading): Certificate[] {
  return clauses.flatMap((clause): Certificate[] => {
    const at = replaces.exec(clause.text)?.index;
    if (at === undefined) return [];
    const number = /(?:n°|no\.?|nr\.?|number|numéro|número|numero)\s{0,3}([\p{L}\d][\p{L}\d/-]{4,28})/iu.exec(
      clause.text.slice(at),
    )?.[1];
    const expires = allWithin(document.dates, clause).find(({ iso }) => iso.length === 10)?.iso;
    return number === undefined || !iso27001.test(number) || expires === undefined
      ? []
      : [{ standard: 'iso_27001', number, expires, range: { start: clause.start, end: clause.end } }];
  });
}

const iso27001 = /(?<!\d)27001(?!\d)/u;

const certifiedWords =
  /(?<!\p{L})(?:is|are|ist|sind|est|sont|è|sono|está|están|é|är|jest|wordt)(?: also| ebenfalls| également)? (?:certified|zertifiziert|certifiée?s?|certificat[aoei]|certificad[ao]s?|gecertificeerd|certifierad\p{L}?|certyfikowan\p{L})(?!\p{L})|(?<!\p{L})(?:holds?|hat|besitzt|détient|possiede|posee|dispone de|heeft|possui|posiada|innehar)(?!\p{L})[^.;]{0,30}(?:certificat|zertifikat|certificad|certifik|certyfikat|ISO)/iu;
const byOwnAccount =
  /(?<!\p{L})(?:nach eigenen angaben|claims?|states? that|déclare|afirma|dichiara|verklaart|according to|at the time|no|not|nicht|kein\p{L}*|pas|non|niet|nie|inte|não)(?!\p{L})/iu;

/** "Its provider, Acme Oy, is certified to ISO/IEC 27018": a certificate of another organisation that the sentence names. */
function certifiedOthers(reading: Reading): Certificate[] {
  const { clauses, language, document } = reading;
  return clauses.flatMap((clause): Certificate[] => {
    const text = clause.text.replaceAll('´', "'");
    const stated = certifiedWords.exec(text);
    if (stated === null || clause.row !== undefined || isAside(clause) || byOwnAccount.test(text)) return [];
    if (hasCue(clause, language, { start: 0, end: text.length }, 'conditional', 'example', 'planned', 'former'))
      return [];
    const named = frameworksIn(clause).filter(({ label, start }) => standards.has(label) && start > stated.index);
    const sentence = clauses
      .filter((each) => each.sentence === clause.sentence && each.start <= clause.start)
      .map((each) => each.text)
      .join(' ');
    const holder = organisationsIn(text.slice(0, stated.index)).at(-1) ?? organisationsIn(sentence)[0];
    const numberOf =
      /\((?:certificate |zertifikat |certificat )?(?:n°|no\.?|nr\.?|nº)\s{0,3}([\p{L}\d][\p{L}\d/-]{3,28})/iu.exec(
        text,
      )?.[1];
    const expiry = until.exec(text);
    const expires =
      expiry === null ? undefined : allWithin(document.dates, clause).find(({ iso }) => iso.length === 10)?.iso;
    if (holder === undefined || new Set(named.map(({ label }) => label)).size !== 1) return [];
    return [
      {
        standard: named[0]!.label,
        holder,
        ...(numberOf === undefined ? {} : { number: numberOf }),
        ...(expires === undefined ? {} : { expires }),
        range: { start: clause.start, end: clause.end },
      },
    ];
  });
}

function ownCertificates(reading: Reading): Certificate[] {
  const { document, clauses, rows } = reading;
  const values = new Map<Field, string>();
  const set = (field: Field | undefined, value: string | undefined) => {
    if (field !== undefined && value !== undefined && !values.has(field)) values.set(field, value);
  };
  for (const row of rows) {
    for (const [nth, cell] of row.cells.entries()) {
      const field = cell.text.length <= 60 ? fieldOf(cell.text) : undefined;
      const value = row.cells[nth + 1];
      if (field === undefined || value === undefined) continue;
      set(field, field === 'number' ? printed(value.text) : dateIn(reading, value));
    }
  }
  for (const clause of clauses) {
    if (clause.row !== undefined || isOfIssuer(clause) || replaces.test(clause.text)) continue;
    for (const [field, value] of fieldsIn(clause, reading)) set(field, value);
  }
  const applied = frameworkMentions(reading).filter(({ id, status }) => status === 'applied' && standards.has(id));
  const holder = holderOf(reading);
  const scope = scopeOf(reading);
  const number = titleNumber(clauses) ?? values.get('number');
  const range = documentTypeOf(reading)!.clause;
  return applied.map(
    ({ id }): Certificate => ({
      standard: id,
      ...(holder === undefined ? {} : { holder }),
      ...(number === undefined ? {} : { number }),
      ...(scope === undefined ? {} : { scope }),
      ...(values.has('issued') ? { issued: values.get('issued')! } : {}),
      ...(values.has('expires') ? { expires: values.get('expires')! } : {}),
      range: { start: range.start, end: range.end },
    }),
  );
  function dateIn(all: Reading, value: Range): string | undefined {
    return allWithin(all.document.dates, value).filter(({ iso, ambiguous }) => iso.length === 10 && !ambiguous)[0]?.iso;
  }
  function titleNumber(lines: readonly Clause[]): string | undefined {
    const line = lines.find(
      ({ text, row }) =>
        row === undefined &&
        text.length < 120 &&
        /^\s{0,80}(?:certificate|zertifikat|certificat|certificato|certificado|certificaat|certyfikat|certifikat)(?!\p{L})/iu.test(
          joinSpaced(text),
        ) &&
        /\d/.test(text),
    );
    return line === undefined
      ? undefined
      : numberShape.exec(joinSpaced(document.text.slice(line.start, line.end)).replace(/^\s{0,80}\p{L}+/u, ''))?.[1];
  }
}

/** "C E R T I F I C A T   n° 12". */
function joinSpaced(text: string): string {
  return text.replace(/(?<!\p{L})(?:\p{Lu} ){5,40}\p{Lu}(?!\p{L})/gu, (spaced) => spaced.replaceAll(' ', ''));
}

/** Words for replacing an older certificate. */
const replaces =
  /(?<!\p{L})(?:annule|remplace|replaces?|supersedes?|ersetzt|sustituye|reemplaza|sostituisce|vervangt|substitui|zastępuje|ersätter)(?!\p{L})/iu;

/** The accreditation of the certification body has dates of its own. */
function isOfIssuer({ text }: Clause): boolean {
  return /(?<!\p{L})(?:accredit\p{L}*|akkredit\p{L}*|accrédit\p{L}*|acredit\p{L}*|accreditat\p{L}*|erkend|erkenning|17021|17065|DAkkS|UKAS|ENAC|COFRAC|Accredia|RvA)(?!\p{L})/iu.test(
    text,
  );
}

/** An audit report names the certificate, its holder, standard and scope in its opening rows. */
function headedCertificates(reading: Reading): Certificate[] {
  if (documentTypeOf(reading)?.type !== 'audit-report') return [];
  const { rows, clauses } = reading;
  const lines = [...rows.slice(0, 20), ...clauses.slice(0, 20).filter(({ row }) => row === undefined)];
  const line = lines.find((each) =>
    certificateNumber.test('cells' in each ? each.cells.map(({ text }) => text).join(' ') : each.text),
  );
  if (line === undefined) return [];
  const text = 'cells' in line ? line.cells.map((cell) => cell.text).join(' ') : line.text;
  const number = certificateNumber.exec(text)?.[1]?.replace(/[.,]$/, '');
  const [standard] = frameworkMentions(reading).filter(({ id, status }) => status === 'applied' && standards.has(id));
  if (number === undefined || standard === undefined) return [];
  const dated = fieldsIn(line, reading);
  const issued = dated.find(([field]) => field === 'issued')?.[1];
  const expires =
    dated.find(([field]) => field === 'expires')?.[1] ??
    allWithin(reading.document.dates, line)
      .filter(({ iso }) => iso.length === 10)
      .at(-1)?.iso;
  const holderRow = rows
    .slice(0, 20)
    .find(({ cells }) =>
      /^(?:organi[sz]ation|organizzazione|organización|organisation auditée|organisatie|company|client|unternehmen|auditierte organisation|auditee|kunde|entreprise|empresa)\s?:?$/iu.test(
        cells[0]?.text ?? '',
      ),
    );
  const holder = holderRow?.cells[1]?.text;
  const scope = scopeOf(reading);
  return [
    {
      standard: standard.id,
      number,
      ...(holder === undefined ? {} : { holder: withoutMarks(holder) }),
      ...(scope === undefined ? {} : { scope }),
      ...(issued === undefined ? {} : { issued }),
      ...(expires === undefined ? {} : { expires }),
      range: { start: line.start, end: line.end },
    },
  ];
}

const certificateNumber =
  /(?<!\p{L})(?:certificate|certificat|zertifikat|certificato|certificado|certificaat)(?:s?nummer)?\s{0,2}(?:(?:no|nr|n|number|numéro|numero|número|n°|nº|núm)[.°º]?\s{0,3})?((?=[\p{L}\d/.-]{0,24}\d)[\p{Lu}\d][\p{L}\d/.-]{2,28}|\p{Lu}{2,4} \d{4,10}(?!\d))/iu;
const until =
  /(?<!\p{L})(?:valid (?:until|to|through)|expir\p{L}*|gültig bis|läuft (?:bis|am)|bis zum|valable jusqu\p{L}*(?: ?au)?|expirant|valide jusqu\p{L}*|scadenza|valido fino|in scadenza|válido hasta|vigente hasta|caduca|con vencimiento|geldig tot(?: en met)?|vervalt)(?!\p{L})/iu;

/** "Certificate QS-88210, valid until 14 September 2027" with a standard in the same sentence or row. */
function citedCertificates(reading: Reading): Certificate[] {
  const { clauses, document, language } = reading;
  const found: Certificate[] = [];
  for (const clause of clauses) {
    const text = clause.text.replaceAll('´', "'");
    if (!/(?<!\p{L})(?:certif|zertif)/iu.test(text) || isAside(clause) || isOfIssuer(clause)) continue;
    const expiry = until.exec(text);
    const number = certificateNumber.exec(text)?.[1]?.replace(/[.,]$/, '');
    const from = clause.start + expiryAt(clause, document.text);
    const dates =
      expiry === null
        ? []
        : allWithin(document.dates, clause).filter(({ start, iso }) => start >= from && iso.length === 10);
    if (dates.length === 0 || (expiry === null && number === undefined)) continue;
    if (hasCue(clause, language, { start: 0, end: text.length }, 'conditional', 'example')) continue;
    const named = [
      ...frameworksIn(clause),
      ...(clause.row?.cells.flatMap(({ text: cell }) => frameworksOfText(cell)) ?? []),
    ].filter(({ label }) => standards.has(label));
    const [standard] = named;
    if (standard === undefined) continue;
    const holder = holderOfCitation(clause, reading);
    const issued = fieldsIn(clause, reading).find(([field]) => field === 'issued')?.[1];
    const scope =
      /(?<!\p{L})(?:scope|geltungsbereich|périmètre|alcance|ambito|toepassingsgebied)\s?:\s{1,4}([^.;]{5,120})/iu.exec(
        clause.row?.cells.map((cell) => cell.text).join(' | ') ?? text,
      )?.[1];
    found.push({
      standard: standard.label,
      ...(holder === undefined ? {} : { holder }),
      ...(number === undefined ? {} : { number }),
      ...(scope === undefined ? {} : { scope: printed(scope) }),
      ...(issued === undefined ? {} : { issued }),
      expires: dates[0]!.iso,
      range: { start: clause.start, end: clause.end },
    });
  }
  return found;
}

/** A clause of a cell has the range of its cell. */
function expiryAt({ start, end, row }: Clause, text: string): number {
  const found = until.exec(text.slice(start, end));
  return found?.index ?? (row === undefined ? end - start : 0);
}

const ownSubject =
  /(?<!\p{L})(?:our|we|ours|unser\p{L}{0,3}|wir|notre|nos|nuestr[oa]s?|nostr[oa]|ons|onze|wij)(?!\p{L})/iu;
const provider =
  /(?<!\p{L})(?:provider|supplier|vendor|prestataire|fournisseur|proveedor|fornitore|leverancier|dienstleister|lieferant|hoster|hébergeur)\s{1,3}((?:\p{Lu}[\p{L}\d&'’.-]*\s?){1,6})/u;

/** The supplier who answers; the writer of "our"; else the organisation that the sentence names. */
function holderOfCitation(clause: Clause, reading: Reading): string | undefined {
  const { clauses, document } = reading;
  const named = provider.exec(clause.text);
  if (named !== null) return withoutMarks(named[1]!);
  if (clause.row !== undefined) {
    const supplier = clauses.find(
      ({ label }) =>
        label !== undefined &&
        /^(?:supplier|vendor|lieferant|anbieter|fournisseur|prestataire|proveedor|fornitore|leverancier|company)$/iu.test(
          label,
        ),
    );
    return supplier === undefined ? undefined : nameIn(supplier.text.slice(supplier.text.indexOf(':') + 1));
  }
  if (!ownSubject.test(clause.text)) return nameIn(document.text.slice(clause.start, clause.end));
  const processor = findRoles(reading).find(({ role }) => role === 'processor' || role === 'business-associate');
  if (processor !== undefined) return processor.name;
  const writer = clauses
    .slice(0, 10)
    .find(({ text, label }) => label === undefined && !text.includes('|') && isOrganisation(text.trim()));
  return writer === undefined ? undefined : withoutMarks(printed(writer.text));
}
