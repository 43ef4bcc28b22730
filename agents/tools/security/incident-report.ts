/** Reads reports of incidents, attacks and penetration tests. */
import type { AgentTool } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import { doubtCollector, leftOut, leftOutLines } from '../left-out.ts';
import { excerpt, type Range } from '../text/span.ts';
import { findBehaviours } from './attack-behaviours.ts';
import { certainDurations, certainImpacts, type Doubt, doubtReasons } from './certainty.ts';
import { findCorrectiveActions } from './corrective-actions.ts';
import { findIdentifiers } from './identifiers.ts';
import { findImpacts } from './incident-impact.ts';
import { findParties } from './incident-parties.ts';
import { findStatements } from './incident-statements.ts';
import { findIncidentTimes } from './incident-times.ts';
import { isLog } from './log-share.ts';
import { findPentestFindings } from './pentest-findings.ts';
import { findTopics } from './report-topics.ts';
import { findSecrets } from './secrets.ts';

/** Times, lengths, cause, detection, impact, actions, parties, and the findings of tests; each with its position. */
export const incidentReport: AgentTool = {
  name: 'incident_report',
  version: '1',
  purpose: 'Reads incident and test reports: times, impact, cause, actions, findings. Text: the report.',
  run(sources) {
    const documents = sources.map(readDocument).filter((document) => !isLog(document.text));
    const placed = <Item extends { readonly start: number; readonly end: number }>(
      find: (document: Document) => readonly Item[],
    ) =>
      documents.flatMap((document) =>
        find(document).map(({ start, end, ...item }) => ({ ...item, span: document.spanOf({ start, end }) })),
      );
    const incidents = documents.filter(isIncident);
    // A sentence with a credential is not repeated.
    const quotable = <Item extends Range>(document: Document, items: readonly Item[]) => {
      const secrets = items.length === 0 ? [] : findSecrets(document.text);
      return items.filter((item) => !secrets.some(({ start, end }) => start < item.end && item.start < end));
    };
    const ofIncident = <Item extends { readonly start: number; readonly end: number }>(
      find: (document: Document) => readonly Item[],
    ) => placed((document) => (incidents.includes(document) ? find(document) : []));
    const { doubts, keep } = doubtCollector<Doubt>();
    const result = {
      times: ofIncident((document) => findIncidentTimes(document).times),
      durations: ofIncident((document) => keep(certainDurations(findIncidentTimes(document)))),
      statements: ofIncident((document) =>
        quotable(document, findStatements(document)).map((one) => ({
          ...one,
          quote: excerpt(document.text, one, 400),
        })),
      ),
      impacts: ofIncident((document) => keep(certainImpacts(document, findImpacts(document)))),
      actions: placed((document) => (isReport(document) ? quotable(document, findCorrectiveActions(document)) : [])),
      techniques: ofIncident((document) =>
        isAttack(document) ? findBehaviours(document, numbersTechniques(document)) : [],
      ),
      testFindings: placed(findPentestFindings),
      parties: placed((document) => (isReport(document) ? findParties(document) : [])),
    };
    const omitted = leftOut(doubts, doubtReasons);
    const digest = [
      ...result.times.map(({ point, date, time, span }) => `INCIDENT ${point}: ${date} ${time} ${place(span)}`),
      ...result.durations.map(
        ({ of, minutes, isStated, span }) =>
          `INCIDENT time of ${of}: ${minutes} minutes (${isStated ? 'stated' : 'computed'}) ${place(span)}`,
      ),
      ...result.statements.map(({ about, quote, span }) => `INCIDENT ${about}: ${quote.slice(0, 160)} ${place(span)}`),
      ...result.impacts.map(({ of, count, span }) => `IMPACT ${of}: ${count} ${place(span)}`),
      ...result.parties.map(({ role, name, span }) => `PARTY ${role}: ${name.slice(0, 80)} ${place(span)}`),
      ...result.techniques.map(({ id, span }) => `ATT&CK ${id} by description ${place(span)}`),
      ...result.testFindings.map(
        ({ id, severity, host, span }) =>
          `FINDING ${id} ${severity}${host === undefined ? '' : ` on ${host}`} ${place(span)}`,
      ),
      ...result.actions.map(
        ({ task, owner, due, span }) =>
          `ACTION ${task.slice(0, 100)}, owner ${owner ?? 'not stated'}, due ${due ?? 'not stated'} ${place(span)}`,
      ),
    ];
    return toFindings({ ...sharedBytes(result), leftOut: omitted }, [...digest, ...leftOutLines(omitted)]);
  },
};

const incidentWords =
  /(?<!\p{L})(?:incidents?|post-?mortems?|outages?|breach(?:es)?|intrusions?|ransomware|cyber ?attacks?|attack(?:ers?)?|threat (?:actor|group|report)|campaigns?|phishing|malware|campañas?|campagnes?|campagn[ae]|kampagnen?|campanhas?|intrusi[óo]n|infecci[óo]n|ciberataques?|hameçonnage|schadsoftware|ciberincidentes?|compromised|vorf[aä]lle?s?|sicherheitsvorf\p{L}+|störung(?:en)?|ausfall|angriffe?s?|angreifer|attaques?|pannes?|rançon\p{L}*|cyberattaque|modes? op[ée]ratoires?|incidentes?|ataques?|incidenti|attacc(?:o|hi)|storing|aanval)(?!\p{L})/giu;
const reportTopics = new Set(['timeline', 'impact', 'cause', 'detection', 'actions', 'indicators']);

function isIncident(document: Document): boolean {
  const words = [...document.text.slice(0, 20_000).matchAll(incidentWords)].length;
  const topics = new Set(findTopics(document).flatMap(({ topic }) => (reportTopics.has(topic) ? [topic] : [])));
  return (words >= 1 && topics.size >= 2) || words >= 4;
}

function isReport(document: Document): boolean {
  return isIncident(document) || findPentestFindings(document).length > 0;
}

const attackWords =
  /\b(?:attack(?:ers?|s|ed)?|intru(?:ders?|sion)|adversary|threat actor|ransomware|malware|breach|compromised|angreifer|angriff|schadsoftware|attaquants?|attaque|mode opératoire|malveillant)/iu;
const isAttack = ({ text }: Document) => attackWords.test(text);
const numbersTechniques = ({ text }: Document) =>
  findIdentifiers(text).some(({ kind, id }) => kind === 'attack' && /^T\d/.test(id));
