/** Converts the findings of the medical analyst's tools to facts of `facts.json`. */
import type { Json, ToolFacts } from '../agent/agent.ts';
import { field, list, text } from '../agent/tool-results.ts';
import type { Fact } from '../agent/vocabulary.ts';

export const toolFacts: ToolFacts = (results) => ({
  facts: [
    ...problems(results.patient_facts),
    ...procedures(results.patient_facts),
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

function procedures(result: Json | undefined): Fact[] {
  return list(field(result, 'procedures'), 'items').map((each): Fact => {
    const date = text(each, 'date');
    const value = { name: text(each, 'name'), status: text(each, 'status') };
    return { kind: 'procedure', value: { ...value, ...(date === '' ? {} : { date }) } };
  });
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
  // A medicine that is only mentioned is no claim that the patient takes it; allergies have a list of their own.
  const drugs = all
    .filter((each) => !['mentioned', 'allergy'].includes(text(each, 'status')))
    .map((each): Fact => ({ kind: 'medication', value: { name: text(each, 'written'), ...regimen(each) } }));
  const allergies = list(field(result, 'allergies'), 'items').map((each): Fact => {
    const reaction = text(each, 'reaction');
    return { kind: 'allergy', value: { substance: text(each, 'substance'), ...(reaction === '' ? {} : { reaction }) } };
  });
  const brands = list(field(result, 'brands'), 'items').map(
    (each): Fact => ({
      kind: 'brand_name',
      value: { brand: text(each, 'brand'), ingredient: text(each, 'ingredient') },
    }),
  );
  const over = list(field(result, 'aboveUsualMaximum'), 'items').map(
    (each): Fact => ({
      kind: 'dose_above_maximum',
      value: { drug: text(each, 'medicine'), severity: text(each, 'severity') },
    }),
  );
  const interactions = list(field(result, 'interactions'), 'items').map((each): Fact => {
    const [first = '', second = ''] = list(each, 'medicines').map(String).sort();
    return { kind: 'interaction', value: { first, second, severity: text(each, 'severity') } };
  });
  return [...drugs, ...allergies, ...brands, ...over, ...interactions];
}

function regimen(each: Json): Fact['value'] {
  const [amount = '', unit = ''] = text(each, 'dose').split(' ');
  const route = text(each, 'route');
  const schedule = text(each, 'schedule');
  // Needed from time to time, where the record gives no interval.
  const isPlain = text(each, 'frequency') === '' && field(each, 'asNeeded') === true;
  const frequency = schedule === '' && isPlain ? 'as-needed' : schedule;
  const status = text(each, 'status');
  return {
    ...(amount === '' ? {} : { dose: Number(amount), unit: doseUnits[unit] ?? unit.toLowerCase() }),
    ...(route === '' ? {} : { route }),
    ...(frequency === '' ? {} : { frequency }),
    // Of what was given once the labels state no status.
    ...(status === 'given' ? {} : { status }),
  };
}

const doseUnits: Readonly<Record<string, string>> = {
  µg: 'mcg',
  IU: 'unit',
  'µg/h': 'mcg-per-hour',
  'mg/h': 'mg-per-hour',
  'units/h': 'unit-per-hour',
  'ml/h': 'ml-per-hour',
  'units/kg': 'unit-per-kg',
  'mg/kg': 'mg-per-kg',
  'mg/m²': 'mg-per-m2',
};

/** Points only: the estimates of filtration, body mass and the like have no kind. The record's own points come before computed ones. */
function scores(result: Json | undefined): Fact[] {
  const stated = list(field(result, 'stated'), 'items').flatMap((each) =>
    scoreFact(text(each, 'score'), field(each, 'value')),
  );
  const computed = list(result, 'scores').flatMap((score): Fact[] => {
    if (text(score, 'inRecord') !== '') return [];
    const [name, given] = [text(score, 'score'), field(score, 'result')];
    if (name === 'CHA₂DS₂-VASc') return scoreFact(name, field(given, 'points'));
    return name.startsWith('MELD')
      ? ['MELD', 'MELD-Na', 'MELD 3.0'].flatMap((each) => scoreFact(each, field(given, each)))
      : [];
  });
  return [...stated, ...computed];
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
