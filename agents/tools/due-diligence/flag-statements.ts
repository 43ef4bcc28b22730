/** Sentences that state a problem as a fact, found with the tables of `flag-vocabulary.ts` and the rules of `sense.ts`. */
import type { Range } from '../text/span.ts';
import { type Cue, cueReader } from './cues.ts';
import { buyerShape, customerWords, flagWords, revenueWords } from './flag-vocabulary.ts';
import { type Flow, type Sentence, within } from './flow.ts';
import { companiesIn } from './names.ts';
import { type Sense, senseOf } from './sense.ts';

export interface FlagStatement extends Range {
  readonly id: string;
}

export interface Readings {
  readonly stated: readonly FlagStatement[];
  readonly denied: readonly FlagStatement[];
}

/** Maximum number of characters between a topic and its state. */
const gapMax = 150;
/** In percent: a lower share is not a concentration. */
const concentrationMin = 15;

type Part = 'alone' | 'topic' | 'state';
type Label = `${Part} ${string}`;

const reader = cueReader<Label>(
  Object.fromEntries(
    flagWords.flatMap(({ id, ...parts }) => Object.entries(parts).map(([part, wording]) => [`${part} ${id}`, wording])),
  ) as Record<Label, string>,
);
const shares = cueReader({
  revenue: revenueWords,
  customer: customerWords,
  whole:
    'concentration; klumpenrisiko; konzentration; dependence; abhängigkeit; dépendance; dependencia; afhankelijkheid',
});

/** What has ended is no longer pending. */
const ended = cueReader({
  ended: `settled; dismissed; withdrawn; struck out; discontinued; closed; concluded; resolved; verglichen; vergleich; abgewiesen; zurückgenommen; erledigt; eingestellt; transig*; débouté*; rejeté*; classé*; clos; archivad*; desestimad*; sobreseíd*; transigid*; geschikt; schikking; afgewezen; ingetrokken; beëindigd`,
});
const endable = new Set([
  'pending_litigation',
  'regulatory_investigation',
  'criminal_investigation',
  'employment_claims',
]);
const live =
  /(?<!\p{L})(?:not (?:been )?(?:settled|resolved)|appeal(?:ed)? (?:is )?(?:pending|lodged|filed)|under appeal|berufung (?:eingelegt|anhängig))(?!\p{L})/iu;

/** "The claim was withdrawn": whether a sentence on a flag of a dispute says that it is over. */
export function isOver(id: string, text: string): boolean {
  return endable.has(id) && ended.of(text).length > 0 && !live.test(text);
}

export function findFlagStatements(flow: Flow): Readings {
  const stated: FlagStatement[] = [];
  const denied: FlagStatement[] = [];
  for (const sentence of flow.sentences) {
    if (sentence.isTitle && !sentence.isRow && !/\s\S+\s\S+\s\S+\s/.test(sentence.text)) continue;
    if (isLabelAlone(sentence) || isOfDefaults(sentence) || isQuestion(sentence) || isExplanation(sentence)) continue;
    const { start, end } = sentence;
    const senses = new Map<string, Sense>();
    for (const [id, parts] of [...readFlags(flow, sentence), ...concentrationIn(flow, sentence)]) {
      const sense = isUnqualified(id, sentence, parts) ? 'denied' : senseOf(sentence.text, parts);
      // "Not under investigation, except that …": one of its words states it.
      if (senses.get(id) !== 'stated' && (sense !== 'supposed' || !senses.has(id))) senses.set(id, sense);
    }
    // "Shipments to a sanctioned country without a licence": the licence is that of the export.
    if (senses.get('sanctions') === 'stated') senses.delete('missing_licence');
    for (const [id, sense] of senses) {
      if (sense === 'stated') stated.push({ id, start, end });
      else if (sense === 'denied') denied.push({ id, start, end });
    }
  }
  return { stated, denied };
}

/** "What a typical report may contain": the sentences under such a heading are about no company. */
export function isExplanation({ title, text = '' }: Pick<Sentence, 'title'> & { readonly text?: string }): boolean {
  return explanatory.test(title) || exclusions.test(text);
}

/** "Proposed exclusions from cover: asbestos; underfunded pension": a list of topics. */
const exclusions =
  /^[\W\d]{0,6}(?:(?:the )?(?:proposed|standard|agreed|policy|further|specific) exclusions|exclusions from (?:cover|the policy)|(?:vorgeschlagene |vereinbarte )?ausschlüsse|exclusions proposées|exclusiones (?:propuestas|de cobertura)|esclusioni proposte|voorgestelde uitsluitingen)(?!\p{L})[^.:]{0,40}:/iu;

const explanatory =
  /(?<!\p{L})(?:typical|explanatory|(?:proposed |agreed |policy )?exclusions|(?:vorgeschlagene )?ausschlüsse|exclusiones|esclusioni|uitsluitingen|wyłączenia|exclusões|undantag fr[åa]n försäkring\p{L}*|glossary|definitions of terms|how to read|may contain|what [^.]{0,40} (?:may|can|could)|glossar|erläuterung\p{L}*|begriffe|glossaire|glosario|verklarende|glossario|słowniczek)(?!\p{L})/iu;

/** A question asks about a problem and does not state it; in a row, an answer may follow. */
function isQuestion({ text, isRow }: Sentence): boolean {
  return !isRow && /[?？]["”“»’')\]]{0,2}$/u.test(text.trimEnd());
}

/** "15. Contingent liabilities.": the title of its paragraph. */
function isLabelAlone({ text, label, opensParagraph, isTitle }: Sentence): boolean {
  const isWhole = opensParagraph && label !== '' && text.length <= label.length + 24;
  return isWhole && !isTitle && !verb.test(label) && /^[^\p{L}]*$/u.test(text.replace(label, ' '));
}

const verb =
  /(?<!\p{L})(?:is|are|was|were|has|have|had|did|does|do|ist|sind|war|waren|hat|haben|wurde|wurden|wird|est|sont|a|ont|été|es|son|fue|fueron|ha|han|zijn|was|waren|heeft|hebben|werd|wordt|besteht|bestehen|fehlt|fehlen|liegt|weist|enthält|existe|hay|présente|manque|manquent|presenta|falta|faltan|incumple|ontbreekt|bestaat|har|finns|saknas|blev|mangler|runs|lacks|expires?|\p{L}{3,}(?:ed|ied|ió))(?!\p{L})/iu;

/** "The opinion was not qualified": a denial within the words that were found. */
function isUnqualified(id: string, { text }: Sentence, parts: Found[1]): boolean {
  if (id === 'copyleft' && licensed.test(text)) return true;
  return id === 'qualified_audit' && parts.some(({ at, to }) => innerDenial.test(text.slice(at, to)));
}

/** Copyleft code that is used as its licence demands. */
const licensed =
  /(?<!\p{L})(?:as (?:the|its|that|their) licen[cs]es? (?:require|demand|allow)s?|in (?:full )?compliance with|complies with|sees no issue|lizenzkonform|conforme (?:à|a) la licen\p{L}{1,3}|conform de licentie)(?!\p{L})/iu;

const innerDenial = /\S\s(?:not|never|without|nicht|ohne|keine?|sans|pas|sin|no|niet|zonder|geen)\s(?!express)/iu;

const defaults =
  /(?<!\p{L})(?:events? of default|default events?|acceleration events?|termination events?|cas (?:de défaut|d[’']exigibilité)|exigibilité anticipée|kündigungsgründe|kündigungsgrund|supuestos? de (?:incumplimiento|vencimiento)|vencimiento anticipado|opeisingsgrond(?:en)?|verzuimgronden|conditions precedent|aufschiebende bedingungen|conditions suspensives|condiciones suspensivas|opschortende voorwaarden)(?!\p{L})/iu;
const happened =
  /(?<!\p{L})(?:occurred|has been|have been|was|were|eingetreten|s[’']est produit|survenu|ha ocurrido|se ha producido|ingetreden|since|still|seit|noch)(?!\p{L})/iu;

/** Whether a sentence is part of a list of the events of default, which says what would be one. */
export function isOfDefaults({ text, label, title }: Pick<Sentence, 'text' | 'label' | 'title'>): boolean {
  return defaults.test(`${label} ${title}`) && !happened.test(text);
}

type Found = readonly [id: string, parts: readonly { readonly at: number; readonly to: number }[]];

function readFlags(flow: Flow, sentence: Sentence): Found[] {
  const cues = reader.in(flow, sentence);
  if (cues.length === 0) return [];
  const byLabel = new Map<Label, Cue<Label>[]>();
  for (const cue of cues) {
    const known = byLabel.get(cue.label);
    if (known === undefined) byLabel.set(cue.label, [cue]);
    else if (known.length < 12) known.push(cue);
  }
  // A heading or a line label names the topic of the sentences below it.
  const topics = new Set(reader.of(sentence.label).map(({ label }) => label));
  const isEnded = ended.in(flow, sentence).length > 0 && !live.test(sentence.text);
  return flagWords.flatMap(({ id }): Found[] => {
    if (isEnded && endable.has(id)) return [];
    const alone = byLabel.get(`alone ${id}`) ?? [];
    if (alone.length > 0) return alone.map((each) => [id, [each]]);
    const states = byLabel.get(`state ${id}`) ?? [];
    const pair = closestPair(byLabel.get(`topic ${id}`) ?? [], states, sentence);
    if (pair !== undefined) return [[id, pair]];
    const [state] = states;
    return state !== undefined && topics.has(`topic ${id}`) ? [[id, [state]]] : [];
  });
}

/** A topic and a state in one clause; one may be part of the other, but a single phrase cannot be both. */
function closestPair<Each extends { readonly at: number; readonly to: number }>(
  topics: readonly Each[],
  states: readonly Each[],
  { text, isRow }: Pick<Sentence, 'text' | 'isRow'>,
): Each[] | undefined {
  let best: { readonly pair: Each[]; readonly gap: number } | undefined;
  for (const topic of topics) {
    for (const state of states) {
      const [first, last] = topic.at <= state.at ? [topic, state] : [state, topic];
      const gap = last.at - first.to;
      if (first.at === last.at && first.to === last.to) continue;
      if (
        gap > gapMax ||
        (best !== undefined && gap >= best.gap) ||
        (!isRow && text.slice(first.to, last.at).includes(';'))
      )
        continue;
      best = { pair: gap < 0 && last.to <= first.to ? [first] : [first, last], gap };
    }
  }
  return best?.pair;
}

/** "X accounts for 41 % of revenue", "top five customers: 62 % of sales". */
function concentrationIn(flow: Flow, sentence: Sentence): Found[] {
  const percents = within(flow.percents, sentence).filter(
    ({ value }) => Number(value) >= concentrationMin && Number(value) <= 100,
  );
  if (percents.length === 0) return [];
  const cues = shares.in(flow, sentence);
  const context = shares.of(`${sentence.label} . ${sentence.title}`);
  const isOfCustomer =
    [...cues, ...context].some(({ label }) => label !== 'revenue') ||
    companiesIn(sentence.text.slice(0, 600)).length > 0 ||
    buyerShape.test(sentence.text.slice(0, Math.min(600, percents[0]!.at)));
  const revenue = [...cues].find(({ label }) => label === 'revenue');
  if (!isOfCustomer || (revenue === undefined && !context.some(({ label }) => label === 'whole'))) return [];
  const share = percents.find(({ at, to }) => {
    const after = sentence.text.slice(to, to + 60);
    if (revenue === undefined) return true;
    return revenue.at >= to
      ? revenue.at - to < 60 && !/^[^.;]{0,30}\b(?:margin|growth|increase|decrease)/i.test(after)
      : at - revenue.to < 60;
  });
  if (share === undefined || growth.test(sentence.text)) return [];
  const subject = cues.find(
    ({ label, at }) => label === 'customer' && at < share.at && !sentence.text.slice(at, share.at).includes(';'),
  );
  return [['customer_concentration', subject === undefined ? [share] : [subject, share]]];
}

const growth =
  /(?<!\p{L})(?:grew|grow|growth|increas\p{L}*|decreas\p{L}*|declin\p{L}*|rose|fell|margin|churn|discount|royalt\p{L}*|commission|stieg|gestiegen|wachstum|gesunken|marge|hausse|baisse|croissance|crec\p{L}*|aument\p{L}*|margen|gestegen|groei|gedaald)(?!\p{L})/iu;
