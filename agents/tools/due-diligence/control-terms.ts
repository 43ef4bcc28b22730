/** Agreements with consequences for a change of control or the transaction: the counterparty and the consequence. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import type { Flow, Sentence } from './flow.ts';
import { companiesIn } from './names.ts';

export type Consequence =
  | 'termination'
  | 'consent'
  | 'repayment'
  | 'payment'
  | 'accelerated-vesting'
  | 'notice'
  | 'none';

export interface ControlTerm extends Range {
  readonly counterparty?: string;
  readonly consequence: Consequence;
}

const control =
  /\bchanges? (?:of|in) control\b|\bcontrol of the (?:company|group|borrower|tenant)[^.;]{0,30}\bchanges?\b|\bchange (?:of|in) (?:ownership|shareholders?)\b|\bkontrollwechsel\S*|\bchange[- ]of[- ]control\b|\b(?:änderung|wechsel) (?:des|im|der) gesellschafter\S*|\bgesellschafterwechsel\b|\bchangement de contrôle\b|\bcambio de control\b|\b(?:wijziging|verandering) (?:van|in) (?:de )?(?:zeggenschap|controle|aandeelhouders)\S*|\bzeggenschapswijziging|\bchange of control\b/i;
const none =
  /\b(?:contains?|has|have|includes?) no (?:such|change)|\bno (?:such |change[- ]of[- ]control )(?:provision|clause|term|right)|\b(?:enthält|sieht) kein\S*|\bkeine (?:solche|entsprechende|change)\S* \S*(?:klausel|regelung)|\bne (?:contient|comporte|prévoit) (?:pas|aucune)|\bno (?:contiene|incluye|prevé)\b|\bbevat geen\b|\bdoes not (?:contain|include|provide)/i;
const consequences: readonly (readonly [Consequence, RegExp])[] = [
  [
    'accelerated-vesting',
    /\b(?:vest(?:s|ing)? (?:in full|immediately|accelerat\S*)|accelerat\S* (?:of )?vest\S*|fully vest\S*|double[- ]trigger|single[- ]trigger)/i,
  ],
  [
    'termination',
    /\bterminat\S*|\bcancel\S*|\bkündig\S*|\bkündbar|\bsonderkündigungsrecht|\brésili\S*|\bresol(?:ver|ución|uc)\S*|\bresoluci\S*|\bopzeg\S*|\bbeëindig\S*|\brescind/i,
  ],
  [
    'repayment',
    /\brepa(?:y|id)\S*|\bprepa(?:y|id)\S*|\bimmediately due|\bdue and payable|\baccelerat\S*|\brückzahl\S*|\bfällig\S*|\bremboursement|\bexigib\S*|\bexigible|\bvencimiento anticipado|\bamortización anticipada|\bterugbetal\S*|\bopeisbaar|\baflos\S*|\bmandatory redemption/i,
  ],
  [
    'consent',
    /\bconsent\b|\bapproval\b|\bzustimmung\b|\beinwilligung|\baccord\b|\bagrément\b|\bautorisation|\bconsentimiento|\bautorización|\btoestemming|\bgoedkeuring/i,
  ],
  [
    'payment',
    /\bbonus\b|\bseverance\b|\bpay(?:s|ment|able)?\b|\babfindung\S*|\bprämie|\bsonderzahlung|\bindemnité|\bprime\b|\bindemnización|\bprima\b|\bvergoeding/i,
  ],
  ['notice', /\bnotif\S*|\binform\S*|\bnotice\b|\banzeige\S*|\bmitteil\S*|\bcomunicar|\bkennisgev\S*|\bmelden\b/i],
];
const supposed =
  /\b(?:our|some|certain|several|many) (?:\S+ ){0,3}(?:customers?|suppliers?|agreements?|contracts?)\b|\b(?:could|might)\b/i;
const defining = /["”“]\s?(?:means|shall mean|bezeichnet|désigne|significa|betekent)|^["“„]change of control/i;

/** A sentence that names the agreement follows the one that names the event, or the other way about. */
export function findControlTerms(_document: Document, flow: Flow): ControlTerm[] {
  const found: ControlTerm[] = [];
  flow.sentences.forEach((sentence, index) => {
    if (sentence.isTitle && !sentence.isRow) return;
    const previous =
      index > 0 && flow.sentences[index - 1]!.paragraph === sentence.paragraph ? flow.sentences[index - 1] : undefined;
    for (const clause of clausesOf(sentence)) found.push(...termIn(clause, sentence, previous, flow, found.length));
  });
  return found;
}

/** "(i) …; (ii) …" names one agreement each. */
function clausesOf({ text }: Sentence): { text: string; at: number }[] {
  const clauses: { text: string; at: number }[] = [];
  let at = 0;
  for (const match of text.matchAll(/\s(?=\([ivx]{1,4}\)\s)|;\s/g)) {
    clauses.push({ text: text.slice(at, match.index), at });
    at = match.index + match[0].length;
  }
  clauses.push({ text: text.slice(at), at });
  return clauses;
}

function termIn(
  clause: { text: string; at: number },
  sentence: Sentence,
  previous: Sentence | undefined,
  flow: Flow,
  known: number,
): ControlTerm[] {
  const { text } = clause;
  const isLabelled = control.test(sentence.label);
  const isNone = none.test(text) && (control.test(`${sentence.label} ${text}`) || known > 0);
  if (defining.test(sentence.text) || !(control.test(text) || isNone || (isLabelled && sentence.isRow))) return [];
  if (supposed.test(text)) return [];
  const consequence =
    isNone && !/\bausnahme\b|\bexcept|\bother than\b|\bsauf\b|\bsalvo\b|\bbehalve\b/i.test(text)
      ? 'none'
      : consequences.find(([, words]) => words.test(text))?.[0];
  if (consequence === undefined) return [];
  const counterparty =
    nameFor(clause, sentence) ??
    (previous === undefined ? undefined : companiesIn(previous.text).at(-1)?.name) ??
    namedBefore(sentence, flow) ??
    companiesBefore(flow, sentence);
  return counterparty === undefined
    ? []
    : [{ counterparty, consequence, start: sentence.start + clause.at, end: sentence.start + clause.at + text.length }];
}

function nameFor({ text }: { text: string }, sentence: Sentence): string | undefined {
  const names = companiesIn(text);
  if (names.length === 0)
    return sentence.text === text || sentence.isRow === false
      ? agreementWith(text)
      : companiesIn(sentence.text)[0]?.name;
  const close = names.find(({ start }) =>
    /\b(?:with|by|to|of|mit|der|dem|des|avec|de|con|met|van)\s(?:the |der |la |le |el |de )?$/i.test(
      text.slice(Math.max(0, start - 16), start),
    ),
  );
  return (close ?? names[0])?.name;
}

/** "Agreement with Nordwerk", "facility of Maasbank". */
function agreementWith(text: string): string | undefined {
  return /\b(?:agreement|contract|lease|facility|licen[cs]e|vertrag\S*|contrat|contrato|overeenkomst)\s(?:(?:with|of|mit|der|avec|con|met)\s(?:the\s)?)?(\p{Lu}[\p{L}&’'.-]+(?: \p{Lu}[\p{L}&’'.-]+){0,3})/iu
    .exec(text)?.[1]
    ?.replace(/^(?:agreement|with)\s/i, '');
}

/** "The Holder": the party of that role. */
function namedBefore({ text }: Sentence, flow: Flow): string | undefined {
  const role = /\bthe (Holder|Lender|Bank|Investor|Customer|Landlord|Licensor|Supplier|Lessor|Noteholder)\b/.exec(
    text,
  )?.[1];
  if (role === undefined) return undefined;
  const defined = new RegExp(`\\(the ["“]${role}["”]\\)`).exec(flow.text.slice(0, 20_000));
  return defined === null
    ? undefined
    : companiesIn(flow.text.slice(Math.max(0, defined.index - 120), defined.index)).at(-1)?.name;
}

/** The last company that the paragraph names before a sentence. */
function companiesBefore(flow: Flow, sentence: Sentence): string | undefined {
  const first = flow.sentences.find(({ paragraph }) => paragraph === sentence.paragraph);
  return first === undefined
    ? undefined
    : companiesIn(flow.text.slice(Math.max(first.start, sentence.start - 600), sentence.start)).at(-1)?.name;
}
