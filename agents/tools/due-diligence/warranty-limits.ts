/** Limits of a seller's liability: cap, basket, de minimis, and the time for claims. */
import type { Range } from '../text/span.ts';
import { type Flow, type Sentence, within } from './flow.ts';
import { type FoundTerm, isElsewhere } from './term-values.ts';

export type LimitScope = 'general' | 'fundamental' | 'tax' | 'environmental' | 'specific-indemnity';

export interface WarrantyLimit extends Range {
  readonly limit: 'cap' | 'basket' | 'de-minimis' | 'survival';
  readonly scope: LimitScope;
  readonly amount?: string;
  readonly currency?: string;
  readonly percent?: string;
  readonly count?: string;
  readonly unit?: string;
}

const subject =
  /\bwarrant(?:y|ies|ors?)\b|\brepresentations?\b|\bindemni\S*|\bgarantie[ns]?\b|\bgewährleistung\S*|\bfreistellung\S*|\bgarantías?\b|\bmanifestaciones\b|\bgaranties\b|\bdéclarations\b|\bgaranties d[’']actif|\bvrijwaring\S*/i;

type Kind = 'cap' | 'basket' | 'de-minimis' | 'other';

const cues: readonly (readonly [Kind, RegExp])[] = [
  [
    'de-minimis',
    /\bde[- ]minimis\b|\bamount of (?:that|such|the|any) (?:\S+ )?claim\b|\b(?:that|such|relevant) claim exceeds|\bréclamation inférieure|\b(?:single|individual|each|any one|per|any individual) (?:warranty |substantiated |relevant )?claim\b|\beinzeln\S* (?:anspr\S+|garantie\S+|schäden|schadens\S*)|\beinzelfall|\beinzelanspruch\S*|\bbagatell\S*|\bréclamation (?:individuelle|unitaire|prise isolément)|\bpar réclamation|\bpréjudice unitaire|\breclamación individual|\bcada reclamación|\bindividualmente\b|\b(?:afzonderlijke|individuele|iedere|elke) (?:vordering|claim)|\bper (?:vordering|claim)\b/gi,
  ],
  [
    'basket',
    /\bbasket\b|\bthreshold\b|\bdeductible\b|\btipping\b|\b(?:aggregate|total|cumulative|combined)\b[^.;,]{0,40}\bclaims\b|\bclaims\b[^.;,]{0,24}\b(?:together|in (?:the )?aggregate)\b|\bgesamt(?:frei\S*|summe|betrag)|\bfreibetrag|\bfreigrenze\b|\b(?:ihre |deren )?summe\b|\bschwellenwert|\bfranchise\b|\bseuil\b|\bmontant (?:cumulé|total|global) des (?:réclamations|préjudices)|\bumbral\b|\bfranquicia\b|\bconjunto de (?:las )?reclamaciones|\bdrempel\S*|\b(?:gezamenlijk|totaal)\S*\b[^.;,]{0,30}\b(?:vorderingen|claims)|\bin aggregate\b|\bin the aggregate\b/gi,
  ],
  [
    'cap',
    /\b(?:aggregate|total|maximum|overall|entire)\b[^.;,]{0,24}\bliabilit\S*|\bliabilit\S*\b[^.;]{0,140}?\b(?:limited to|not exceed|capped at|exceed|limited)|\bshall (?:in no event )?not exceed\b|\bliability cap\b|(?<!valuation )\bcap\b|\b(?:haftungs(?:höchst|ober)\S*|gesamthaftung|höchstbetrag|höchsthaftung)|\bhaft\S*\b[^.;]{0,120}\b(?:begrenzt|beschränkt)|\bhaftung\b|\bplafond\b|\bplafonné\S*|\bresponsabilité\b[^.;]{0,120}(?:excéder|limitée|plafonnée)|\bresponsabilidad\b[^.;]{0,120}(?:exceder|limitad|superar|máxim)\S*|\blímite máximo|\bimporte máximo|\baansprakelijkheid\b[^.;]{0,120}(?:beperkt|meer dan|overschrijden|maxim)\S*|\baansprakelijkheid\b|\bmaximum(?:bedrag)?\b/gi,
  ],
  [
    'other',
    /\bvaluation\b|\bescrow\b|\btreuhand\S*|\bhinterleg\S*|\bséquestre|\bdepósito|\bvertragsstrafe|\bpenalt\S*|\bfacility\b|\brent\b|\bdrawn\b|\bturnover\b|\brevenue\b|\btax(?:es)? of\b|\bcosts?\b|\bdamages of\b|\bretention\b|\bpremium\b|\bearn-?out\b|\bnon-?compet\S*|\bwettbewerb\S*|\binsurance\b|\bpolicy\b/gi,
  ],
];

const scopes: readonly (readonly [LimitScope, RegExp])[] = [
  [
    'fundamental',
    /\bfundamental\S*|\btitle (?:and|warrant|to the shares)\S*|\b(?:title|capacity|authority) (?:and \w+ )?warranties|\btitelgarantie\S*|\bgaranties fondamentales|\bfundamentel?e?\b/i,
  ],
  ['tax', /\btax(?:es|ation)?\b|\bsteuer\S*|\bfiscal\S*|\bimpôts?\b|\btribut\S*|\bbelasting\S*|\bfiscale\b/i],
  ['environmental', /\benvironment\S*|\bumwelt\S*|\bmedioambient\S*|\bambiental\S*|\bmilieu\b/i],
  [
    'specific-indemnity',
    /\bspecific indemnit\S*|\bindemnit(?:y|ies) (?:in|under|set out|for)\b|\bspezifische\S* freistellung\S*|\bindemnités? spécifiques?|\bindemnidad(?:es)? específicas?|\bspecifieke vrijwaring\S*/i,
  ],
];

export function findWarrantyLimits(flow: Flow, terms: readonly FoundTerm[]): WarrantyLimit[] {
  if (!subject.test(flow.text)) return [];
  const price = terms.find(({ term }) => term === 'purchase-price');
  const fundamental = fundamentalClauses(flow.text);
  const found: WarrantyLimit[] = [];
  for (const sentence of flow.sentences) {
    if (isElsewhere(sentence)) continue;
    const amounts = limitsOfAmount(sentence, flow, fundamental, price);
    found.push(...amounts, ...survivals(sentence, flow, fundamental));
  }
  const once = new Set<string>();
  return found.filter(({ limit, scope }) => !once.has(`${limit} ${scope}`) && once.add(`${limit} ${scope}`));
}

/** Numbers of clauses that the text calls fundamental. */
function fundamentalClauses(text: string): RegExp | undefined {
  const match =
    /\b(?:ziff(?:er|\.)|clauses?|sections?|paragraphs?|cláusulas?|articles?|artikel|§)\s(\d{1,3}(?:\.\d{1,3})*)[^.;]{0,24}?fundamental/i.exec(
      text,
    );
  return match === null ? undefined : new RegExp(`(?<![\\d.])${match[1]!.replaceAll('.', '\\.')}(?![\\d.]*\\d)`);
}

/** The scope that the words nearest before a value name; else of those after it in its clause. */
function scopeOf(before: string, after: string, fundamental: RegExp | undefined): LimitScope {
  let best: LimitScope = 'general';
  let at = -1;
  const named = [...scopes, ...(fundamental === undefined ? [] : [['fundamental', fundamental] as const])];
  for (const [scope, words] of named) {
    const last = [...before.matchAll(new RegExp(words.source, `${words.flags}g`))].at(-1);
    if (last === undefined || last.index <= at) continue;
    if (
      /\b(?:other than|except(?: for)?|excluding|not being|mit ausnahme|außer|sauf|salvo|behalve|save for)\b[^,;]{0,60}$/i.test(
        before.slice(0, last.index),
      )
    )
      continue;
    at = last.index;
    best = scope;
  }
  if (at >= 0) return best;
  return named.find(([, words]) => words.test(after))?.[0] ?? 'general';
}

function limitsOfAmount(
  sentence: Sentence,
  flow: Flow,
  fundamental: RegExp | undefined,
  price: FoundTerm | undefined,
): WarrantyLimit[] {
  const { text, label, start } = sentence;
  const amounts = within(flow.amounts, sentence);
  const percents = within(flow.percents, sentence);
  const found: WarrantyLimit[] = [];
  amounts.forEach(({ at, to, value, currency, start: from, end }, index) => {
    const previous = amounts[index - 1]?.to ?? 0;
    const kind = kindOf(
      text.slice(previous, at),
      text.slice(to, Math.min(to + 80, amounts[index + 1]?.at ?? text.length)),
      index === 0 ? label : '',
    );
    if (kind === undefined || kind === 'other') return;
    const clause = clauseAround(text, at, to);
    const percent =
      kind === 'cap' ? percents.find((each) => Math.abs(each.at - at) < 60 && each.at > previous - 40) : undefined;
    found.push({
      limit: kind,
      scope: scopeOf(clause.before, clause.after, fundamental),
      amount: value,
      ...(currency === undefined ? {} : { currency }),
      ...(percent === undefined ? {} : { percent: percent.value }),
      start: from,
      end,
    });
  });
  if (amounts.length > 0) {
    const [whole] = wholePrice(text, price, fundamental, start);
    if (whole !== undefined && !found.some(({ limit, scope }) => limit === 'cap' && scope === whole.scope))
      found.push(whole);
    return found;
  }
  const [percent] = percents;
  if (
    percent !== undefined &&
    /purchase price|kaufpreis|prix|precio|koopprijs|consideration|koopsom/i.test(
      text.slice(percent.to, percent.to + 60),
    )
  ) {
    const kind = kindOf(text.slice(0, percent.at), text.slice(percent.to, percent.to + 80), label);
    const clause = clauseAround(text, percent.at, percent.to);
    if (kind !== undefined && kind !== 'other')
      return [
        {
          limit: kind,
          scope: scopeOf(clause.before, clause.after, fundamental),
          percent: percent.value,
          start: percent.start,
          end: percent.end,
        },
      ];
  }
  return wholePrice(text, price, fundamental, start);
}

/** "Limited to the Purchase Price": its amount is that of the price. */
function wholePrice(
  text: string,
  price: FoundTerm | undefined,
  fundamental: RegExp | undefined,
  start: number,
): WarrantyLimit[] {
  const match =
    /\b(?:limited to|not exceed|capped at|equal to|up to|auf|excéder|limitée au|au|exceder(?:á)?|superar(?:á)?|al|beperkt tot|meer dan)\s(?:an amount equal to\s|100 ?% (?:of|des|du|del|van)\s)?(?:the |den |le |el |la |de )?(?:full )?(?:total )?(?:purchase price|kaufpreis|prix|precio|koopprijs|consideration)(?!\S*\s(?:per share|per aandeel))/i.exec(
      text,
    );
  if (match === null || !/liab|haft|respons|aansprak/i.test(text)) return [];
  const clause = clauseAround(text, match.index, match.index + match[0].length);
  return [
    {
      limit: 'cap',
      scope: scopeOf(clause.before, clause.after, fundamental),
      ...(price?.value === undefined ? {} : { amount: price.value }),
      ...(price?.currency === undefined ? {} : { currency: price.currency }),
      start: start + match.index,
      end: start + match.index + match[0].length,
    },
  ];
}

function kindOf(before: string, after: string, label: string): Kind | undefined {
  let best: Kind | undefined;
  let distance = 181;
  for (const [kind, words] of cues) {
    for (const match of before.matchAll(words)) {
      const gap = before.length - match.index - match[0].length;
      if (gap < distance) [best, distance] = [kind, gap];
    }
    const next = after.split(/[;,]/, 1)[0]!.matchAll(words).next().value;
    if (next !== undefined && next.index + 15 < distance) [best, distance] = [kind, next.index + 15];
  }
  const labelled = cues.find(([, words]) => label.search(words) >= 0)?.[0];
  // A label such as "De minimis" tells what its line is about better than a far word of it.
  return labelled !== undefined && (best === undefined || distance > 20) ? labelled : best;
}

function clauseAround(text: string, at: number, to: number): { before: string; after: string } {
  return {
    before: text
      .slice(Math.max(0, at - 220), at)
      .split(/[;]/)
      .at(-1)!,
    after: text.slice(to, to + 110).split(/[;.,]|\band\b|\bund\b|\bet\b/, 1)[0]!,
  };
}

const ends =
  /\bsurviv\S*|\bexpir\S*|\bnotif\S*|\bnotice\b|\bnotice of (?:a |any |the )?claim|\bclaims? (?:must|shall|may|can) (?:only )?be\b|\bbrought\b|\btime[- ]?(?:limit|bar)\S*|\blimitation period|\bclaim period|\bverjähr\S*|\bausschlussfrist|\bgeltend\b|\bprescri\S*|\bcaduc\S*|\bnotifi\S*|\bdurée\b|\bplazo\b|\bduración\b|\bexpirar\S*|\bexpir\S*|\bvervallen\b|\bverjar\S*|\bverjaring\S*|\bingediend\b|\btermijn\b|\bliable\b/i;
const claims =
  /\bclaims?\b|\bwarrant\S*|\bliab\S*|\brepresentations?\b|\banspr\S*|\bgarantie\S*|\bréclamation\S*|\bgarant\S*|\breclamaci\S*|\bvordering\S*|\bindemn\S*|\bfreistellung\S*/i;

function survivals(sentence: Sentence, flow: Flow, fundamental: RegExp | undefined): WarrantyLimit[] {
  const { text, label } = sentence;
  const context = `${label} ${text}`;
  if (!ends.test(context) || !claims.test(context)) return [];
  if (/\bescrow\b|\bnon-?compet|\bwettbewerb|\bhinterleg|\bconfidential/i.test(context)) return [];
  const durations = within(flow.durations, sentence).filter(
    ({ unit, count }) => unit === 'year' || (unit === 'month' && Number(count) >= 3),
  );
  return durations.map(({ at, to, count, unit, start, end }, index) => {
    const previous = durations[index - 1]?.to ?? 0;
    const next = durations[index + 1]?.at ?? text.length;
    const before = text.slice(Math.max(previous, at - 160), at);
    const after = text
      .slice(to, Math.min(next, to + 90))
      .split(/[;,]|\band\b|\bund\b|\bet\b|\by\b|\ben\b|\bor\b/, 1)[0]!;
    return { limit: 'survival', scope: scopeOf(before, after, fundamental), count, unit, start, end };
  });
}
