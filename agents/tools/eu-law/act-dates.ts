/** From when acts are in force, apply and are to be transposed, as the sentences and tables of a document say. */
import type { FoundDate } from '../text/dates.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { ActDate } from './act-date.ts';
import { isClaimed } from './claims.ts';
import { delayOf, entryDateOf } from './delays.ts';
import type { LawText } from './read-law.ts';
import { byWordBefore, fromWordBefore, isRejected, isSupposed, isTemplate } from './statements.ts';
import { actsBetween, nextSentence, subjectAt } from './subjects.ts';
import { tableDates } from './table-dates.ts';

/** Ordered by position in the flat text. */
export function findActDates(law: LawText): ActDate[] {
  const known = read.get(law);
  if (known !== undefined) return known;
  const found = readActDates(law);
  read.set(law, found);
  return found;
}

/** Two tools need them. */
const read = new WeakMap<LawText, ActDate[]>();

function readActDates(law: LawText): ActDate[] {
  const { dates } = law;
  const found = law.flat.sentences.flatMap((sentence) => {
    const here = allWithin(dates, sentence).filter((date) => !isClaimed(law, sentence, date));
    const wording = law.flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 3_000));
    if (here.length === 0 && !/[A-Za-zÀ-ž] (?:publi|veröffentl|bekendm|opublik|vyhláš|pubbl)/iu.test(wording))
      return [];
    if (isSupposed(wording) || isRejected(wording, nextSentence(law, sentence)) || isTemplate(wording)) return [];
    return [
      ...entries(law, sentence, wording, here),
      ...applications(law, sentence, wording, here),
      ...transpositions(law, sentence, wording, here),
    ];
  });
  return withScopes([...found, ...tableDates(law, dates)].sort((a, b) => a.start - b.start));
}

const entryCue =
  /(?<![A-Za-zÀ-ž])(?:enter(?:s|ed|ing)? into force|in kraft(?! bleib)|entr(?:e|era|ée?|a) en vigueur|entr(?:ará|ó|a|ado) en vigor|entr(?:a|erà|ato|ata|ò) in vigore|in werking|w życie|vstup[A-Za-zÀ-ž]{1,4} v platnost|vstoupil[A-Za-zÀ-ž]? v platnost|nabýv[A-Za-zÀ-ž]{1,2} (?:účinnosti|platnosti)|nabyl[A-Za-zÀ-ž]? (?:účinnosti|platnosti)|entrou em vigor|entra em vigor|in force (?:since|from|as (?:of|from))|in kraft seit|en vigueur depuis|en vigor desde|in vigore (?:dal(?:l')?|da)|(?:van kracht|in werking) sinds|obowiązuj[eą] od(?: dnia)?|v platnosti od|em vigor desde|entrar[áã] em vigor|entraram em vigor|trä(?:der|dde) i kraft|trätt i kraft|(?:træder|trådte|trådt) i kraft|i kraft (?:sedan|siden)|intr[ăa] în vigoare|a intrat în vigoare|nadob[uú]d\p{L}{1,3} účinnosť|stup(?:a|io|ila|ilo) na snagu|začn\p{L}{1,2} veljati|začela veljati|τέθηκε σε ισχύ|τίθεται σε ισχύ|влиза в сила|влезе в сила|tul(?:ee|i) voimaan)(?![A-Za-zÀ-ž])/giu;
const entryVerb =
  /(?<![A-Za-zÀ-ž])(?:tritt|treten|trat|traten|getreten|treedt|treden|getreden|trad|wchodz[A-Za-zÀ-ž]{1,2}|wesz[A-Za-zÀ-ž]{1,3}|wszed[A-Za-zÀ-ž]{0,3}|enter|entr|vst|nab|in force|in kraft|en vigueur|en vigor|in vigore|in werking|van kracht|obowiązuj|v platnosti|em vigor|i kraft|în vigoare|účinnosť|na snagu|veljati|ισχύ|в сила|voimaan)/iu;

function entries(law: LawText, sentence: Range, wording: string, dates: readonly FoundDate[]): ActDate[] {
  if (!entryVerb.test(wording)) return [];
  const delay = delayOf(wording);
  const cues = [...wording.matchAll(entryCue)];
  return cues.flatMap((match): ActDate[] => {
    const cue = { start: sentence.start + match.index, end: sentence.start + match.index + match[0].length };
    if (ended.test(law.flat.text.slice(Math.max(sentence.start, cue.start - 24), cue.start))) return [];
    const date =
      dates.find((each) => belongsTo(law.flat.text, cue, each)) ??
      dates.find(
        (each) =>
          each.start >= cue.end && explained.test(law.flat.text.slice(Math.max(cue.end, each.start - 24), each.start)),
      );
    const counted = cues.length === 1 && delay !== undefined ? { delay } : {};
    const act =
      (law.kind.national !== undefined && cue.start < law.kind.national.end && !namesAct(law, sentence, cue)) ||
      nationalSubject.test(law.flat.text.slice(Math.max(sentence.start, cue.start - 50), cue.start))
        ? undefined
        : subjectAt(law, sentence, cue.start);
    const named = { kind: 'entry into force' as const, ...cue, ...(act === undefined ? {} : { act }) };
    if (date !== undefined) return [{ ...named, date: date.iso, ...counted }];
    if (delay === undefined || act === undefined || cues.length > 1 || act !== law.kind.own?.celex) return [];
    const day = entryDateOf(law.kind.own.publication, delay);
    return [{ ...named, delay, ...(day === undefined ? {} : { date: day }) }];
  });
}

/** The only act of the Union that the sentence names before the verb. */
function namesAct(law: LawText, sentence: Range, cue: Range): boolean {
  const named = actsBetween(law, sentence.start, cue.start).filter(
    ({ type, how }) => type !== 'treaty' && how !== 'bare',
  );
  return named.length === 1 && cue.start - named[0]!.end < 60;
}

/** "No longer in force since". */
const ended =
  /(?<!\p{L})(?:no longer|not(?: any more)?|nicht(?: mehr)?|plus|ya no|no (?:está|es)|non (?:è )?(?:più )?|niet (?:meer|langer)|nie|ne|již|já não|inte längre|ikke længere)(?: (?:is|in|est|es|è|been))? ?$/iu;
/** Words between a count of days and the resulting day: "on the twentieth day …, i.e. on 10 March 2027". */
const explained =
  /(?:i\.e\.|that is|namely|thus|d\. ?h\.|das heißt|also|mithin|soit|c'est-à-dire|donc|es decir|o sea|esto es|ossia|cioè|vale a dire|dus|dat wil zeggen|d\.w\.z\.|czyli|tj\.|tedy|ou seja|dvs\.|alltså),? ?(?:on |am |le |el |il |op |w dniu |dnia |dne |em |den )?$/iu;
/** "Cette loi entrera en vigueur": a law of a Member State, which has no number here. */
const nationalSubject =
  /(?<!\p{L})(?:(?:this|that|the) (?:act|law|statute|bill|decree)|(?:diese[sr]?|jene[sr]?|das|die) (?:gesetz|rechtsverordnung)|(?:cette|ladite|la) loi|(?:ce|ledit|le) décret|(?:esta|dicha|la) ley|(?:este|el) real decreto|(?:questa|tale|la) legge|(?:questo|tale|il) decreto|(?:deze|die|de) wet|(?:dit|dat|het) besluit|(?:ta |niniejsza )?ustawa|(?:tento )?zákon|(?:esta|a) lei)(?!\p{L})[^.;,]{0,30}$/iu;

/** "on 24 December 2026" after the verb, or "am 2. August 2004" within it. */
function belongsTo(text: string, cue: Range, date: Range): boolean {
  if (date.start >= cue.end)
    return (
      /^[^\d;.:]{1,36}$/.test(text.slice(cue.end, date.start)) &&
      !/(?:publi|appl|anwend|geld)/i.test(text.slice(cue.end, date.start))
    );
  return date.end <= cue.start && text.slice(date.end, cue.start) === ' ';
}

const applyVerb =
  /(?<![A-Za-zÀ-ž])(?:shall apply|applies|apply|applied|applicable|forward to|gilt|gelten|galt|anwendbar|anwendung|anzuwenden|applicables?|s'appliquent?|aplicables?|se aplicarán?|aplicará|si applica(?:no)?|applicabil[ei]|van toepassing|toepasselijk|stosuje się|stosuje|mają zastosowanie|ma zastosowanie|použij[eí] se|se použij[eí]|použitelné|aplicáve(?:l|is)|aplica-se|aplicam-se|tillämpas|tillämplig[at]?|finder(?: \p{L}+)? anvendelse|anvendes|gælder|se aplică|sovelletaan|uplatňuj[eú] sa|primjenjuj[eu](?: se)?|uporablja(?: se)?|se uporablja|εφαρμόζ(?:εται|ονται)|прилага(?:т)?(?: се)?)(?![A-Za-zÀ-ž])/iu;
/** Measures that Member States take under a directive. */
const measures =
  /(?<![A-Za-zÀ-ž])(?:member states?|mitgliedstaat(?:en)?|états? membres?|estados? miembros?|stat[oi] membr[oi]|lidsta(?:at|ten)|państw[ao] członkowskie|členské státy|členský stát|(?:these|those|the) (?:measures|provisions|laws)|vorschriften|diese (?:maßnahmen|bestimmungen)|(?:ces|lesdites) (?:dispositions|mesures)|(?:estas|dichas) (?:disposiciones|medidas)|(?:tali|dette) (?:disposizioni|misure)|essas disposições|le disposizioni|de bepalingen|die bepalingen|przepisy|předpisy)(?![A-Za-zÀ-ž])/iu;

/** Each date of beginning, with the articles since the date before it: "It shall apply from …, with the exception of Article 2(3), which shall apply from …". */
function applications(law: LawText, sentence: Range, wording: string, dates: readonly FoundDate[]): ActDate[] {
  const verb = applyVerb.exec(wording) ?? askedVerb(law, sentence, wording);
  if (verb === null || transposeCue.test(wording)) return [];
  const isDirective =
    law.kind.own?.type === 'directive' ||
    (measures.test(wording) && law.kind.own?.type !== 'regulation' && law.kind.own?.type !== 'decision');
  if (isDirective) return [];
  const found: ActDate[] = [];
  let from = sentence.start;
  for (const date of dates) {
    const before = law.flat.text.slice(from, date.start);
    const begins =
      fromWordBefore(before) !== undefined &&
      !/(?:repeal|aufgehoben|aufheb|abrog|derog|ingetrokken|uchyl|traci moc|zruš|in force|en vigueur|en vigor|in vigore|in werking|w życie|power|befugnis|délégation|bevoegdheid)[A-Za-zÀ-ž]*[^.;]{0,60}$/iu.test(
        before,
      );
    if (begins && !madeFrom.test(law.flat.text.slice(date.end, Math.min(sentence.end, date.end + 40))))
      found.push(...applicationsFrom(law, sentence, { start: from, end: date.start }, date));
    from = date.end;
  }
  return found;
}

/** "When does it apply? From 10 September 2028.": a date alone answers the question before it. */
function askedVerb(law: LawText, sentence: Range, wording: string): RegExpExecArray | null {
  if (wording.length > 60 || fromWordBefore(wording.replace(/\d[\s\S]*$/u, '')) === undefined) return null;
  const question = law.flat.text.slice(Math.max(0, sentence.start - 80), sentence.start).trimEnd();
  return question.endsWith('?') ? applyVerb.exec(question.split(/[.!?](?=\s)/u).at(-1)!) : null;
}

/** "Contracts that were concluded from that day on": the day limits a rule to certain things and is not the first day of the rule. */
const madeFrom =
  /^ (?:on(?:wards?)? )?(?:(?:are|were|been|sind|wurden|ont été|sont|son|sono|zijn|werden|został\p{L}{1,2}) )?(?:concluded|entered into|manufactured|placed|issued|granted|geschlossen\p{L}{0,2}|abgeschlossen\p{L}{0,2}|hergestellt\p{L}{0,2}|ausgestellt\p{L}{0,2}|in verkehr|conclus?e?s?|fabriqué\p{L}{0,2}|délivré\p{L}{0,2}|celebrad[oa]s?|fabricad[oa]s?|conclus[oaie]|stipulat[oaie]|fabbricat[oaie]|gesloten|vervaardigd|zawart\p{L}{1,2}|wyprodukowan\p{L}{1,2}|uzavřen\p{L}{1,3}|vyroben\p{L}{1,3})(?!\p{L})/iu;

const onlyCited =
  /(?:derogation from|accordance with|pursuant to|under|gemäß|nach|abweichend von|conformément à l'|en vertu de l'|par dérogation à l'|de conformidad con el|no obstante lo dispuesto en el|ai sensi dell'|conformemente all'|in deroga all'|overeenkomstig|in afwijking van|zgodnie z|na zasadzie odstępstwa od|podle) ?$/iu;

function applicationsFrom(law: LawText, sentence: Range, segment: Range, date: FoundDate): ActDate[] {
  const articles = allWithin(law.articles, segment).filter(
    ({ kind, start }) => kind === 'article' && !onlyCited.test(law.flat.text.slice(Math.max(0, start - 40), start)),
  );
  // "Article 44(2) of Regulation … brings Article 9 forward": the first says it, the others are its objects.
  const moved = / (?:brings?|moves?|zieht|avance|anticipa|adelanta|vervroegt) /iu.exec(
    law.flat.text.slice(segment.start, segment.end),
  );
  const parts = moved === null ? articles : articles.filter(({ start }) => start > segment.start + moved.index);
  const at = { kind: 'application' as const, date: date.iso, start: date.start, end: date.end };
  if (parts.length > 0) {
    return parts.map(({ act, number, until, paragraph, normalised }) => ({
      ...at,
      ...(act === undefined ? {} : { act }),
      article: {
        number,
        normalised,
        ...(until === undefined ? {} : { until }),
        ...(paragraph === undefined ? {} : { paragraph }),
      },
    }));
  }
  const act = subjectAt(law, sentence, date.start);
  return act === undefined ? [] : [{ ...at, act, scope: 'whole' }];
}

const transposeCue =
  /(?<![A-Za-zÀ-ž])(?:transpos[A-Za-zÀ-ž]{0,6}|transpon[A-Za-zÀ-ž]{0,6}|transpoz[A-Za-zÀ-ž]{0,4}|bring into force the laws|adopt and publish|erlassen(?: und veröffentlichen)?|adoptent et publient|adoptarán y publicarán|adottano e pubblicano|adotarão e publicarão|antar och offentliggör|vedtager og offentliggør|setzen die (?:erforderlichen )?|comply with this directive|umzusetzen|umgesetzt|umsetzung[A-Za-zÀ-ž]{0,6}|nachzukommen|mettent en vigueur|se conformer à la présente|pondrán en vigor|dar cumplimiento|recepi[A-Za-zÀ-ž]{1,6}|mettono in vigore|conformarsi|omgezet|om te zetten|omzetting[A-Za-zÀ-ž]{0,8}|aan deze richtlijn te voldoen|wprowadzają w życie|przyjmują i publikują|wdroż[A-Za-zÀ-ž]{1,6}|proved[A-Za-zÀ-ž]{1,4} ve vnitrostátním|uvedou v účinnost|provedení|införliva[sdt]{0,2}|genomföra[sdt]{0,2}|gennemføre[sr]?|gennemført)(?![A-Za-zÀ-ž])/iu;
const measuresApply =
  /(?<![A-Za-zÀ-ž])(?:apply|applied|wenden|anzuwenden|anwenden|appliquent|appliquer|aplicarán|aplicar|applicano|applicar(?:e|ne)|applicheranno|toegepast|passen|toe te passen|stosuj[A-Za-zÀ-ž]{1,2}|stosować|použijí|používají|aplicam|aplicadas|tillämpa[s]?|anvende[sr]?)(?![A-Za-zÀ-ž])/iu;
const expired =
  /(?<![A-Za-zÀ-ž])(?:expired on|ended on|lief am|endete am|a expiré le|expirait le|expiró el|venció el|scadeva il|è scaduto il|verstreek op|upłynął w dniu|upłynął|upływa|uplynula dne)(?: den| dnia)? ?$/iu;

function transpositions(law: LawText, sentence: Range, wording: string, dates: readonly FoundDate[]): ActDate[] {
  const cue = transposeCue.exec(wording);
  const applies = measuresApply.test(wording) && (measures.test(wording) || cue !== null);
  if (cue === null && !applies) return [];
  const act = directiveAt(law, sentence);
  if (act === undefined) return [];
  return dates.flatMap((date, index): ActDate[] => {
    const clause = law.flat.text.slice(
      dates[index - 1]?.end ?? sentence.start,
      dates[index + 1]?.start ?? sentence.end,
    );
    const before = law.flat.text.slice(Math.max(sentence.start, date.start - 60), date.start);
    const at = { kind: 'transposition' as const, act, date: date.iso, start: date.start, end: date.end };
    if (applies && fromWordBefore(before) !== undefined && measuresApply.test(clause))
      return [{ ...at, step: 'apply' }];
    const isLast = byWordBefore(before) !== undefined || expired.test(before);
    return cue !== null && isLast ? [{ ...at, step: 'transpose' }] : [];
  });
}

/** The directive that the sentence is about; undefined if it is about another act. */
function directiveAt(law: LawText, sentence: Range): string | undefined {
  const act = subjectAt(law, sentence, sentence.end);
  const isDirective = (celex: string | undefined) => celex !== undefined && /^3\d{4}L/.test(celex);
  if (isDirective(act)) return act;
  const own = law.kind.own?.celex;
  return isDirective(own) ? own : undefined;
}

/** A part is earlier or later than the whole of its act. */
function withScopes(found: readonly ActDate[]): ActDate[] {
  const whole = new Map(
    found.flatMap(({ scope, act, date }) => (scope === 'whole' && act !== undefined ? [[act, date] as const] : [])),
  );
  return found.map((each) => {
    if (each.article === undefined || each.act === undefined) return each;
    const general = whole.get(each.act);
    if (general === undefined || each.date === undefined || general === each.date) return each;
    return { ...each, scope: each.date < general ? 'earlier' : 'later' };
  });
}
