/**
 * Restrictive promises: confidentiality, exclusivity, no competition, no solicitation, no assignment; who is bound and how long.
 */
import type { Document } from '../../document/document.ts';
import type { FoundDuration } from '../text/durations.ts';
import type { Range } from '../text/span.ts';
import { type Actors, actorOfTitles, actorsOf, eachParty, subjectBefore } from './actors.ts';
import { partiesOf } from './contract-parties.ts';
import { documentKind } from './document-kind.ts';
import { durationsIn, type Placed, relevant, type Statement, statementsOf } from './statements.ts';

export type CovenantType = 'confidentiality' | 'exclusivity' | 'non-compete' | 'non-solicitation' | 'no-assignment';

export interface Covenant extends Range {
  readonly type: CovenantType;
  /** Name in the contract; "each party" if both are bound. */
  readonly by?: string;
  /** ISO 8601 duration; for a covenant that survives the contract, the time after its end. */
  readonly duration?: string;
  readonly lasting?: 'limited' | 'indefinite';
}

/** Ordered by position in the text. */
export function findCovenants(document: Document): Covenant[] {
  const actors = actorsOf(document);
  return [confidentiality(document, actors), ...promises(document, actors)]
    .filter((covenant) => covenant !== undefined)
    .sort((a, b) => a.start - b.start);
}

interface Rule {
  readonly type: CovenantType;
  readonly words: RegExp;
  readonly promise: RegExp;
  /** Words that cancel the promise, or show that something else is meant. */
  readonly unless: RegExp;
}

const rules: readonly Rule[] = [
  {
    type: 'exclusivity',
    words: /exclusiv|engage|\bsole\b|appoint|alleinvertr|ausschließlich|requirements/i,
    promise:
      /\bappoints?\b[^.;]{0,120}\b(?:as|to be)\b[^.;]{0,40}\b(?:exclusive|sole)\b|\b(?:shall|will|may|agrees?|undertakes?) not (?:to )?(?:\w+ ){0,3}(?:appoint|engage|supply|sell)\b[^.;]{0,60}\b(?:another|any other|other)\b|\b(?:purchase|buy|obtain|order|source|procure)\b[^.;]{0,120}\b(?:exclusively|only|solely) from\b|\b(?:exclusively|solely) (?:purchase|buy|obtain|order|from)\b|\ball (?:of )?(?:its|their) requirements\b|\bexclusive (?:supplier|provider|distributor|agent|reseller|customer|licensee|manufacturer)\b|\bgrants?\b[^.;]{0,80}(?<!non-)\bexclusive\b[^.;]{0,40}\b(?:licen[cs]e|right to (?:sell|distribute|market))\b|\balleinvertriebsrecht|\bals (?:alleinige[nr]?|exklusive[nr]?|ausschließliche[nr]?) (?:händler|vertriebs|lieferant|vertrags)|\bausschließlich (?:beim|bei der|vom) /i,
    unless:
      /\bnon-?exclusive\b|\bnicht[- ]?(?:exklusiv|ausschließlich)|\bno course of dealing\b|\bmay convert\b|\bprocessors?\b|\bsub-?contract|\bwithout (?:the )?(?:\w+ ){0,4}consent\b|\bexclusive (?:jurisdiction|property|owner|remedy|forum|venue)\b|\bnothing\b/i,
  },
  {
    type: 'non-compete',
    words: /compet|wettbewerb/i,
    promise:
      /\b(?:shall|will|must|may|agrees?|undertakes?|covenants?) not\b[^.;]{0,240}\bcompet|\bneither party (?:shall|will|may)\b[^.;]{0,200}\bcompet|\bnot (?:to )?(?:\w+ ){0,6}compete\b|\brefrain\b[^.;]{0,120}\bcompet|\bwettbewerb\w*\b[^.;]{0,120}\b(?:unterlassen|enthalten|untersagt|verboten|nicht)\b|\b(?:nicht|keine?n?)\b[^.;]{0,100}\b(?:in wettbewerb|wettbewerbs|konkurr)/i,
    unless:
      /\b(?:competent|competition law|competition act|competitive)\b|\bdoes not apply\b|\bbesteht nicht\b|\bno (?:non-?compet|restraint)|\bnot (?:be )?(?:prevent|restrict|prohibit|preclude)|\bnothing\b|\bfree to\b|\bkein wettbewerbsverbot\b|\bwettbewerbsverbot besteht nicht\b/i,
  },
  {
    type: 'non-solicitation',
    words: /solicit|entice|poach|hire|abwerb/i,
    promise:
      /\b(?:shall|will|must|may|agrees?|undertakes?|covenants?)(?: \w+)? not\b[^.;]{0,160}\b(?:solicit|entice|poach|hire|induce|recruit)|\b(?:neither party|no party)\b[^.;]{0,120}\b(?:solicit|entice|poach|hire|recruit)|\bnot (?:to )?(?:\w+,? ){0,8}(?:solicit|entice|poach)|\brefrain from (?:\w+ ){0,3}solicit|\babzuwerben\b|\babwerben\b/i,
    unless: /\bnot (?:be )?(?:prevent|restrict|prohibit|preclude)|\bis not (?:a )?solicitation\b|\bunsolicited\b/i,
  },
  {
    type: 'no-assignment',
    words: /assign|transfer|novat|abtret|übertrag/i,
    promise:
      /\b(?:shall|may|will|can|must)(?: \w+)? not\b[^.;]{0,100}\b(?:assign|transfer|novate)|\bcannot (?:\w+ )?(?:assign|transfer)|\b(?:neither|no)\b[^.;]{0,60}\b(?:may|shall|will|can)\b[^.;]{0,80}\b(?:assign|transfer)|^[^.;]{0,20}\b[Nn]ot to assign|\b(?:assign|transfer)\w*\b[^.;]{0,160}\b(?:only with|requires?|without|subject to)\b[^.;]{0,60}\b(?:consent|approval)|\b(?:abtret|übertrag)\w*\b[^.;]{0,260}\b(?:zustimmung|einwilligung)|\bnur mit\b[^.;]{0,80}\b(?:zustimmung|einwilligung)\b[^.;]{0,80}\b(?:abtreten|übertragen)|\b(?:nicht|ohne)\b[^.;]{0,160}\b(?:abtreten|übertragen|abzutreten|zu übertragen)/i,
    unless:
      /\b(?:may|can) (?:freely )?assign\b(?![^.;]{0,160}\bconsent)|\b(?:personal data|title|risk|ownership)\b[^.;]{0,60}\btransfer|\btransfer(?:s|red)? of (?:personal data|data|title)|\brestricted transfer\b|\bpersonal data\b|\bnutzungsrecht|\bhereby assigns?\b/i,
  },
];

function promises(document: Document, actors: Actors): Covenant[] {
  const found: Covenant[] = [];
  for (const { type, words, promise, unless } of rules) {
    for (const statement of relevant(document, words, 120)) {
      const { text } = statement;
      const match = promise.exec(text);
      if (
        match === null ||
        (unless.test(text) &&
          !(type === 'no-assignment' && /neither|not assign|not transfer/i.test(text) && !/personal data/i.test(text)))
      )
        continue;
      if (type === 'exclusivity' && /\blicen[cs]e/i.test(match[0]) && documentKind(document) !== 'licence') continue;
      if (type === 'no-assignment' && !isTransferOfContract(text, statement.titles)) continue;
      const by = boundBy(actors, statement, match);
      if (found.some((other) => other.type === type && (other.by === by || by === undefined))) continue;
      const duration = lastingIn(document, statement);
      const isTimed = type !== 'no-assignment' && type !== 'exclusivity';
      found.push({
        start: statement.start,
        end: statement.end,
        type,
        ...(by === undefined ? {} : { by }),
        ...(isTimed && duration !== undefined ? { duration: duration.iso } : {}),
      });
    }
  }
  return found;
}

function isTransferOfContract(text: string, titles: string): boolean {
  return (
    /\b(?:agreement|contract|lease|terms|rights?|obligations?|property|licen[cs]e|order|benefit|annex|deed|it|vertrag\w*|rechte?n?|pflichten|ansprüche?n?|forderung\w*)\b/i.test(
      text,
    ) || /assign|transfer|abtretung|übertrag/i.test(titles)
  );
}

function boundBy(actors: Actors, { text, titles }: Statement, match: RegExpExecArray): string | undefined {
  const not = /\b(?:shall|will|must|may|can|cannot|agrees?|undertakes?|covenants?|appoints?|grants?|wird|darf)\b/i.exec(
    match[0],
  );
  const leading = actors.findIn(match[0]).find(({ at }) => at === 0);
  if (leading?.name === eachParty) return eachParty;
  const title = actorOfTitles(actors, titles);
  if (/^(?:[\d.()a-z]{0,8} )?Not to\b/.test(text) && title !== undefined) return title.name;
  const by = /\b(?:by|durch) (?:either |the |den |die |der )?/i.exec(text.slice(match.index));
  const agent =
    by === null
      ? undefined
      : actors
          .findIn(text)
          .find(({ at }) => at >= match.index + by.index && at <= match.index + by.index + by[0].length + 2);
  if (agent !== undefined && /\b(?:be|requires?|bedarf|bedürfen|assigned|transferred)\b/i.test(text)) return agent.name;
  const subject = subjectBefore(actors, text, match.index + (not?.index ?? 0) + (not === null ? 0 : not[0].length));
  if (subject !== undefined) return subject.name;
  if (/\b(?:may|shall|cannot|can) (?:not )?be (?:assigned|transferred)/i.test(text)) return eachParty;
  return actors.findIn(text).find(({ at }) => at >= match.index)?.name;
}

/** "for twelve months after the end", "for a period of two years", "for 5 years thereafter". */
function lastingIn(document: Document, statement: Statement): Placed<FoundDuration> | undefined {
  const { text } = statement;
  const found = durationsIn(document, statement).filter(({ at, until }) => {
    const before = text.slice(Math.max(0, at - 40), at);
    const after = text.slice(until, until + 50);
    if (/\bnotice\b/i.test(after.slice(0, 24)) || /\bwithin\b[\s\w]{0,12}$|\bfor the first $/i.test(before))
      return false;
    return (
      /\b(?:for|period of|additional|further|of|lasts?|continues?|für|dauer von|until|survive)\b[\s\w[(]{0,24}$/i.test(
        before,
      ) ||
      /^[)\]']{0,2} (?:period |months? )?(?:after|from|following|thereafter|post|beyond|nach|ab|danach)\b/i.test(after)
    );
  });
  return (
    found.find(({ until }) =>
      /\b(?:after|thereafter|following|termination|expiry|end|danach|nach)\b/i.test(text.slice(until, until + 60)),
    ) ?? found.at(-1)
  );
}

const keepsSecret =
  /\b(?:keep|hold|treat|maintain|protect|preserve)s?\b[^.;]{0,120}\b(?:confiden|secret|non-public)|\b(?:shall|will|must|may|agrees?|undertakes?)(?: \w+)? not\b[^.;]{0,170}\b(?:disclos|divulg|reveal)|\b(?:neither|no) party\b[^.;]{0,80}\b(?:disclos|divulg)|\bnot (?:to )?(?:\w+ ){0,3}(?:disclose|divulge)|\b(?:bound|subject|obliged?) (?:\w+ ){0,3}(?:to|by) (?:\w+ ){0,3}(?:confidential|secrecy)|\bin (?:strict )?confidence\b|\bvertraulich (?:zu )?(?:behandel|halten)|\bbehandel\w*\b[^.;]{0,120}\bvertraulich|\bstillschweigen\b|\bgeheim ?(?:zu ?)?halt|\bverschwiegenheit\b/i;
const noSecret =
  /\bdo(?:es)? not (?:apply|restrict|prohibit)|\bnothing\b|\bsensitive information safe\b|\bdoes not itself create\b|\bmay disclose\b/i;

/** The whole contract has one such covenant: if several parties promise it, "each party" is bound. */
function confidentiality(document: Document, actors: Actors): Covenant | undefined {
  const isAgreement = documentKind(document) === 'confidentiality agreement';
  const all = statementsOf(document);
  const isThere = ({ text, titles }: Statement) =>
    keepsSecret.test(text) &&
    !noSecret.test(text) &&
    (isAgreement || /confiden|secre|non-public|vertraul|geheim|stillschweigen|verschwieg/i.test(`${text} ${titles}`)) &&
    !/\b(?:means|bedeutet)\b/i.test(text.slice(0, 80));
  const kept = all.filter(isThere).slice(0, 20);
  const [first] = kept;
  if (first === undefined) return undefined;
  const sides = new Set(kept.map((statement) => secretKeeper(actors, statement)).filter((name) => name !== undefined));
  const by =
    sides.size > 1 && sides.has(eachParty)
      ? eachParty
      : sides.size === 1
        ? [...sides][0]
        : sides.size > 1
          ? eachParty
          : undefined;
  const titled = all.filter(({ titles }) =>
    /confiden|secre|vertraul|geheim|non-?disclos/i.test(titles.split(' / ').at(-1) ?? ''),
  );
  const around = isAgreement
    ? all
    : [
        ...new Set([
          ...titled,
          ...all.filter(({ text }) => /confidential|vertraulich/i.test(text) && /surviv|fort|after|nach/i.test(text)),
          ...kept,
        ]),
      ];
  const processor =
    documentKind(document) === 'data processing agreement'
      ? partiesOf(document).find((party) => party.function === 'processor')?.role
      : undefined;
  const bound = by ?? processor;
  return {
    start: first.start,
    end: first.end,
    type: 'confidentiality',
    ...(bound === undefined ? {} : { by: bound }),
    ...howLong(document, around, isAgreement),
  };
}

function secretKeeper(actors: Actors, statement: Statement): string | undefined {
  const { text, titles } = statement;
  const at = keepsSecret.exec(text)!.index;
  const shall = /\b(?:shall|will|must|may|agrees?|undertakes?|neither|no party)\b/i.exec(text.slice(at))?.index ?? 0;
  if (/\beach of us|each other|the other's|one another|einander|the other party's|jede der parteien\b/i.test(text))
    return eachParty;
  return (subjectBefore(actors, text, at + shall + 4) ?? actorOfTitles(actors, titles))?.name;
}

function howLong(
  document: Document,
  statements: readonly Statement[],
  isAgreement: boolean,
): Pick<Covenant, 'duration' | 'lasting'> {
  const lasting =
    /\b(?:surviv|continue|remain|lasts?|endure|thereafter|after|following|from the date|period of|for a|während|nach|fort|dauer|obligations?)\b/i;
  for (const statement of statements) {
    if (
      !lasting.test(statement.text) ||
      /\b(?:return|destroy|solicit|non-compet|term of this agreement is)\b/i.test(statement.text)
    )
      continue;
    if (
      isAgreement &&
      !/\b(?:obligat|confiden|dut(?:y|ies)|surviv|pflicht|undertaking|restrict|geheimhalt)/i.test(statement.text)
    )
      continue;
    const duration = lastingIn(document, statement);
    if (duration !== undefined && /year|month/.test(duration.unit))
      return { duration: duration.iso, lasting: 'limited' };
  }
  const forever =
    /\b(?:without limit (?:of|in) time|indefinitely|in perpetuity|perpetual(?:ly)?|unlimited (?:in|period|duration)|for an unlimited|for an indefinite|zeitlich unbe(?:grenzt|schränkt)|unbefristet|auf unbestimmte zeit|dauerhaft|without time limit|for an? unlimited|at any time (?:after|thereafter)|at all times)\b/i;
  return statements.some(({ text }) => forever.test(text)) ? { lasting: 'indefinite' } : {};
}
