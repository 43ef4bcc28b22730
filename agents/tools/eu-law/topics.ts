/** The act that a part of a document is about: a corrigendum's title, a question, the paragraph that a section begins with. */
import { allWithin, indexAt } from '../text/ranges.ts';
import type { Mention } from './act-references.ts';
import type { FlatBlock, FlatText } from './flat-text.ts';

interface Named {
  readonly flat: FlatText;
  readonly mentions: readonly Mention[];
}

/** In all languages of the Official Journal, with the article of the title. */
export const corrigendumTo =
  /^(?:\d{1,3}[.)] )?(?:corrigendum (?:to|of)|corrigenda to|berichtigung (?:der|des|zur|zum)|rectificatif (?:au|à la|à l')|corrección de errores (?:del?|de la)|rettifica (?:del|della|al|alla)|rectificatie (?:van|bij)|sprostowanie do|oprava (?:nařízení|směrnice|rozhodnutí|prováděcího|k)|retificação (?:do|da|ao|à)|rättelse till|berigtigelse til|oikaisu|rectificare la|helyesbítés|ispravak|popravek|korigendum k|parandus|labojums|klaidų ištaisymas|διορθωτικό|поправка на)(?![\p{L}])/iu;

const topics = new WeakMap<FlatText, readonly (string | undefined)[]>();

/** CELEX number of the act that the part around a position is about; undefined where several could be meant. */
export function topicAt({ flat, mentions }: Named, position: number): string | undefined {
  const known = topics.get(flat) ?? readTopics({ flat, mentions });
  topics.set(flat, known);
  const index = indexAt(flat.blocks, position);
  return index === undefined ? undefined : known[index];
}

/** Of each block. */
function readTopics({ flat, mentions }: Named): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  const whole = newAct(flat, mentions);
  /** Of the corrigendum or the section. */
  let topic: string | undefined;
  let isCorrigendum = false;
  let isFirst = false;
  let question: string | undefined;
  const hasSections = flat.blocks.some((block) => isMain(flat, block));
  for (const block of flat.blocks) {
    const shown = flat.text.slice(block.start, Math.min(block.end, block.start + 60));
    if (corrigendumTo.test(shown)) {
      topic = onlyAct(mentions, block, true);
      isCorrigendum = true;
    } else if (!isCorrigendum && isMain(flat, block)) {
      topic = onlyAct(mentions, block, false);
      isFirst = topic === undefined;
    } else if (isFirst && block.kind !== 'heading') {
      topic = introduced(flat, mentions, block);
      isFirst = false;
    }
    found.push(question ?? topic ?? (isCorrigendum || hasSections ? undefined : whole));
    question = flat.text[block.end - 1] === '?' ? onlyAct(mentions, block, false) : undefined;
  }
  return found;
}

/** A longer numbered line is an item. */
const titleCharactersMax = 110;

/** Subheadings of a few words stay within the section: "Five things to do". */
function isMain(flat: FlatText, { kind, start, end }: FlatBlock): boolean {
  if (kind !== 'heading' || end - start > titleCharactersMax) return false;
  const heading = flat.text.slice(start, end);
  // "1. Incidents. A manufacturer informs …" is an item.
  if (/\p{L}[.!?] \p{Lu}|[\p{L})][.;]$/u.test(heading)) return false;
  return (
    /^(?:\d{1,2}|[A-Z]|[IVX]{1,5})[.)] /u.test(heading) ||
    /^(?:part|teil|partie|parte|deel|część|section|abschnitt|rozdział|kapitel) /iu.test(heading)
  );
}

/** @param first whether further acts belong to the title of the first */
function onlyAct(mentions: readonly Mention[], block: FlatBlock, first: boolean): string | undefined {
  const named = allWithin(mentions, block).filter(
    ({ isInTitle, how, type }) => !isInTitle && how !== 'bare' && type !== 'treaty',
  );
  const acts = new Set(named.map(({ celex }) => celex));
  return acts.size === 1 || (first && acts.size > 0) ? named[0]!.celex : undefined;
}

/** "Regulation (EU) 2027/314 … was published": the act that the first sentence of a section presents. */
function introduced(flat: FlatText, mentions: readonly Mention[], block: FlatBlock): string | undefined {
  const sentence = flat.sentenceAt(block.start);
  const named = allWithin(mentions, sentence).filter(
    ({ isInTitle, how, type }) => !isInTitle && how === 'number' && type !== 'treaty',
  );
  const [act] = named;
  if (act === undefined || new Set(named.map(({ celex }) => celex)).size > 1) return undefined;
  // A case or an article before the act: the section is about that.
  const before = flat.text.slice(sentence.start, act.start);
  return /(?<!\p{L})(?:case|joined|rechtssache|affaire|asunto|causa|zaak|spraw|věc|art)/iu.test(before)
    ? undefined
    : act.celex;
}

const announced =
  /(?<!\p{L})(?:publish\p{L}{0,3}|adopted|enters? into force|entered into force|veröffentlicht|verabschiedet|angenommen|in kraft|publiée?|adoptée?|paru\p{L}{0,2}|entre(?:ra)? en vigueur|publicad[oa]|publicó|aprobad[oa]|adoptad[oa]|entra(?:rá)? en vigor|pubblicat[oa]|adottat[oa]|approvat[oa]|entra in vigore|gepubliceerd|bekendgemaakt|vastgesteld|in werking|opublikowan\p{L}{1,2}|przyjęt\p{L}{1,2}|wejdzie w życie|publicou|offentliggjort|vedtaget|publicera\p{L}{1,2}|antogs|antagits)(?!\p{L})/iu;
/** Where a letter or an alert has introduced what it is about. */
const introductionCharactersMax = 2_000;

/** The act that a text without numbered sections announces at its beginning, and names more often than any other. */
function newAct(flat: FlatText, mentions: readonly Mention[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { celex, type, how, isInTitle } of mentions)
    if (type !== 'treaty' && how !== 'bare' && !isInTitle) counts.set(celex, (counts.get(celex) ?? 0) + 1);
  const [most, second] = [...counts].sort(([, one], [, other]) => other - one);
  const first = mentions.find(({ type, how }) => type !== 'treaty' && how === 'number');
  if (first === undefined || most?.[0] !== first.celex || most[1] <= (second?.[1] ?? 0)) return undefined;
  if (first.start > introductionCharactersMax) return undefined;
  const sentence = flat.sentenceAt(first.start);
  return announced.test(flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 500)))
    ? first.celex
    : undefined;
}
