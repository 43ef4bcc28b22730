/** Benefits of an employment document, with amount, percentage and period. An amount belongs to the nearest name of a benefit. */
import { findPercents } from '../text/percents.ts';
import { benefitWords } from './benefit-words.ts';
import { type Money, moneyIn, periodNear, periods } from './clause-pay.ts';
import { isSickPay, sickPay } from './clause-sick-pay.ts';
import { type Clause, type ClauseFact, durationsIn, type FactValue, fact, notOwn } from './clauses.ts';

const denied =
  /\b(?:no|not|none|neither|nor|without|kein\w*|nicht|aucune?|pas|sin|nessun\w*|niet|geen)\b(?:(?! (?:is guaranteed|more than|later than|less than|only))[^.;,:]){0,40}$/iu;
const deniedAfter =
  /^(?:[^.;:]|(?<=\d)\.){0,90}?(?:\b(?:is|are|will be|was|were|werden|wird|sont|est|son|es|sono|è|wordt|worden|zijn)\b[^.;,:]{0,25}\b(?:not|nicht|pas|no|non|niet)\b(?! (?:later|more|less|only|contractual|guaranteed|pensionable|garanti))|\bnot (?:provided|payable|offered|granted|included|eligible|due|awarded|available)|\bdoes not\s*$|\bno procede\b|\bnone\b|\bn\/a\b|besteht nicht|nicht (?:gewährt|gezahlt|vereinbart|gestellt)|^[^.;\p{L}]{0,4}(?:entfällt|entfallen|gestrichen|withdrawn|ceases|removed|supprimée?|se suprime|eliminat[oa]|vervalt)|pas (?:prévue?|attribu|vers)|niet verschuldigd|\b(?:returned?|zurückzugeben|zurückgegeben|zurückgeben|herauszugeben|restitu\w+|devol\w+|ingeleverd|inleveren)\b|repay|rückzahl|rembours(?:er|ez) )/iu;
const otherBenefit =
  /repay|paid back|clawback|pro rata of the after-tax|\breceived a\b|for (?:the (?:financial )?year )?20\d\d\/|accrued (?:pension|holiday)|claims?\b|does not include|excluding|excludes|in lieu of notice\. |basic pay only|creates no|per kind|discretionary, depends|is due for|\bis sold\b|change of control|rückzahlung|zurückzuzahlen|unverfallbar|verrechnet|pensionable|for the purpose of|calculation of/iu;

/** "Each pay period, you will see a payroll deduction for medical insurance:" above a list of what employees pay. */
const employeeCost =
  /payroll deduction|deducted from (?:your|the employee)|employees?['’]? (?:contributions?|costs?|share)|lohnabzug|arbeitnehmeranteil|retenue sur salaire|part salariale|a cargo del trabajador/iu;

/** At most forty, each value once. */
export function benefitFacts(clauses: readonly Clause[]): ClauseFact[] {
  const found: ClauseFact[] = [];
  const known = new Set<string>();
  const add = (clause: Clause, benefit: string, value: FactValue) => {
    const key = JSON.stringify([benefit, value]);
    // A repeated name of the benefit after a stated value adds nothing.
    if (known.has(key) || (Object.keys(value).length === 0 && known.has(benefit))) return;
    known.add(key).add(benefit);
    found.push(fact(clause, 'benefit', { benefit, ...value }));
  };
  for (const clause of clauses) {
    const { text } = clause;
    if (otherBenefit.test(text) && !/severance|payment in lieu of notice of|compensation for loss/iu.test(text))
      continue;
    if (employeeCost.test(clause.titles)) continue;
    if (notOwn.test(text) && !/statutory minimum/iu.test(text)) continue;
    const cues = cuesIn(clause);
    if (isSickPay(clause) && !deniedAfter.test(text)) for (const value of sickPay(text)) add(clause, 'sick-pay', value);
    for (const { benefit, start, end, until } of cues) {
      if (benefit === 'sick-pay') continue;
      if (denied.test(text.slice(Math.max(0, start - 60), start)) || deniedAfter.test(text.slice(end))) continue;
      const value = benefitValue(benefit, text, { start, end, until }, clause.titles);
      if (value !== undefined) add(clause, benefit, value);
    }
  }
  return found.slice(0, 40);
}

const allWords = benefitWords.map(([benefit, shape]) => [benefit, new RegExp(shape.source, 'giu')] as const);

interface Cue {
  readonly start: number;
  readonly end: number;
  /** Where the next benefit begins. */
  readonly until: number;
}

function cuesIn({ text, label }: Clause): (Cue & { readonly benefit: string })[] {
  const cues: { benefit: string; start: number; end: number }[] = [];
  const take = (benefit: string, match: RegExpExecArray) => {
    const [start, end] = [match.index, match.index + match[0].length];
    if (!cues.some((cue) => start < cue.end && end > cue.start)) cues.push({ benefit, start, end });
  };
  for (const [benefit, shape] of allWords)
    for (const match of [...text.matchAll(shape)].slice(0, 4)) take(benefit, match);
  const figures = findPercents(text).length + moneyIn(text).length;
  // The title names the benefit: "TUITION. Up to $5,250 per year for approved programs."
  if (cues.length === 0 && label.length <= 40 && figures > 0) {
    const named = benefitWords.find(
      ([benefit, shape]) => shape.test(label) && benefit !== 'sick-pay' && benefit !== 'overtime-rate',
    );
    if (
      named !== undefined &&
      (figures === 1 || named[0] === 'pension') &&
      !/ and | und | et | y | e | en |,|&/iu.test(label)
    )
      cues.push({ benefit: named[0], start: 0, end: 0 });
  }
  cues.sort((a, b) => a.start - b.start);
  return cues.map((cue, index) => ({ ...cue, until: cues[index + 1]?.start ?? text.length }));
}

/** Benefits that a document may grant without a figure. */
const bare = new Set([
  'car',
  'equity',
  'pension',
  'health-insurance',
  'life-insurance',
  'transport-allowance',
  'extra-month',
  'relocation',
]);

/** "Severance pay equal to $50,000 (two times the target bonus)": the sum is not the bonus. */
const isSeveranceOf =
  /(?:equal to|times|multiple of|sum of|based on|excluding|exclusive of|exclusief|zuzüglich|plus)(?![^;]*[;])[^;]{0,60}$/iu;

/** The employee pays, or the sum is a value for tax or a threshold. */
const notPaid =
  /celle d[eu] (?:l['’]|la |le )?(?:employée?|travailleur|salariée?)|(?:quote-part|part) (?:personnelle|du (?:travailleur|salarié))|werknemersbijdrage|(?:your|employee['’]?s?) (?:share|cost|contribution|part|own)|at your (?:own )?(?:cost|expense)|you (?:pay|contribute)|deducted|taxable|geldwert\w*|sachbezug|avantage en nature|valor(?:ado|ación)|retribución en especie|fringe|benefit in kind|eigenanteil|eigenbeitrag|à votre charge|part salariale|a cargo del? (?:la )?trabajador|a carico del (?:lavoratore|dipendente)|(?:borne|paid|contributed) by (?:the employee|you)|(?:vom|von der|durch den) arbeitnehmer|par (?:le|la) salarié|por (?:el|la) trabajador|dal (?:lavoratore|dipendente)|(?:door|van) de werknemer|zelf (?:te )?bij|eigen bijdrage|list price|listenpreis|insured sum|versicherungssumme|capped|up to \p{Sc}[\d,.]+ (?:of cover|insured)|times (?:base |basic )?salary|face value|valeur faciale|nominal/iu;

/** @returns undefined if the words name the benefit without granting it */
function benefitValue(
  benefit: string,
  text: string,
  { start, end, until }: Cue,
  titles: string,
): FactValue | undefined {
  const own = text.slice(start, until);
  // Not the end of a number whose beginning is cut off.
  const front = text.slice(Math.max(0, start - 70), start).replace(/^[\d.,]+/u, '');
  if (benefit === 'overtime-rate') return overtime(text.slice(start), front) ?? overtime(front, '');
  if (benefit === 'pension')
    return noContribution.test(text) ? undefined : (employerContribution(text) ?? pension(text));
  if (benefit === 'life-insurance' && isGrant(text)) {
    const [insured, ...more] = moneyIn(own);
    return insured === undefined || more.length > 0 ? {} : { amount: insured.amount, currency: insured.currency };
  }
  if (benefit === 'car' || benefit === 'equity' || benefit === 'life-insurance') return isGrant(text) ? {} : undefined;
  const paid = moneyIn(own).filter((money) => isPaid(own, money));
  const money =
    paid[0] ?? (moneyIn(own).length === 0 && !isSeveranceOf.test(front) ? moneyIn(front).at(-1) : undefined);
  if (benefit === 'severance')
    return money === undefined
      ? (severanceAfter(text) ?? severanceLength(text))
      : { amount: money.amount, currency: money.currency, per: 'once' };
  const percent = findPercents(own)[0] ?? (money === undefined ? findPercents(front).at(-1) : undefined);
  const isRate =
    percent !== undefined &&
    ['bonus', 'commission', 'extra-month'].includes(benefit) &&
    (money === undefined || (findPercents(own)[0]?.start ?? 1e9) < money.start);
  if (isRate) return { percent: Number(percent.value) };
  if (benefit === 'commission') return undefined;
  if (benefit === 'meal-allowance' || benefit === 'health-insurance') {
    const last = paid.at(-1);
    return last === undefined ? (bare.has(benefit) && isGrant(text) ? {} : undefined) : priced(own, last, benefit);
  }
  if (benefit === 'extra-month' && /mensualités|pagas|mensilità|mensualidades|gehälter/iu.test(text.slice(start, end)))
    return {};
  if (
    money === undefined &&
    benefit === 'other-allowance' &&
    percent !== undefined &&
    /^[^:%]{3,48}: ?\d+ ?%$/u.test(text.trim())
  )
    return { percent: Number(percent.value) };
  if (money === undefined) return bare.has(benefit) && isGrant(text) ? {} : undefined;
  const source = paid[0] === undefined ? front : own;
  return priced(source, money, benefit, `${titles.split(' > ', 1)[0]} ${text.slice(Math.max(0, start - 40), end)}`);
}

const noContribution =
  /no employer contribution|without (?:an )?employer contribution|ohne arbeitgeber(?:beitrag|zuschuss)|keine? arbeitgeber(?:beitrag|beiträge|zuschuss)|sans (?:cotisation|part) patronale|sin aportación|senza contributo|zonder werkgeversbijdrage/iu;

/** Looks at the part of the sentence around the sum. */
function isPaid(text: string, { start, end }: Money): boolean {
  const before = text
    .slice(Math.max(0, start - 70), start)
    .split(/[;.]|, /)
    .at(-1)!;
  return (
    !notPaid.test(before) &&
    !/(?:of which|davon|dont|de los cuales|di cui|waarvan)(?: \p{L}+){0,2} $/iu.test(text.slice(0, start)) &&
    !notPaid.test(text.slice(end, end + 50).split(/[;.)]|, /, 1)[0]!) &&
    !/\p{L}{3,} (?:more than|above|over|exceed\w*|under|below) $/iu.test(before)
  );
}

function priced(text: string, { amount, currency, start, end }: Money, benefit: string, cue = ''): FactValue {
  const once =
    benefit === 'sign-on-bonus' ||
    benefit === 'relocation' ||
    /\bone[- ]time\b|\bonce\b|\beinmalig/iu.test(`${cue} ${text.slice(Math.max(0, start - 40), start)}`);
  const per = once ? 'once' : (periodNear(text, start, end) ?? periods.find(([, shape]) => shape.test(cue))?.[0]);
  const isKnown = per !== undefined && ['once', 'day', 'week', 'month', 'year'].includes(per);
  const isOther =
    /^ ?(?:per|a|an|each|je|pro|par|por|al|alla|\/) ?(?:shift|km|kilomet\w*|mile|hour|stunde|heure|hora|ora|uur|night|nacht|call|schicht|turno)/iu.test(
      text.slice(end, end + 20),
    );
  return { amount, currency, ...(isKnown && !isOther ? { per } : {}) };
}

const isGrant = (text: string) =>
  text.length < 400 &&
  !/\b(?:if any|may be (?:granted|offered)|could|eligible in the future|claims for|policy on|procedure)\b/iu.test(text);

function overtime(text: string, front: string): FactValue | undefined {
  if (
    /time[- ]and[- ]a[- ]half|one and (?:a|one)[- ]half times|1[.,]5 ?(?:x|times|×|fach)|[x×] ?1[.,]5|anderthalbfach/iu.test(
      text,
    )
  )
    return { percent: 150 };
  if (/double (?:time|pay)|twice the|doppelt/iu.test(text)) return { percent: 200 };
  if (
    /(?:regular|normal|ordinary|basic|standard|same) (?:hourly )?(?:rate|pay)|plain time|flat rate|einfache\w* stundensatz|ohne zuschlag|valor de la hora ordinaria/iu.test(
      text,
    ) &&
    findPercents(text).length === 0
  )
    return { percent: 100 };
  const found = findPercents(text)[0] ?? findPercents(front).at(-1);
  const percent = Number(found?.value ?? Number.NaN);
  if (Number.isNaN(percent) || found === undefined) return undefined;
  return { percent: percent < 100 ? 100 + percent : percent };
}

const employer =
  /employer|company|firm|\b(?:the|our) (?:foundation|council|university|college|school|institute|trust|hospital|bank|society|charity|association|practice|group|fund|organi[sz]ation|agency|authority)\b(?! fund)|stiftung|verein\b|universität|\bwe\b|\bus\b|werkgever|empresa|azienda|datore|société|employeur|entreprise|arbeitgeber\w*|patronale?/giu;
const employee =
  /\byou\b|employee|your\b|werknemer|trabajador\w*|lavorator\w*|salariée?|arbeitnehmer\w*|mitarbeiter\w*/giu;

/** The employer's share: the percentage whose nearest party is the employer. */
function pension(text: string): FactValue | undefined {
  if (!isGrant(text) && !/contribut/iu.test(text)) return undefined;
  const matched =
    /match\w* (?:100 ?%|all|dollar for dollar)[^.;]{0,30}?(?:of (?:the first |up to )?|up to )(\d+(?:\.\d+)?) ?%/iu.exec(
      text,
    )?.[1] ??
    /(?:100 ?%|dollar[- ]for[- ]dollar|full)(?: \S+){0,2} match\w*[^.;%]{0,60}?(?:the first|up to) (\d+(?:\.\d+)?) ?%/iu.exec(
      text,
    )?.[1];
  if (matched !== undefined) return { percent: Number(matched) };
  const percents = findPercents(text);
  const own = percents.filter(({ start, end }, index) => {
    const before = text.slice(Math.max(percents[index - 1]?.end ?? 0, start - 90), start);
    const after = text.slice(end, percents[index + 1]?.start ?? end + 60).slice(0, 60);
    if (
      /statutory|minimum|mindest|gesetzlich|legal/iu.test(before) ||
      /zuschuss|entgeltumwandlung|\bif you\b|vest|match\w* (?:50|\d\d) ?$/iu.test(before.slice(-40))
    )
      return false;
    const stated =
      /(?:by|from|charge de|cargo de|carico del?|par|door|durch|vom?)(?: (?:the|l['’]|la|der|de|den|il))? ?$/iu;
    const [toEmployer, toEmployee] = [
      after.search(new RegExp(employer.source, 'iu')),
      after.search(new RegExp(employee.source, 'iu')),
    ];
    if (
      toEmployer >= 0 &&
      (toEmployee < 0 || toEmployer < toEmployee) &&
      (/^ ?\(?(?:the )?(?:employer|company|arbeitgeber)/iu.test(after) ||
        stated.test(after.slice(0, toEmployer).replace(/l['’]$/u, '')) ||
        /charge de|cargo de|carico d|paid by|by the|from /iu.test(after.slice(0, toEmployer)))
    )
      return true;
    if (toEmployee >= 0 && toEmployee <= 1) return false;
    const last = (shape: RegExp) => [...before.matchAll(shape)].at(-1)?.index ?? -1;
    return last(employer) > last(employee);
  });
  return own.length === 1 ? { percent: Number(own[0]!.value) } : {};
}

/** "The company pays the contributions to the pension (240 EUR a month)": an amount instead of a percentage. */
function employerContribution(text: string): FactValue | undefined {
  const [money, ...more] = moneyIn(text);
  if (money === undefined || more.length > 0 || findPercents(text).length > 0 || !isPaid(text, money)) return undefined;
  const before = text.slice(0, money.start);
  const last = (shape: RegExp) => [...before.matchAll(shape)].at(-1)?.index ?? -1;
  const isEmployers =
    last(employer) > last(employee) &&
    /\b(?:pays?|contribut\w+|zahlt|trägt|verse|cotise|aporta|abona|versa|betaalt|stort)\b/iu.test(before);
  return isEmployers ? priced(text, money, 'pension') : undefined;
}

/** "Eight weeks of base pay as severance": granted without an amount. */
function severanceLength(text: string): FactValue | undefined {
  const isPaid =
    /\b(?:we|company|employer)\b[^.;]{0,20}\b(?:pay|pays|will pay|shall pay)\b|you (?:will )?receive/iu.test(text);
  return isPaid && durationsIn(text).some(({ unit }) => unit === 'week' || unit === 'month') ? {} : undefined;
}

function severanceAfter(text: string): FactValue | undefined {
  const money = moneyIn(text);
  return money.length === 1 ? { amount: money[0]!.amount, currency: money[0]!.currency, per: 'once' } : undefined;
}
