/**
 * Maps the statements of documents to the controls of the frameworks that the documents or the question name. It reads
 * statements and does not establish facts: "addressed" means that a document says so, and a control counts as addressed if any
 * of its themes is stated. A gap is a control that the document states as missing; a control that it does not mention may be in another one.
 */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { documentsOnly, languageOf } from '../../document/corpus.ts';
import { type Document, readDocument, sentenceAt } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { listLines } from '../text/list-lines.ts';
import { compilePhrases, findPhrases, type PhraseMatch } from '../text/phrases.ts';
import { bounded, excerpt, type Range, type Span } from '../text/span.ts';
import { frameworkMentions } from './applied-frameworks.ts';
import { dora, gdpr, nis2 } from './eu-rules.ts';
import type { Framework } from './framework.ts';
import { iso27001 } from './iso27001.ts';
import { pciDss } from './pci-dss.ts';
import { readingOf } from './reading.ts';
import { soc2 } from './soc2.ts';
import { allThemes } from './themes.ts';

export const allFrameworks: readonly Framework[] = [gdpr, nis2, dora, iso27001, soc2, pciDss];

/** `stated`: a sentence says that it exists; `denied`: every sentence that mentions it says that it is missing or planned. */
export type ThemeStatus = 'stated' | 'denied' | 'absent';

export interface ThemeFinding {
  readonly id: string;
  readonly title: string;
  readonly status: ThemeStatus;
  /** How many sentences mention it. */
  readonly sentences: number;
  readonly span?: Span;
  readonly excerpt?: string;
}

export interface FrameworkFinding {
  readonly id: string;
  readonly name: string;
  readonly controls: number;
  readonly addressed: number;
  /** "A.8.13 Backup": what documents describe as missing or planned. */
  readonly gaps: readonly string[];
  /** What no document mentions. */
  readonly notMentioned: readonly string[];
}

export const controlMapping: AgentTool = {
  name: 'control_mapping',
  version: '3',
  purpose:
    'Maps what a text states to controls of GDPR, NIS2, DORA, ISO 27001, SOC 2 and PCI DSS, if it names them. Text: a policy, in English.',
  run(documents) {
    const texts = documentsOnly(documents);
    const { themes } = readThemes(texts);
    const compared = comparedFrameworks(documents, texts);
    const frameworks = allFrameworks
      .filter(({ id }) => compared.has(id))
      .map((framework) => coverageOf(framework, themes));
    const language = languageOf(documents);
    const rule = 'addressed: the documents state at least one theme of the control, in English';
    const lines = digestOf(frameworks, themes);
    return toFindings({ rule, language, frameworks, themes }, language === 'other' ? [otherLanguage, ...lines] : lines);
  },
};

const otherLanguage =
  'The text is not English: the mapping reads English wording only, so the text can contain what is reported as not found.';

/** Frameworks that a document applies, and those that a question names. A denied, planned or foreign one is not compared. */
function comparedFrameworks(documents: readonly AgentDocument[], texts: readonly AgentDocument[]): ReadonlySet<string> {
  return new Set(
    documents.flatMap((document) => {
      const isQuestion = !texts.includes(document);
      return frameworkMentions(readingOf(document))
        .filter(({ status }) => isQuestion || status === 'applied')
        .map(({ id }) => id);
    }),
  );
}

export function readThemes(documents: readonly AgentDocument[]): { themes: ThemeFinding[] } {
  const evidence = new Map<string, Evidence>();
  for (const document of documents) {
    const reading = readDocument(document);
    for (const match of findPhrases(reading.words, phrases)) {
      collect(evidence, reading, match);
    }
  }
  const themes = allThemes.map(({ id, title }): ThemeFinding => {
    const found = evidence.get(id);
    const best = found?.stated ?? found?.denied;
    if (found === undefined || best === undefined) return { id, title, status: 'absent', sentences: 0 };
    const status = found.stated === undefined ? 'denied' : 'stated';
    return { id, title, status, sentences: found.sentences, span: best.span, excerpt: best.excerpt };
  });
  return { themes };
}

/** Compares the controls of a framework with the themes of the documents. */
export function coverageOf({ id, name, controls }: Framework, themes: readonly ThemeFinding[]): FrameworkFinding {
  const statusOf = new Map(themes.map((theme) => [theme.id, theme.status]));
  const gaps: string[] = [];
  const notMentioned: string[] = [];
  for (const control of controls) {
    const statuses = control.themes.map((each) => statusOf.get(each) ?? 'absent');
    if (statuses.includes('stated')) continue;
    (statuses.includes('denied') ? gaps : notMentioned).push(`${control.id} ${control.title}`);
  }
  const addressed = controls.length - gaps.length - notMentioned.length;
  return { id, name, controls: controls.length, addressed, gaps, notMentioned };
}

const phrases = compilePhrases<string>(allThemes.map(({ id, wording }) => [id, wording] as const));

interface Evidence {
  sentences: number;
  lastSentence: string;
  stated?: { span: Span; excerpt: string };
  denied?: { span: Span; excerpt: string };
}

function collect(evidence: Map<string, Evidence>, reading: Document, match: PhraseMatch<string>): void {
  const sentence = sentenceAt(reading, match.start);
  const key = `${reading.message} ${sentence.start}`;
  const known = evidence.get(match.label) ?? { sentences: 0, lastSentence: '' };
  evidence.set(match.label, known);
  const isNew = known.lastSentence !== key;
  if (isNew) known.sentences += 1;
  known.lastSentence = key;
  if (known.stated !== undefined || (!isNew && known.denied !== undefined)) return;
  if (reading.text[sentence.end - 1] === '?') return;
  const found = { span: reading.spanOf(sentence), excerpt: excerpt(reading.text, sentence) };
  if (isDenied(reading.text, sentence, match)) known.denied ??= found;
  else known.stated = found;
}

const denial =
  /\b(?:no|not|never|without|lacks?|lacking|missing|absent|absence of|none|neither|planned|plans to|to be (?:implemented|introduced|defined|established)|pending|outstanding|gap|yet to|will be (?:implemented|introduced)|roadmap|intends? to|in (?:the )?future)\b/i;

/** "not only", "not more than" and similar words do not negate. */
const harmless =
  /\b(?:not|no) (?:only|more than|less than|later than|longer than|limited to|exceed)|\bwithout (?:undue|delay)|\bno longer than/gi;

/** Examines the clause around the match: at most 120 characters before and 80 after, within the sentence. */
function isDenied(text: string, sentence: Range, match: Range): boolean {
  const start = Math.max(sentence.start, match.start - 120);
  const around = text.slice(start, Math.min(sentence.end, match.end + 80));
  return denial.test(around.replace(harmless, ' '));
}

function controlLines(title: string, controls: readonly string[]): string[] {
  const { items, more } = bounded(controls, 12);
  return listLines(title, more > 0 ? [...items, `and ${more} more`] : items);
}

function digestOf(frameworks: readonly FrameworkFinding[], themes: readonly ThemeFinding[]): string[] {
  const lines = frameworks.map(
    ({ name, controls, addressed, gaps, notMentioned }) =>
      `${name}: ${addressed} of ${controls} controls addressed by the wording, ${gaps.length} said to be missing, ${notMentioned.length} not in the text.`,
  );
  if (frameworks.length === 0) lines.push('No framework is named, so none was compared; name one in the question.');
  for (const { title, status, span, excerpt: shown } of themes) {
    if (status === 'denied' && span !== undefined)
      lines.push(`Said to be missing: ${title}: "${shown}" ${place(span)}`);
  }
  const stated = themes.filter(({ status }) => status === 'stated');
  const absent = themes.filter(({ status }) => status === 'absent');
  return [
    ...lines,
    ...listLines(
      'Stated',
      stated.map(({ title, span }) => `${title} ${place(span!)}`),
    ),
    ...frameworks.flatMap(({ name, gaps }) => controlLines(`Gaps, ${name}`, gaps)),
    ...frameworks.flatMap(({ name, notMentioned }) => controlLines(`Not in the text, ${name}`, notMentioned)),
    ...(frameworks.length === 0
      ? []
      : listLines(
          'Themes not in the text',
          absent.map(({ title }) => title),
        )),
  ];
}
