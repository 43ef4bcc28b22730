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
  /** Of the corrigendum or the section. */
  let topic: string | undefined;
  let isCorrigendum = false;
  let isFirst = false;
  let question: string | undefined;
  for (const block of flat.blocks) {
    const shown = flat.text.slice(block.start, Math.min(block.end, block.start + 60));
    if (corrigendumTo.test(shown)) {
      topic = onlyAct(mentions, block, true);
      isCorrigendum = true;
    } else if (block.kind === 'heading' && !isCorrigendum && isMain(shown)) {
      topic = onlyAct(mentions, block, false);
      isFirst = topic === undefined;
    } else if (isFirst && block.kind !== 'heading') {
      topic = introduced(flat, mentions, block);
      isFirst = false;
    }
    found.push(question ?? topic);
    question = flat.text[block.end - 1] === '?' ? onlyAct(mentions, block, false) : undefined;
  }
  return found;
}

/** Subheadings of a few words stay within the section: "Five things to do". */
function isMain(heading: string): boolean {
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
