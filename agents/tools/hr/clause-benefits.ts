/** Pay and benefits of an employment document, with amount, percentage and period. */
import { findAmounts } from '../text/amounts.ts';
import { findPercents } from '../text/percents.ts';
import { type Clause, type ClauseFact, durationsIn, type FactValue, fact, lengthOf, notOwn } from './clauses.ts';

/** Earlier entries are more specific: a cue inside the words of an earlier one is ignored. */
const benefitWords: readonly (readonly [string, RegExp])[] = [
  [
    'sign-on-bonus',
    /sign(?:ing)?[- ]on(?: bonus| payment)?|signing bonus|joining bonus|antrittsprämie|antrittsbonus|prime de bienvenue|prima de fichaje|bonus d['’]ingresso|tekenbonus/iu,
  ],
  [
    'car-allowance',
    /car allowance|vehicle allowance|fahrzeugpauschale|car[- ]policy[- ]pauschale|indemnité (?:de )?véhicule/iu,
  ],
  [
    'car',
    /company (?:car|vehicle)|dienstwagen|firmenwagen|geschäftswagen|véhicule de (?:fonction|société)|voiture de fonction|coche de empresa|vehículo de empresa|auto aziendale|lease-?auto|bedrijfsauto/iu,
  ],
  [
    'extra-month',
    /13(?:th|\.)[- ](?:month|salary|monat\w*|gehalt)|thirteenth (?:month|salary)|dreizehntes|weihnachtsgeld|urlaubsgeld|weihnachtsgratifikation|sonderzahlung|treizième mois|13e mois|prime de vacances|pagas? extra\w*|dos extraordinarias|tredicesima|quattordicesima|vakantietoeslag|vakantiegeld|vakantiebijslag|dertiende maand|eindejaarsuitkering|holiday allowance/iu,
  ],
  [
    'commission',
    /\bcommissions?\b(?! (?:nationale|paritaire|europ))|provision(?:en)?(?= von| in| auf|:|\t| \d)|\bcomisi[oó]n(?:es)?\b|provvigion\w*|\bcommissie\b/iu,
  ],
  [
    'equity',
    /\brsus?\b|restricted stock|stock options?|share options?|equity (?:grant|award)|aktienoptionen|\bvsop\b|\besop\b|virtuelle anteile|bspce|actions gratuites|opciones sobre acciones|aandelenopties/iu,
  ],
  [
    'life-insurance',
    /life (?:insurance|assurance|cover)|death[- ]in[- ]service|lebensversicherung|assurance[- ]décès|seguro de vida|assicurazione (?:sulla )?vita|overlijdensrisico|prévoyance/iu,
  ],
  [
    'health-insurance',
    /(?:private |employer-paid |group )?(?:medical|health|dental)(?:,? (?:dental|vision|and|insurance|cover\w*|plan|benefits?))+|private medical|mutuelle|complémentaire santé|krankenzusatz\w*|seguro (?:médico|de salud)|assistenza sanitaria|fondo sanitario|collectieve zorgverzekering|ziektekostenverzekering/iu,
  ],
  [
    'meal-allowance',
    /meal (?:allowance|vouchers?)|lunch (?:allowance|vouchers?)|titres?[- ]restaurant|tickets?[- ]restaurant|essens(?:zuschuss|geld|marken)|verpflegungs\w*|vales? (?:de )?(?:comida|restaurante)|buoni pasto|buono pasto|maaltijd(?:cheques?|vergoeding)/iu,
  ],
  [
    'remote-allowance',
    /(?:home[- ]?office|remote(?: work)?|home[- ]working|working from home) (?:allowance|stipend|payment)|homeoffice-?pauschale|(?:indemnité|allocation) (?:forfaitaire )?de télétravail|compensación por teletrabajo|indennità di smart working|thuiswerkvergoeding/iu,
  ],
  [
    'relocation',
    /relocation (?:allowance|assistance|package|payment|expenses|costs|bonus)|umzugs(?:kosten|pauschale)\w*|frais de déménagement|gastos de traslado|verhuiskosten/iu,
  ],
  [
    'housing-allowance',
    /housing allowance|accommodation allowance|wohnungszuschuss|mietzuschuss|indemnité de logement|ayuda (?:de |a la )?vivienda|huisvestingsvergoeding|indennità di alloggio/iu,
  ],
  [
    'transport-allowance',
    /commuter benefit|(?:travel|transport(?:ation)?|transit) allowance|jobticket|deutschlandticket|fahrtkostenzuschuss|fahrgeld|transports? (?:publics|en commun)|plus (?:de )?transporte|reiskosten\w*|indennità di trasporto|abonnement de transport/iu,
  ],
  [
    'pension',
    /pension(?! age)\b|401\(k\)|retirement (?:plan|savings)|altersversorgung|altersvorsorge|direktversicherung|pensionskasse|entgeltumwandlung|retraite (?:supplémentaire|complémentaire)|plan de pensiones|previdenza complementare|fondo pensione|pensioenregeling|\bpensioen\b/iu,
  ],
  [
    'overtime-rate',
    /overtime|mehrarbeit|überstundenzuschl\w*|heures supplémentaires|horas extra\w*|straordinari\w*|overwerk/iu,
  ],
  [
    'sick-pay',
    /sick(?:ness)? (?:pay|leave)|full pay for up to|entgeltfortzahlung|lohnfortzahlung|fortgezahlt|maintien (?:de|du) (?:salaire|rémunération)|maintient .{0,30}(?:salaire|rémunération|%)|incapacidad temporal|malattia|bij ziekte|arbeidsongeschiktheid|doorbeta\w+/iu,
  ],
  [
    'severance',
    /severance (?:pay\w*|of)|payment in lieu of notice of|compensation for loss of (?:employment|office)|termination payment of|abfindung|indemnité (?:de rupture|transactionnelle)|ontslagvergoeding|transitievergoeding|incentivo all['’]esodo/iu,
  ],
  [
    'bonus',
    /\bbonus\b(?! paid in)|\bprämie\b|tantieme|zielbonus|\bprime (?:annuelle|de résultat|d['’]objectifs?|d['’]assiduité|sur objectifs|variable)|\bprima (?:de|por)\b|premio (?:di risultato|annuale)|retribución variable|bonificación/iu,
  ],
  [
    'other-allowance',
    /shift (?:premium|allowance)|on[- ]call allowance|(?:phone|mobile|tool|clothing|uniform|wellness|fitness|internet|london|first aid|childcare) (?:allowance|weighting|stipend|budget)|vermögenswirksame leistungen|schichtzulage|funktionszulage|zulage|plus de (?!transporte)\p{L}+|prime d['’]ancienneté|indennità di (?:turno|funzione|mansione)|toeslag/iu,
  ],
];

const denied =
  /\b(?:no|not|none|neither|without|kein\w*|nicht|aucune?|pas|sin|nessun\w*|niet|geen)\b(?:(?! is guaranteed)[^.;]){0,40}$/iu;
const deniedAfter =
  /^[^.;]{0,40}\b(?:is not|are not|not (?:provided|payable|offered|granted|included|eligible)|will not|no procede|none|n\/a|besteht nicht|nicht gewährt|pas prévue?|repay|rückzahl)\b/iu;
const otherBenefit =
  /repay|clawback|pro rata of the after-tax|\breceived a\b|for 20\d\d\/|accrued (?:pension|holiday)|claims?\b|does not include|excluding|in lieu of notice\. |basic pay only|depends on|creates no|per kind|discretionary, depends|is due for/iu;

const periods: readonly (readonly [string, RegExp])[] = [
  ['half-month', /semi-?monthly|half-?monthly|twice a month|halbmonatlich/iu],
  ['fortnight', /fortnight|bi-?weekly|every two weeks/iu],
  [
    'hour',
    /(?:per|an|each|\/) ?hour|\bhourly|\/ ?h\b|pro stunde|je stunde|stundenlohn|de l['’]heure|par heure|horaire brut|por hora|all['’]ora|\borari[ao]\b|per uur|p\/h|uurloon|stündlich/iu,
  ],
  [
    'day',
    /(?:per|a|each) (?:working |worked )?day\b|\bdaily|pro (?:arbeits)?tag|par jour|por día|al giorno|per (?:gewerkte )?dag/iu,
  ],
  ['week', /(?:per|a|each) week|\bweekly|wöchentlich|pro woche|par semaine|semanal|alla settimana|per week/iu],
  [
    'month',
    /(?:per|a|each) (?:calendar )?month|\bmonthly|\/ ?month|\bp\.? ?m\.|\bpcm\b|monatlich\w*|monats\w*|pro monat|mensuel\w*|par mois|mensual\w*|al mes|mensil\w*|al mese|mensualidad|pagas de|per maand|maandelijks|bruto maand\w*|bruttomonat\w*/iu,
  ],
  [
    'year',
    /(?:per|a|each) (?:year|annum)|\bannum|\bannual\w*|\byearly|\bp\.? ?a\.|jährlich\w*|jahres\w*|pro jahr|annuel\w*|par an\b|anual\w*|al año|annu[oai]\b|annua(?:le|li)|all['’]anno|lord[oi] annu|per jaar|jaarlijks|jaarsalaris|financial year|calendar year/iu,
  ],
];

function periodNear(text: string, start: number, end: number): string | undefined {
  const after = text.slice(end, end + 45).split(/[;()]|, |\. /, 1)[0]!;
  const found =
    periods.find(([, shape]) => shape.test(after)) ??
    periods.find(([, shape]) => shape.test(text.slice(Math.max(0, start - 70), start)));
  return found?.[0];
}

const codes = new Set(['USD', 'GBP', 'EUR', 'CHF']);

interface Money {
  readonly amount: number;
  readonly currency: string;
  readonly start: number;
  readonly end: number;
}

function moneyIn(text: string): Money[] {
  return findAmounts(text).flatMap(({ value, currency, start, end }) =>
    currency === undefined || !codes.has(currency)
      ? []
      : [{ amount: Number(value), currency: currency.toLowerCase(), start, end }],
  );
}

export function benefitFacts(clauses: readonly Clause[]): ClauseFact[] {
  const found: ClauseFact[] = [];
  const known = new Set<string>();
  for (const clause of clauses) {
    if (
      otherBenefit.test(clause.text) &&
      !/severance|payment in lieu of notice of|compensation for loss/iu.test(clause.text)
    )
      continue;
    if (notOwn.test(clause.text) && !/statutory minimum/iu.test(clause.text)) continue;
    for (const { benefit, start, end, until } of cuesIn(clause)) {
      if (
        denied.test(clause.text.slice(Math.max(0, start - 60), start)) ||
        deniedAfter.test(clause.text.slice(end, until))
      )
        continue;
      const value = benefitValue(benefit, clause.text, { start, end, until });
      if (value === undefined) continue;
      const key = JSON.stringify([benefit, value]);
      // A repeated name of the benefit after a stated value adds nothing.
      if (known.has(key) || (Object.keys(value).length === 0 && known.has(benefit))) continue;
      known.add(key).add(benefit);
      found.push(fact(clause, 'benefit', { benefit, ...value }));
    }
  }
  return found.slice(0, 40);
}

interface Cue {
  readonly start: number;
  readonly end: number;
  /** Where the next benefit begins. */
  readonly until: number;
}

function cuesIn({ text, label }: Clause): (Cue & { readonly benefit: string })[] {
  const cues: { benefit: string; start: number; end: number }[] = [];
  for (const [benefit, shape] of benefitWords) {
    const match = shape.exec(text);
    if (match === null) continue;
    const [start, end] = [match.index, match.index + match[0].length];
    if (!cues.some((cue) => start < cue.end && end > cue.start)) cues.push({ benefit, start, end });
  }
  const isPension =
    cues.length === 0 && /pension|altersvorsorge|retirement/iu.test(label) && findPercents(text).length > 0;
  if (isPension) cues.push({ benefit: 'pension', start: 0, end: 0 });
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

/** @returns undefined if the words name the benefit without granting it */
function benefitValue(benefit: string, text: string, { start, end, until }: Cue): FactValue | undefined {
  const own = text.slice(start, until);
  const front = text.slice(Math.max(0, start - 70), start);
  if (benefit === 'overtime-rate') return overtime(own);
  if (benefit === 'sick-pay') return sickPay(text);
  if (benefit === 'pension') return pension(text);
  if (benefit === 'car' || benefit === 'equity' || benefit === 'life-insurance') return isGrant(text) ? {} : undefined;
  const money = moneyIn(own)[0] ?? moneyIn(front).at(-1);
  if (benefit === 'severance')
    return money === undefined ? severanceAfter(text) : { amount: money.amount, currency: money.currency, per: 'once' };
  const percent = findPercents(own)[0] ?? findPercents(front).at(-1);
  const isRate = percent !== undefined && ['bonus', 'commission', 'extra-month'].includes(benefit);
  if (isRate) return { percent: Number(percent.value) };
  if (benefit === 'commission') return undefined;
  if (benefit === 'meal-allowance' || benefit === 'health-insurance') {
    const paid = moneyIn(own).at(-1);
    return paid === undefined ? (bare.has(benefit) && isGrant(text) ? {} : undefined) : priced(own, paid, benefit);
  }
  if (money === undefined) return bare.has(benefit) && isGrant(text) ? {} : undefined;
  const source = moneyIn(own)[0] === undefined ? front : own;
  return priced(source, money, benefit, text.slice(Math.max(0, start - 40), end));
}

function priced(text: string, { amount, currency, start, end }: Money, benefit: string, cue = ''): FactValue {
  const once = benefit === 'sign-on-bonus' || benefit === 'relocation';
  const per = once ? 'once' : (periodNear(text, start, end) ?? periods.find(([, shape]) => shape.test(cue))?.[0]);
  return { amount, currency, ...(per === undefined ? {} : { per }) };
}

const isGrant = (text: string) =>
  text.length < 400 && !/\b(?:if any|may be|could|eligible in the future|claims for|policy|procedure)\b/iu.test(text);

function overtime(text: string): FactValue | undefined {
  if (/time and a half|one and a half times|1[.,]5 ?(?:x|times|×)|[x×] ?1[.,]5/iu.test(text)) return { percent: 150 };
  if (/double time|twice the/iu.test(text)) return { percent: 200 };
  const percent = Number(findPercents(text)[0]?.value ?? Number.NaN);
  if (Number.isNaN(percent)) return undefined;
  return { percent: percent <= 100 ? 100 + percent : percent };
}

function sickPay(text: string): FactValue | undefined {
  const spans = durationsIn(text).filter(
    ({ start, unit }) =>
      unit !== 'year' &&
      unit !== 'minute' &&
      !/(?:after|rolling|within|dans les|nach|from the|desde el|länger als|in any|any|every) (?:\p{L}+ )?$/iu.test(
        text.slice(0, start),
      ),
  );
  const percents = /full (?:pay|salary)|volle[ns]? (?:lohn|gehalt)/iu.test(text)
    ? [100]
    : findPercents(text).map(({ value }) => Number(value));
  if (spans.length > 1 && percents.length > 1) return { percent: percents[0]!, duration: lengthOf(spans[0]!) };
  const value = {
    ...(percents[0] === undefined ? {} : { percent: percents[0] }),
    ...(spans[0] === undefined ? {} : { duration: lengthOf(spans[0]) }),
  };
  return Object.keys(value).length === 0 ? undefined : value;
}

/** The employer's share: the percentage after the word for the employer. */
function pension(text: string): FactValue | undefined {
  if (!isGrant(text) && !/contribut/iu.test(text)) return undefined;
  const percents = findPercents(text);
  const own = percents.filter(({ start, end }) => {
    const before = text.slice(Math.max(0, start - 90), start);
    const employer = before.search(
      /(?:employer|company|we |werkgever|empresa|azienda|datore|société|employeur|arbeitgeber)(?!.*(?:employer|company|we |werkgever|empresa|azienda|datore|société|employeur|arbeitgeber))/iu,
    );
    const employee = before.search(
      /(?:you |employee|your |werknemer|trabajador|lavorator|salarié|arbeitnehmer)(?!.*(?:you |employee|your |werknemer|trabajador|lavorator|salarié|arbeitnehmer))/iu,
    );
    return (
      (employer > employee || /^ ?(?:employer|\(we pay|from us|by the company)/iu.test(text.slice(end, end + 30))) &&
      !/statutory|minimum|mindest/iu.test(before) &&
      !/zuschuss|matches 100|entgeltumwandlung/iu.test(before.slice(-40))
    );
  });
  const matched = /match\w* (?:100 ?%|all) of (?:the first |up to )?(\d+(?:\.\d+)?) ?%/iu.exec(text)?.[1];
  if (matched !== undefined) return { percent: Number(matched) };
  return own.length === 1 ? { percent: Number(own[0]!.value) } : {};
}

function severanceAfter(text: string): FactValue | undefined {
  const money = moneyIn(text);
  return money.length === 1 ? { amount: money[0]!.amount, currency: money[0]!.currency, per: 'once' } : undefined;
}

const payWords =
  /\b(?:base|basic|gross|annual|monthly|starting)? ?(?:salary|pay|wages?|remuneration|rate of pay|hourly rate|compensation)\b|gehalt|vergütung|\blohn\b|stundenlohn|bruttolohn|\w*entgelt\b|salaire|rémunération|appointements|salario|retribución|sueldo|retribuzione|stipendio|\bral\b|\bloon\b|\bsalaris\b|brutoloon|uurloon|maandsalaris/iu;
const otherPay =
  /\bband\b|replaced|indicative|minimum (?:wage|conventionnel|salarial)|mindestlohn|previous|overtime|redundan|deduct|bonus of|sick|loan|vertragsstrafe|bußgeld|geldwert|increase|smic|lieu|compensation for loss/iu;

/** Amounts of pay with a period: the first sentence that states one. */
export function payFacts(clauses: readonly Clause[]): ClauseFact[] {
  for (const clause of clauses) {
    const cue = payWords.exec(clause.text);
    const labelled = payWords.test(clause.label) && clause.label.length < 40;
    if (cue === null && !labelled) continue;
    if (otherPay.test(clause.text) || notOwn.test(clause.text)) continue;
    const from = labelled && cue === null ? 0 : (cue?.index ?? 0);
    const all = moneyIn(clause.text).filter(({ start }) => start >= from && start < from + 260);
    const own = all.filter(
      ({ start }) =>
        !benefitWords.some(([, shape]) => shape.test(clause.text.slice(Math.max(from, start - 60), start))),
    );
    const facts = own.flatMap(({ amount, currency, start, end }) => {
      const per = periodNear(clause.text, start, end) ?? periods.find(([, shape]) => shape.test(clause.label))?.[0];
      return per === undefined || amount === 0 ? [] : [fact(clause, 'pay', { amount, currency, per })];
    });
    const periodsSeen = new Set(facts.map(({ value }) => value.per));
    // Two amounts for one period are a range or a scale.
    if (facts.length > 0 && periodsSeen.size === facts.length) return facts;
  }
  return [];
}
