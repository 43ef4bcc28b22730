/** Where the work is done: the normal place of work, and agreed days of remote work. */
import { isRecord } from './clause-hours.ts';
import { type Clause, type ClauseFact, fact, notOwn, numbers } from './clauses.ts';

const placeWords =
  /(?:normal |usual |principal |primary |main )?(?:place|location) of work\b|(?:work|office|job) (?:location|site|base)|\blocation\b(?=\t| |:)|(?:will be|are|is|be) (?:based|located|employed|stationed) (?:at|in|out of)|(?:your|home|duty) base is|normally work (?:at|in|from)|work (?:at|from|in) (?:our|the) (?:office|site|premises|branch|depot|warehouse|plant)s?(?: at| in)?|arbeitsort\w*|dienstort|dienstsitz|einsatzort|tätigkeitsort|arbeitet (?:in|am standort)|am standort|lieu (?:habituel |principal )?(?:de|du) travail|lieu d['’]exécution|(?:rattachée?|affectée?) (?:à|au) (?:l['’](?:établissement|agence)|le site|site)|exerce\w* (?:ses|vos) fonctions (?:à|au)|centro (?:habitual )?de trabajo|lugar (?:habitual )?de trabajo|sede (?:abituale )?di lavoro|luogo (?:abituale )?di lavoro|presso la sede di|standplaats|plaats van tewerkstelling|werklocatie|werkplek|arbeidsplaats|arbeid wordt (?:gewoonlijk )?verricht (?:te|in)|werkzaamheden .{0,30}(?:te|vanuit) (?=\p{Lu})/iu;
/** "At our Stroud practice", "als Konstrukteur in Siegen beschäftigt". */
const namedSite =
  /\b(?:at|in|from) (?:our|the) (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?) (?:office|practice|site|branch|store|clinic|plant|campus|depot|warehouse|hospital|school|shop|restaurant|hotel|nursery|surgery)\b|\b(?:in|am Standort) (\p{Lu}[\p{L}ß-]+) (?:beschäftigt|eingesetzt|tätig)/u;

/** A role "at the works in Bergamo": only in a clause about role and place. */
const rolePlace =
  /\b(?:works|office|site|plant|branch|campus|store|depot|premises|headquarters)(?: is| are)? (?:in|at) (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)/u;
/** Titles of a form whose value is the place. */
const placeTitle =
  /^(?:(?:place|location)(?: of work)?|work ?(?:place|site|location)|office|site|base|arbeitsort|dienstort|einsatzort|ort|lieu(?: de travail)?|(?:centro|lugar)(?: de trabajo)?|sede(?: di lavoro)?|luogo(?: di lavoro)?|standplaats|plaats(?: van tewerkstelling)?|werklocatie)$/iu;
const otherPlace =
  /(?:various|several|multiple|different) (?:\p{L}+ ){0,2}(?:sites|locations|offices|places|stores)|if we moved|another place|may (?:be )?(?:required|asked|transfer)|abweichend|auch an anderen|ultérieur|could be|otro centro|altra sede|elders|temporar|business trips/iu;
const notPlace =
  /^(?:The|Our|Your|You|A|An|Any|All|Various|Several|Multiple|Different|Verschiedene|Divers|Varios|In|At|From|As|Is|Der|Die|Das|Dem|Sie|Le|La|Les|Votre|El|Il|De|Het|Monday|Remote|Home|Hybrid|Telework|Company|Employer|Employee|Arbeitgeber\w*|Mitarbeiter\w*|Betrieb|Société|Empresa|Werkgever|Not|See|To|United)$/u;

const remoteWords =
  /remot|\bhome|hybrid|mobil|telework|telewerk|telecommut|telearbeit|télétrav|teletrabaj|distancia|telelavoro|smart working|lavoro agile|thuis|away from the (?:office|store)|another place/iu;
const period = {
  week: /^(?:working )?(?:week|wk|woche|kalenderwoche|semaine|semana|settimana)|^(?:wöchentlich|hebdomadaires?|semanales|settimanali|weekly)/iu,
  month:
    /^(?:calendar month|month|monat|kalendermonat|mois|mes|mese|maand)|^(?:monatlich|mensuels?|mensuales|mensili|monthly)/iu,
  year: /^(?:calendar year|year|jahr|kalenderjahr|an\b|année|año|anno|jaar)|^(?:jährlich|annuels?|anuales|annui)/iu,
};
const dayWords = `(?:working |full |calendar |work )?(?:days?|tage?n?|arbeitstage?n?|jours?|journées?|días?|giorn[io]|dag(?:en)?)`;
const remoteDays = new RegExp(
  String.raw`(?<![\p{L}\d.,])(\d{1,3}|\p{L}{2,10}) (?:(?:remote|home|home-working|office-free|homeoffice|home-office|telework(?:ing)?|mobile|wfh) ){0,2}${dayWords}(?:[ ,]*(?:of )?(?:remote work(?:ing)?|remote|homeoffice|home office|im homeoffice|mobil\w*(?: arbeit\w*)?|télétravail|de télétravail|de teletrabajo|en teletrabajo|di smart working|di lavoro agile|thuiswerken|thuis|telewerk(?:en)?|working from home|(?:at|from) home|remotely|from another place)){0,1} ?(?:\/|per\b|an?\b|each\b|every\b|pro\b|je\b|im\b|in der\b|par\b|a la\b|por\b|alla?\b|in the\b)? ?((?:calendar |working )?\p{L}+)`,
  'giu',
);

/** One place, and one number of remote days. */
export function workplaceFacts(clauses: readonly Clause[]): ClauseFact[] {
  const place = isRecord(clauses) ? [] : first(clauses, placeOf);
  const remote = first(clauses, remoteDaysOf);
  return [...place, ...remote];
}

function first(clauses: readonly Clause[], read: (clause: Clause) => ClauseFact | undefined): ClauseFact[] {
  for (const clause of clauses) {
    const found = read(clause);
    if (found !== undefined) return [found];
  }
  return [];
}

function placeOf(clause: Clause): ClauseFact | undefined {
  const { text, label, titles } = clause;
  if (notOwn.test(text)) return undefined;
  const cue = placeWords.exec(text);
  if (cue !== null && !otherPlace.test(text)) {
    const after = text
      .slice(cue.index + cue[0].length)
      .split(
        /[.;(☐]|, (?:with|and|or|mit|avec|con|but|und|sowie|met|e|y) | (?:und auf|en op|et sur|and at|with up to|with the|but you|but may|nur|only|bis|until|seulement|jusqu|solo|hasta|fino|alleen|tot) |\bhomeoffice\b/iu,
        1,
      )[0]!
      .trim();
    const place = /\p{Lu}[\p{L}'’-]+.{0,90}/u.exec(after)?.[0];
    if (place !== undefined && !notPlace.test(place.split(/[ ,]/, 1)[0]!) && after.indexOf(place) < 60)
      return fact(clause, 'workplace', { place: place.slice(0, 100).replace(/[\s,]+$/u, '') });
  }
  const value = text.startsWith(`${label}:`) ? text.slice(label.length + 1) : text.includes(label) ? '' : text;
  const named = placeTitle.test(label) ? titledPlace(value) : undefined;
  if (named !== undefined && !otherPlace.test(text)) return fact(clause, 'workplace', { place: named });
  const site = namedSite.exec(text);
  if (site !== null && !otherPlace.test(text) && /offer|position|post|role|employ|\bals\b|work|appoint/iu.test(text))
    return fact(clause, 'workplace', { place: site[1] ?? site[2]! });
  if (
    (!/(?:position|post|role|job|employment|offer)\b.{0,90} (?:at|in|from) our\b/iu.test(text) &&
      !/place|location|ort\b|lieu|lugar|luogo|sede|plaats|role and/iu.test(`${label} ${titles}`)) ||
    otherPlace.test(text)
  )
    return undefined;
  const place = rolePlace.exec(text)?.[1];
  return place === undefined ? undefined : fact(clause, 'workplace', { place });
}

/** "Office: Emeryville; two days from home", "PLACE / North Court, Leeds". */
function titledPlace(text: string): string | undefined {
  const place = /^[\s:|]*(\p{Lu}[\p{L}\d'’.& -]{1,50}(?:, \p{Lu}[\p{L}'’ -]{1,40}){0,2})(?=$|\.$| ?[;(|])/u.exec(
    text,
  )?.[1];
  return place === undefined || notPlace.test(place.split(/[ ,]/, 1)[0]!) ? undefined : place.replace(/[. ]+$/u, '');
}

function remoteDaysOf(clause: Clause): ClauseFact | undefined {
  const { text, label } = clause;
  if (!remoteWords.test(`${label} ${text}`) || notOwn.test(text)) return undefined;
  if (!remoteWords.test(text) && !/remote|home|télétrav|teletrab|telewerk|mobil|thuis|agile|away/iu.test(label))
    return undefined;
  for (const match of text.matchAll(remoteDays)) {
    const per = Object.entries(period).find(([, shape]) => shape.test(match[2]!))?.[0];
    const word = match[1]!.toLowerCase();
    const count = numbers[word] ?? (/^\d+$/.test(word) ? Number(word) : Number.NaN);
    if (per === undefined || !Number.isFinite(count) || count === 0) continue;
    // The days that have to be worked at the office.
    const part =
      text
        .slice(Math.max(0, match.index - 70), match.index + match[0].length + 40)
        .split(/[;.]/)
        .find((each) => each.includes(match[0])) ?? '';
    if (
      /office days|\b(?:in|at|from) (?:the|our|your) (?:office|workplace|site)|on[- ]site|im büro|in präsenz|vor ort|sur site|au bureau|presencial|in presenza|op kantoor|store|annual leave|urlaub|holiday|vacation/iu.test(
        part.replace(/from the (?:store or )?office|away from the office/iu, ''),
      ) &&
      !/remote|home|télétrav|teletrab/iu.test(match[0])
    )
      continue;
    if (
      /at least|mindestens|minimum|au moins|al menos|almeno|minstens/iu.test(
        text.slice(Math.max(0, match.index - 14), match.index),
      )
    )
      continue;
    return fact(clause, 'workplace', { remote_days: count, per });
  }
  return undefined;
}
