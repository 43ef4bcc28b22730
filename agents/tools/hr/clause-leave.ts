/** Paid annual leave that an employment document grants, with its legal basis if the document separates them. */
import { type Clause, type ClauseFact, durationsIn, fact, notOwn } from './clauses.ts';

const leaveWords =
  /annual leave|holidays?\b(?! pay)|vacation|paid time off|\bpto\b|paid leave|\w*urlaub\w*|congés payés|vacaciones|\bferie\b|vakantie(?!geld|toeslag|bijslag)\w*|dovolen\w*/iu;
const other =
  /carr(?:y|ied)|request|notice|sick|compassionate|bereavement|jury|parental|maternity|paternity|disab|schwerbehind|accrued (?:holiday|leave)|public holidays?: |company holidays|school|buy|sell|unpaid|übertrag|verfäll|verfall|sonderurlaub|bildungsurlaub|unbezahlt|mínimo|estatuto|lapse|forfeit|closure|in advance|ancienneté|wechselschicht|garden/iu;
const notEntitlement =
  /(?:after|cap\b.{0,20}|up to|within|at least|further|additional(?= \d+ after)|nach|bis zu|within the|per|plus|binnen|après|tras|maximum of|carry.{0,20}|accrued at.{0,12}|weitere) (?:the |a |an )?$/iu;
const isService =
  /^(?:['’]? ?(?:of )?service|.{0,12}(?:weitere|more days|ahead)|\s?(?:per|par|al|por|im) (?:month|mois|mes|monat)|[- ]?(?:day )?(?:week|woche|semaine)\b)/iu;

export function leaveFacts(clauses: readonly Clause[]): ClauseFact[] {
  const found: ClauseFact[] = [];
  const known = new Set<string>();
  for (const clause of clauses) {
    const { text, label } = clause;
    if (!leaveWords.test(text) && !/leave|holiday|urlaub|congés|vacaciones|ferie|vakantie|vacation/iu.test(label))
      continue;
    if (notOwn.test(text) || other.test(text.replace(/(?:in|ex)cluding .{0,30}(?:public|bank) holidays/iu, '')))
      continue;
    for (const duration of durationsIn(text)) {
      const { start, end, unit, count } = duration;
      if (unit !== 'day' && unit !== 'week') continue;
      const amount = Number(count);
      if (unit === 'day' ? amount < 5 || amount > 60 : amount < 2 || amount > 10) continue;
      const [before, after] = [text.slice(0, start), text.slice(end, end + 60)];
      if (notEntitlement.test(before) || isService.test(after)) continue;
      const basis = basisOf(before.slice(-70), after);
      const key = basis ?? 'plain';
      if (known.has(key)) continue;
      known.add(key);
      const dayType = unit === 'day' ? dayTypeOf(text.slice(start, end + 24)) : undefined;
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
  return withTotal(found);
}

/** If the parts are named, the figure without a name is their sum. */
function withTotal(found: readonly ClauseFact[]): ClauseFact[] {
  const part = (basis: string) => found.find(({ value }) => value.basis === basis)?.value.amount;
  const sum = Number(part('statutory')) + Number(part('contractual'));
  return found.map((each) =>
    each.value.basis === undefined && each.value.amount === sum
      ? { ...each, value: { ...each.value, basis: 'total' } }
      : each,
  );
}

function basisOf(before: string, after: string): string | undefined {
  const near = `${before} | ${after}`;
  if (
    /zusatzurlaub|übergesetzlich|contractual (?:leave|holiday)|additional (?:contractual|paid)|bovenwettelijk|vertraglich\w* (?:zusatz|mehr)|weitere\w* .{0,20}vertraglich/iu.test(
      near.replace(/\|.*?[.;]/u, '|'),
    )
  )
    return 'contractual';
  return /gesetzlich\w* (?:mindest)?urlaub|mindesturlaub|statutory (?:minimum|entitlement|holiday|leave)|wettelijk\w* (?:vakantie|verlof)|congé légal/iu.test(
    near,
  )
    ? 'statutory'
    : undefined;
}

function dayTypeOf(text: string): string | undefined {
  if (/working|arbeitstag|werktag|ouvr|hábil|laborab|lavorativ|werkdagen/iu.test(text)) return 'working';
  return /calendar|natural|kalendertag|calendari|calendaires|kalenderdagen/iu.test(text) ? 'calendar' : undefined;
}
