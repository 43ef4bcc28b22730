/** Converts the findings of the medical analyst's tools to facts of `documents/medical-analyst/kinds.json`. */
import type { Json } from '../../../agents/agent/agent.ts';
import type { Adapter, Fact } from '../adapter.ts';

export const adapter: Adapter = (results) => ({
  facts: [
    ...problems(results.patient_facts),
    ...vitals(results.patient_facts),
    ...labs(results.laboratory_values),
    ...medications(results.medication_review),
    ...scores(results.clinical_scores),
    ...events(results.timeline),
  ],
});

function problems(result: Json | undefined): Fact[] {
  return list(field(result, 'problems'), 'items').map((problem) => ({
    kind: 'problem',
    value: { name: text(problem, 'name'), status: text(problem, 'status') },
  }));
}

function vitals(result: Json | undefined): Fact[] {
  return list(field(result, 'vitals'), 'items').map((reading): Fact => {
    const date = text(reading, 'date');
    const value = Number(field(reading, 'value'));
    return { kind: 'vital', value: { sign: text(reading, 'sign'), value, ...(date === '' ? {} : { date }) } };
  });
}

function labs(result: Json | undefined): Fact[] {
  return list(field(result, 'values'), 'items').map((lab): Fact => {
    const [unit, date, marked] = [text(lab, 'writtenUnit'), text(lab, 'date'), text(lab, 'flagInDocument')];
    const flag = marked === 'critical' ? 'critical' : flags[text(lab, 'flag')];
    const [low, high] = [field(field(lab, 'writtenRange'), 'low'), field(field(lab, 'writtenRange'), 'high')];
    return {
      kind: 'lab_value',
      value: {
        test: text(lab, 'label'),
        value: Number(field(lab, 'writtenNumber')),
        ...(unit === '' || field(lab, 'unitIsInferred') === true ? {} : { unit: unitName(unit) }),
        ...(typeof low === 'number' ? { low } : {}),
        ...(typeof high === 'number' ? { high } : {}),
        ...(flag === undefined ? {} : { flag }),
        ...(date === '' ? {} : { date }),
      },
    };
  });
}

/** A label is critical only if the document marks the value as critical; the tool also has its own limits. */
const flags: Readonly<Record<string, string>> = {
  'critically low': 'low',
  low: 'low',
  normal: 'normal',
  high: 'high',
  'critically high': 'high',
};

/** The tool writes powers with superscript digits. */
const unitName = (unit: string): string =>
  unit.replace('10⁶/µL', '10^12/L').replace('10⁹', '10^9').replace('10¹²', '10^12').replace(' m²', 'm2');

function medications(result: Json | undefined): Fact[] {
  const all = list(field(result, 'medications'), 'items');
  const drugs = all.map((each): Fact => {
    const name = text(each, 'medicine');
    return text(each, 'status') === 'allergy'
      ? { kind: 'allergy', value: { substance: name } }
      : { kind: 'medication', value: { name, ...regimen(each) } };
  });
  const over = list(field(result, 'aboveUsualMaximum'), 'items').map(
    (each): Fact => ({ kind: 'dose_above_maximum', value: { drug: text(each, 'medicine') } }),
  );
  const interactions = list(field(result, 'interactions'), 'items').map((each): Fact => {
    const [first = '', second = ''] = list(each, 'medicines').map(String).sort();
    const severity = severities[text(each, 'severity')];
    return { kind: 'interaction', value: { first, second, ...(severity === undefined ? {} : { severity }) } };
  });
  return [...drugs, ...over, ...interactions];
}

const severities: Readonly<Record<string, string>> = { contraindicated: 'critical', major: 'high', moderate: 'medium' };

function regimen(each: Json): Fact['value'] {
  const [amount = '', unit = ''] = text(each, 'dose').split(' ');
  const route = routeName(text(each, 'route'));
  const frequency =
    frequencyName(text(each, 'frequency')) ?? (field(each, 'asNeeded') === true ? 'as-needed' : undefined);
  const status = { listed: 'current', stopped: 'stopped' }[text(each, 'status')];
  return {
    ...(amount === '' ? {} : { dose: Number(amount), unit: doseUnits[unit] ?? unit.toLowerCase() }),
    ...(route === undefined ? {} : { route }),
    ...(frequency === undefined ? {} : { frequency }),
    ...(status === undefined ? {} : { status }),
  };
}

const doseUnits: Readonly<Record<string, string>> = { µg: 'mcg', IU: 'unit' };

/** The tool repeats the words of the document. */
function routeName(words: string): string | undefined {
  const routes: readonly (readonly [RegExp, string])[] = [
    [/^(?:p\.?o\.?|per os|oral)/i, 'oral'],
    [/^i\.?v/i, 'intravenous'],
    [/^i\.?m/i, 'intramuscular'],
    [/^(?:s\.?c|subcutaneous)/i, 'subcutaneous'],
    [/^inhaled/i, 'inhaled'],
    [/^topical/i, 'topical'],
    [/^transdermal/i, 'transdermal'],
    [/^sublingual/i, 'sublingual'],
  ];
  return routes.find(([shape]) => shape.test(words))?.[1];
}

const perDayNames: Readonly<Record<number, string>> = {
  1: 'once-daily',
  2: 'twice-daily',
  3: 'three-times-daily',
  4: 'four-times-daily',
  5: 'five-times-daily',
  6: 'six-times-daily',
};

/** The tool repeats the words of the document: "b.i.d.", "every 6 hours", "1-0-1". */
function frequencyName(words: string): string | undefined {
  if (words === '') return undefined;
  const intakes = /^[\d½.,/]+(?: ?[-–] ?[\d½.,/]+)+$/.test(words)
    ? words.split(/ ?[-–] ?/).filter((part) => part !== '0').length
    : 0;
  if (intakes > 0) return perDayNames[intakes];
  const hours = Number(/(\d+) ?(?:h|st|hod)/i.exec(words)?.[1] ?? 0);
  if (hours === 72) return 'every-3-days';
  if (hours === 48) return 'every-other-day';
  if (hours > 0) return perDayNames[24 / hours];
  if (/week|týdně|wöchentlich/i.test(words)) return 'weekly';
  if (/other day|alternate|obden|jeden zweiten/i.test(words)) return 'every-other-day';
  if (/four|qid|qds|q\.i\.d/i.test(words)) return 'four-times-daily';
  if (/three|thrice|tid|tds|t\.i\.d|dreimal|třikrát/i.test(words)) return 'three-times-daily';
  if (/twice|two|bid|bd|b\.i\.d|zweimal|dvakrát/i.test(words)) return 'twice-daily';
  const times = Number(/^(\d) ?[x×]/i.exec(words)?.[1] ?? 1);
  return perDayNames[times];
}

/** Only scores in points: estimates of filtration, body mass and similar values have no kind. */
function scores(result: Json | undefined): Fact[] {
  return list(result, 'scores').flatMap((score): Fact[] => {
    const [name, given] = [text(score, 'score'), field(score, 'result')];
    if (name === 'CHA₂DS₂-VASc') return scoreFact(name, field(given, 'points'));
    return name.startsWith('MELD')
      ? ['MELD', 'MELD-Na', 'MELD 3.0'].flatMap((each) => scoreFact(each, field(given, each)))
      : [];
  });
}

function scoreFact(score: string, value: Json | undefined): Fact[] {
  return typeof value === 'number' ? [{ kind: 'score', value: { score, value } }] : [];
}

/** The tool returns the words around a date. */
function events(result: Json | undefined): Fact[] {
  return list(field(result, 'events'), 'items').map((event) => ({
    kind: 'event',
    value: { date: text(event, 'date'), what: text(event, 'event') },
  }));
}

function field(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })[name]
    : undefined;
}

function list(value: Json | undefined, name: string): readonly Json[] {
  const items = field(value, name);
  return Array.isArray(items) ? items : [];
}

function text(value: Json | undefined, name: string): string {
  const content = field(value, name);
  return typeof content === 'string' ? content : '';
}
