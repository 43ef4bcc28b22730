/**
 * Converts the findings of the compliance officer's tools to facts of `documents/compliance-officer/kinds.json`.
 * `personal_data` counts values for which the vocabulary has no kind.
 */
import type { Json } from '../../../agents/agent/agent.ts';
import type { Adapter, Fact, FieldValue } from '../adapter.ts';

interface Theme {
  readonly id: string;
  readonly status: 'stated' | 'denied' | 'absent';
}

interface Coverage {
  readonly id: string;
  readonly gaps: readonly string[];
}

interface StatedClock {
  readonly stated: string;
  readonly regimes: readonly string[];
  readonly laterThan: readonly string[];
}

interface Clocks {
  readonly basis: string;
  readonly regimes: readonly { readonly id: string }[];
  readonly stated: { readonly items: readonly StatedClock[] };
}

export const adapter: Adapter = ({ control_mapping: mapping, notification_clocks: clocks }) => ({
  facts: [...mappingFacts(mapping), ...clockFacts(clocks)],
});

function factOf(kind: string, fields: { readonly [field: string]: FieldValue | undefined }): Fact {
  const given = Object.entries(fields).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined);
  return { kind, value: Object.fromEntries(given) };
}

/**
 * Frameworks of the control mapping and regimes of the notification deadlines. A regime that is not listed has no code in the
 * vocabulary.
 */
const frameworkCodes: ReadonlyMap<string, string> = new Map([
  ['gdpr', 'gdpr'],
  ['uk_gdpr', 'uk-gdpr'],
  ['nis2', 'nis2'],
  ['dora', 'dora'],
  ['iso_27001', 'iso-27001'],
  ['soc_2', 'soc-2'],
  ['pci_dss', 'pci-dss'],
  ['ai_act', 'ai-act'],
  ['hipaa', 'hipaa'],
]);

/** Themes whose title names one measure of the vocabulary. */
const measureCodes: ReadonlyMap<string, string> = new Map([
  ['keys', 'key-management'],
  ['logging', 'logging'],
  ['testing', 'penetration-testing'],
  ['malware', 'endpoint-protection'],
  ['incident', 'incident-response'],
  ['continuity', 'business-continuity'],
  ['backup', 'backup'],
  ['training', 'training'],
  ['physical', 'physical-access'],
]);

function mappingFacts(mapping: Json | undefined): Fact[] {
  const { frameworks, themes } = mapping as unknown as { frameworks: readonly Coverage[]; themes: readonly Theme[] };
  return [
    ...frameworks.flatMap(({ id }) => frameworkFacts(id)),
    ...frameworks.flatMap(({ id, gaps }) => gaps.map((gap) => gapOf(id, gap))),
    ...themes.flatMap(measureFacts),
  ];
}

function frameworkFacts(id: string): Fact[] {
  const name = frameworkCodes.get(id);
  return name === undefined ? [] : [factOf('framework', { name })];
}

/** @param gap `A.8.13 Backup`, which the document says is missing */
function gapOf(framework: string, gap: string): Fact {
  return factOf('gap', {
    framework: frameworkCodes.get(framework),
    reference: /^(?:Art\. )?\S+/.exec(gap)?.[0],
    nature: 'not-implemented',
  });
}

function measureFacts({ id, status }: Theme): Fact[] {
  const measure = measureCodes.get(id);
  if (measure === undefined || status === 'absent') return [];
  return [factOf('security_measure', { measure, status: status === 'stated' ? 'in-place' : 'absent' })];
}

function clockFacts(clocks: Json | undefined): Fact[] {
  const { basis, regimes, stated } = clocks as unknown as Clocks;
  const pointedTo = basis === 'regimes that the documents point to' ? regimes.map(({ id }) => id) : [];
  return [...pointedTo.flatMap(frameworkFacts), ...stated.items.flatMap((clock) => statedFacts(clock, pointedTo))];
}

/**
 * A deadline later than the rule is a gap of the regime that the sentence names.
 * @param pointedTo regimes of the document, used if the sentence names none
 */
function statedFacts({ stated, regimes, laterThan }: StatedClock, pointedTo: readonly string[]): Fact[] {
  const concerned = regimes.length > 0 ? regimes : pointedTo;
  const ofIncidents = concerned.length > 0 && concerned.every((id) => id === 'nis2' || id === 'dora');
  const limit = factOf('time_limit', {
    what: ofIncidents ? 'incident-report' : 'breach-notification',
    period: durationOf(stated),
  });
  // "Art. 33(1) notification to the authority: PT72H": article and step are in one text.
  const late = laterThan.map((rule) =>
    factOf('gap', { framework: frameworkCodes.get(regimes[0]!), reference: /^\S+ \S+/.exec(rule)?.[0] }),
  );
  return [limit, ...late];
}

const units: Readonly<Record<string, string>> = { H: 'hour', D: 'day', W: 'week', M: 'month', Y: 'year' };

/** @param iso `PT72H`, `P3D` */
function durationOf(iso: string): FieldValue | undefined {
  const [, time, count, letter] = /^P(T?)([\d.]+)([A-Z])$/.exec(iso) ?? [];
  const unit = time === 'T' && letter === 'M' ? undefined : units[letter ?? ''];
  return unit === undefined ? undefined : { count: Number(count), unit };
}
