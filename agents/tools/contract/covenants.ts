/**
 * Restrictive promises: confidentiality, exclusivity, no competition, no solicitation, no assignment; who is bound and how long.
 */
import type { Document } from '../../document/document.ts';
import type { FoundDuration } from '../text/durations.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { type Actors, actorOfTitles, actorsOf, eachParty, subjectBefore } from './actors.ts';
import { partiesOf } from './contract-parties.ts';
import { covenantRules, type PromiseType } from './covenant-rules.ts';
import { documentKind } from './document-kind.ts';
import { durationsIn, type Placed, relevant, type Statement, statementsOf } from './statements.ts';

export type CovenantType = 'confidentiality' | PromiseType;

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

/** Mentions examined per type; a repeated promise counts once. */
const mentionsMax = 1_000;

function promises(document: Document, actors: Actors): Covenant[] {
  const found: Covenant[] = [];
  for (const { type, words, promise, unless } of covenantRules) {
    for (const statement of relevant(document, words, mentionsMax)) {
      const { text } = statement;
      const match = promise.exec(text) ?? (type === 'non-compete' ? titledPromise(statement) : null);
      if (
        match === null ||
        (unless.test(text) &&
          !(
            type === 'no-assignment' &&
            /neither|keine partei|not assign|not transfer/i.test(text) &&
            !/personal data/i.test(text)
          ))
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
        ...(isTimed && duration !== undefined ? { duration: duration.iso, lasting: 'limited' as const } : {}),
      });
    }
  }
  return found;
}

/** "For six months the Consultant shall not work for the Client", below "No competition". */
function titledPromise({ text, titles }: Statement): RegExpExecArray | null {
  const isTitled = /non-?compet|no competition|not compete|wettbewerbsverbot/i.test(titles.split(' / ').at(-1) ?? '');
  return isTitled && !/confiden|secre|disclos|solicit|employees|assign|vertraulich|abwerb/i.test(text)
    ? /\b(?:shall|will|must|may|agrees?|undertakes?)(?: \w+)? not\b/i.exec(text)
    : null;
}

function isTransferOfContract(text: string, titles: string): boolean {
  return (
    /\b(?:agreement|contract|lease|terms|rights?|obligations?|property|licen[cs]e|order|benefit|annex|deed|it|position|contrats?|contratos?|contratto|overeenkomst|vertrag\w*|rechte?n?|pflichten|ansprüche?n?|forderung\w*)\b/i.test(
      text,
    ) || /assign|transfer|abtretung|übertrag/i.test(titles)
  );
}

function boundBy(actors: Actors, { text, titles }: Statement, match: RegExpExecArray): string | undefined {
  const not =
    /\b(?:shall|will|must|may|can|cannot|agrees?|undertakes?|covenants?|appoints?|grants?|wird|darf|peut|peuvent|pourra|doit|podrá|podrán|puede|mag|mogen|kan)(?!\p{L})/iu.exec(
      match[0],
    );
  const leading = actors.findIn(match[0]).find(({ at }) => at === 0);
  if (leading?.name === eachParty) return eachParty;
  // "Without the consent of the Client, may the Contractor not assign": the word order of Dutch and German.
  const inverted = /^may /i.test(match[0])
    ? actors.findIn(text).find(({ at }) => at - match.index >= 4 && at - match.index <= 8)
    : undefined;
  if (inverted !== undefined) return inverted.name;
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
      /^[)\]']{0,2} (?:period |months? )?(?:after|afterwards|from|following|thereafter|post|beyond|nach|ab|danach|über das|have passed)\b/i.test(
        after,
      )
    );
  });
  return (
    found.find(({ until }) =>
      /\b(?:after|thereafter|following|termination|expiry|end|danach|nach)\b/i.test(text.slice(until, until + 60)),
    ) ?? found.at(-1)
  );
}

/** One of these is in every text that the next pattern matches. */
const secretWords =
  /confiden|secre|non-public|protect|safeguard|disclos|divulg|reveal|revela|pass on|publish|vertraulich|stillschweigen|geheim|verschwiegenheit/i;
const keepsSecret =
  /\b(?:keep|hold|treat|maintain|protect|preserve|safeguard|retain)s?\b[^.;]{0,120}\b(?:confiden|secret|non-public)|\b(?:protect|safeguard)s? (?:it|them|the confidential information) with\b|\b(?:shall|will|must|may|agrees?|undertakes?|promises?)(?: \w+)? not\b[^.;]{0,170}\b(?:disclos|divulg|reveal|pass on|share\b[^.;]{0,60}\b(?:confiden|secret)|publish)|\buse\b[^.;]{0,60}\bconfidential information\b[^.;]{0,40}\b(?:only|solely)\b|\b(?:neither|no) (?:party|side|of us)\b[^.;]{0,80}\b(?:disclos|divulg|reveal)|\bnot (?:to )?(?:\w+ ){0,3}(?:disclose|divulge|reveal|pass on)|\b(?:bound|subject|obliged?|sworn) (?:\w+ ){0,3}(?:to|by) (?:\w+ ){0,3}(?:confidential|secrecy)|\bin (?:strict )?confidence\b|\bduty of (?:confidence|secrecy)\b|\bvertraulich (?:zu )?(?:behandel|halten)|\bbehandel\w*\b[^.;]{0,120}\bvertraulich|\bstillschweigen\b|\bgeheim ?(?:zu ?)?halt|\bverschwiegenheit\b|\bs['’]engage\w* à\b[^.;]{0,80}\bconfidenti|\btenir\b[^.;]{0,60}\b(?:confidentiel|secret)|\bne pas divulguer|\bmantener\b[^.;]{0,60}\bconfidencial|\bno (?:divulgar|revelar)/i;
const noSecret =
  /\bdo(?:es)? not (?:apply|restrict|prohibit)|\bnothing\b|\bsensitive information safe\b|\bdoes not itself create\b|\bmay disclose\b/i;

/** The whole contract has one such covenant: if several parties promise it, "each party" is bound. */
function confidentiality(document: Document, actors: Actors): Covenant | undefined {
  const isAgreement = documentKind(document) === 'confidentiality agreement';
  const all = statementsOf(document);
  const isThere = ({ text, titles }: Statement) =>
    secretWords.test(text) &&
    keepsSecret.test(text) &&
    !noSecret.test(text) &&
    (isAgreement ||
      /confiden|secre|non-public|vertraul|geheim|stillschweigen|verschwieg|disclos/i.test(`${text} ${titles}`)) &&
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
          ...kept.flatMap((statement) => referringAfter(all, statement)),
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

/** "This lasts for three years": the next sentence, if it refers to the promise. */
function referringAfter(all: readonly Statement[], statement: Statement): Statement[] {
  const next = all[(indexAt(all, statement.start) ?? 0) + 1];
  return next !== undefined &&
    /^(?:This|That|It|These|Such|The (?:duty|obligations?|undertaking)|Diese[rs]?|Sie|Das)\b/.test(next.text)
    ? [next]
    : [];
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
      !(
        lasting.test(statement.text) ||
        /\blasts?\b|\bapplies\b|\bgilt\b|\bgelten\b|\bpassed\b|pendant|durante/i.test(statement.text)
      ) ||
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
    /\b(?:without limit (?:of|in) time|indefinitely|in perpetuity|perpetual(?:ly)?|unlimited (?:in|period|duration)|for an unlimited|for an indefinite|zeitlich unbe(?:grenzt|schränkt)|unbefristet|auf unbestimmte zeit|dauerhaft|without time limit|for an? unlimited|at any time (?:after|thereafter)|at all times|no time limit|not limited in time|no limit (?:in|of) time|forever|ohne zeitliche (?:grenze|begrenzung|beschränkung)|zeitlich nicht (?:begrenzt|beschränkt)|(?:über|nach) (?:das|dem|der) (?:vertragsende|ende|beendigung)[^.;]{0,30}\b(?:hinaus|fort|unbefristet)|sans limitation de durée|indefinid[ao]mente|illimitée)\b/i;
  return statements.some(({ text }) => forever.test(text)) ? { lasting: 'indefinite' } : {};
}
