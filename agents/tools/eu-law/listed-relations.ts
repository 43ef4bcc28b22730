/** Relations that a list or the place in a document states: amending acts of a consolidated version or a recast, the legal basis. */
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { Mention } from './act-references.ts';
import type { FlatBlock } from './flat-text.ts';
import { lawRows } from './law-tables.ts';
import type { LawText } from './read-law.ts';
import { findVerbs, type Relation } from './relation-words.ts';
import { actsBetween } from './subjects.ts';
import { corrigendumTo } from './topics.ts';

export function listedRelations(law: LawText): Relation[] {
  return [
    ...consolidation(law),
    ...successiveAmendments(law),
    ...legalBasis(law),
    ...amendmentHeadings(law),
    ...corrigendum(law),
    ...listedByVerb(law),
    ...dataRelations(law),
    ...changeColumns(law),
  ];
}

const amendedBy =
  /^(?:amended by|geändert durch|modifié(?:e)? par|modificad[oa] por|modificat[oa] da|gewijzigd bij|zmienion[A-Za-zÀ-ž] przez|ve znění)(?:\s?:)?$/iu;
const correctedBy =
  /^(?:corrected by|berichtigt durch|rectifiée? par|rectificad[oa] por|rettificat[oa] da|gerectificeerd bij|sprostowan[A-Za-zÀ-ž] przez|opraven[A-Za-zÀ-ž])(?:\s?:)?$/iu;
const corrigendumWord =
  /(?:corrigendum|berichtigung|rectificatif|rectificación|rettifica|rectificatie|sprostowanie|oprava)/iu;

/** "Amended by:" and "Corrected by:" with the marks ►M1 and ►C1, up to the text itself. */
function consolidation({ flat, kind, ...law }: LawText): Relation[] {
  const own = kind.own?.celex;
  if (own === undefined) return [];
  const found: Relation[] = [];
  let list: 'amends' | 'corrects' | undefined;
  for (const block of flat.blocks) {
    const shown = flat.text.slice(block.start, Math.min(block.end, block.start + 40));
    if (amendedBy.test(shown)) list = 'amends';
    else if (correctedBy.test(shown)) list = 'corrects';
    else if (list !== undefined && /^▼/u.test(shown)) break;
    else if (list === 'amends') {
      for (const act of actsBetween({ flat, kind, ...law }, block.start, block.end)) {
        if (act.celex !== own && act.how === 'number')
          found.push({ relation: 'amends', from: act.celex, to: own, ...rangeOf(act) });
      }
    } else if (list === 'corrects' && corrigendumWord.test(flat.text.slice(block.start, block.end))) {
      found.push({ relation: 'corrects', to: own, ...rangeOf(block) });
    }
  }
  return found;
}

const successive =
  /(?:repealed (?:directive|regulation|decision).{0,60}amend|aufgehobene .{0,60}änderung|(?:directive|règlement|décision) abrogée?.{0,60}modifi|(?:directiva|reglamento|decisión) derogad[oa].{0,60}modifi|(?:direttiva|regolamento|decisione) abrogat[oa].{0,60}modific|ingetrokken .{0,60}wijziging|uchylon.{0,60}zmian|zrušen.{0,60}změn)/iu;
const nextPart =
  /^(?:part|teil|partie|parte|deel|część|část) [B-Z]|^(?:correlation table|entsprechungstabelle|tableau de correspondance|tabla de correspondencias|tavola di concordanza|concordantietabel|tabela korelacji|srovnávací tabulka)|^(?:annex|anhang|annexe|anexo|allegato|bijlage|załącznik|příloha) /iu;

/** Annex of a recast, part A: the repealed act, then the acts that amended it. */
function successiveAmendments(law: LawText): Relation[] {
  const { blocks, text } = law.flat;
  const begins = blocks.findIndex(({ start, end }) => end - start < 200 && successive.test(text.slice(start, end)));
  if (begins === -1) return [];
  const ends = blocks.findIndex(({ start }, index) => index > begins && nextPart.test(text.slice(start, start + 60)));
  const listed = blocks.slice(begins + 1, ends === -1 ? begins + 60 : ends);
  const acts = listed.flatMap(({ start, end }) => actsBetween(law, start, end)).filter(({ how }) => how === 'number');
  const [base, ...others] = acts;
  if (base === undefined) return [];
  return others.flatMap((act) =>
    act.celex === base.celex ? [] : [{ relation: 'amends' as const, from: act.celex, to: base.celex, ...rangeOf(act) }],
  );
}

const citation =
  /^(?:having regard to|gestützt auf|vu|visto|vista|visti|gezien|uwzględniając|s ohledem na|tendo em conta)(?![A-Za-zÀ-ž])/iu;
const inParticular =
  /(?:in particular|insbesondere|notamment|en particular|in particolare|met name|w szczególności|zejména|nomeadamente)/iu;

/** A delegated or implementing act exercises the powers of the act in its citations. */
function legalBasis(law: LawText): Relation[] {
  const own = law.kind.own;
  const rank = own === undefined ? undefined : law.actOf(own.celex)?.rank;
  if (own === undefined || rank === undefined) return [];
  return law.flat.blocks.slice(0, 80).flatMap((block): Relation[] => {
    const shown = law.flat.text.slice(block.start, Math.min(block.end, block.start + 1_500));
    if (!citation.test(shown) || !inParticular.test(shown)) return [];
    const act = actsBetween(law, block.start, block.end).find(({ isInTitle, type }) => !isInTitle && type !== 'treaty');
    if (act === undefined || act.celex === own.celex) return [];
    return [
      { relation: rank === 'delegated' ? 'delegated' : 'implements', from: own.celex, to: act.celex, ...rangeOf(act) },
    ];
  });
}

const amendmentHeading =
  /^(?:amendments? (?:to|of)|änderung(?:en)? (?:der|des|von)|modifications? (?:du|de la|de l'|des|au|à la)|modificación(?:es)? (?:del|de la|de los)|modific(?:a|he) (?:del|della|dei|delle|al|alla)|wijziging(?:en)? van|zmian[ay] (?:w )?|změn[ay] )/iu;

/** "Amendment to Regulation (EU) 2019/1020" over an article of an act. */
function amendmentHeadings(law: LawText): Relation[] {
  const own = law.kind.own?.celex;
  if (own === undefined) return [];
  return law.flat.blocks.flatMap((block): Relation[] => {
    if (block.end - block.start > 160 || !amendmentHeading.test(law.flat.text.slice(block.start, block.start + 40)))
      return [];
    return actsBetween(law, block.start, block.end).flatMap((act) =>
      act.how === 'number' && act.celex !== own
        ? [{ relation: 'amends' as const, from: own, to: act.celex, ...rangeOf(act) }]
        : [],
    );
  });
}

/** In the data of an act: "Amends | Directive 2008/98/EC | … | 24/12/2025". */
function listedByVerb(law: LawText): Relation[] {
  const from = law.kind.own?.celex ?? law.kind.about;
  if (from === undefined) return [];
  return law.flat.blocks.flatMap((block): Relation[] => {
    const [label, ...rest] = block.cells;
    if (label === undefined || rest.length === 0 || label.end - label.start > 40) return [];
    const shown = law.flat.text.slice(label.start, label.end).replace(/ ?:$/, '');
    const verb = findVerbs(shown)[0];
    if (verb === undefined || verb.isPassive || verb.start > 0 || verb.end < shown.length - 4) return [];
    const named = new Set(rest.flatMap(({ start, end }) => actsBetween(law, start, end)).map(({ celex }) => celex));
    const [to] = named;
    if (to === undefined || named.size > 1 || to === from) return [];
    const date = verb.kind === 'repeals' ? allWithin(law.dates, block)[0]?.iso : undefined;
    return [{ relation: verb.kind, from, to, ...(date === undefined ? {} : { date }), ...rangeOf(label) }];
  });
}

/** The columns of acts that the act of the row repeals, each with its day, or amends. */
function changeColumns(law: LawText): Relation[] {
  return lawRows(law).flatMap(({ act: from, cells }) => {
    if (from === undefined) return [];
    return cells.flatMap((cell): Relation[] => {
      const relation = cell.column;
      if (relation !== 'repeals' && relation !== 'amends') return [];
      const acts = actsBetween(law, cell.start, cell.end).filter(({ celex }) => celex !== from);
      return acts.map((act, index) => {
        const [date] = allWithin(law.dates, { start: act.end, end: acts[index + 1]?.start ?? cell.end });
        const when = date === undefined || relation === 'amends' ? {} : { date: date.iso };
        return { relation, from, to: act.celex, ...when, ...rangeOf(act) };
      });
    });
  });
}

/** Words before CELEX numbers in the data of an act: "Repeal 32005L0207 … 01/03/2028", "Corrected by 32026R1417R(02)". */
const dataVerbs: readonly (readonly [Relation['relation'], 'by' | 'of', string])[] = [
  [
    'amends',
    'by',
    'modified by|amended by|geändert durch|modifié par|modificado por|modificato da|gewijzigd bij|zmieniony przez',
  ],
  ['repeals', 'by', 'repealed by|aufgehoben durch|abrogé par|derogado por|abrogato da|ingetrokken bij|uchylony przez'],
  [
    'corrects',
    'by',
    'corrected by|berichtigt durch|rectifié par|corregido por|rettificato da|gerectificeerd bij|sprostowany przez',
  ],
  [
    'repeals',
    'of',
    'repeals?|aufhebung|hebt auf|abrogation|abroge|derogación|deroga|abrogazione|abroga|intrekking|uchyla|uchylenie',
  ],
  [
    'amends',
    'of',
    'modifies|amends|modification|änderung|ändert|modifie|modificación|modifica|wijzigt|wijziging|zmienia|zmiana',
  ],
  [
    'implements',
    'of',
    'implements|implementation|durchführung|mise en œuvre|ejecución|esecuzione|uitvoering|wykonanie',
  ],
];
const dataShape = new RegExp(
  `(?<!\\p{L})(?:${dataVerbs.map(([, , words]) => `(${words})`).join('|')}):? (?=([03]\\d{4}[RLDHF]\\d{4}(?:R\\(\\d{2}\\))?))`,
  'giu',
);

function dataRelations(law: LawText): Relation[] {
  const { about } = law.kind;
  if (about === undefined) return [];
  return [...law.flat.text.matchAll(dataShape)].flatMap((match): Relation[] => {
    const index = dataVerbs.findIndex((_, at) => match[at + 1] !== undefined);
    const [relation, side] = dataVerbs[index]!;
    const listed = match[dataVerbs.length + 1]!;
    const other = listed.slice(0, 10);
    const place = { start: match.index, end: match.index + match[0].length + listed.length };
    if (relation === 'corrects') return [{ relation, to: about, ...place }];
    if (other === about) return [];
    const from = side === 'by' ? other : about;
    // The day stands in the same entry, before the next number.
    const rest = law.flat.text.slice(place.end, place.end + 80).split(/[03]\d{4}[RLDHF]\d{4}/)[0]!;
    const [date] = allWithin(law.dates, { start: place.end, end: place.end + rest.length });
    const when = relation === 'repeals' && date !== undefined ? { date: date.iso } : {};
    return [{ relation, from, to: side === 'by' ? about : other, ...when, ...place }];
  });
}

/** The word alone, over the title of the corrected act. */
const corrigendumTitle =
  /^(?:corrigendum|berichtigung|rectificatif|corrección de errores|rettifica|rectificatie|sprostowanie|oprava) ?$/iu;

/** A text that is itself a corrigendum: "Corrigendum to Regulation (EU) 2016/679 …" as its title. */
function corrigendum(law: LawText): Relation[] {
  const heads = law.flat.blocks.filter((block) => startsWith(law, block, corrigendumTo));
  const { about } = law.kind;
  const title = law.flat.blocks
    .slice(0, 12)
    .find(({ start, end }) => corrigendumTitle.test(law.flat.text.slice(start, Math.min(end, start + 50))));
  if (heads.length === 0 && title !== undefined && about !== undefined)
    return [{ relation: 'corrects', to: about, ...rangeOf(title) }];
  return heads.flatMap((head): Relation[] => {
    const act = actsBetween(law, head.start, head.end).find(({ isInTitle }) => !isInTitle);
    return act === undefined ? [] : [{ relation: 'corrects', to: act.celex, ...rangeOf(act) }];
  });
}

function startsWith(law: LawText, block: FlatBlock, shape: RegExp): boolean {
  return shape.test(law.flat.text.slice(block.start, block.start + 50));
}

function rangeOf({ start, end }: Range | Mention): Range {
  return { start, end };
}
