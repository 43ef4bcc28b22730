/** Notice periods by party and by phase, and the length of the probation. */
import type { FoundDuration } from '../text/durations.ts';
import { type Clause, type ClauseFact, durationsIn, fact, lengthOf, notOwn } from './clauses.ts';
import { isNextToProbation, isNotProbation } from './probation-length.ts';

const noticeWords =
  /\bnotice\b|kündigungsfrist\w*|\bfrist(?:en)?\b(?=.{0,80}kündig)|kündig.{0,60}\bfrist\b|kündbar|préavis|d[ée]lai de pr[ée]venance|vous prévien\w+|prévenir (?:la société|l['’]employeur)|\bpreavis\w*|preavvis\w*|opzegtermijn\w*|opzegging|opzeg|výpovědní|okres\w* wypowiedzenia|aviso prévio|pré-aviso|uppsägningstid\w*|opsigelses(?:varsel|frist)\w*|oppsigelses(?:tid|frist)\w*/iu;
const noticeLabel =
  /notice|terminat|ending (?:the|your) employment|leaving|kündigung|beendigung|auflösung|préavis|rupture|fin du contrat|preaviso|extinción|preavviso|recesso|dimissioni|opzeg|beëindiging/iu;
/** Verbs with which a statement below a heading about termination states a period. */
const endWords =
  /\b(?:end|ends|terminat\w+|resign\w*|leav(?:e|ing)|gekündigt|kündigen|aufgelöst|rompre|rompu|résili\w+|démission\w*|prévien\w+|resolver|rescindir|extinguir|recedere|risolvere|opzeggen|beëindigen)\b/iu;
/** Notice of something else, and periods that give no notice to end the employment. */
const otherNotice =
  /\b(?:sie|(?:diese|die) (?:betriebs|dienst|rahmen)?vereinbarung) kann (?:mit|unter)\b|opt[ -]?(?:out|in)\b|\bwarnings?\b|abmahnung|avertissement|\brota\b|roster|courtesy|do not require|not required|withdraw|served\b|in lieu of (?:the )?notice of|(?:change|variation|amend)\w* |(?:annual|parental|maternity|holiday|sick|unpaid) leave|holiday|garden|freistell|sick|mobility|return of|landlord|mindestlohn|geltend|without notice|fristlos|sin preaviso|sans préavis|senza preavviso|zonder opzeg|privacy notice|notice board|renew|vertragsverläng|aanzeg|remote|overtime|shift|revo(?:ke|cation)|consultation|considered|end the (?:secondment|assignment|posting)|smart working|telework|télétravail|training|meeting|appeal|hearing|vacat\w+|request\w*|bonus|pension|reference|commission|subscription/iu;
const both =
  /\beither\b|\bboth\b|mutual|beide[nrs]?\b|beiderseit\w*|gegenseit\w*|chacune? des (?:deux )?parties|l['’]une? (?:ou|et|des?) (?:l['’]autre|parties)|réciproque|de part et d['’]autre|cualquiera de las partes|ambas partes|ciascuna|entrambe|obu stron|ambas as partes|båda parter|begge parter|ömsesidig\w*|gensidig\w*|gjensidig\w*|reciproc|wederzijds|beide partijen|ieder der partijen|\b(?:you|employee|executive) (?:or|and) (?:the )?(?:company|employer|we)\b|\b(?:company|employer|we|us) (?:or|and) (?:the )?(?:you|employee|executive)\b|from you and .{0,40}from (?:us|the)|give the same|same (?:period of )?notice/iu;
const parties = {
  employee:
    /(?<![\p{L}])(?:you\b(?!r? (?:employment|contract))|your side|the employee|the executive|employee|executive|(?:arbeit|dienst)nehmer(?:in)?s?|mitarbeiter(?:in)?s?|(?:la|le) salarié\w*|salarié\w*|votre côté|vous (?:devez|devrez|respect\w+)|(?:el|la) trabajador\w*|trabajador\w*|lavorator\w*|lavoratrice|dipendente|werknemer|démission\w*|baja voluntaria|arbetstagar\w*|medarbejder\w*|lønmodtager\w*|arbeidstaker\w*|pracownik\w*|trabalhador\w*|dimissioni|resign\w*|eigenkündigung)/iu,
  employer:
    /(?<![\p{L}])(?:we|us|our side|the company|the employer|the firm|the trust|the college|the council|company|employer|(?:arbeit|dienst)geber(?:in|s)?|la société|l['’]employeur|employeur|l['’]entreprise|la empresa|empresa|datore|azienda|società|werkgever|arbetsgivare\w*|arbejdsgiver\w*|arbeidsgiver\w*|pracodawc\w*|empregador\w*|licenciement|despido|causas objetivas|licenziamento|dismiss\w*)(?!\p{L})/iu,
} as const;

const probation =
  /probation\w*|trial period|introductory period|probezeit|période d['’]essai|pendant (?:cette période|l['’]essai)|per[íi]odo de prueba|periodo di prova|proeftijd|zkušební|probemonat|prov(?:anställning|período)\w*|prøvetid\w*|okres\w* próbn\w+|período experimental/giu;
const afterProbation =
  /(?:\bafter|following|once|upon|completion of|end of|passed|\bnach(?: (?:ablauf|ende|bestehen))?|\baprès|[à'’]\s?l['’]issue de|\btras|después de|finalizad[oa]|superad[oa]|superat[oa]|\bdopo|al termine d\w+|decorso|\bna(?: afloop van)?)(?: \p{L}{1,12}){0,4} $/iu;
const thereafter =
  /\bafter (?:successful )?completion\b(?! of (?:the |your )?prob)|\b(?:once confirmed|after that|following confirmation|thereafter|afterwards|subsequently|danach|anschließend|sodann|ensuite|par la suite|posteriormente|después|successivamente|in seguito|daarna|nadien)\b/giu;

/** A length of service or of something else before the duration. */
const notPeriod =
  /(?<![\p{L}])(?:after|more than|over|up to|at most|each|every|first|within|least \p{L}+ of|(?<!frist )nach|mehr als|bis zu|höchstens|maximal|(?:der|die|den) ersten|binnen|innerhalb|après|au-delà de|premiers?|dans les|tras|primeros|más de|dopo|oltre|primi|eerste|meer dan|rising to|ris(?:es|e) to|raised to|increas\w+ to|porté\w* à|passe à|steigt auf|erhöht sich auf|verlängert sich auf|elevad[oa] a|sube a|elevat[oa] a|oplopend tot|von mehr als|extend\w* (?:it )?by(?: not more than)?|dauer von|not more than|within the last|from the)(?: (?:a|an|the|completing|completed|of))? ?$/iu;
const service =
  /^.{0,12}(?:service|betriebszugehörigkeit|beschäftigungsdauer|présence|ancienneté|antigüedad|anzianità|dienst(?:jaren|verband)|employment or)/iu;

/** "In dieser Zeit", after a sentence about probation. */
const thisPeriod =
  /\b(?:in|während|innerhalb) dieser (?:zeit|frist|phase)|(?:during|in|within) (?:this|that) (?:period|time)|\bduring it\b|while it lasts|(?:pendant|durant) cette période|durante (?:este|dicho|tale|questo) per[íi]odo|(?:in|gedurende) deze (?:periode|tijd)/iu;

/** "Afterwards you have to give us two months", below a sentence about notice. */
const afterwards =
  /^\W{0,4}(?:afterwards|thereafter|after that|once confirmed|danach|anschließend|ensuite|par la suite|posteriormente|después|successivamente|in seguito|daarna|nadien)(?!\p{L})/iu;
const gives = /\b(?:give|gives|geben|gibt|einhalten|donner|respecter|dar|dare|geven)\b/iu;

const noticeTitle = /^(?:notice|kündigung|kündigungsfrist|préavis|preaviso|preavviso|opzegtermijn)/iu;

/** "Notice:" above the rows "During probation: 2 weeks" and "Thereafter: 3 months". */
function isRowOfNotice({ label, titles, text }: Clause): boolean {
  const above = titles.split(' > ')[1] ?? '';
  return (
    noticeTitle.test(above) &&
    text.length < 120 &&
    (label.search(probation) >= 0 ||
      label.search(thereafter) >= 0 ||
      /^(?:by |for |from |durch |seitens )?(?:the |den |die )?(?:employ|company|arbeit|dienst|mitarbeiter)/iu.test(
        label,
      ))
  );
}

/** The first period of each party and phase; later steps increase with service. */
export function noticeFacts(clauses: readonly Clause[]): ClauseFact[] {
  const seen = new Set<string>();
  return clauses.flatMap((clause, index) => {
    const isNotice =
      noticeWords.test(clause.text) ||
      (afterwards.test(clause.text) && gives.test(clause.text) && noticeWords.test(clauses[index - 1]?.text ?? '')) ||
      noticeTitle.test(clause.label) ||
      isRowOfNotice(clause) ||
      (noticeLabel.test(clause.label) && endWords.test(clause.text));
    if (!isNotice || otherNotice.test(`${clause.label.slice(0, 40)} ${clause.text}`) || notOwn.test(clause.text))
      return [];
    return noticeSentences(clause)
      .flatMap(segments)
      .flatMap(({ text, before }) => {
        const duration = durationsIn(text).find((each) => isPeriod(text, each));
        if (duration === undefined) return [];
        const isSamePhase = thisPeriod.test(clause.text) && (clauses[index - 1]?.text ?? '').search(probation) >= 0;
        const during = isSamePhase ? 'probation' : phase(before + text, before.length + duration.start, clause.label);
        return givers(text, duration, before).flatMap((by) => {
          const key = `${by} ${during}`;
          if (seen.has(key)) return [];
          seen.add(key);
          return [fact(clause, 'notice', { by, during, duration: lengthOf(duration) })];
        });
      });
  });
}

/** "Probation: six months. During it either side may give one week's notice": of a row, the sentences about notice. */
function noticeSentences({ label, text }: Clause): readonly string[] {
  const sentences = text.split(/(?<=\p{Ll}{2}\.)\s+(?=\p{Lu})/u);
  const own = sentences.filter((sentence) => noticeWords.test(sentence));
  return sentences.length < 2 || own.length === 0 || noticeLabel.test(label) ? [text] : own;
}

/** "The probation of six months has ended": the duration belongs to the probation, not to the notice. */
const lengthOfProbation =
  /(?:probation\w*(?: period)?|trial period|probezeit|essai|prueba|prova|proeftijd)(?: (?:period )?(?:of|von|de|di|van|beträgt|is|was|est|es|è|bedraagt|dauerte?)){1,2} $/iu;

function isPeriod(text: string, { start, end, unit }: FoundDuration): boolean {
  return (
    !lengthOfProbation.test(text.slice(Math.max(0, start - 60), start)) &&
    unit !== 'year' &&
    unit !== 'minute' &&
    !notPeriod.test(text.slice(Math.max(0, start - 40), start)) &&
    !service.test(text.slice(end, end + 40)) &&
    !/^[- '’]{0,2}(?:probation|trial|introductory|probezeit)/iu.test(text.slice(end, end + 20))
  );
}

/** Parts of a sentence that may each name a party and a period. */
function segments(text: string): { readonly text: string; readonly before: string }[] {
  const cut =
    / ?; |(?:,| and| und| et| y| e| en) (?=(?:the |der |die |la |le |el |il |de |für |by |from |if |in case of |voor |van |por |para |pour |per )?(?:den |die |das |de |het |la |el |le |il |the |l['’])?(?:employe|company|you |we |executive|resign|dismiss|arbeit|mitarbeiter|salari|société|employeur|trabajador|empresa|lavorator|dipendente|datore|werk))|(?<=\)), |, (?=thereafter|danach|afterwards|ensuite|daarna)|[.:] (?=thereafter|danach|afterwards)/giu;
  const parts: { text: string; before: string }[] = [];
  let from = 0;
  for (const match of text.matchAll(cut)) {
    const part = text.slice(from, match.index);
    // "The Company or you", "three months from you and three months from the Company": parties without a period of their own.
    if (durationsIn(part).length === 0) continue;
    parts.push({ text: part, before: text.slice(0, from) });
    from = match.index + match[0].length;
  }
  parts.push({ text: text.slice(from), before: text.slice(0, from) });
  return parts.slice(0, 8);
}

function givers(text: string, { start, end }: FoundDuration, before: string): readonly ('employer' | 'employee')[] {
  if (both.test(text)) return ['employer', 'employee'];
  const place = (shape: RegExp, part: string) => part.search(shape);
  const after =
    /^(?:['’]? ?(?:s['’])?(?: \p{L}+){0,3}? )?(?:\((?:by |for )?(?:the )?(?=employ|company|arbeit|dienst|salari|trabaj|empresa|werk)|by|from|für|durch|seitens|du|de la|por|da parte d\w+|door|voor)(?:\b|(?<=[( ]))(.{0,50})/iu.exec(
      text.slice(end),
    )?.[1] ?? '';
  const [toEmployee, toEmployer] = [place(parties.employee, after), place(parties.employer, after)];
  if (toEmployee >= 0 && (toEmployer < 0 || toEmployee < toEmployer)) return ['employee'];
  if (toEmployer >= 0) return ['employer'];
  const ahead = text.slice(0, start);
  // "You are entitled to receive two months' notice."
  if (/\b(?:receive|be given|be entitled to|erhält|recevr\w+) (?:at least |not less than )?$/iu.test(ahead))
    return ['employer'];
  const [employee, employer] = [place(parties.employee, ahead), place(parties.employer, ahead)];
  if (employee >= 0 && (employer < 0 || employee < employer)) return ['employee'];
  if (employer >= 0) return ['employer'];
  // A party that only the words after the period name: "one month's notice is required of the employee".
  const rest = text.slice(end, end + 90);
  const [later, laterEmployer] = [place(parties.employee, rest), place(parties.employer, rest)];
  if (later >= 0 && laterEmployer < 0) return ['employee'];
  if (laterEmployer >= 0 && later < 0 && before === '') return ['employer'];
  // Somebody gives the notice, but the sentence does not say under a known word which party that is.
  return someoneEnds.test(ahead) ? [] : ['employer', 'employee'];
}

/** "The Practice may end your employment by", with a verb of one side; not "may be terminated by". */
const someoneEnds =
  /\b(?:may|can|shall|must|will|kann|darf|muss|hat|peut|doit|pourra|puede|deberá|podrá|può|deve|potrà|kan|moet|mag)\b(?! be\b)(?!.{0,80}(?:werden|être|worden|ser|essere) )[^.;]{0,60}\b(?:end|terminate|give|kündigen|einhalten|rompre|résilier|respecter|rescindir|resolver|extinguir|recedere|risolvere|opzeggen|beëindigen)\b/iu;

/** The phase that the last words before the period name, else the heading. */
function phase(text: string, at: number, label: string): 'probation' | 'after-probation' {
  const found = [
    ...[...text.matchAll(probation)].map(({ index }) => ({
      index,
      isAfter: afterProbation.test(text.slice(Math.max(0, index - 70), index)),
    })),
    ...[...text.matchAll(thereafter)].map(({ index }) => ({ index, isAfter: true })),
  ].sort((a, b) => a.index - b.index);
  const nearest = found.findLast(({ index }) => index < at) ?? found[0];
  if (nearest !== undefined) return nearest.isAfter ? 'after-probation' : 'probation';
  return label.search(probation) >= 0 && !noticeLabel.test(label) ? 'probation' : 'after-probation';
}

/** "After probation you give four weeks": what follows is not the length of the probation. */
function isAfterProbation(text: string, at: number): boolean {
  const last = [...text.matchAll(probation)].findLast(({ index }) => index < at);
  return last !== undefined && afterProbation.test(text.slice(Math.max(0, last.index - 70), last.index));
}

const probationTitle =
  /^(?:probation\w*|probation period|trial(?: period)?|probezeit|(?:période d['’])?essai|(?:periodo di )?prova|(?:per[ií]odo de )?prueba|proeftijd)/iu;

/** The word for the probation before a position, else the first behind it. */
function probationNear(text: string, at: number): number {
  const places = [...text.matchAll(probation)].map(({ index }) => index);
  return places.findLast((index) => index < at) ?? places[0] ?? -1;
}

/** "The first month counts as probation": the length without a number. */
const firstMonth =
  /(?<!\p{L})(?:(?:the|his|her|your) first month|(?:der|das) erste monat|(?:le )?premier mois|(?:el )?primer mes|(?:il )?primo mese|(?:de )?eerste maand)(?!\p{L})/iu;
const extension = /extend|extension|verläng|renouvel|prorog|prórrog|ampli|verleng/iu;

/** The length of the probation, if one sentence states it. */
export function probationFacts(clauses: readonly Clause[]): ClauseFact[] {
  for (const clause of clauses) {
    const inText = clause.text.search(probation) >= 0;
    if (!inText && !probationTitle.test(clause.label)) continue;
    if (
      notOwn.test(clause.text) ||
      /aucune (?:clause|période) d['’]essai|sans objet|keine probezeit|sin per[íi]odo de prueba|nessun periodo di prova|geen proeftijd/iu.test(
        clause.text,
      ) ||
      /introductory review|\barrangement\b|sick|no longer|does not apply|no probation|host/iu.test(clause.text)
    )
      continue;
    const isNotice = noticeWords.test(clause.text) || /\bfrist\b|kündig/iu.test(clause.text);
    const own = durationsIn(clause.text).find(({ start, end, unit }) => {
      if (unit === 'hour' || unit === 'minute') return false;
      const before = clause.text.slice(Math.max(0, start - 60), start);
      if (extension.test(before) || isAfterProbation(clause.text, start)) return false;
      if (isNotProbation(clause.text, probationNear(clause.text, start), { start, end })) return false;
      const after = clause.text.slice(end, end + 70);
      const ofProbation = isNextToProbation(before, after);
      return isNotice
        ? ofProbation &&
            (/\((?:the )?first $/iu.test(before) ||
              !/notice|frist|préavis|preavis|preavvis|respecter|kündig/iu.test(before)) &&
            !/^'? ?(?:prior |written )?notice/iu.test(after)
        : ofProbation || probationTitle.test(clause.label);
    });
    if (own !== undefined) return [fact(clause, 'term', { part: 'probation', duration: lengthOf(own) })];
    if (!isNotice && firstMonth.test(clause.text))
      return [fact(clause, 'term', { part: 'probation', duration: { count: 1, unit: 'month' } })];
  }
  return [];
}
