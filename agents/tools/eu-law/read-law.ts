/** What a document says of Union law: its acts, where it mentions them, and its articles with their acts. Each read once. */
import type { Document } from '../../document/document.ts';
import { type FoundDate, findDates } from '../text/dates.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { type ActCitation, findActs } from './act-citations.ts';
import { findMentions, type Mention } from './act-references.ts';
import { findArticles, findParagraphs } from './article-citations.ts';
import { type FlatText, flatTextOf } from './flat-text.ts';
import { type DocumentKind, documentKindOf } from './own-act.ts';
import { type ResolvedArticle, resolveArticles } from './resolve-act.ts';

export interface LawText {
  readonly flat: FlatText;
  /** Ordered by position in the flat text, as all lists here. */
  readonly acts: readonly ActCitation[];
  readonly mentions: readonly Mention[];
  readonly articles: readonly ResolvedArticle[];
  readonly kind: DocumentKind;
  /** Whole days that the text names. */
  readonly dates: readonly FoundDate[];
  /** The act by its CELEX number, as it is first cited; undefined for acts that are only known by the title. */
  actOf(celex: string): ActCitation | undefined;
  /** The caller's offsets. */
  spanOf(range: Range): ReturnType<Document['spanOf']>;
}

const read = new WeakMap<Document, LawText>();

/** The tools of the agent read the same document in turn. */
export function readLaw(document: Document): LawText {
  const known = read.get(document);
  if (known !== undefined) return known;
  const law = build(document);
  read.set(document, law);
  return law;
}

function build(document: Document): LawText {
  const flat = flatTextOf(document);
  const acts = findActs(flat.text);
  const kind = documentKindOf(flat, acts);
  const mentions = findMentions(flat, acts, kind);
  const found = findArticles(flat.text);
  const paragraphs = findParagraphs(flat.text).filter(({ start, end }) => {
    const index = indexAt(found, end);
    return index === undefined || found[index]!.end <= start;
  });
  const byCelex = new Map<string, ActCitation>();
  for (const act of acts) if (!byCelex.has(act.celex)) byCelex.set(act.celex, act);
  return {
    flat,
    dates: findDates(flat.text).filter(({ iso }) => iso.length === 10),
    acts,
    kind,
    mentions,
    articles: resolveArticles({ flat, mentions, kind }, found, paragraphs),
    actOf: (celex) => byCelex.get(celex),
    spanOf: (range) => document.spanOf(flat.sourceOf(range)),
  };
}
