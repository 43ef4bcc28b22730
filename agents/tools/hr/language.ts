/**
 * Words about protected characteristics, and words that complaints about harassment use. A mention is not a finding: the same
 * word occurs in a fair policy and in an unlawful criterion, so each mention has the subject of its sentence.
 * @see Charter of Fundamental Rights of the EU, article 21; Directives 2000/43/EC (racial or ethnic origin), 2000/78/EC
 *   (religion or belief, disability, age, sexual orientation) and 2006/54/EC (sex; harassment and sexual harassment in article
 *   2(1)(c) and (d))
 */

import { readDocument, sentenceAt } from '../../document/document.ts';
import { compilePhrases, findPhrases } from '../text/phrases.ts';
import type { Range } from '../text/span.ts';

export type Characteristic =
  | 'sex'
  | 'pregnancy_or_parenthood'
  | 'gender_identity'
  | 'racial_or_ethnic_origin'
  | 'nationality_or_language'
  | 'religion_or_belief'
  | 'disability_or_health'
  | 'age'
  | 'sexual_orientation'
  | 'trade_union'
  | 'political_opinion'
  | 'family_status';

export type HarassmentKind = 'sexual' | 'degrading' | 'threat' | 'exclusion' | 'retaliation' | 'complaint';

/** The subject of the sentence around a mention. */
export type MentionContext =
  | 'policy' // forbids discrimination or promises equal treatment
  | 'decision' // the sentence hires, promotes, pays, dismisses or requires; review these mentions first
  | 'other';

export interface Mention extends Range {
  readonly group: 'characteristic' | 'harassment';
  readonly kind: Characteristic | HarassmentKind;
  readonly context: MentionContext;
  readonly sentence: Range;
}

/** Phrases as one text, so that the table stays readable. */
const list = (phrases: string) => phrases.split(', ');

const characteristicWords: readonly (readonly [Characteristic, readonly string[]])[] = [
  [
    'sex',
    list(
      'woman, women, female, man only, male, males, gender, salesman, salesmen, waitress|waitresses, barmaid*, stewardess*, handyman, foreman wanted, kellnerin, girl|girls, ' +
        'lady|ladies, frauen, weiblich*, männlich*, žena|ženy, pohlaví, femme|femmes',
    ),
  ],
  [
    'pregnancy_or_parenthood',
    list(
      'pregnan*, maternity, paternity, parental leave, breastfeed*, childcare, young children, mothers, mums, ' +
        'small children, schwanger*, mutterschutz, elternzeit, těhoten*, těhotn*, mateřsk*, rodičovsk*, enceinte, ' +
        'grossesse',
    ),
  ],
  ['gender_identity', list('transgender, gender identity, gender reassignment, transition* ~2 gender, non binary')],
  [
    'racial_or_ethnic_origin',
    list(
      'race, racial*, ethnic*, skin colour, skin color, black people, roma|romani, rasse, ethnisch*, ' +
        'etnick*, rasov*, origine ethnique',
    ),
  ],
  [
    'nationality_or_language',
    list(
      'nationality, native speaker*, mother tongue, native english, native german, foreigner*, ' +
        'foreign accent, accent, eu citizens only, muttersprach*, staatsangehörig*, cizinec|cizinci, ' +
        'rodilý mluvčí, langue maternelle',
    ),
  ],
  [
    'religion_or_belief',
    list(
      'religion, religious, belief|beliefs, muslim*, christian*, jewish, headscar*, hijab, ' +
        'church member*, konfession, kopftuch, náboženstv*, vyznání',
    ),
  ],
  [
    'disability_or_health',
    list(
      'disab*, wheelchair, handicap*, mental health, depress*, chronic illness, sickness record, ' +
        'physically fit, perfect health, good health, long term sick*, behinder*, zdravotní* postižen*, ' +
        'invalid*',
    ),
  ],
  [
    'age',
    list(
      'young, younger, youthful, digital native*, recent graduate*, old, older, too old, age, aged, ' +
        'age limit, under|over|below ~1 years of age, energetic young, junges team, jung, ' +
        'mladý|mladí|mladý, věk|věku, jeune|jeunes, retirement age, close to retirement',
    ),
  ],
  [
    'sexual_orientation',
    list('sexual orientation, gay, lesbian, homosexual*, bisexual, lgbt*, sexuelle orientierung, sexuální orientac*'),
  ],
  [
    'trade_union',
    list('trade union*, union member*, works council, shop steward, gewerkschaft*, betriebsrat*, odborov*, syndicat*'),
  ],
  [
    'political_opinion',
    list('political opinion*, political view*, party member*, politische meinung, politick* názor*'),
  ],
  [
    'family_status',
    list(
      'married, unmarried, single mother, single parent, marital status, divorced, familienstand, ' +
        'rodinný stav, situation familiale',
    ),
  ],
];

const harassmentWords: readonly (readonly [HarassmentKind, readonly string[]])[] = [
  [
    'sexual',
    list(
      'sexual harass*, sexual advance*, sexual comment*, sexual remark*, sexual joke*, ' +
        'unwanted touch*, touched ~3 without, groped, inappropriate touch*, comment* about ~2 body, ' +
        'comment* on ~2 appearance, sexy, sexuelle belästigung, sexuální obtěžování, harcèlement sexuel',
    ),
  ],
  [
    'degrading',
    list(
      'bully*, mobbing, humiliat*, belittl*, ridicul*, mock*, insult*, shout* at, yell* at, ' +
        'screamed at, swore at, called ~3 stupid, called ~3 idiot, idiot, useless, slur|slurs, ' +
        'degrading, hostile environment, intimidat*, šikan*, belästigung, harcèlement',
    ),
  ],
  [
    'threat',
    list(
      'threaten*, threat|threats, regret it, make your life, physical violence, assault*, drohung*, ' +
        'výhrůžk*, menac*',
    ),
  ],
  [
    'exclusion',
    list(
      'excluded ~4 meeting*, left out of, ostraci*, isolated ~4 team, ignored by ~3 team, not invited, ' +
        'removed from ~4 distribution',
    ),
  ],
  [
    'retaliation',
    list(
      'retaliat*, victimi*, reprisal*, after ~4 complain*, because ~3 complain*, for complaining, ' +
        'punish* ~4 complain*',
    ),
  ],
  ['complaint', list('grievance, formal complaint, complaint of harassment, harass*, hostile work*, obtěžov*')],
];

const phrases = compilePhrases<readonly ['characteristic' | 'harassment', Mention['kind']]>([
  ...characteristicWords.map(([kind, list]) => [['characteristic', kind] as const, list] as const),
  ...harassmentWords.map(([kind, list]) => [['harassment', kind] as const, list] as const),
]);

/** "equal", "regardless of", "zero tolerance": the sentence promises protection. */
const policyShape =
  /\b(?:regardless|irrespective|(?:does|do|will) not (?:accept|publish|allow)|never appear|without (?:regard|distinction)|equal(?:ity| opportunit| treatment| pay)|prohibit|forbid|not tolerat|zero[- ]tolerance|discriminat|protected characteristic|(?:must|may|shall|should) never|(?:must|may|shall|should) not (?:be used|appear)|less favourabl|reasonable adjustment|occupational requirement|equally welcome|welcome applications|all genders|ohne ansehen|angemessene vorkehrungen|indépendamment de|sin distinción|diversity|inclusi|reasonable accommodation|gleichbehandlung|unabhängig von|diskriminier|rovné zacházení|bez ohledu|diskriminac|sans distinction|égalité)/iu;
const decisionShape =
  /\b(?:hire|hiring|recruit|look(?:ing)? for|we seek|join our|candidate|applicant|promot|bonus|raise|pay rise|dismiss|terminat|redundan|select|shortlist|reject|prefer|employ(?!ee|er|me|ed)|not considered|wanted|require|must|should be|only|ideal|suitable|not suitable|unsuitable|team fit|cultural fit|performance|warning|demot|transfer|einstell|bewerb|kündig|beförder|uchazeč|přijm|propust|výpověď|embauch|licenci|candidat)/iu;

/** Ordered by position in the text; overlapping mentions of one kind count once. */
export function findMentions(document: { readonly message: number; readonly text: string }): Mention[] {
  const reading = readDocument(document);
  const mentions: Mention[] = [];
  const ends = new Map<string, number>();
  let known: { start: number; context: MentionContext } | undefined;
  for (const { label, start, end } of findPhrases(reading.words, phrases)) {
    const [group, kind] = label;
    if (start < (ends.get(kind) ?? 0)) continue;
    ends.set(kind, end);
    const sentence = clip(sentenceAt(reading, start), start);
    // Many mentions share one sentence, so it is classified once.
    const context: MentionContext =
      known?.start === sentence.start ? known.context : contextOf(reading.text.slice(sentence.start, sentence.end));
    known = { start: sentence.start, context };
    mentions.push({ group, kind, context, sentence, start, end });
  }
  return mentions;
}

/** Long sentences are split into blocks, and the mentions of one block share one classification. */
function clip({ start, end }: Range, at: number): Range {
  const block = Math.floor(at / 256) * 256;
  return { start: Math.max(start, block - 250), end: Math.min(end, block + 506) };
}

function contextOf(sentence: string): MentionContext {
  if (policyShape.test(sentence)) return 'policy';
  return decisionShape.test(sentence) ? 'decision' : 'other';
}
