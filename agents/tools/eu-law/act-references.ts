/** References to acts without a number: defined names, "this Regulation", "that Directive", "the Decision". */
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { ActCitation } from './act-citations.ts';
import {
  type ActType,
  actNoun,
  article,
  backDeterminer,
  isDelegated,
  isImplementing,
  nearDeterminer,
  ownDeterminer,
  typeOfNoun,
  wordsAfter,
} from './act-words.ts';
import { findCelex } from './celex.ts';
import type { FlatText } from './flat-text.ts';
import type { DocumentKind } from './own-act.ts';
import { firstAt, rowNumbers } from './row-numbers.ts';

/** A place that names an act, by number, by name or by reference. */
export interface Mention extends Range {
  /** CELEX number. */
  readonly celex: string;
  readonly type: ActType;
  readonly how: 'number' | 'name' | 'defined' | 'own' | 'back' | 'definite' | 'bare';
  readonly rank?: ActCitation['rank'];
  /** Part of another act's title: "amending Directive …", as that act calls itself. */
  readonly isInTitle: boolean;
}

/** A reference is not resolved to an act that is named longer ago than this. */
const distanceMax = 4_000;
/** The words before the act that begins a sentence: "As of 2 July 2027,". */
const headCharactersMax = 30;

/** Ordered by position, without overlaps; a reference that stands for no certain act is left out. */
export function findMentions(flat: FlatText, acts: readonly ActCitation[], kind: DocumentKind): Mention[] {
  const titles = titleParts(flat, acts);
  const numbered = acts.map(
    (act): Mention => ({
      ...place(act),
      celex: act.celex,
      type: act.type,
      how: act.bare ? 'bare' : act.number === undefined ? 'name' : 'number',
      isInTitle: titles.has(act),
      ...(act.rank === undefined ? {} : { rank: act.rank }),
    }),
  );
  const direct = mergeRanges(numbered, celexMentions(flat.text));
  const defined = findDefined(flat, direct);
  const redefined = new Set(defined.names.map(({ name }) => name));
  const kept = direct.filter(
    (mention) => mention.how !== 'name' || !redefined.has(flat.text.slice(mention.start, mention.end)),
  );
  const known = mergeRanges(kept, defined.mentions);
  return resolveReferences(known, findReferences(flat.text, known), {
    kind,
    definite: defined.definite,
    isHead: ({ start, end }, previous) => {
      const sentence = flat.sentenceAt(start);
      if (changedAfter.test(flat.text.slice(end, end + 120))) return false;
      return start - sentence.start < headCharactersMax && (previous === undefined || previous.start < sentence.start);
    },
  });
}

/** "Regulation … is amended": a sentence about what another act does to it. */
const changedAfter =
  /^(?: (?:of|vom|du|del?|van|z|on|über|sur|sobre|relativ|over)[^.;,]{0,70}?)? (?:is|are|was|were|will be|has been|wird|wurde|est|sera|a été|es|será|queda|ha sido|è|viene|sarà|wordt|werd|zostaje|został[ao]?|é|foi|blir|bliver|ändras|upphävs|ophæves) (?:\p{L}+ ){0,3}?(?:amended|repealed|replaced|touched|changed|geändert|aufgehoben|ersetzt|modifiée?|abrogée?|remplacée?|modificad[oa]|derogad[oa]|sustituid[oa]|modificat[oa]|abrogat[oa]|sostituit[oa]|gewijzigd|ingetrokken|vervangen|zmienion[ey]|uchylon[ey]|zastąpion[ey]|alterad[oa]|revogad[oa]|ändrad|upphävd|ændret|ophævet)(?!\p{L})/iu;

/** "32024R1781", in the data of an act. */
function celexMentions(text: string): Mention[] {
  return findCelex(text).flatMap(({ celex, sector, type, suffix, start, end }): Mention[] => {
    const named = sector === '3' && suffix === undefined ? typesByLetter[type] : undefined;
    return named === undefined ? [] : [{ celex, type: named, how: 'number', isInTitle: false, start, end }];
  });
}

const typesByLetter: Readonly<Record<string, ActType>> = {
  R: 'regulation',
  L: 'directive',
  D: 'decision',
  H: 'recommendation',
  F: 'framework decision',
};

function place({ start, end }: Range): Range {
  return { start, end };
}

/** Words by which an act's title says what the act does to others. */
const titleVerbs =
  /(?:amending|repealing|and repealing|amendment of|zur änderung(?: der| des| von)?|zur aufhebung(?: der| des)?|sowie (?:zur|der|des)|modifiant|abrogeant|(?:por (?:el|la) que se )?(?:modifica|deroga)n?|recante modifica|che modifica|che abroga|e abroga(?:zione)?|modifica della|tot wijziging van|tot intrekking van|zmieniając[A-Za-zÀ-ž]|uchylając[A-Za-zÀ-ž]|oraz uchyl[A-Za-zÀ-ž]+|w sprawie zmiany|zmiany|kterou? se (?:mění|zrušuje)|o změně|o zrušení|supplementing|zur ergänzung|complétant|por (?:el|la) que se completa|che integra|tot aanvulling van|uzupełniając[A-Za-zÀ-ž]|application of|anwendung|application de)(?: (?:council|commission|the|die|der|des|la|le|les|el|il|de))?[^;:.]{0,160}$/iu;

/** Words before an act that has changed another one: the sentence speaks of the other. */
const amendedBy =
  /(?:as (?:last )?amended by|geändert durch|in der (?:zuletzt )?durch|zuletzt durch|tel(?:le)?s? que modifié[A-Za-zÀ-ž]{0,2} par|modifié[A-Za-zÀ-ž]{0,2} (?:en dernier lieu )?par|modificad[oa]s? (?:por|en último lugar por)|modificat[oaie] (?:da|dal|dalla|dai|dall')|gewijzigd bij|zmienion[A-Za-zÀ-ž]{1,4}(?: ostatnio)?(?: przez)?|ve znění|pozměněn[A-Za-zÀ-ž]{1,3})(?: (?:council|commission|the|die|der|la|le|les|el|il|lo|de|dell'))?[ ']?$/iu;

/** Acts that stand in the title of an act cited before them in the same sentence. */
function titleParts(flat: FlatText, acts: readonly ActCitation[]): Set<ActCitation> {
  const found = new Set<ActCitation>();
  let head: ActCitation | undefined;
  for (const act of acts) {
    const block = flat.blockAt(act.start);
    if (head !== undefined && (block === undefined || head.start < block.start)) head = undefined;
    if (amendedBy.test(flat.text.slice(Math.max(0, act.start - 60), act.start))) {
      found.add(act);
      continue;
    }
    const between = head === undefined ? '' : flat.text.slice(head.end, act.start);
    // A title names its date before what it amends.
    if (
      head !== undefined &&
      between.length < 900 &&
      titleVerbs.test(between) &&
      !/[.;] \p{Lu}/u.test(between.slice(-200))
    ) {
      found.add(act);
    } else if (!act.bare) head = act;
  }
  return found;
}

interface Definitions {
  readonly names: readonly { readonly name: string; readonly celex: string; readonly type: ActType }[];
  readonly mentions: readonly Mention[];
  /** "the Directive", defined or transposed, by type. */
  readonly definite: ReadonlyMap<ActType, string>;
}

/** In brackets after the act, in quotes: `('the GDPR')`, `(im Folgenden: „DSGVO“)`, `(OJ L 1; 'the decision at issue')`. */
const definition =
  /[(;,][^()"'„“‘«]{0,60}?["'„“‘«](?:(?:the|die|der|das|la|le|les|el|il|lo|de|het|l') ?)?([^"'„“”’‘«»()\n]{2,60})["'“”’»]\)/giu;

/** In brackets without quotes: "(hereinafter: AFIR)", "(im Folgenden DSGVO)", or the abbreviation alone, "(DORA)". */
const abbreviation =
  /\((?:(?:hereinafter|hereafter|henceforth|nachfolgend|im folgenden|nachstehend|fortan|ci-après|ci-dessous|en adelante|en lo sucesivo|in prosieguo|(?:qui )?di seguito|in appresso|hierna|verder|dalej|zwan\p{L}{1,3} dalej|dále(?: jen)?|doravante|a seguir|adiante|nedan|i det följande|herefter|în continuare|denumit\p{L} în continuare|jäljempänä|u daljnjem tekstu|v nadaljnjem besedilu|a továbbiakban|ďalej(?: len)?|toliau|turpmāk|edaspidi|наричан\p{L}{1,2} по-нататък|εφεξής)(?: (?:te noemen|genoemd|referred to as|called|genannt|dénommée?|denominad[oa]|denominat[oa]|aangeduid als|abbreviated as))?[:,]? (?:(?:the|die|der|das|la|le|les|el|il|lo|de|het|l') ?)?)?((?:\p{L}+ )?\p{Lu}[\p{L}\d-]*\p{Lu}[\p{L}\d]*)\)/giu;

function findDefined(flat: FlatText, direct: readonly Mention[]): Definitions {
  const names: { name: string; celex: string; type: ActType; from: number }[] = [];
  const definite = new Map<ActType, string>();
  const add = (name: string, { celex, type }: Mention, from: number) => {
    const noun = typeOfNoun(name);
    if (noun !== undefined && noun === type && !definite.has(type)) definite.set(type, celex);
    if (noun === undefined && names.length < 40) names.push({ name, celex, type, from });
  };
  for (const match of flat.text.matchAll(definition)) {
    const name = match[1]!.trim();
    const block = flat.blockAt(match.index);
    const before = block === undefined ? [] : mentionsBefore(direct, block.start, match.index + 1);
    const noun = [...name.matchAll(nounShape)].at(-1)?.[0];
    const type = noun === undefined ? undefined : typeOfNoun(noun);
    const act = before.findLast(
      (each) =>
        !each.isInTitle && (type === undefined ? each.type !== 'treaty' || before.length === 1 : each.type === type),
    );
    if (act !== undefined && match.index - act.end < 600) add(name, act, match.index + match[0].length);
  }
  for (const match of flat.text.matchAll(abbreviation)) {
    // The pattern ignores case for the lead only.
    const name = match[1]!;
    if ((name.match(/\p{Lu}/gu)?.length ?? 0) < 2 || shortNames.test(name)) continue;
    const block = flat.blockAt(match.index);
    const act = block === undefined ? undefined : mentionsBefore(direct, block.start, match.index + 1).at(-1);
    if (act === undefined || act.isInTitle || act.type === 'treaty' || match.index - act.end > 2) continue;
    add(name, act, match.index + match[0].length);
  }
  // "richtlijn: Richtlijn (EU) 2026/1402": a list of definitions.
  for (const block of flat.blocks) {
    if (block.kind !== 'field') continue;
    const match = /^["'„“‘«]?([A-Za-zÀ-ž -]{3,50}?)["'“”’»]?: /u.exec(flat.text.slice(block.start, block.start + 70));
    const act =
      match === null ? undefined : firstAt(direct, block.start + match[0].length, block.start + match[0].length + 4);
    if (match !== null && act !== undefined) add(match[1]!, act, block.end);
  }
  for (const { name, act, end } of rowNumbers(flat, direct)) add(name, act, end);
  return { names, definite, mentions: mentionsOf(flat.text, names, direct) };
}

/** Communities and languages in brackets after an act. */
const shortNames = /^(?:EU|UE|EG|EC|CE|WE|EEC|EWG|EEA|EOG|EWR|CFSP|GASP|PESC|\p{L}{2})$/iu;

/** The last mentions of a block that end before a position. */
function mentionsBefore(direct: readonly Mention[], start: number, end: number): Mention[] {
  const found: Mention[] = [];
  for (let index = indexAt(direct, end); index !== undefined && index >= 0 && found.length < 30; index -= 1) {
    const mention = direct[index]!;
    if (mention.start < start) break;
    if (mention.end <= end) found.unshift(mention);
  }
  return found;
}

const nounShape = new RegExp(`(?<![A-Za-zÀ-ž])(?:${actNoun})(?![A-Za-zÀ-ž])`, 'giu');

function mentionsOf(
  text: string,
  names: readonly { readonly name: string; readonly celex: string; readonly type: ActType; readonly from: number }[],
  direct: readonly Mention[],
): Mention[] {
  if (names.length === 0) return [];
  const byName = new Map(names.map((each) => [each.name, each]));
  const words = [...byName.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const shape = new RegExp(`(?<![A-Za-zÀ-ž\\d])(?:${words.join('|')})(?![A-Za-zÀ-ž\\d])`, 'gu');
  const starts = new Set(direct.map(({ start }) => start));
  return [...text.matchAll(shape)].flatMap((match) => {
    const { celex, type, from } = byName.get(match[0])!;
    if (match.index < from - 200 && starts.has(match.index)) return [];
    return [
      {
        celex,
        type,
        how: 'defined' as const,
        isInTitle: false,
        start: match.index,
        end: match.index + match[0].length,
      },
    ];
  });
}

interface Reference extends Range {
  readonly type: ActType;
  /** "That delegated regulation". */
  readonly rank?: ActCitation['rank'];
  readonly how: 'own' | 'near' | 'back' | 'definite';
}

const referenceShape = new RegExp(
  `(?<![A-Za-zÀ-ž\\d])(?:(?:(${ownDeterminer})|(${nearDeterminer})|(${backDeterminer})|(${article})) ?(?:(?:delegated|implementing|delegierten?|gedelegeerde|prováděcí) )?(?:durchführungs|uitvoerings)?(${actNoun})${wordsAfter}|(dyrektyw[A-Za-zÀ-ž]{1,3}|rozporządzeni[A-Za-zÀ-ž]{1,2}|směrnic[A-Za-zÀ-ž]{1,2}|nařízení|decyzji))(?![A-Za-zÀ-ž])`,
  'giu',
);

function findReferences(text: string, known: readonly Mention[]): Reference[] {
  let next = 0;
  return [...text.matchAll(referenceShape)].flatMap((match) => {
    const [written, own, near, back, definite, noun = '', slavic] = match;
    const start = match.index;
    const end = start + written.length;
    while (next < known.length && known[next]!.end <= start) next += 1;
    if (next < known.length && known[next]!.start < end) return [];
    const type = typeOfNoun(noun === '' ? slavic! : noun);
    if (type === undefined) return [];
    // "die verordening" points back, "die Verordnung" is any.
    const isDutch = /^(?:verordening|richtlijn|besluit|beschikking|aanbeveling)/i.test(noun);
    const isBack = back !== undefined && (isDutch || !/^(?:die|dat)$/i.test(back));
    const how = own !== undefined ? 'own' : near !== undefined ? 'near' : isBack ? 'back' : 'definite';
    if (how === 'definite' && definite === undefined && slavic === undefined && back === undefined) return [];
    // Decisions of anybody have the definite article too.
    if (how === 'definite' && (type === 'decision' || type === 'recommendation')) return [];
    const rank = isDelegated.test(written) ? 'delegated' : isImplementing.test(written) ? 'implementing' : undefined;
    return [{ type, how, ...(rank === undefined ? {} : { rank }), start, end }];
  });
}

function resolveReferences(
  known: readonly Mention[],
  references: readonly Reference[],
  {
    kind,
    definite,
    isHead,
  }: {
    readonly kind: DocumentKind;
    readonly definite: ReadonlyMap<ActType, string>;
    /** Whether a mention is the first of its sentence, and near its beginning. */
    readonly isHead: (mention: Range, previous: Range | undefined) => boolean;
  },
): Mention[] {
  const { own, transposed } = kind;
  const last = new Map<string, Mention>();
  /** "The Regulation" is the basic act that sentences begin with, and not one that they name as an object. */
  const subjects = new Map<ActType, Mention>();
  const resolved: Mention[] = [];
  let head: Mention | undefined;
  const all = [...known, ...references].sort((a, b) => a.start - b.start);
  for (const each of all) {
    const mention = 'celex' in each ? each : resolve(each);
    if (mention === undefined) continue;
    const previous = resolved.at(-1);
    resolved.push(mention);
    if (!mention.isInTitle) head = mention;
    if (mention.how === 'bare' || (mention.isInTitle && head?.type === mention.type)) continue;
    last.set(mention.type, mention);
    if (
      mention.rank === undefined &&
      (!subjects.has(mention.type) || mention.how === 'definite' || isHead(mention, previous))
    )
      subjects.set(mention.type, mention);
    if (mention.rank !== undefined) last.set(`${mention.rank} ${mention.type}`, mention);
  }
  return resolved;

  function resolve({ type, how, rank, start, end }: Reference): Mention | undefined {
    const as = (celex: string, said: Mention['how']): Mention => ({
      celex,
      type,
      how: said,
      isInTitle: false,
      start,
      end,
    });
    if ((how === 'own' || how === 'near') && own !== undefined && own.type === type) return as(own.celex, 'own');
    if (how === 'own') return undefined;
    const subject = how === 'definite' && rank === undefined ? subjects.get(type) : undefined;
    const before =
      (rank === undefined ? undefined : last.get(`${rank} ${type}`)) ??
      (subject !== undefined && start - subject.end <= distanceMax ? subject : last.get(type));
    const near = before !== undefined && start - before.end <= distanceMax ? before : undefined;
    if (how === 'definite') {
      const named = definite.get(type) ?? (type === 'directive' ? transposed : undefined);
      if (named !== undefined) return as(named, 'definite');
      // In an act, "the Regulation" can be any.
      if (own !== undefined && own.type === type) return undefined;
    }
    return near === undefined ? undefined : as(near.celex, how === 'definite' ? 'definite' : 'back');
  }
}

function mergeRanges(direct: readonly Mention[], defined: readonly Mention[]): Mention[] {
  const merged: Mention[] = [];
  for (const mention of [...direct, ...defined].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (mention.start >= (merged.at(-1)?.end ?? 0)) merged.push(mention);
  }
  return merged;
}
