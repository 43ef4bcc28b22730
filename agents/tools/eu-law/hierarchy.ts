/** The rank of the cited sources in the hierarchy of Union law. */

import type { AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { bounded, type Span } from '../text/span.ts';
import type { ActCitation } from './act-citations.ts';
import { findCases, findEclis } from './case-citations.ts';
import { findCelex } from './celex.ts';
import { readLaw } from './read-law.ts';

/** Ordered from the highest rank. @see Articles 1 and 6 TEU; Articles 2, 216(2), 267, 288 to 291 TFEU */
export const ranks = [
  {
    rank: 1,
    name: 'primary law',
    effect: 'Treaties and Charter; every other act is measured by them (Art. 1 and 6(1) TEU)',
  },
  {
    rank: 2,
    name: 'international agreements',
    effect: 'bind the institutions and the Member States (Art. 216(2) TFEU); below primary law, above secondary law',
  },
  {
    rank: 3,
    name: 'regulations',
    effect: 'general, binding in their entirety, directly applicable (Art. 288(2) TFEU)',
  },
  { rank: 3, name: 'directives', effect: 'binding as to the result; need national transposition (Art. 288(3) TFEU)' },
  {
    rank: 3,
    name: 'decisions',
    effect: 'binding in their entirety, only on those whom they name, if any (Art. 288(4) TFEU)',
  },
  {
    rank: 4,
    name: 'delegated acts',
    effect:
      'supplement or amend non-essential elements of a legislative act and must stay within its delegation (Art. 290 TFEU)',
  },
  {
    rank: 4,
    name: 'implementing acts',
    effect: 'uniform conditions for implementing a binding act and must stay within it (Art. 291 TFEU)',
  },
  {
    rank: 5,
    name: 'recommendations and opinions',
    effect: 'no binding force (Art. 288(5) TFEU), but to be taken into account',
  },
  {
    rank: 0,
    name: 'case-law',
    effect: 'interprets all of the above with effect for all courts (Art. 19(1) TEU, Art. 267 TFEU)',
  },
] as const;

type RankName = (typeof ranks)[number]['name'];

interface Ranked {
  readonly source: string;
  readonly celex?: string;
  readonly span: Span;
}

export const euHierarchy: AgentTool = {
  name: 'eu_hierarchy',
  version: '1',
  purpose: 'Ranks the sources of law that a text names. Text: names acts and cases.',
  run(documents) {
    const sources = new Map<RankName, Map<string, Ranked>>();
    const add = (name: RankName, ranked: Ranked) => {
      const known = sources.get(name) ?? new Map<string, Ranked>();
      sources.set(name, known);
      const key = ranked.celex ?? ranked.source;
      if (!known.has(key)) known.set(key, ranked);
    };
    for (const law of documents.map((document) => readLaw(readDocument(document)))) {
      const { text } = law.flat;
      for (const act of law.acts) {
        add(rankOfAct(act), { source: act.normalised, celex: act.celex, span: law.spanOf(act) });
      }
      for (const found of findCases(text))
        add('case-law', { source: found.number, celex: found.celex, span: law.spanOf(found) });
      for (const found of findEclis(text)) add('case-law', { source: found.ecli, span: law.spanOf(found) });
      for (const found of findCelex(text)) {
        const name = rankOfCelex(found.sector, found.type);
        if (name !== undefined) add(name, { source: found.celex, celex: found.celex, span: law.spanOf(found) });
      }
    }
    const present = ranks.filter(({ name }) => sources.has(name));
    const result = present.map(({ rank, name, effect }) => ({
      rank,
      name,
      effect,
      sources: bounded([...sources.get(name)!.values()], 30),
    }));
    const digest = present.map(({ name, effect }) => {
      const list = [...sources.get(name)!.values()];
      const shown = list.slice(0, 5).map(({ source, span }) => `${source} ${place(span)}`);
      return `RANK ${name}: ${shown.join('; ')}${list.length > 5 ? ` and ${list.length - 5} more` : ''}. ${effect}`;
    });
    return toFindings({ ranks: result }, digest);
  },
};

function rankOfAct({ type, rank }: ActCitation): RankName {
  if (type === 'treaty') return 'primary law';
  if (rank === 'delegated') return 'delegated acts';
  if (rank === 'implementing') return 'implementing acts';
  if (type === 'regulation') return 'regulations';
  if (type === 'directive') return 'directives';
  return type === 'recommendation' ? 'recommendations and opinions' : 'decisions';
}

function rankOfCelex(sector: string, type: string): RankName | undefined {
  if (sector === '1') return 'primary law';
  if (sector === '2') return 'international agreements';
  if (sector === '6') return 'case-law';
  if (sector !== '3' && sector !== '0') return undefined;
  if (type === 'R') return 'regulations';
  if (type === 'L') return 'directives';
  return type === 'H' || type === 'A' ? 'recommendations and opinions' : 'decisions';
}
