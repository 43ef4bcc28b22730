/**
 * Dates and lengths of the employment: its start and end, the start of continuous service, a fixed term, a secondment. Each date
 * has the role that the words before it name; a date without such words is not reported.
 */
import type { Document } from '../../document/document.ts';
import type { FoundDate } from '../text/dates.ts';
import { type Clause, type ClauseFact, durationsIn, fact, lengthOf } from './clauses.ts';
import { documentKind } from './document-kind.ts';
import { isAmerican } from './jurisdiction.ts';

type Role = 'start' | 'end' | 'service' | 'other';

/** The last of these before a date decides its role. */
const cues: readonly (readonly [Role, RegExp])[] = [
  [
    'service',
    /continuous (?:employment|service|period)|continuity of (?:employment|service)|(?:your|previous|prior|past|recognised|adjusted|credited) service|service (?:since|date|commenc|from|counts|start)|seniority|hire date for|length of service|ancienneté|betriebszugehörigkeit|beschäftigungszeit|vordienstzeit|dienstzeit|antigüedad|anzianità|anci[eë]nniteit|diensttijd|dienstjaren/giu,
  ],
  [
    'start',
    /\b(?:from|vom|desde(?: el)?|dal|vanaf|seit(?: dem)?|depuis(?: le)?|sinds|employed since)\b|\b(?:du|del)(?= ?$)|\b(?:start(?:s|ing|ed)?|begins?|began|beginning|commenc\w*)(?: date| work| day)?\b|first day(?: of (?:work|employment|service))?|date of (?:commencement|joining|entry|hire|appointment)|joining date|hire date|date employment|effective (?:date|as of|from|on)|with effect from|as of\b|appointed from|employed (?:by us )?(?:from|since|as of)|\bbeginn(?:t|end)?\b|\bbeginn des|eintritt\w*|mit wirkung (?:vom|zum|ab)|\bab (?:dem )?|dienstantritt|arbeitsbeginn|tritt .{0,40}ein\b|nimmt .{0,40}auf\b|prend(?:ra)? effet|prise (?:d['’]effet|de fonctions?)|entr(?:ée|era) en (?:fonctions?|vigueur|service)|date d['’](?:entrée|embauche|effet)|(?:engagée?|embauchée?|recrutée?).{0,80}(?:à compter|à partir) du|à compter du|à partir du|début|inici[aoóá]\w*|comenzará|comienzo|fecha de (?:inicio|alta|incorporación)|con efectos? (?:del?|desde)|a partir del?|incorpora\w+|decorr\w+|a (?:far data|partire) dal|data di (?:inizio|assunzione)|inizio|assunt[oa].{0,60}dal|met ingang van|ingangsdatum|aanvang\w*|in dienst (?:per|van|met|op|treedt|sinds)|treedt|datum indiensttreding/giu,
  ],
  [
    'end',
    /\b(?:ends?|ending|ended|expires?|expiry|terminat(?:es?|ion|ing)|until|till)(?: date)?\b|last (?:working )?day(?: of (?:employment|work|service))?|leaving date|end(?:et|e|en)\b|beendigung|befristet (?:bis|auf|zum)|befristung|\bbis (?:zum|einschließlich)?|ablauf|austritt\w*|letzter (?:arbeits)?tag|prend(?:ra)? fin|fin (?:du|de)\b|jusqu['’]au|au plus tard|terme|échéance|sortie|finaliza\w*|hasta el|extingu\w+|extinción|término|fecha de (?:baja|fin)|vencimiento|cessa\w*|termina\w*|scad\w+|fino al|eindig\w*|eindigt|tot en met|einddatum|beëindig\w*|\b(?:to|to date)(?=\W{0,4}$)|\bterminated\b|(?:terminat|end|expir|ceas|kündig|beende|aufgehob|résili|romp|extingu|resuel|risol|beëindig)\w*\b[^.;]{0,80}?(?:effective(?: as)?(?: of| at| from| on)?|(?:with|having) (?:the )?effect (?:of|from|on)|mit wirkung (?:zum|vom)|zum|à compter du|avec effet au|con efectos?(?: del?)?|con effetto dal|met ingang van)(?= ?$)/giu,
  ],
  [
    'other',
    /(?:prior to|before|earlier than|not later than|vor dem|avant le|antes del?|prima del?|vóór)(?= ?$)|(?:entered into|made|executed|concluded|signed)(?: and (?:entered into|effective))?,? (?:on|as of|effective as of|this)\b|dated as of|\bborn\b|geboren|née? le|nacid[oa]|fecha de nacimiento|date de naissance|date of birth|nat[oa] (?:a|il)|freigestell\w*|garden leave|released from|\bdated?\b(?! of)|signed|sign (?:and return|by)|reply by|accept\w* by|return .{0,20}by|\bissued|updated|revised|version|contract of|agreement of|contrat du|vertrag vom|contrato de fecha|contratto del|overeenkomst van|transfer\w*|übergang|probation|probezeit|essai|prueba|prova|proeftijd|leave year|holiday year|urlaubsjahr|review\w*|increase\w*|paid (?:on|in|by)|payable|bonus|insurance|enrol\w*|eligib\w*|orientation|training|fit note|founded|registered|policy|handbook|charte|accord du|notice (?:dated|of)|resign\w*|hearing|meeting|letter of|interview|salary|pay\b|gehalt|vergütung|salaire|rémunération|entretien|salario|stipendio|loon|salaris|mindestlohn|minimum wage|regulation|\bAct\b|gesetz|loi\b|ley\b|wet\b|vacation|vest\w*|plan year|coverage/giu,
  ],
];

const secondment =
  /secondment|seconded|assignment (?:begins|starts|ends|period|to)|host compan|entsend\w+|abordnung|détachement|détaché|expatriation|desplazamiento|desplazad[oa]|distacc\w+|detachering|uitzending/iu;
const fixedTerm =
  /fixed[- ]?term|(?:limited|definite|temporary) (?:term|period|duration|contract)|temporary (?:employment|appointment)|befrist\w+|durée déterminée|\bcdd\b|duración determinada|contrato (?:de trabajo )?temporal|tempo determinato|bepaalde tijd|tijdelijk\w* (?:dienstverband|contract|arbeidsovereenkomst)|(?:by|on) (?:the )?(?:lapse|expiry|expiration|effluxion) of (?:the )?(?:time|term)|(?:ends?|expires?|terminates?|lapses?) (?:automatically|without (?:the need for )?(?:any )?notice)|specified[- ]purpose|(?:endet|läuft) (?:\S+ ){0,6}(?:automatisch|durch (?:fristablauf|zeitablauf)|ohne (?:dass|kündigung))|de plein droit|prend(?:ra)? fin automatiquement|sans préavis au terme|automáticamente el|automaticamente (?:il|in data)|van rechtswege|tidsbegrænset|tidsbegränsa\w+|midlertidig|na czas określony|na dobu určitou|termo certo/iu;
const noFixedTerm =
  /un(?:befrist)|indefinite|permanent|open-ended|indéterminée|indefinid[oa]|indeterminato|onbepaalde|befrist\w*[^.;]{0,60}\b(?:besteht|bestehen|liegt|liegen|ist|sind|wird) nicht|fixed[- ]term[^.;]{0,40}\b(?:not|none)\b|\b(?:not|no|nothing|kein\w*|non|geen)\b[^.;]{0,40}(?:fixed|befrist|déterminée)/iu;
const employment =
  /employ(?!er|ee)\w*|appointment|engagement|you (?:will )?(?:start|join|begin|commence)|\bposition\b|\bjob\b|contract|arbeitsverhältnis|anstellung|arbeitsvertrag|dienstverhältnis|beschäftigung|tätigkeit|mitarbeiter\w*|arbeitnehmer\w*|contrat|salariée?\b|relación laboral|trabajador\w*|contrato|rapporto|assum\w+|assunzion\w+|einstell\w*|eingestellt|engagée?|embauch\w+|lavorator\w+|contratto|dienstverband|overeenkomst|werknemer|in dienst/iu;
/** Titles of a form that mean the employment without naming it. */
const startTitle =
  /^(?:(?:employment |contract )?(?:start|commencement|joining|hire|hiring|effective|begin(?:ning)?)(?: date| day)?|date of (?:commencement|joining|hire|entry|appointment|start)|first day(?: of (?:work|employment))?|date employment.*|beginn.*|eintritt\w*|arbeitsbeginn|vertragsbeginn|dienstantritt|einstellung(?:sdatum)?|date (?:hired|of hiring)|(?:date d['’])?(?:entrée|embauche|effet|prise de fonctions?|début).*|prise d['’]effet|fecha de (?:inicio|alta|incorporación).*|inicio|decorrenza|data (?:di )?(?:inizio|assunzione).*|ingangsdatum|datum indiensttreding|aanvang\w*|duur.*|period|duration|dauer|appointment)$/iu;

/** Titles of a form that mean the end of the contract. */
const endTitle =
  /^(?:(?:contract )?end(?: date)?|expiry(?: date)?|ende.*|befrist\w*.*|vertragsende|austritt\w*|(?:date de )?fin.*|échéance|terme|(?:fecha de )?(?:fin|baja|término|vencimiento).*|(?:data (?:di )?)?(?:fine|scadenza|cessazione).*|einddatum|einde.*)$/iu;

/** Dates of the employment, and the length of a fixed term or a secondment. */
export function termFacts(clauses: readonly Clause[], document: Document): ClauseFact[] {
  const found: ClauseFact[] = [];
  const known = new Set<string>();
  const isSwapped = isAmerican(document.text) && document.dateOrder?.dayFirst !== false;
  const isRules = /handbook|policy/.test(documentKind(document));
  const isFixed = clauses.some(({ text, label }) => fixedTerm.test(`${label} ${text}`) && !noFixedTerm.test(text));
  const add = (clause: Clause, part: string, field: string, value: ClauseFact['value'][string]) => {
    const key = `${part} ${field}`;
    if (known.has(key)) return;
    known.add(key);
    found.push(fact(clause, 'term', { part, [field]: value }));
  };
  let next = 0;
  for (const clause of clauses) {
    while (next < document.dates.length && document.dates[next]!.start < clause.start) next += 1;
    const isSecondment = secondment.test(`${clause.titles} ${clause.text}`);
    let from = clause.start;
    let previous: { role: Role | undefined; isOwn: boolean } = { role: undefined, isOwn: false };
    for (; next < document.dates.length && document.dates[next]!.end <= clause.end; next += 1) {
      const date = document.dates[next]!;
      const iso = dayOf(date, isSwapped);
      const before = document.text.slice(Math.max(from, date.start - 170), date.start).replace(/\s+/g, ' ');
      from = date.end;
      if (iso === undefined || !isVisible(clause, date, document)) continue;
      // "Effective date" at the top of rules is theirs.
      if (isRules && /^effective/iu.test(clause.label)) continue;
      if (dateOfLaw.test(before)) continue;
      const isUntil = previous.role === 'start' && (until.test(before) || andEnds.test(before));
      const isOwnPeriod = isUntil && previous.isOwn;
      const isPeriod = isUntil && until.test(before);
      const isFirst = isFixed && isFirstOfPeriod(clause, date, document, next);
      const role = isUntil ? 'end' : (roleOf(before, clause.label) ?? (isFirst ? 'start' : undefined));
      previous = {
        role,
        isOwn: role === 'start' && isAboutEmployment(before, clause) && !isWeakStart(before, clause),
      };
      const behind = document.text.slice(date.end, Math.min(clause.end, date.end + 90)).replace(/\s+/g, ' ');
      if (role === 'service' || countsAsService.test(behind)) add(clause, 'continuous-service', 'start', iso);
      if (role !== 'start' && role !== 'end') continue;
      if (isSecondment && secondment.test(`${before} ${clause.titles}`)) add(clause, 'secondment', role, iso);
      else if (
        isUntil ? !isOwnPeriod : !isAboutEmployment(before, clause) || (role === 'start' && isWeakStart(before, clause))
      )
        continue;
      else if (role === 'start') add(clause, 'employment', 'start', iso);
      else if (
        isFixed &&
        !noFixedTerm.test(clause.text) &&
        !/resign|dismiss|redundan|settle|mutual/iu.test(clause.text)
      ) {
        const isNew = !known.has('fixed-term end');
        add(clause, 'fixed-term', 'end', iso);
        if (isPeriod && isNew) takePeriod(found, known, clause);
      } else if (isEndOfEmployment.test(`${clause.label}: ${clause.text}`)) add(clause, 'employment', 'end', iso);
    }
    const length = lengthIn(clause, isSecondment);
    if (length !== undefined) add(clause, isSecondment ? 'secondment' : 'fixed-term', 'duration', length);
  }
  return withStart(found);
}

/** "La convention collective nationale du 30 avril 1997": the date of an agreement or of a law. */
const dateOfLaw =
  /(?:convention collective|accord (?:collectif|de branche)|tarifvertrag|betriebsvereinbarung|rahmenvereinbarung|collective (?:bargaining )?agreement|contratto collettivo|c\.?c\.?n\.?l\.?|convenio colectivo|\bcao\b|kollektivavtal|overenskomst|gesetz|décret|\bloi\b|\bley\b|real decreto|legge|wet|\bact\b)[^.;:]{0,80} (?:du|vom|of|del?|di|van|från|fra|av|dated) $/iu;

/** "From 1 May to 30 September 2026": the first day is that of the term, and stated as nothing else. */
function takePeriod(found: ClauseFact[], known: Set<string>, { start }: Clause): void {
  const first = found.findIndex(({ start: at, value }) => at === start && value.part === 'employment');
  const term = found.at(-1)!;
  if (first === -1 || term.value.part !== 'fixed-term') return;
  const [{ value }] = found.splice(first, 1) as [ClauseFact];
  known.delete('employment start');
  found[found.length - 1] = { ...term, value: { ...term.value, start: value.start! } };
}

/** "Duration: 1 May 2026 to 30 April 2028": the first of two dates below a title of the term. */
function isFirstOfPeriod(clause: Clause, date: FoundDate, { dates, text }: Document, index: number): boolean {
  const next = dates[index + 1];
  const isFirst = next !== undefined && next.end <= clause.end && until.test(text.slice(date.end, next.start));
  return isFirst && (startTitle.test(clause.label.trim()) || fixedTerm.test(clause.label));
}

/** A fixed term with both of its days, where neighbouring statements give them. */
function withStart(found: readonly ClauseFact[]): ClauseFact[] {
  const start = found.find(({ value }) => value.part === 'employment' && value.start !== undefined);
  return found.map((each) => {
    const { part, end, start: own } = each.value;
    const isNear = start !== undefined && Math.abs(each.start - start.start) < nearCharacters;
    return part === 'fixed-term' &&
      end !== undefined &&
      own === undefined &&
      isNear &&
      String(start.value.start) < String(end)
      ? { ...each, value: { ...each.value, start: start.value.start! } }
      : each;
  });
}

const nearCharacters = 300;

/** "The agency period from 2 March counts as service." */
const countsAsService =
  /^[^.;\d]{0,30}\b(?:counts? (?:as|towards) (?:continuous )?(?:service|employment)|wird (?:auf die betriebszugehörigkeit )?angerechnet|est reprise? dans l['’]ancienneté|se computa a efectos de antigüedad|vale ai fini dell['’]anzianità|telt mee\b[^.;\d]{0,12}anci[eë]nniteit)/iu;

/** Parts of the statement that do not concern the employee are blank in its text. */
function isVisible(clause: Clause, { start, end }: FoundDate, { text }: Document): boolean {
  return clause.text.includes(text.slice(start, end).replace(/\s+/gu, ' '));
}

function roleOf(before: string, label: string): Role | undefined {
  const own = nearestRole(before);
  if (own !== undefined) return own;
  return nearestRole(label);
}

function nearestRole(text: string): Role | undefined {
  let best: { role: Role; at: number } | undefined;
  for (const [role, shape] of cues) {
    const at = [...text.matchAll(shape)].at(-1);
    if (at === undefined) continue;
    const end = at.index + at[0].trimEnd().length;
    // "Continuous employment began on": the service names what begins.
    const isLater =
      best === undefined ||
      (best.role === 'service' && role === 'start'
        ? at.index > best.at + 45
        : end > best.at || (role === 'other' && end === best.at && at[0].length > 6));
    if (isLater) best = { role, at: end };
  }
  return best?.role;
}

const formDate = /(?:^|\s)(?:from|to|start|end|von|bis|du|au|desde|hasta|dal|al|van|tot)$/iu;

/** Names of dates that mean the employment alone. */
const namedDate =
  /\b(?:start(?:ing)?|commencement|joining|hire) date|date of (?:commencement|joining|hire|entry)|eintrittsdatum|dienstantritt|arbeitsbeginn|date d['’](?:embauche|entrée)|fecha de (?:alta|incorporación)|^\W*incorporación|data di assunzione|datum indiensttreding/iu;

/** "With effect from 1 May your salary is …": the sentence has to say that someone starts. */
function isWeakStart(before: string, { label, text }: Clause): boolean {
  const isWeak =
    /(?:with effect from|as of|effective(?: from| as of)?|mit wirkung (?:vom|zum|ab)|\bab(?: dem)?|à compter du|à partir du|a partir del?|con efectos? (?:del?|desde)|a (?:far data|partire) dal|from|vom|desde(?: el)?|du|dal|vanaf|met ingang van|seit(?: dem)?|depuis(?: le)?|sinds)[^\p{L}\d]*(?:\p{L}+,? )?$/iu.test(
      before,
    );
  if (!isWeak || startTitle.test(label.trim())) return false;
  return (
    !/beginn|eintritt|tritt|besteht|bestehen|existe depuis|einstell|eingestellt|beschäftigt|engag|embauch|recrut|prend effet|assum|assunt|in dienst|employ(?!ee|er)|appoint|start|join|commenc|contrato|contrat |contract |contratto|vertrag|durée|duración|overeenkomst/iu.test(
      text,
    ) ||
    /freigestell|suspend|released|salary (?:is|will|increase)|hours (?:change|will)|increase|reduced|erhöh|gekürzt|bonus|passes? to|amend/iu.test(
      text,
    )
  );
}

function isAboutEmployment(before: string, { label, titles, text }: Clause): boolean {
  // "Type of contract from: 1 September 2025", the row of a form.
  if (formDate.test(label) && employment.test(label) && text.startsWith(`${label}:`)) return true;
  if (startTitle.test(label.trim()) || endTitle.test(label.trim())) return true;
  return (
    employment.test(before) ||
    namedDate.test(before) ||
    (/^\W{0,4}$/.test(before) ? employment.test(label) : startTitle.test(titles.split(' > ').at(-2) ?? ''))
  );
}

const isEndOfEmployment =
  /employment (?:with .{1,60} )?(?:will |shall )?(?:end|terminat|ceas|come to an end|finish)\w*|(?:end|terminat)\w* (?:of )?(?:the |your )?employment|termination date|last (?:working )?day|leaving date|arbeitsverhältnis.{0,80}(?:end|beend|aufgehob)|austritt|contrat.{0,60}(?:prend(?:ra)? fin|rompu)|relación laboral.{0,60}(?:extin|finali)|rapporto.{0,60}(?:cess|risol)|dienstverband.{0,60}(?:eindig|beëindig)|overeenkomst.{0,40}eindigt|kündigen wir .{0,40}(?:arbeits|dienst|anstellungs)verhältnis|(?:employment|service|managing director|executive)[\p{L} ,'’-]{0,120}\b(?:terminated|expires?|ceases?)\b/iu;

/** "… begins on 1 May 2026 and ends by lapse of time on": the same employment. */
const andEnds =
  /^[\s,;]*(?:and|und|et|y|e|en|och|og|i|a)? ?(?:it |shall |will |wird |es |il |elle |se )?(?:ends?|expires?|terminates?|endet|prend(?:ra)? fin|expire|finaliza|termina|cessa|scade|eindigt|upphör|ophører|slutar|kończy|končí)(?: [\p{L}-]+){0,8}[ ]*$/iu;

/** Between the first and the last day of a period. */
const until =
  /^[\s,]*(?:–|-|(?:and )?(?:to|until|through|au|jusqu['’]au|al|hasta(?: el)?|fino al|bis(?: zum| einschließlich)?|tot(?: en met)?)(?: (?:the|and including|le))?)[\s]*$/iu;

function lengthIn(clause: Clause, isSecondment: boolean): ClauseFact['value'][string] | undefined {
  const { text, label } = clause;
  if (
    noFixedTerm.test(text) ||
    (/probation|probezeit|essai|prueba|\bprova\b|proeftijd|notice|kündigung|extend|verläng/iu.test(
      `${label} ${text}`,
    ) &&
      !fixedTerm.test(text) &&
      !isSecondment)
  )
    return undefined;
  if (
    !isSecondment &&
    !fixedTerm.test(`${clause.titles} ${text}`) &&
    !/(?:overeenkomst|contract|vertrag|contrat|contratto|employment|agreement)[^.;]{0,60}(?:voor de duur|for a (?:term|period)|für die dauer|auf die dauer|pour une durée|por (?:un período|una duración)|per (?:la|una) durata)/iu.test(
      text,
    )
  )
    return undefined;
  const duration = durationsIn(text).find(({ start, unit }) => {
    if (unit !== 'month' && unit !== 'year' && unit !== 'week') return false;
    const before = text.slice(Math.max(0, start - 60), start);
    if (isSecondment)
      return (
        /(?:period|duration|term|for|dauer|für|durée|duración|durata|duur|\() ?(?:of |von |de |di |van )?(?:about |approximately )?$/iu.test(
          before,
        ) && !/A1|certificate|notice|sick|after|exten/iu.test(before)
      );
    return (
      /(?:term|period|contract|duration|for|dauer(?: von)?|für|auf|befristet|cdd|fixed[- ]term|temporal|durée(?: déterminée)?|duración|durata|duur)(?: is| of| von| de| di| van|:| the| a| fixed| initial| limited| period| term| beträgt| est| es| è| bedraagt| determinada){0,4} ?$/iu.test(
        before,
      ) && !/höchstdauer|maximum|notice|trial|extension/iu.test(before)
    );
  });
  return duration === undefined ? undefined : lengthOf(duration);
}

function dayOf({ iso, ambiguous }: FoundDate, isSwapped: boolean): string | undefined {
  if (iso.length !== 10) return undefined;
  // Without another date that decides the order, an ambiguous date is read with the day first.
  return ambiguous && isSwapped ? `${iso.slice(0, 5)}${iso.slice(8)}-${iso.slice(5, 7)}` : iso;
}
