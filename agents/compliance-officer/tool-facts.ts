/**
 * The findings of the compliance officer's tools as facts of `facts.json`. The vocabulary has no kind for
 * `personal_data`, which counts values, and for `control_mapping`, which compares themes with all controls of a framework.
 */
import type { Json, ToolFacts } from '../agent/agent.ts';
import { factOf as factOfValues } from '../agent/tool-results.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

type Item = { readonly [field: string]: Json };

interface Bounded {
  readonly items: readonly Item[];
}

interface StatedClock {
  readonly regimes: readonly string[];
  readonly laterThan: readonly string[];
}

export const toolFacts: ToolFacts = (results) => ({
  facts: [
    ...itemsOf(results.compliance_profile, 'documents').map(({ type }) => factOf('document_type', { type })),
    ...itemsOf(results.compliance_profile, 'frameworks')
      .filter(({ status }) => status === 'applied')
      .map(({ id }) => factOf('framework', { name: codeOf(id) })),
    ...itemsOf(results.compliance_profile, 'certificates').map(({ standard, holder, number, scope, issued, expires }) =>
      factOf('certificate', { standard: codeOf(standard), holder, number, scope, issued, expires }),
    ),
    ...itemsOf(results.compliance_profile, 'audit_opinions').map(({ framework, result, auditor, from, to }) =>
      factOf('audit_opinion', { framework: codeOf(framework), result, auditor, from, to }),
    ),
    ...itemsOf(results.control_register, 'controls').map(({ framework, clause, status, evidence, owner }) =>
      factOf('control', { framework: codeOf(framework), clause, status, evidence, owner }),
    ),
    ...itemsOf(results.compliance_gaps, 'gaps').map(({ framework, reference, nature, element, due }) =>
      factOf('gap', { framework: codeOf(framework), reference, nature, element, due }),
    ),
    ...itemsOf(results.periodic_controls, 'periodic_controls').map(({ activity, period, owner }) =>
      factOf('periodic_control', { activity, period, owner }),
    ),
    ...itemsOf(results.time_limits, 'time_limits').map(({ what, period }) => factOf('time_limit', { what, period })),
    ...itemsOf(results.time_limits, 'retention').map(({ subject, period, trigger }) =>
      factOf('retention', { subject, period, trigger }),
    ),
    ...itemsOf(results.processing_parties, 'roles').map(({ name, role, place }) =>
      factOf('role', { name, role, place }),
    ),
    ...itemsOf(results.processing_parties, 'transfers').map(({ destination, mechanism, recipient }) =>
      factOf('transfer', { destination, mechanism, recipient }),
    ),
    ...itemsOf(results.security_measures, 'measures').map(({ measure, status }) =>
      factOf('security_measure', { measure, status }),
    ),
    ...itemsOf(results.risk_register, 'risks').map(({ id, inherent, residual, treatment, owner }) =>
      factOf('risk', { id, inherent, residual, treatment, owner }),
    ),
    ...itemsOf(results.incident_record, 'events').map(({ event, date }) => factOf('incident', { event, date })),
    ...itemsOf(results.incident_record, 'persons').map(({ count }) => factOf('incident', { persons: count })),
    ...lateClocks(results.notification_clocks),
  ],
});

function itemsOf(result: Json | undefined, list: string): readonly Item[] {
  return (result as unknown as Readonly<Record<string, Bounded>>)[list]!.items;
}

/** These tools report every field as the vocabulary has it. */
function factOf(kind: string, fields: { readonly [field: string]: Json | undefined }): Fact {
  return factOfValues(kind, fields as Readonly<Record<string, FactValue | undefined>>);
}

/** The vocabulary writes "iso-27001" where the tools write "iso_27001". */
function codeOf(id: Json | undefined): Json | undefined {
  return typeof id === 'string' ? id.replaceAll('_', '-') : id;
}

/** A time that is later than the rule of the one regime that its sentence names is a gap of that regime. */
function lateClocks(clocks: Json | undefined): Fact[] {
  const { stated } = clocks as unknown as { stated: { readonly items: readonly StatedClock[] } };
  return stated.items.flatMap(({ regimes, laterThan }) =>
    // "Art. 33(1) notification to the authority: PT72H": article and step stand next to each other.
    laterThan.map((rule) => factOf('gap', { framework: codeOf(regimes[0]), reference: /^\S+ \S+/.exec(rule)?.[0] })),
  );
}
