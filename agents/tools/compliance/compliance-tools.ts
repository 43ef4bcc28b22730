/** The tools that read what a document of governance, risk and compliance itself states: one concept each. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import { type Certain, type LeftOut, leftOut, leftOutLines } from '../left-out.ts';
import { listLines } from '../text/list-lines.ts';
import type { Range, Span } from '../text/span.ts';
import { certainFrameworks } from './applied-frameworks.ts';
import { findAuditOpinions } from './audit-opinions.ts';
import { type Doubt, doubtReasons } from './certainty.ts';
import { findCertificates } from './certificates.ts';
import { findControls } from './control-register.ts';
import { shownTypeOf } from './document-types.ts';
import { type FrameworkId, frameworkTitles } from './framework-names.ts';
import { findGaps } from './gaps.ts';
import { findIncident } from './incident-record.ts';
import { findPeriodicControls } from './periodic-controls.ts';
import { shownPeriod } from './periods.ts';
import { findRoles } from './processing-roles.ts';
import { type Reading, readingOf } from './reading.ts';
import { findRetention } from './retention.ts';
import { findRisks } from './risks.ts';
import { findMeasures } from './security-measures.ts';
import { findTimeLimits } from './time-limits.ts';
import { findTransfers } from './transfers.ts';

/** Findings of each document, with the range replaced by the caller's. */
function collect<Found extends object>(
  documents: readonly AgentDocument[],
  find: (reading: Reading) => readonly (Found & { readonly range: Range })[],
): (Omit<Found, 'range'> & { span: Span })[] {
  return documentsOnly(documents).flatMap((document) => {
    const reading = readingOf(document);
    return find(reading).map(({ range, ...found }) => ({
      ...(found as Omit<Found, 'range'>),
      span: reading.spanOf({ start: range.start, end: range.end }),
    }));
  });
}

/** How many facts of the documents are left out for each reason. */
function leftOutOf(
  documents: readonly AgentDocument[],
  ...finders: readonly ((reading: Reading) => Certain<unknown, Doubt>)[]
): readonly LeftOut[] {
  const readings = documentsOnly(documents).map(readingOf);
  const doubts = readings.flatMap((reading) => finders.flatMap((find) => find(reading).doubts));
  return leftOut(doubts, doubtReasons);
}

/** Joins the values that are present: "A.8.24 implemented, owner CISO". */
function shown(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join(', ');
}

function title(id: FrameworkId | undefined): string | undefined {
  return id === undefined ? undefined : frameworkTitles[id];
}

export const complianceProfile: AgentTool = {
  name: 'compliance_profile',
  version: '1',
  isOffered: false,
  purpose:
    'Names what a text is (policy, report, certificate, agreement …), the frameworks it applies, its certificates and audit opinion. Text: the document.',
  run(documents) {
    const kinds = collect(documents, (reading) => {
      const found = shownTypeOf(reading);
      return found === undefined ? [] : [{ type: found.type, range: found.clause }];
    });
    const frameworks = collect(documents, (reading) =>
      certainFrameworks(reading).facts.map(({ id, status, clause }) => ({
        id,
        name: frameworkTitles[id],
        status,
        range: clause,
      })),
    );
    const certificates = collect(documents, findCertificates);
    const opinions = collect(documents, findAuditOpinions);
    const lists = sharedBytes({ documents: kinds, frameworks, certificates, audit_opinions: opinions });
    const left = leftOutOf(documents, certainFrameworks);
    return toFindings({ ...lists, left_out: left }, [
      ...kinds.map(({ type, span }) => `Document: ${type} ${place(span)}.`),
      ...listLines(
        'Applies',
        frameworks.filter(({ status }) => status === 'applied').map(({ name, span }) => `${name} ${place(span)}`),
      ),
      ...listLines(
        'Named, but not applied',
        frameworks
          .filter(({ status }) => status !== 'applied')
          .map(({ name, status, span }) => `${name} (${status}) ${place(span)}`),
      ),
      ...certificates.map(
        ({ standard, holder, number, issued, expires, span }) =>
          `Certificate: ${shown(frameworkTitles[standard], number, holder, issued && `issued ${issued}`, expires && `expires ${expires}`)} ${place(span)}.`,
      ),
      ...opinions.map(
        ({ framework, result, auditor, from, to, span }) =>
          `Audit opinion: ${shown(frameworkTitles[framework], result, auditor, from && `${from}${to === undefined ? '' : ` to ${to}`}`)} ${place(span)}.`,
      ),
      ...leftOutLines(left),
    ]);
  },
};

export const controlRegister: AgentTool = {
  name: 'control_register',
  version: '1',
  isOffered: false,
  purpose:
    'Lists the controls that a text assigns to numbers of a framework, with state, evidence and owner. Text: a register, report on controls, or policy.',
  run(documents) {
    const controls = collect(documents, findControls).map(({ isRegister: _, ...control }) => control);
    const states = new Map<string, number>();
    for (const { status = 'no state' } of controls) states.set(status, (states.get(status) ?? 0) + 1);
    const counts = [...states].map(([status, count]) => `${count} ${status}`);
    return toFindings(sharedBytes({ controls }), [
      ...(controls.length === 0 ? [] : [`Controls in the register: ${controls.length} (${counts.join(', ')}).`]),
      ...listLines(
        'Control',
        controls.map(
          ({ clause, status, evidence, owner, span }) =>
            `${shown(clause, status, evidence && `evidence ${evidence}`, owner && `owner ${owner}`)} ${place(span)}`,
        ),
      ),
    ]);
  },
};

export const complianceGaps: AgentTool = {
  name: 'compliance_gaps',
  version: '1',
  purpose:
    'Lists requirements that a text itself shows to be unmet: nonconformities, exceptions, open controls, overdue tasks, elements that a contract or notice lacks. Text: the whole document.',
  run(documents) {
    const gaps = collect(documents, findGaps);
    return toFindings(
      sharedBytes({ gaps }),
      gaps.map(
        ({ framework, reference, nature, element, due, owner, span }) =>
          `Gap: ${shown(title(framework), reference, nature, element, due && `due ${due}`, owner && `owner ${owner}`)} ${place(span)}.`,
      ),
    );
  },
};

export const riskRegister: AgentTool = {
  name: 'risk_register',
  version: '1',
  isOffered: false,
  purpose:
    'Lists the risks of a text with scores before and after treatment, treatment and owner. Text: a register or assessment with a table of risks.',
  run(documents) {
    const risks = collect(documents, (reading) =>
      findRisks(reading).map(({ row, ...risk }) => ({ ...risk, range: row })),
    );
    return toFindings(
      sharedBytes({ risks }),
      listLines(
        'Risk',
        risks.map(
          ({ id, inherent, residual, treatment, owner, span }) =>
            `${shown(id, `${inherent ?? '?'} to ${residual ?? '?'}`, treatment, owner)} ${place(span)}`,
        ),
      ),
    );
  },
};

export const periodicControls: AgentTool = {
  name: 'periodic_controls',
  version: '1',
  isOffered: false,
  purpose:
    'Lists the activities that a text says are repeated, how often and by whom. Text: a policy, report, register or agreement.',
  run(documents) {
    const controls = collect(documents, (reading) =>
      findPeriodicControls(reading).facts.map(({ clause, ...found }) => ({ ...found, range: clause })),
    );
    const left = leftOutOf(documents, findPeriodicControls);
    return toFindings({ ...sharedBytes({ periodic_controls: controls }), left_out: left }, [
      ...listLines(
        'Repeated',
        controls.map(
          ({ activity, period, owner, span }) =>
            `${shown(`${activity} every ${shownPeriod(period)}`, owner)} ${place(span)}`,
        ),
      ),
      ...leftOutLines(left),
    ]);
  },
};

export const timeLimits: AgentTool = {
  name: 'time_limits',
  version: '1',
  purpose:
    'Lists within what time somebody must act under a text, and how long data are kept. Text: a policy, agreement, answer or notice.',
  run(documents) {
    const limits = collect(documents, (reading) =>
      findTimeLimits(reading).facts.map(({ clause, ...found }) => ({ ...found, range: clause })),
    );
    const retention = collect(documents, (reading) =>
      findRetention(reading).facts.map(({ clause, ...found }) => ({ ...found, range: clause })),
    );
    const left = leftOutOf(documents, findTimeLimits, findRetention);
    return toFindings({ ...sharedBytes({ time_limits: limits, retention }), left_out: left }, [
      ...listLines(
        'Time limit',
        limits.map(({ what, period, span }) => `${what} ${shownPeriod(period)} ${place(span)}`),
      ),
      ...listLines(
        'Retention',
        retention.map(
          ({ subject, period, trigger, span }) =>
            `${shown(subject, shownPeriod(period), trigger && `from ${trigger}`)} ${place(span)}`,
        ),
      ),
      ...leftOutLines(left),
    ]);
  },
};

export const processingParties: AgentTool = {
  name: 'processing_parties',
  version: '1',
  isOffered: false,
  purpose:
    'Lists who is controller, processor and sub-processor under a text and where, and transfers to third countries with their mechanism. Text: an agreement, assessment or notice.',
  run(documents) {
    const roles = collect(documents, findRoles);
    const transfers = collect(documents, findTransfers);
    return toFindings(sharedBytes({ roles, transfers }), [
      ...listLines(
        'Party',
        roles.map(({ name, role, place: country, span }) => `${shown(`${name}: ${role}`, country)} ${place(span)}`),
      ),
      ...transfers.map(
        ({ destination, mechanism, recipient, span }) =>
          `Transfer: ${shown(destination, mechanism, recipient)} ${place(span)}.`,
      ),
    ]);
  },
};

export const securityMeasures: AgentTool = {
  name: 'security_measures',
  version: '1',
  isOffered: false,
  purpose:
    'Lists technical and organisational measures that a text states, plans or says are lacking. Text: an annex, policy, assessment or answers.',
  run(documents) {
    const measures = collect(documents, (reading) =>
      findMeasures(reading).facts.map(({ clause, ...found }) => ({ ...found, range: clause })),
    );
    const left = leftOutOf(documents, findMeasures);
    return toFindings({ ...sharedBytes({ measures }), left_out: left }, [
      ...(['absent', 'planned', 'in-place'] as const).flatMap((status) =>
        listLines(
          `Measure ${status}`,
          measures.filter((each) => each.status === status).map(({ measure, span }) => `${measure} ${place(span)}`),
        ),
      ),
      ...leftOutLines(left),
    ]);
  },
};

export const incidentRecord: AgentTool = {
  name: 'incident_record',
  version: '1',
  isOffered: false,
  purpose:
    'Lists when an incident began, was found and ended, who was notified when, and how many persons it affects. Text: a notice of a breach.',
  run(documents) {
    const events = collect(documents, (reading) => findIncident(reading).events);
    const persons = collect(documents, (reading) => {
      const found = findIncident(reading).persons;
      return found === undefined ? [] : [found];
    });
    return toFindings(sharedBytes({ events, persons }), [
      ...listLines(
        'Incident',
        events.map(({ event, date, span }) => `${event} ${date} ${place(span)}`),
      ),
      ...persons.map(({ count, span }) => `Persons affected: ${count} ${place(span)}.`),
    ]);
  },
};
