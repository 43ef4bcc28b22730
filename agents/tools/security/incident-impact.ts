/** What an incident affected, as numbers: of customers, records, hosts, money and so on. */
import { type Document, sentenceAt } from '../../document/document.ts';
import { fullRows } from '../../document/table.ts';
import { findNumbers } from '../text/numbers.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { findTopics, type Topic } from './report-topics.ts';

export interface Impact extends Range {
  readonly of: 'customers' | 'users' | 'records' | 'requests' | 'orders' | 'hosts' | 'accounts' | 'money' | 'messages';
  /** Money in units of the currency. */
  readonly count: number;
}

/** What is counted, in English, German, French, Spanish, Italian and Dutch; the head of a compound counts. */
const nouns: readonly (readonly [Impact['of'], RegExp])[] = [
  [
    'accounts',
    /(?:accounts?|mailbox(?:es)?|\p{L}*(?:konten|postfächern?|zugänge)|benutzerkonten|comptes?|bo[iî]tes? (?:aux lettres|mail)|cuentas?|account)$/iu,
  ],
  [
    'customers',
    /(?:customers?|clients?|subscribers?|tenants?|merchants?|policyholders?|households?|patients?|passengers?|citizens?|adh[ée]rents?|assur[ée]e?s|usagers|versicherten?|patient(?:en|innen)|haushalten?|bürger(?:n|innen)?|pacientes|asegurados|abonados|assicurati|pazienti|cittadini|utentes|pasajeros|verzekerden|patiënten|klienci|klientów|policy ?holders?|\p{L}*(?:kunden|kundinnen)|abonn[ée]s|clientes|klanten|clienti)$/iu,
  ],
  [
    'users',
    /(?:users?|visitors?|members?|nutzer\w*|benutzer\w*|anwender\w*|mitglieder\w*|utilisat(?:eur|rice)s?|internautes|usuarios|utenti|gebruikers)$/iu,
  ],
  [
    'messages',
    /(?:messages?|e-?mails?|sms|notifications?|nachrichten|courriels?|mensajes|correos|messaggi|berichten)$/iu,
  ],
  [
    'records',
    /(?:records?|files?|documents?|rows?|entries|\p{L}*(?:datens(?:ä|ae)tzen?|dateien|akten|dokumente)|dossiers?|fichiers?|enregistrements?|registros|archivos|expedientes|record|documenti|dossiers|bestanden)$/iu,
  ],
  [
    'requests',
    /(?:requests?|queries|api calls|\p{L}*(?:anfragen|abfragen|aufrufe)|requ[êe]tes?|peticiones|solicitudes|richieste|verzoeken)$/iu,
  ],
  [
    'orders',
    /(?:orders?|bookings?|purchases?|checkouts|reservations?|\p{L}*(?:bestellungen|buchungen|aufträgen?)|commandes?|r[ée]servations?|pedidos|reservas|ordini|prenotazioni|bestellingen)$/iu,
  ],
  [
    'hosts',
    /(?:hosts?|servers?|machines?|workstations?|endpoints?|devices?|laptops?|computers?|gateways?|appliances?|routers?|firewalls?|switches|terminals?|sensors?|controllers?|vms?|virtual machines|nodes?|instances?|systems|\p{L}*(?:server[n]?|rechnern?|arbeitsplätzen?|geräten?|systemen?)|serveurs?|postes?(?: de travail)?|ordinateurs?|servidores|equipos|computer|werkstations|werkplekken)$/iu,
  ],
];

/** Verbs of harm, which make a sentence outside the section on the impact one about it. */
const harmed =
  /(?<!\p{L})(?:(?:could|did|were|was) (?:not|no longer)|unable to|were charged|konnten (?:nicht|kein\p{L}*)|n['’]ont pas pu|no pudieron|non hanno potuto|konden (?:niet|geen)|nie mogli|não conseguiram|kunde inte|kunne ikke|affected|impacted|delivered|received|entered|clicked|opened|reset|lost|stolen|encrypted|copied|exfiltrated|exposed|compromised|leaked|deleted|failed|disrupted|accessed|infected|betroffen|kopiert|verschlüsselt|abgeflossen|gestohlen|gelöscht|entwendet|offengelegt|chiffr[ée]e?s?|exfiltr[ée]e?s?|touch[ée]e?s?|vol[ée]e?s?|publi[ée]e?s?|compromis(?:es?)?|concern[ée]e?s?|afectad[oa]s|cifrad[oa]s|cifr[óo]|cifraron|perdieron|recibi(?:ó|eron)|afect[óo]|afectaron|robó|exfiltr[óo]|chiffra|toucha|ont reçu|ont été|verschlüsselte|erhielten|erhalten|traf|cifrò|ha cifrato|hanno ricevuto|colpì|versleutelde|robad[oa]s|colpit[ei]|cifrat[ei]|getroffen|versleuteld|gestolen)(?!\p{L})/iu;
/** A number that is denied, taken out of another, expected, or of somebody else. */
const setAside =
  /(?<!\p{L})(?:(?:may|might|could) (?:also )?have (?:been )?|not (?:be )?(?:affected|impacted|lost|exposed|accessed|compromised)|unaffected|none of|no (?:customers?|data|records?|users?)|never|nicht (?:betroffen|abgeflossen)|unterbrechungsfrei|ohne auswirkung\w*|(?:n['’]est|n['’]ont|n['’]a) pas|aucun\w*|non (?:touch|affect)\w*|could have|would have|up to the|maximum|capacity|hätten?|übrige[nr]?|remaining|previous(?:ly)?|comparable|similar|last year|vorjahr|previo|(?:in|during|after|of|since) (?:the|an?|our|last) (?:(?:earlier|other|another|first|separate|unrelated|past|20\d\d|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter) )+(?:incident|breach|attack|outage|case|campaign|event)|(?:früheren|anderen|ersten) (?:vorfall|angriff|störung)\w*|(?:incident|attaque|panne) (?:précédente?|antérieure?))(?!\p{L})/iu;
const partOfBefore =
  /(?<!\p{L})(?:of (?:these|those|which|them|the)|davon|darunter|dont|parmi|de ell[oa]s|out of|von(?: den)?|sur|pool of|daily|per|each|normally|usually)\s{0,3}(?:(?:about|around|some|rund|environ)\s)?$/iu;
/** The number of all customers, of whom some were affected. */
const totalBefore = /(?<!\p{L})(?:compte|counts|serves|zählt|betreut|versorgt|cuenta con|conta|serve|telt|liczy)\s$/iu;
const moneyHarm =
  /(?<!\p{L})(?:lost|loss(?:es)?|revenue|costs?|cost|spent|paid|diverted|stolen|damages?|credits?|refund\w*|transferred|fine|fell|kosten|schaden|schäden|entgangen\w*|umsatzausfall\w*|fielen|betr(?:ägt|ugen|ug)|gezahlt|überwiesen|aufwand|co[ûu]ts?|pertes?|pr[ée]judice|dommages?|vers[ée]e?s?|d[ée]tourn[ée]e?s?|p[ée]rdidas?|costes?|perdita|costi|schade|kosten)(?!\p{L})/iu;
const demanded =
  /(?<!\p{L})(?:demand(?:ed|s|ing)?|asked for|ransom of|budget\w*|insur\w*|versicher\w*|rançon demand[ée]e|gefordert\w*|lösegeldforderung|exig[ée]e?|planned|approved|invest\w*)(?!\p{L})/iu;

const wordsAfterMax = 4;

/** Ordered by position, one for each kind and number. */
export function findImpacts(document: Document): Impact[] {
  const topics = findTopics(document);
  const topicAt = (position: number): Topic => topics[indexAt(topics, position) ?? -1]?.topic ?? 'other';
  const found = [...countsIn(document, topicAt), ...moneyIn(document, topicAt), ...labelledIn(document, topicAt)];
  const seen = new Set<string>();
  return found
    .sort((a, b) => a.start - b.start)
    .filter(({ of, count }) => {
      const key = `${of} ${count}`;
      return !seen.has(key) && seen.add(key) !== undefined;
    });
}

/** "It replaces the estimates in the updates below": an approximate number is then one of those estimates. */
export function isRevisedEstimate({ text }: Document, { start }: Range): boolean {
  return estimate.test(text.slice(Math.max(0, start - 24), start)) && revision.test(text);
}

const revision =
  /(?<!\p{L})(?:replaces?|supersedes?|corrects?|ersetzt|remplace|sustituye|sostituisce|vervangt) (?:the |all |die |les |las |le |de )?(?:earlier |previous |first |früheren |vorläufigen )?(?:estimates?|figures|numbers|schätzungen|zahlen|estimations|estimaciones|cifras|stime|schattingen)/iu;
const estimate =
  /(?<!\p{L})(?:about|around|approximately|approx\.?|some|roughly|an estimated|etwa|rund|ca\.?|environ|unos|unas|circa|ongeveer)\s$/iu;

const whole =
  '(?:of|out of|von|sur|de|su|van|av|af|z|spośród)\\s(?:(?:the|our|its|their|all|den|unseren?|insgesamt|nos|les|nuestros|los|nostri|i|onze|de|naszych|våra|vores)\\s){0,2}';
const wholeBefore = new RegExp(`\\d\\s${whole}$`, 'iu');
const wholeAfter = new RegExp(`^\\s${whole}\\d[\\d.,  ]{0,12}(?=\\s\\p{L})`, 'iu');

const isAbout = (topic: Topic) => topic === 'impact' || topic === 'summary';

function countsIn(document: Document, topicAt: (position: number) => Topic): Impact[] {
  const { text, decimalMark } = document;
  return findNumbers(text, decimalMark === undefined ? {} : { decimalMark }).flatMap((number): Impact[] => {
    if (
      Number(number.value) < 1 ||
      text[number.end] === '%' ||
      /[$€£]\s?$/.test(text.slice(Math.max(0, number.start - 2), number.start))
    )
      return [];
    const million = /^\s(?:million|mio\.?|millionen|millions? de?|thousand|tausend|mille)\s/iu.exec(
      text.slice(number.end, number.end + 14),
    );
    // A cell or a row ends what a number counts.
    const { end: limit } = sentenceNear(document, number.start);
    const from = number.end + (million?.[0].trimEnd().length ?? 0);
    // "Of our 40 servers": all of them.
    if (wholeBefore.test(text.slice(Math.max(0, number.start - 40), number.start))) return [];
    const tail = text.slice(from, Math.max(from, Math.min(limit, from + 90))).split('\t')[0]!;
    const of = nounAfter(tail.replace(wholeAfter, ''));
    if (of === undefined) return [];
    const topic = topicAt(number.start);
    const sentence = sentenceNear(document, number.start);
    const written = text.slice(sentence.start, sentence.end);
    if (topic === 'sample' || topic === 'actions' || topic === 'timeline') return [];
    const clause = clauseOf(written, number.start - sentence.start);
    if (topic !== 'impact' && !harmed.test(clause)) return [];
    if (setAside.test(clause)) return [];
    if (
      /^(?:customers|users|accounts|hosts)$/.test(of) &&
      totalBefore.test(text.slice(Math.max(sentence.start, number.start - 16), number.start)) &&
      !harmed.test(clause.slice(-60))
    )
      return [];
    if (partOfBefore.test(text.slice(Math.max(sentence.start, number.start - 30), number.start))) return [];
    // Things are counted in whole numbers: "2.1 GB of files" and "version 2.1" count nothing.
    if (million === null && !Number.isInteger(countOf(number.value, text.slice(number.start, number.end)))) return [];
    const scale = million === null ? 1 : /^\s(?:thousand|tausend|mille)/i.test(million[0]) ? 1000 : 1_000_000;
    return [
      {
        of,
        count: countOf(number.value, text.slice(number.start, number.end)) * scale,
        start: number.start,
        end: number.end,
      },
    ];
  });
}

/** The noun that a number counts: the first known one after adjectives, before any other clause. */
function nounAfter(tail: string): Impact['of'] | undefined {
  const clause = /^[\s\u00a0]((?:\p{L}[\p{L}'’-]{0,30}[\s]{1,3}){0,4}\p{L}[\p{L}'’-]{1,30})/u.exec(tail)?.[1];
  if (clause === undefined) return undefined;
  const words = clause.split(/\s+/).slice(0, wordsAfterMax);
  for (const word of words) {
    if (/^(?:of|in|on|at|for|to|von|der|bei|im|in|à|dans|sur|were|was|had|per|pro|and|und|et|or|%)$/iu.test(word))
      return undefined;
    const known = nouns.find(([, pattern]) => pattern.test(word))?.[0];
    if (known !== undefined) return known;
  }
  return undefined;
}

function clauseOf(sentence: string, at: number): string {
  const before = sentence
    .slice(0, at)
    .split(/[;:]\s|,\s(?:and|but|und|aber|mais|et)\s/u)
    .at(-1)!;
  const after = sentence.slice(at).split(/[;]\s|,\s(?:and|but|und|aber|mais|et)\s/u)[0]!;
  return before + after;
}

function moneyIn(document: Document, topicAt: (position: number) => Topic): Impact[] {
  return document.amounts.flatMap((amount): Impact[] => {
    const topic = topicAt(amount.start);
    if (topic === 'sample' || topic === 'actions') return [];
    const { start, end } = sentenceNear(document, amount.start);
    const written = document.text.slice(start, end);
    const clause = clauseOf(written, amount.start - start);
    if (!moneyHarm.test(written) || demanded.test(clause) || setAside.test(clause)) return [];
    if (!isAbout(topic) && !/\b(?:we paid|lost|loss|stolen|diverted|schaden|pertes?|pr[ée]judice)\b/iu.test(clause))
      return [];
    return [{ of: 'money', count: Number(amount.value), start: amount.start, end: amount.end }];
  });
}

/** "Customers affected: 12,840", and the rows of a table with a label and a number. */
function labelledIn(document: Document, topicAt: (position: number) => Topic): Impact[] {
  const { blocks, text, decimalMark } = document;
  const pairs = blocks.flatMap((block): { readonly label: string; readonly value: Range }[] => {
    if (block.kind === 'field') return [{ label: text.slice(block.label.start, block.label.end), value: block.value }];
    if (block.kind !== 'table') return [];
    return fullRows(block.table).flatMap((cells) => {
      const [label, value] = cells.filter((cell) => cell.text.trim() !== '');
      return label === undefined || value === undefined || cells.length > 3 ? [] : [{ label: label.text, value }];
    });
  });
  return pairs.flatMap(({ label, value }): Impact[] => {
    if (!harmed.test(label) && topicAt(value.start) !== 'impact') return [];
    const written = text.slice(value.start, Math.min(value.end, value.start + 60));
    const [number] = findNumbers(written, decimalMark === undefined ? {} : { decimalMark });
    if (
      number === undefined ||
      !/^(?:about|around|approx\.?|ca\.?|rund|environ|~|≈|\s)*$/iu.test(written.slice(0, number.start))
    )
      return [];
    if (/^\s?%/.test(written.slice(number.end)) || setAside.test(`${label} ${written}`)) return [];
    const words = label.split(/[\s()/,:-]+/u).filter((word) => word !== '');
    const known = nouns.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
    if (known === undefined || /\d/.test(label) || (ofAll.test(label) && !harmed.test(label))) return [];
    return [
      {
        of: known,
        count: countOf(number.value, written.slice(number.start, number.end)),
        start: value.start + number.start,
        end: value.start + number.end,
      },
    ];
  });
}

/** "Total customers": all that there are. */
const ofAll =
  /(?<!\p{L})(?:total|all|registered|overall|gesamt\p{L}*|insgesamt|alle|registriert\p{L}*|totale?s?|tous|toutes|inscrits?|todos|registrados|tutti|registrati|totaal|alle|wszystkich|łącznie|todos|totalt|samtliga|alle)(?!\p{L})/iu;

/** Of a long sentence, the part around a position. */
const sentenceReach = 400;

function sentenceNear(document: Document, position: number): Range {
  const { start, end } = sentenceAt(document, position);
  return { start: Math.max(start, position - sentenceReach), end: Math.min(end, position + sentenceReach) };
}

/** Things are counted in whole numbers, so a single separator before three digits separates thousands. */
function countOf(value: string, written: string): number {
  return /^\d{1,3}(?:[.,]\d{3})+$/.test(written) ? Number(written.replace(/[.,]/g, '')) : Number(value);
}
