/** Paid annual leave that an employment document grants, with its legal basis if the document separates them. */
import { type Clause, type ClauseFact, durationsIn, fact } from './clauses.ts';

const leaveWords =
  /annual leave|(?:paid )?holidays?\b(?! pay)|vacation|paid time off|\bpto\b|paid leave|(?:contractual|additional|statutory) leave|time off\b|leave entitlement|\w*urlaub\w*|congés?(?: payés| annuels)|\bcongés\b|\bvacances\b|vacaciones|\bferie\b|vakantie(?!geld|toeslag|bijslag)\w*|verlof\w*|dovolen\w*|semester\w*|\bferie\w*|férias|urlop\w*/iu;
const leaveTitle =
  /leave|holiday|urlaub|congés|vacances|vacaciones|ferie|vakantie|verlof|vacation|time (?:off|away)|\bpto\b|semester|férias|urlop/iu;
/** Leave for other reasons, and rules about leave other than its amount. */
const other =
  /carr(?:y|ied|ies)|\brequest|anrechnung|outstanding|remaining|resturlaub|untaken|freigestellt|reliquat|\bsolde\b|pendientes|\bnotice|sick(?!ness benefit)|illness(?=.{0,30}days)|compassionate|bereavement|\bjury|parental|maternity|paternity|adoption|disab|military|voting|volunteer|study leave|sabbatical|accrued (?:holiday|leave|vacation)|public holidays?: |company holidays|school|\bbuy|\bsell|unpaid|without pay|übertrag|verfäll|verfall|sonderurlaub|bildungsurlaub|elternzeit|unbezahlt|\bmínimo\b|estatuto|lapse|forfeit|\blost\b|closure|shutdown|in advance|wechselschicht|garden|pro rata basis only|naissance|mariage|déménagement|which (?:will|shall) be paid|die ausgezahlt|matrimonio|mudanza|fallecimiento|nascita|lutto|verhuizing|überlassung|paid out|on leaving|ancienneté|repos\b|recuper|permisos|permessi|calendar year in which|must be taken|to be taken|fermeture|consecutive/iu;
/** Leave to care for others or for oneself, of the employer or of a state. */
export const familyLeave =
  /family (?:and medical |care )?leave|family care|family members?\b|serious(?:ly)? (?:health|ill|injur)|bonding|caregiver|\bfmla\b|medical leave|safe leave/iu;
/** "Including public holidays" and "to be used for vacation and short illness" describe the entitlement. */
const described =
  /\(?(?:in|ex)clud(?:ing|es?) .{0,40}(?:public|bank|statutory) holidays\)?|which include .{0,40}holidays.{0,30}|(?:plus|and|in addition to) (?:the )?(?:\d{1,2} )?(?:paid )?(?:public|bank|company|federal|statutory) holidays|to be used for .{0,60}|en sus de.{0,30}|auxquels s['’]ajoutent.{0,90}|s['’]y ajoutent.{0,90}/giu;
const notEntitlement =
  /(?:\bafter|\bcap\b.{0,20}|\bup to|\bwithin|at least|further|another|additional(?= \d+ after)|extra|\bnach|bis zu|höchstens|within the|\bper|plus|binnen|après|tras|maximum of|max\.?|carry.{0,20}|accrued at.{0,12}|weitere|supplémentaires?|every|each|minimum of|of which|\bfirst|less than|more than|über|ersten) (?:the |a |an |additional )?$/iu;
const isService =
  /^(?:.{0,20}(?:pour la durée|for the (?:duration|term|period)|für die dauer|por la duración|per la durata)|['’]? ?(?:of )?service|['’]? ?(?:of )?(?:employment|anciennet)|.{0,12}(?:weitere|more days|ahead|in advance|extra|after)|\s?(?:per|par|al|por|im|je|a) (?:month|mois|mes|monat|mese|pay period|maand)|[- ]?(?:day )?(?:week|woche|semaine)\b| (?:je|pro|per|a|par|por|alla) (?:week|woche|semaine|semana|settimana))/iu;

const publicHolidays =
  /jours fériés|feiertage|feestdagen|(?:días )?festivos|festività|public holidays|bank holidays|company holidays/iu;

/** One per legal basis. */
export function leaveFacts(clauses: readonly Clause[]): ClauseFact[] {
  const found: ClauseFact[] = [];
  const known = new Set<string>();
  for (const clause of clauses) {
    const { text, label } = clause;
    // "Contract of employment (cover of protective leave)" is the title of the document, and none of a statement on leave.
    if (!leaveWords.test(text) && !(label.length <= 40 && leaveTitle.test(label))) continue;
    for (const part of partsOf(text)) {
      const shown = part.text.replace(described, '');
      if (
        other.test(shown) ||
        familyLeave.test(shown) ||
        (!leaveWords.test(shown) && publicHolidays.test(shown)) ||
        (!leaveWords.test(shown) && other.test(label.replace(/leave and absence|annual leave/iu, '')))
      )
        continue;
      const split = splitEntitlement(part.text);
      for (const each of [...durationsIn(part.text), ...split]) {
        const { start, end, unit, count } = each;
        const amount = Number(count);
        const [before, after] = [part.text.slice(0, start), part.text.slice(end, end + 60)];
        const basis = basisOf(before.slice(-70), after);
        // "And 4 days beyond the legal ones": what a contract adds may be few days.
        const isAdded =
          basis === 'contractual' &&
          found.some(({ value }) => value.basis === 'statutory') &&
          amount >= 1 &&
          amount <= 20;
        if (!split.includes(each) && !isAdded && !isEntitlement(part.text, { start, end, unit, amount })) continue;
        const key = basis ?? 'plain';
        if (known.has(key)) continue;
        known.add(key);
        const dayType = unit === 'day' ? dayTypeOf(part.text.slice(start, end + 24)) : undefined;
        found.push(
          fact(clause, 'annual_leave', {
            amount,
            unit: `${unit}s`,
            ...(dayType === undefined ? {} : { day_type: dayType }),
            ...(basis === undefined ? {} : { basis }),
          }),
        );
      }
    }
  }
  return withTotal(found);
}

const adjective = String.raw`(\d{1,2}) (?:days? )?(?:(?:are )?(?:statutory|gesetzliche?n?|wettelijke|légaux|legales|legali))`;
const added = String.raw`(\d{1,2}) (?:days? )?(?:are )?(?:contractual|additional|vertragliche?n?|übergesetzliche?n?|bovenwettelijke|extralegale|extralégaux|conventionnels|convencionales|contrattuali)`;
const bothParts = new RegExp(
  String.raw`${adjective}(?: \w+)? (?:and|und|en|et|y|e|plus|\+) (?:to |op |auf |à |a )?${added}`,
  'iu',
);

/** "20 statutory and 5 contractual days": the first figure has no unit of its own. */
function splitEntitlement(text: string): { start: number; end: number; unit: string; count: string }[] {
  const match = bothParts.exec(text);
  if (
    match === null ||
    !/days?|tage?n?|dagen|jours|días|giorni/iu.test(text.slice(match.index, match.index + match[0].length + 24))
  )
    return [];
  const first = { start: match.index, end: match.index + match[1]!.length, unit: 'day', count: match[1]! };
  const at = match[0].indexOf(match[2]!, match[1]!.length) + match.index;
  return [first, { start: at, end: at + match[2]!.length, unit: 'day', count: match[2]! }];
}

/** A sentence may grant leave in one part and limit it in the next. */
function partsOf(text: string): { readonly text: string }[] {
  return text
    .split(/; |\. (?=\p{Lu})|, (?=(?:with a cap|of which up to|but|however|davon können)\b)/u)
    .map((part) => ({ text: part }));
}

function isEntitlement(
  text: string,
  { start, end, unit, amount }: { start: number; end: number; unit: string; amount: number },
): boolean {
  const [before, after] = [text.slice(0, start), text.slice(end, end + 60)];
  if (notEntitlement.test(before) || isService.test(after)) return false;
  if (unit === 'hour')
    return (
      amount >= 40 && amount <= 400 && /^.{0,40}(?:per|a|each) (?:calendar )?year|annually|per annum/iu.test(after)
    );
  if (unit === 'day') return amount >= 5 && amount <= 60;
  return unit === 'week' && amount >= 2 && amount <= 10;
}

/** If the parts are named, the figure without a name is their sum. */
function withTotal(found: readonly ClauseFact[]): ClauseFact[] {
  const part = (basis: string) => found.find(({ value }) => value.basis === basis)?.value.amount;
  const [statutory, contractual] = [Number(part('statutory')), Number(part('contractual'))];
  return found.map((each) => {
    const amount = Number(each.value.amount);
    const isTotal =
      each.value.basis === undefined &&
      (amount === statutory + contractual || (Number.isNaN(contractual) && amount > statutory));
    return isTotal ? { ...each, value: { ...each.value, basis: 'total' } } : each;
  });
}

const contractual =
  /zusatzurlaub|mehrurlaub|übergesetzlich|vertraglich|contractual|additional|bovenwettelijk|extralegale|extralégaux|conventionnel|supplementari|convencional|company (?:leave|days)/iu;
const statutory =
  /gesetzlich|mindesturlaub|statutory|by law|legal minimum|(?<!boven)wettelijk|légaux|légal|legales|di legge/iu;

/** The word next to the figure: "20 wettelijke en 5 bovenwettelijke dagen", "der gesetzliche Urlaub beträgt … 16 Arbeitstage". */
function basisOf(before: string, after: string): string | undefined {
  const behind = after.split(/[.;,]|\b(?:and|und|et|y|e|en|plus)\b/u, 1)[0]!;
  const near =
    /(?:übergesetzlich|bovenwettelijk)\w*|zusatzurlaub/iu.test(behind) || contractual.test(behind)
      ? 'contractual'
      : statutory.test(behind)
        ? 'statutory'
        : undefined;
  if (near !== undefined) return near;
  const ahead = before
    .split(/[.;]|, (?:of which|davon|dont|waarvan|de los cuales)|\b(?:and|und|et|en)\b(?=[^,]*$)/u)
    .at(-1)!;
  if (contractual.test(ahead) && !/arbeitsvertraglich|vertragsjahr/iu.test(ahead)) return 'contractual';
  return statutory.test(ahead) ? 'statutory' : undefined;
}

function dayTypeOf(text: string): string | undefined {
  if (
    /working|business|arbeitstag|werktag|ouvr|hábil|laborab|lavorativ|werkdagen|úteis|robocz|arbetsdag|arbejdsdag|virkedag|pracovní/iu.test(
      text,
    )
  )
    return 'working';
  return /calendar|natural|kalendertag|calendari|calendaires|kalenderdagen|corridos|kalenderdag|kalendarzow/iu.test(
    text,
  )
    ? 'calendar'
    : undefined;
}
