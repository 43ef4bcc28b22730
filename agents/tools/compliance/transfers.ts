/** Transfers of personal data to third countries that take place or are agreed, with their mechanism (Art. 45, 46 and 49 GDPR). */
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import type { Range } from '../text/span.ts';
import { splitWords } from '../text/words.ts';
import { answerOf } from './answers.ts';
import { findCountries, isThirdCountry } from './countries.ts';
import { documentTypeOf } from './document-types.ts';
import { organisationsIn } from './organisation-names.ts';
import type { RoleOfParty } from './party-rows.ts';
import { findRoles, privacyLaws } from './processing-roles.ts';
import { type Clause, phrasesIn, type Reading } from './reading.ts';
import { cellText, type RegisterRow } from './register-rows.ts';
import { hasCue, isAside } from './sense.ts';

export type TransferMechanism = 'adequacy' | 'dpf' | 'scc' | 'uk-idta' | 'uk-addendum' | 'bcr' | 'derogation';

export interface Transfer {
  /** In English. */
  readonly destination: string;
  readonly mechanism: TransferMechanism;
  readonly recipient?: string;
  readonly range: Range;
}

const mechanisms = compilePhrases<TransferMechanism>([
  ['uk-idta', phraseList('international data transfer agreement; idta')],
  ['uk-addendum', phraseList('uk addendum; international data transfer addendum; addendum b 1.0; ico addendum')],
  [
    'scc',
    phraseList(
      'standard contractual clauses; sccs; scc; eu model clauses; model clauses; 2021 914; standardvertragsklauseln; standarddatenschutzklauseln; clauses contractuelles types; cct; cláusulas contractuales tipo; clausole contrattuali tipo; clausole contrattuali standard; modelcontractbepalingen; standaardcontractbepalingen; modelclausules; standard data protection clauses; standardavtalsklausuler; standardavtalsklausulerna; standardkontraktbestemmelser; standardkontraktsbestemmelser; standard kontraktklausuler; standardkontrakt*; eu standardkontrakt*; standardowe klauzule umowne; standardowych klauzul umownych; cláusulas contratuais tipo; cláusulas contratuais padrão; cláusulas contractuales estándar; clauses types; eu sccs; module 2 sccs; module 3 sccs',
    ),
  ],
  [
    'dpf',
    phraseList(
      'data privacy framework; dpf; eu us data privacy; datenschutzrahmen; gegevensbeschermingskader; angemessenheitsbeschluss ~4 usa; cadre de protection des données; cadre ~2 données ue; marco de privacidad de datos; marco ~3 datos ue; quadro ~3 privacy; dataprivacykader; privacykader; quadro per la protezione dei dati; quadro ~3 privacidade; quadro ~3 proteção de dados; marco ~3 privacidad; privacy shield 2 0; ramverk* ~3 dataskydd|integritet; dataskyddsram*; databeskyttelsesram*; ramy ~3 prywatności|danych',
    ),
  ],
  [
    'bcr',
    phraseList(
      'binding corporate rules; bcr; bcrs; verbindliche interne datenschutzvorschriften; verbindliche* unternehmensregeln; règles d entreprise contraignantes; normas corporativas vinculantes; norme vincolanti d impresa; bindende bedrijfsvoorschriften',
    ),
  ],
  [
    'adequacy',
    phraseList(
      'adequacy decision; adequacy regulations; adequacy; adequate level; angemessenheitsbeschluss*; angemessenes schutzniveau; décision d adéquation; niveau ~3 adéquat; decisión de adecuación; nivel ~3 adecuado; decisione di adeguatezza; adequaatheidsbesluit; passend beschermingsniveau; adeguatezza; adekvansbeslut; beslut om adekvat*; adekvat skyddsnivå; tilstrækkelighedsafgørelse*; tilstrekkelighetsbeslutning*; decyzja* ~3 adekwatności|ochrony; odpowiedni stopień ochrony; decisão de adequação; décision ~2 adéquation',
    ),
  ],
  [
    'derogation',
    phraseList(
      'article|art|artikel|artículo|articolo 49; explicit consent ~4 transfer; ausdrückliche* einwilligung ~4 übermittlung; consentement explicite ~4 transfert; derogation; ausnahme nach art',
    ),
  ],
]);

/** Kinds of documents in which parties and their places are those of processing. */
const kinds = new Set([
  'data-processing-agreement',
  'dpia',
  'processing-record',
  'breach-notice',
  'vendor-questionnaire',
  'policy',
  'procedure',
  undefined,
]);

/** One per destination and recipient, in the order of the text. */
export function findTransfers(reading: Reading): Transfer[] {
  const laws = privacyLaws(reading);
  // A contract that names exporter, importer and clauses may leave the law unnamed.
  if ((laws.length === 0 && findRoles(reading).length === 0) || !kinds.has(documentTypeOf(reading)?.type)) return [];
  const isUk = laws[0] === 'uk_gdpr' || laws.includes('uk_gdpr');
  const outside = (country: string) => isThirdCountry(country, isUk);
  const recipients = findRoles(reading).filter(({ place }) => place !== undefined && outside(place));
  const found: Transfer[] = [...rowTransfers(reading, outside)];
  for (const [index, clause] of reading.clauses.entries()) {
    if ((clause.row !== undefined && clause.label === undefined && !isAnswer(clause)) || isAside(clause)) continue;
    for (const match of phrasesIn(clause, mechanisms)) {
      if (
        hasCue(clause, reading.language, match, 'denied', 'conditional', 'former', 'planned', 'example') ||
        isConditional(reading.clauses, index)
      )
        continue;
      const transfer = transferOf(reading, index, match.label, recipients, outside);
      if (
        transfer !== undefined &&
        !found.some(
          (each) =>
            each.destination === transfer.destination &&
            (each.mechanism === transfer.mechanism || match.label !== 'uk-addendum') &&
            (each.recipient === transfer.recipient || each.recipient === undefined || transfer.recipient === undefined),
        )
      )
        found.push(transfer);
    }
  }
  return found;
}

/** The answer to a question that is not denied. */
function isAnswer({ row, start }: Clause): boolean {
  const answer = row!.cells.find(({ part }) => part === 'answer');
  return answer?.start === start && row!.columns.includes('question') && answerOf(answer.text) !== 'no';
}

const onlyIf =
  /(?<!\p{L})(?:only if|only where|provided that|unless|subject to|nur erfolgen|nur wenn|nur zulässig|bedarf|sofern|que si|uniquement si|à condition|solo si|sólo si|siempre que|solo se|a condizione|qualora|alleen indien|slechts indien|mits|may transfer|shall not transfer|where .{0,40} transfers?)(?!\p{L})/iu;

/** Whether a sentence sets out when transfers would be allowed. */
function isConditional(clauses: readonly Clause[], index: number): boolean {
  const clause = clauses[index]!;
  return clauses
    .slice(Math.max(0, index - 3), index + 1)
    .some((each) => each.sentence === clause.sentence && onlyIf.test(each.text));
}

/** The destination and recipient that the sentence or its paragraph names, else the only one of the document's parties. */
function transferOf(
  { clauses, language }: Reading,
  index: number,
  mechanism: TransferMechanism,
  recipients: readonly RoleOfParty[],
  outside: (country: string) => boolean,
): Transfer | undefined {
  const clause = clauses[index]!;
  const near = clauses.filter((each, at) => Math.abs(at - index) <= 4 && each.block === clause.block);
  const isExcluded = (each: Clause) =>
    hasCue(each, language, { start: 0, end: each.text.length }, 'former', 'denied') && each !== clause;
  const range = { start: clause.start, end: clause.end };
  const named = recipients.filter(({ name }) =>
    near.some(({ text }) => text.replaceAll('´', "'").includes(firstWords(name))),
  );
  if (named.length > 0) {
    const [party] = named;
    return { destination: party!.place!, mechanism, recipient: party!.name, range };
  }
  const countries = [clause, ...near.filter((each) => !isExcluded(each))]
    .flatMap(({ text }) => findCountries(text))
    .map(({ country }) => country)
    .filter((country) => outside(country));
  const destination = mechanism === 'dpf' ? 'United States' : (countries[0] ?? onlyPlace(recipients));
  if (destination === undefined) return undefined;
  const there = recipients.filter(({ place }) => place === destination);
  const [only] = there.length === 0 ? organisationsIn(clause.text) : [];
  if (only !== undefined) return { destination, mechanism, recipient: only, range };
  if (mechanism === 'dpf' && there.length === 0 && countries[0] === undefined) return undefined;
  return { destination, mechanism, ...(there.length === 1 ? { recipient: there[0]!.name } : {}), range };
}

function firstWords(name: string): string {
  return name.split(/[ ,]/).slice(0, 2).join(' ');
}

function onlyPlace(recipients: readonly RoleOfParty[]): string | undefined {
  const places = new Set(recipients.map(({ place }) => place));
  return places.size === 1 ? recipients[0]!.place : undefined;
}

/** "USA - EU-US Data Privacy Framework" in the column of third countries, with the recipient that it or the row names. */
function namedDestination(
  row: RegisterRow,
  roles: readonly RoleOfParty[],
  outside: (country: string) => boolean,
): Transfer | undefined {
  const text = cellText(row, 'destination');
  if (text === undefined) return undefined;
  const destination = findCountries(text)[0]?.country;
  const mechanism = findPhrases(splitWords(text), mechanisms)[0]?.label;
  if (destination === undefined || mechanism === undefined || !outside(destination)) return undefined;
  const there = roles.filter(({ place, range }) => place === destination && range.start === row.start);
  const recipient = organisationsIn(text)[0] ?? (there.length === 1 ? there[0]!.name : undefined);
  return {
    destination,
    mechanism,
    ...(recipient === undefined ? {} : { recipient }),
    range: { start: row.start, end: row.end },
  };
}

/** Rows with a country and a safeguard. */
function rowTransfers(reading: Reading, outside: (country: string) => boolean): Transfer[] {
  return reading.rows.flatMap((row): Transfer[] => {
    const named = namedDestination(row, findRoles(reading), outside);
    if (named !== undefined) return [named];
    const where = cellText(row, 'place');
    // "USA, standard contractual clauses" in the column of places.
    const safeguard = cellText(row, 'safeguard') ?? where;
    const destination = where === undefined ? undefined : findCountries(where).at(-1)?.country;
    const mechanism = safeguard === undefined ? undefined : findPhrases(splitWords(safeguard), mechanisms)[0]?.label;
    if (destination === undefined || mechanism === undefined || !outside(destination)) return [];
    const recipient = cellText(row, 'name') ?? cellText(row, 'processor');
    return [
      {
        destination,
        mechanism,
        ...(recipient === undefined ? {} : { recipient }),
        range: { start: row.start, end: row.end },
      },
    ];
  });
}
