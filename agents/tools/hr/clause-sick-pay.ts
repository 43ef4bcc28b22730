/** Sick pay: each rate with the time for which it is paid. */
import type { FoundDuration } from '../text/durations.ts';
import { findPercents } from '../text/percents.ts';
import { benefitWords } from './benefit-words.ts';
import { moneyIn, periodNear } from './clause-pay.ts';
import { type Clause, durationsIn, type FactValue, lengthOf } from './clauses.ts';

const words = benefitWords.find(([benefit]) => benefit === 'sick-pay')![1];
const sickness =
  /sick|illness|\bill\b|krank|arbeitsunfähig|incapacité de travail|salaire garanti|maladie|arrêt de travail|enfermedad|incapacidad|malattia|ziek|arbeidsongeschikt/iu;
const pay =
  /\bpa(?:y|id|ys)\b|salary|full pay|gehalt|lohn|vergütung|entgelt|salaire|rémunération|salario|retribución|base reguladora|retribuzione|loon|salaris|betaalt/iu;
/** Duties of the sick employee, and sickness as a reason for something else. */
const other =
  /certificate|fit note|bescheinigung|attest|certificat|parte de baja|certificato|prévien\w+|meldet|inform(?:s|e|er|ar)?\b|avis\w*|notify|during probation|kündig|dismiss|terminat|carr(?:y|ied)|urlaub|holiday|vacation(?!.{0,20}sick)|doctor|family member|statutory scheme|waiting day|wachtdag/iu;

/** Whether the statement is about pay during sickness. */
export function isSickPay({ text, label }: Clause): boolean {
  if (words.test(text)) return !/statutory scheme|payable under|at its discretion$/iu.test(text);
  return (sickness.test(label) || sickness.test(text)) && pay.test(text) && !other.test(text) && rates(text).length > 0;
}

interface Rate {
  readonly percent: number;
  readonly start: number;
  readonly end: number;
}

function rates(text: string): Rate[] {
  const named = [
    ...text.matchAll(
      /full (?:basic |normal )?(?:pay|salary|wages?)|(?:salary|pay|wages?)(?: you| employees| staff)? in full|volle[nsrm]? (?:lohn|gehalt|vergütung|entgelt)\w*|(?:intégralité|totalité) (?:du|de (?:la|votre)) (?:salaire|rémunération)|plein salaire|salario completo|retribuzione intera|volledig\w* (?:loon|salaris)/giu,
    ),
  ].map(({ index, 0: match }) => ({ percent: 100, start: index, end: index + match.length }));
  const half = [
    ...text.matchAll(
      /half (?:basic )?(?:pay|salary|wages?)|halbe[nsrm]? (?:lohn|gehalt)|demi-(?:salaire|traitement)|medio salario|metà (?:della )?retribuzione|half (?:loon|salaris)/giu,
    ),
  ].map(({ index, 0: match }) => ({ percent: 50, start: index, end: index + match.length }));
  const percents = findPercents(text)
    .map(({ value, start, end }) => ({ percent: Number(value), start, end }))
    .filter(
      ({ percent, start }) =>
        percent >= 20 &&
        percent <= 100 &&
        !/deduct|zuschlag|statutory|gesetzlich/iu.test(text.slice(Math.max(0, start - 25), start)),
    );
  return [...named, ...half, ...percents].sort((a, b) => a.start - b.start).slice(0, 6);
}

const otherSpan =
  /(?:after|rolling|within|dans les|nach|from the|desde el|länger als|in any|any|every|each|per|in a|last|au bout d['’]|dopo|tras|from day|ab dem|à partir du|über|more than|first) (?:\p{L}+ )?$/iu;

/** "8 hours of sick leave for every month of service": earned, not granted. */
const accrued =
  /^ (?:of )?(?:paid )?(?:sick|leave)[^.;]{0,20}(?:per|for (?:every|each)|each|every) (?:\p{L}+ )?(?:hour|day|week|month|pay period)/iu;

/** One value for each rate; the time after a rate, else the one before it. */
export function sickPay(text: string): FactValue[] {
  const spans = durationsIn(text).filter(
    ({ start, end, unit }) =>
      unit !== 'minute' &&
      unit !== 'year' &&
      !(unit === 'hour' && accrued.test(text.slice(end, end + 60))) &&
      !/absent (?:from work )?for (?:more than )?$/iu.test(text.slice(Math.max(0, start - 40), start)) &&
      !(
        otherSpan.test(text.slice(Math.max(0, start - 24), start)) &&
        !/(?:for the first|les premiers|den ersten) $/iu.test(text.slice(Math.max(0, start - 24), start))
      ) &&
      !/^ ?(?:of (?:service|employment|continuous)|d['’]ancienneté|betriebszugehörigkeit|(?:waiting )?period|in arrears|zeitraum)/iu.test(
        text.slice(end, end + 30),
      ),
  );
  const found = rates(text);
  if (found.length === 0) {
    if (/^(?:statutory sick pay|ssp)(?: only)?(?: ?[(.]|$)/iu.test(text)) return [{}];
    const own = spans[0];
    const [money, ...more] = moneyIn(text);
    if (money !== undefined && more.length === 0) {
      const per = periodNear(text, money.start, money.end);
      const isKnown = per === 'day' || per === 'week' || per === 'month';
      return [
        {
          amount: money.amount,
          currency: money.currency,
          ...(isKnown ? { per } : {}),
          ...(own === undefined ? {} : { duration: lengthOf(own) }),
        },
      ];
    }
    const isYearly = own !== undefined && (own.unit !== 'month' || /sick/iu.test(text));
    return own === undefined || !isYearly || other.test(text) ? [] : [{ duration: lengthOf(own) }];
  }
  const used = new Set<FoundDuration>();
  // "Six weeks at full pay followed by six weeks at half pay": each time is before its rate.
  const isBefore = spans[0] !== undefined && spans[0].end <= found[0]!.start && found[0]!.start - spans[0].end <= 8;
  return found.map((rate, index) => {
    const next = found[index + 1]?.start ?? text.length;
    const previous = found[index - 1]?.end ?? 0;
    const ahead = spans.findLast((each) => !used.has(each) && each.start >= previous && each.end <= rate.start);
    if (isBefore && ahead !== undefined) {
      used.add(ahead);
      return { percent: rate.percent, duration: lengthOf(ahead) };
    }
    const span =
      spans.find((each) => !used.has(each) && each.start >= rate.end && each.end <= next) ??
      (index === 0 || index === found.length - 1
        ? spans.find((each) => !used.has(each) && each.start >= previous && each.end <= rate.start)
        : undefined);
    if (span !== undefined) used.add(span);
    return { percent: rate.percent, ...(span === undefined ? {} : { duration: lengthOf(span) }) };
  });
}
