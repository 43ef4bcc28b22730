/** Disputes: claimant, defendant, subject and status, from schedules and from sentences. */
import type { Document } from '../../document/document.ts';
import type { FoundAmount } from '../text/amounts.ts';
import { type Cue, cueReader } from './cues.ts';
import { disputeColumns, disputesOfSheets, disputesOfTables } from './dispute-tables.ts';
import { captionIn, caseMark, type Dispute, partiesIn, statusOf } from './dispute-words.ts';
import { type Flow, type Sentence, within } from './flow.ts';
import { type Name, namesIn } from './names.ts';
import { ownName, ownTermsIn } from './own-name.ts';
import { senseOf } from './sense.ts';

/** `strong` cues need no named claimant; after a `by` cue, the claimant follows. */
const acts = cueReader<'strong' | 'weak' | 'by' | 'against' | 'aside'>({
  strong: `sued; suing; claim form ~3 served|issued; joined as|to ~2 defendant|proceedings; filed ~4 suit|lawsuit|complaint|claim|action|petition|proceedings|charge; commenced ~3 proceedings|arbitration|action|litigation; brought ~3 claim|action|suit|proceedings; issued ~2 proceedings|claim; initiated ~3 proceedings|arbitration|action|litigation; lodged ~2 claim|complaint; served ~3 claim|proceedings|complaint|writ;
    klagt; verklagt; klageschrift; zahlungsklage; nimmt ~8 gerichtlich; gerichtlich ~2 anspruch; mahnbescheid ~2 beantragt|erwirkt; klage ~3 erhoben|eingereicht; erhob ~3 klage; hat ~10 klage; schiedsklage ~3 eingereicht|erhoben; assigné*; a saisi; a engagé ~3 procédure|action; introduit ~3 action|recours; demandó; ha demandado; interpuso ~3 demanda; interpuesto ~3 demanda; presentó ~2 demanda; presentado ~2 demanda; gedagvaard; dagvaardde; procedure ~3 gestart|aanhangig; heeft ~8 aanhangig; ha citato|convenuto; ha promosso ~3 causa|giudizio|azione`,
  weak: `hat ~12 aufgefordert; aufgefordert ~8 zahlen|zahlung; klage angedroht; asked for; asks for; would sue; will sue; intends to sue; has written ~4 solicitors|lawyers|attorneys|counsel; written through solicitors|lawyers; wrote ~4 claiming|demanding; heeft ~12 gesommeerd; gesommeerd; hat ~12 gefordert|verlangt; mit schreiben ~10 gefordert|verlangt|geltend; claims; is claiming; claiming; alleges; alleging; asserts; demands; demanded; seeks; threatens; threatened; has threatened; fordert; verlangt; macht ~10 geltend; behauptet; droht; réclame; demande; exige; menace; reclama; reclamó; solicita; amenaza; vordert; eist; stelt; dreigt; ha minacciato; minaccia`,
  by: `claim brought|filed by; demanda|demandas de|interpuesta por; recours de; ricorso di|proposto da; causa promossa da; vordering van; talan av; sued by; claim|claims|claimed|action|suit|proceedings|proceeding|lawsuit|complaint|arbitration|petition|litigation|charge|writ ~3 by|from; tribunal claim of; letter ~5 from|by; demand ~2 from|by; brought|filed|commenced|initiated|issued|threatened|asserted by; klage|klagen|schiedsklage|kündigungsschutzklage|schadensersatzklage|zahlungsklage|abmahnung|forderung|mahnbescheid der|des|von|durch|einer|eines; anspruchsschreiben der|des|von; assignation ~2 de|par; assigné* ~6 par; action ~2 de|par; réclamation ~2 de|par; procédure ~4 par; demande ~2 de|par; litige ~2 par; demanda ~2 de|por; reclamación ~2 de|por; demandad* ~3 por; vordering ~2 van|door; dagvaarding ~2 door|van; gedagvaard ~3 door; procedure ~3 door; claim van; dispute|litigation ~1 with; litige|contentieux|différend avec; rechtsstreit|streit mit; litigio con; geschil met; causa|azione|giudizio ~1 promossa|promosso da`,
  against: 'against; gegen; contre; contra; tegen',
  aside:
    'provision* ~4 of; provided ~2 for; reserve of; rückstellung*; provision ~3 de; provisión*; voorziening*; costs of; insured; legal costs; versicher*',
});

/** Number of sentences after the one that names a dispute, in its paragraph, that may state its amount and status. */
const followingMax = 3;

const known = new WeakMap<Flow, Dispute[]>();

/** Places are those of the document's plain text. */
export function findDisputes(document: Document, flow: Flow): Dispute[] {
  const disputes = known.get(flow) ?? readDisputes(document, flow);
  known.set(flow, disputes);
  return disputes;
}

function readDisputes(document: Document, flow: Flow): Dispute[] {
  const scale = scaleOf(document.text);
  const schedules = document.tables.filter((table) => disputeColumns(table) !== undefined);
  const sheets = disputesOfSheets(flow).map((each) => ({ ...each, ...flow.placeOf(each) }));
  const found = flow.sentences.flatMap((sentence, index) => {
    const place = flow.placeOf(sentence);
    const isIn = ({ start, end }: { start: number; end: number }) => place.start >= start && place.start < end;
    if (schedules.some(isIn) || sheets.some(isIn)) return [];
    return disputeOf(sentence, index, flow, scale).map((each) => ({ ...each, ...flow.placeOf(each) }));
  });
  return [...disputesOfTables(document), ...sheets, ...withoutRepeats(found)];
}

/** A dispute that a later sentence mentions again. */
function withoutRepeats(found: readonly Dispute[]): Dispute[] {
  const kept: Dispute[] = [];
  for (const each of found) {
    const isKnown = kept.some(
      ({ claimant, amount }) => claimant === each.claimant && (amount === each.amount || each.amount === undefined),
    );
    if (!isKnown || each.claimant === undefined) kept.push(each);
  }
  return kept;
}

function scaleOf(text: string): number {
  return /\b(?:amounts?|figures|expressed|stated|in|beträge|montants|importes|bedragen)\b[^.\n]{0,30}(?<!\p{L})(?:thousands?|tausend|T€|TEUR|milliers|miles|duizenden)(?!\p{L})/iu.test(
    text,
  )
    ? 3
    : 0;
}

/** Words before an exception are about other disputes. */
const apart =
  /(?<!\p{L})(?:except|other than|save for|with the exception|ausgenommen|mit ausnahme|sauf|à l[’']exception|salvo|excepto|behalve|met uitzondering)(?!\p{L})|\s?:\s/iu;

/** A dispute between others. */
const notParty =
  /(?<!\p{L})(?:(?:customer|supplier|landlord|bank) (?:is|was|has been) (?:itself )?(?:being )?sued|(?:is|are|was|were) not (?:itself )?(?:a )?part(?:y|ies)|(?:as a )?witness only|nicht (?:selbst )?partei|keine partei|n['’]est pas partie|no es parte|geen partij|(?:concerns?|relates? to|betrifft|concerne|se refiere a|betreft)\s(?:only\s|nur\s)?(?:(?:an?|the|our|its|die|eine|das|la|une|la|una|de|een)\s)?(?:sister|another|other|different|former|schwester|mutter|andere|société sœur|autre|hermana|otra|zuster|andere)\p{L}*)(?!\p{L})/iu;

type Actor = Name & { readonly isOwn: boolean };

function actorsIn(text: string): Actor[] {
  const names = namesIn(text).map((each) => ({ ...each, isOwn: false }));
  const own = ownTermsIn(text)
    .filter(({ start, end }) => !names.some((each) => start < each.end && end > each.start))
    .map((each) => ({ ...each, isOwn: true }));
  return [...names, ...own].sort((a, b) => a.start - b.start);
}

/** A guarantee that is payable on demand is no claim. */
const onDemand =
  /(?<!\p{L})(?:(?:on|upon) (?:first )?(?:written )?demand|auf erstes anfordern|première demande|primer requerimiento|(?:a )?prima richiesta|eerste verzoek)(?!\p{L})/iu;

function disputeOf(sentence: Sentence, index: number, flow: Flow, scale: number): Dispute[] {
  const { text } = sentence;
  const cues = acts.in(flow, sentence);
  const mayBeCaption = /\sv\.?\s|\svs\.?\s|\.\/\.|\sc\/|\sagainst\s|\s(?:gegen|contre|contra|tegen)\s/i.test(text);
  if ((cues.length === 0 && !mayBeCaption) || notParty.test(text) || onDemand.test(text)) return [];
  const actors = actorsIn(text);
  const parties =
    (caseMark.test(text) ? captionParties(text, actors) : undefined) ??
    partiesBy(cues, actors, text) ??
    captionParties(text, actors);
  if (parties === undefined) return [];
  const { claimant, respondent, act } = parties;
  if (senseOf(text, [act]) !== 'stated') return [];
  const rest = followers(flow, sentence, index);
  const amount = amountOf(flow, sentence, rest, cues);
  if (claimant === undefined && (act.label !== 'strong' || amount === undefined)) return [];
  if (act.label === 'weak' && amount === undefined && respondent === undefined) return [];
  const opens = Math.min(act.at, claimant?.start ?? act.at);
  const from = apart.test(text.slice(0, opens)) ? opens : 0;
  const status = statusOf([text.slice(from, from + 300), ...rest.map((each) => each.text)].join(' . ').slice(0, 400));
  const nameOf = (actor: Actor | undefined) =>
    actor === undefined ? undefined : actor.isOwn ? ownName(flow) : actor.name;
  const [claims, answers] = [nameOf(claimant), nameOf(respondent)];
  const value = amount === undefined ? undefined : scaled(amount, flow, scale);
  return [
    {
      ...(claims === undefined ? {} : { claimant: claims }),
      ...(answers === undefined || answers === claims ? {} : { respondent: answers }),
      ...(value === undefined
        ? {}
        : { amount: value, ...(amount!.currency === undefined ? {} : { currency: amount!.currency }) }),
      ...(status === undefined ? {} : { status }),
      start: sentence.start,
      end: sentence.end,
    },
  ];
}

type Act = Pick<Cue<'strong' | 'weak' | 'by' | 'against' | 'aside'>, 'at' | 'to' | 'label'>;

interface Parties {
  readonly claimant?: Actor | undefined;
  readonly respondent?: Actor | undefined;
  readonly act: Act;
}

/** The party before a verb, or after "by" or "of", is the claimant; the party after "against" is the defendant. */
function partiesBy(cues: readonly Act[], actors: readonly Actor[], text: string): Parties | undefined {
  const against = cues.find(({ label }) => label === 'against');
  const own = ownClaim(cues, actors, text);
  if (own !== undefined) return own;
  const after = (place: number, reach: number) =>
    actors.find(
      ({ start, end, isOwn }) =>
        start >= place &&
        start - place < reach &&
        !text.slice(place, start).includes(';') &&
        // "A claim by the Company's neighbour Alder Ltd".
        !(isOwn && owning.test(text.slice(end))),
    );
  const by = cues.find((cue) => cue.label === 'by' && after(cue.to, 60) !== undefined);
  if (by !== undefined) {
    const claimant = after(by.to, 60)!;
    const behind = against === undefined ? undefined : after(against.to, 40);
    const respondent = behind === claimant ? undefined : (behind ?? actors.findLast(({ end }) => end <= by.at));
    return { claimant, respondent, act: by };
  }
  const verbs = cues.filter(({ label }) => label === 'strong' || label === 'weak');
  const verb =
    verbs.find(({ at }) => actors.some(({ start, end }) => end <= at + 4 && at - start < 220)) ??
    verbs.find(({ label }) => label === 'strong');
  if (verb === undefined) return againstOnly(against, after, text);
  const before = actors.findLast(({ end, start }) => end <= verb.at + 4 && verb.at - start < 220);
  if (before !== undefined && otherSubject.test(text.slice(before.end, verb.at)))
    return verb.label === 'weak' ? undefined : { act: verb };
  const subject = before === undefined ? undefined : auxiliarySubject(actors, before, text);
  if (subject !== undefined) return { claimant: subject, respondent: before, act: verb };
  const claimant = before;
  const rest =
    against !== undefined && against.at > (claimant?.end ?? 0)
      ? after(against.to, 40)
      : (after(verb.to, 40) ?? (verb.to - verb.at > 24 ? after(verb.at, verb.to - verb.at) : undefined));
  if (claimant === undefined && verb.label === 'weak') return undefined;
  return { claimant, respondent: rest === claimant ? undefined : rest, act: verb };
}

/** "The Company's claim against Alder Ltd was settled". */
function ownClaim(cues: readonly Act[], actors: readonly Actor[], text: string): Parties | undefined {
  for (const against of cues.filter(({ label }) => label === 'against')) {
    const claimant = actors.findLast(({ end }) => end <= against.at);
    if (claimant === undefined || !possessed.test(text.slice(claimant.end, against.at))) continue;
    const respondent = actors.find(({ start }) => start >= against.to && start - against.to < 40);
    if (respondent !== undefined) return { claimant, respondent, act: { ...against, label: 'strong' } };
  }
  return undefined;
}

const possessed = /^['’]s?\s(?:\p{L}+\s){0,2}(?:claims?|action|suit|lawsuit|proceedings|complaint|arbitration)\s$/iu;
const owning = /^['’]s?\s\p{Ll}/u;

/** "A debt claim against Alder Ltd was settled": the claimant is not named. */
function againstOnly(
  against: Act | undefined,
  after: (place: number, reach: number) => Actor | undefined,
  text: string,
): Parties | undefined {
  if (against === undefined || !claimNoun.test(text.slice(0, against.at))) return undefined;
  const respondent = after(against.to, 8);
  return respondent === undefined || respondent.isOwn
    ? undefined
    : { respondent, act: { ...against, label: 'strong' } };
}

const claimNoun =
  /(?<!\p{L})(?:claims?|actions?|proceedings|lawsuit|suit|\p{L}*klage|réclamation|demande|action|demanda|reclamación)\s$/iu;

/** A new clause, or a role that stands for somebody named before: "…, Harris County, in which plaintiff seeks". */
const otherSubject =
  /;|(?<!\p{L})(?:plaintiffs?|claimants?|applicants?|kläger(?:in)?|demandeu(?:r|resse)|demandante|eiser(?:es)?)(?!\p{L})[^,;]{0,20}$/iu;
/** German and Dutch put the verb at the end: "Die Alpha AG hat die Gesellschaft … verklagt". */
const auxiliary = /^,?\s(?:hat|haben|hatte|nimmt|heeft|hebben|had)\s(?:(?:die|der|den|das|dem|de|het)\s)?$/iu;

function auxiliarySubject(actors: readonly Actor[], object: Actor, text: string): Actor | undefined {
  const subject = actors[actors.indexOf(object) - 1];
  return subject !== undefined && auxiliary.test(text.slice(subject.end, object.start)) ? subject : undefined;
}

function captionParties(text: string, actors: readonly Actor[]): Parties | undefined {
  const listed = captionIn(text, actors);
  const names = listed === undefined && caseMark.test(text) ? partiesIn(text) : [];
  const caption = listed ?? captionIn(text, names);
  if (caption === undefined) return undefined;
  const parties = listed === undefined ? names.map((each) => ({ ...each, isOwn: false })) : actors;
  const claimant = parties.find(({ start }) => start === caption.at);
  const respondent = parties.find(({ end }) => end === caption.to);
  return { claimant, respondent, act: { at: caption.at, to: caption.to, label: 'strong' } };
}

/** An indefinite article introduces a new dispute: "A second claim …". */
const another =
  /^\(\d{1,2}\)\s|^(?:an?|another|further|second|separately|ein|eine|une?|una?|otra?|een|no|nobody|no one|none|otherwise|other|keine?|niemand|aucune?|personne|nadie|nessun\p{L}?|geen|nikt|ingen|ninguém)\s|^(?:the|die|der|la|le|el|de|il)\s(?:\p{L}+\s)?(?:claims?|actions?|suit|dispute|case|klage|rechtsstreit|streit|forderung|contentieux|différend|réclamation|demande|action|litige|demanda|reclamación|vordering|procedure|geschil|causa)\s(?:of|by|from|with|brought|der|des|von|mit|de|du|avec|del|con|d[’']|van|met|promossa)(?!\p{L})/iu;

/** The sentences of its paragraph up to the next dispute. */
function followers(flow: Flow, sentence: Sentence, index: number): Sentence[] {
  const rest: Sentence[] = [];
  for (const next of flow.sentences.slice(index + 1, index + 1 + followingMax)) {
    const isNew =
      (acts.in(flow, next).some(({ label }) => label === 'strong' || label === 'by') &&
        namesIn(next.text).length > 0) ||
      (acts.in(flow, next).some(({ label }) => label === 'weak') && namesIn(next.text)[0]?.start === 0);
    if (next.paragraph !== sentence.paragraph || isNew || another.test(next.text)) break;
    rest.push(next);
  }
  return rest;
}

const yearBefore = /\b(?:in|since|of|from|im jahr|seit|en|depuis|desde|del?|sinds)\s$/iu;

function amountOf(
  flow: Flow,
  sentence: Sentence,
  rest: readonly Sentence[],
  cues: readonly Act[],
): FoundAmount | undefined {
  const isClaimed =
    (asides: readonly Act[]) =>
    ({ at, start, value }: { at: number; start: number; value: string }) =>
      // "In 2023; EUR 60,000": a year before the currency of the next amount.
      !(/^(?:19|20)\d\d$/.test(value) && yearBefore.test(flow.text.slice(Math.max(0, start - 12), start))) &&
      !asides.some((each) => each.label === 'aside' && at >= each.at && at - each.to < 50);
  const own = within(flow.amounts, sentence).find(isClaimed(cues));
  if (own !== undefined) return own;
  for (const next of rest) {
    const found = within(flow.amounts, next).find(isClaimed(acts.in(flow, next)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function scaled({ value, start, end }: FoundAmount, flow: Flow, scale: number): string {
  return scale > 0 && /\d,\d{3}$/.test(flow.text.slice(start, end)) ? `${value}000` : value;
}
