/** Finds diseases, symptoms and signs in a record, each with its status. */
import { type Document, sentenceAt } from '../../document/document.ts';
import { lazily } from '../text/lazily.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range, Span } from '../text/span.ts';
import type { Word } from '../text/words.ts';
import { type ClinicalStatus, clinicalStatus } from './clinical-status.ts';
import { isForeign } from './foreign.ts';
import { englishProblems } from './problem-terms.ts';
import { czechAndPortugueseProblems } from './problem-terms-czech-portuguese.ts';
import { dutchPolishAndItalianProblems } from './problem-terms-dutch-polish-italian.ts';
import { furtherProblems } from './problem-terms-further.ts';
import { nordicProblems } from './problem-terms-nordic.ts';
import { otherProblems } from './problem-terms-other.ts';
import { spanishProblems } from './problem-terms-spanish.ts';
import { sectionAt } from './sections.ts';
import { rowAt } from './table-titles.ts';

export interface Problem {
  /** The words of the record. */
  readonly name: string;
  /** The usual English name. */
  readonly term: string;
  readonly status: ClinicalStatus;
  readonly span: Span;
}

interface Term {
  readonly words: readonly string[];
  readonly term: string;
  readonly isEpisode: boolean;
  /** Short abbreviations count only in capitals, because they are also words. */
  readonly isCapital: boolean;
}

const smallAbbreviations = new Set(
  'htn copd chf dvt gerd cad ckd afib uti utis bph tia cva t2dm esrd pavk khk bpco hta flu strep kol kols uvi pchn pochp osas irc ipb mrge toux tos pijn rak guz ból udar lęk poty kløe asma gota dor slem värk jeuk zona'.split(
    ' ',
  ),
);

/** By the first word, the longest first. */
const terms = lazily(() =>
  indexOfTerms(
    `${englishProblems}${otherProblems}${furtherProblems}${spanishProblems}${czechAndPortugueseProblems}${nordicProblems}${dutchPolishAndItalianProblems}`,
  ),
);

function indexOfTerms(source: string): Map<string, Term[]> {
  const index = new Map<string, Term[]>();
  for (const line of source.trim().split('\n')) {
    const isEpisode = line.startsWith('!');
    for (const entry of line.replace(/^! /, '').split('; ')) {
      const [written = '', name = written] = entry.split(' = ');
      const words = written.trim().split(' ');
      const isCapital = entry.includes(' = ') && written.trim().length <= 4 && !smallAbbreviations.has(written.trim());
      const list = index.get(words[0]!) ?? [];
      list.push({ words, term: name.trim(), isEpisode, isCapital });
      index.set(words[0]!, list);
    }
  }
  for (const list of index.values()) list.sort((one, other) => other.words.length - one.words.length);
  return index;
}

/** Suffixes of names of diseases and signs, and a list of exceptions. */
const endings =
  /(?:itis|itides|aemia|emia|ämie|émie|pathy|pathie|algia|algie|carcinoma|karzinom|sarcoma|lymphoma|blastoma|cytoma|hematoma|haematoma|hämatom|hématome|plegia|plegie|paresis|parese|uria|urie|rrhea|rrhoea|rrhagia|rrhoe|megaly|megalie|pnea|pnoea|pnoe|cardia|kardie|penia|penie|pénie|ectasis|ektasie|lithiasis|phagia|phasia|thrombosis|thrombose|stenosis|stenose|sténose|sclerosis|sklerose|sclérose|fibrosis|fibrose|necrosis|nekrose|kyphosis|dermatosis|neurosis|psychosis|osteosis|throsis|arthrose|fraktur|embolie|insuffizienz|infarkt|schmerzen|schmerz|blutung|blutungen|entzündung|ödem|ödeme|erguss|syndrom|thyroidism|natremia|kalemia|calcemia|patía|patia|plejía|plegía|paresia|paresi|megalia|rrea|rragia|litiasis|litiasi|trombosis|trombosi|estenosis|stenosi|esclerosis|sclerosi|fibrosi|necrosi|artrosis|artrosi|ectasia|disfagia|disfasia|insuficiencia|insufficienza)$/u;
/** The last part of a compound in German, Dutch and Nordic languages. */
const compoundEndings =
  /^\p{L}{3,}(?:krankheit|krankheiten|störung|störungen|schwäche|lähmung|schwellung|tumor|metastasen?|abszess|karzinose|krebs|steine?|depression|sjukdom|sjukdomar|sygdom|sygdomme|sykdom|smärta|smärtor|smerter?|svikt|svigt|inflammation|betændelse|betennelse|infektion|infeksjon|infekt|infectie|blödning|blødning|cancer|kræft|kreft|kanker|carcinoom|brud|brudd|fractuur|frakturen|emboli|embolier|trombos|trombose|infarct|ziekte|pijn|ontsteking|bloeding|falen|insufficiëntie|insufficiens|zwelling|flimmer|flimren|besvär|besvær|klachten|stoornis|stoornissen|depression|ödem|ødem|oedeem|klåda|kløe|sår|syndroom)$/u;
const exceptions = new Set(
  'academia anemia euphemia bohemia myocardia pericardia epithermia leukemia sepsis uremia'.split(' '),
);

/** A record of 60,000 characters names fewer. */
const mentionsMax = 1_200;

interface FoundProblem extends Range {
  readonly term: string;
  readonly isEpisode: boolean;
}

/** In the order of the text; one per name and status. */
export function findProblems(document: Document): Problem[] {
  const found = new Map<string, Problem>();
  const quoted = new Set<string>();
  const quotations = [...document.text.matchAll(quotation)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  for (const { start, end, term, isEpisode } of problemMentions(document).slice(0, mentionsMax)) {
    if (isElsewhere(document, { start, end }) || isForeign(document, start)) continue;
    const status = clinicalStatus(document, { start, end }, isEpisode);
    if (status === undefined) continue;
    const name = document.text.slice(start, end).replace(/\s+/g, ' ');
    const key = `${name.toLowerCase()} ${status}`;
    const isRepeat = /^\p{Lu}{2,5}$/u.test(name) && found.has(`${term.toLowerCase()} ${status}`);
    const at = indexAt(quotations, start);
    if (status === 'affirmed' && at !== undefined && start < quotations[at]!.end) quoted.add(key);
    if (!found.has(key) && !isRepeat) found.set(key, { name, term, status, span: document.spanOf({ start, end }) });
  }
  // What an earlier letter says in its quotation, and the author denies, is not so now.
  return [...found].flatMap(([key, problem]) =>
    quoted.has(key) && found.has(key.replace(/affirmed$/, 'negated')) ? [] : [problem],
  );
}

/** Words of somebody else over more than a phrase. */
const quotation = /["“„«][^"“”„«»]{60,900}["”“»]/gu;

/** "5.7–6.4 prediabetes" in the column of reference ranges. */
function isInReference(document: Document, start: number): boolean {
  const row = rowAt(document, start);
  const column = row?.cells.findIndex((cell) => cell.start <= start && start < cell.end) ?? -1;
  return column > 0 && referenceTitle.test(row!.titles[column]?.trim() ?? '');
}

const referenceTitle =
  /^(?:(?:biological |normal )?ref(?:erence|\.)?(?: (?:range|interval|value)s?)?|normal(?: range| values?)?|referenz\p{L}*|normbereich|normwerte?|valeurs? (?:de référence|normales?)|normes?|valores? (?:de referencia|normales)|valori di riferimento|referentie\p{L}*)$/iu;

/** An allergy, a hospital unit or a number is not a separate problem. */
function isElsewhere(document: Document, { start, end }: Range): boolean {
  const { text } = document;
  if (sectionAt(document, start).kind === 'allergies' || isOfNewborn(document, start)) return true;
  if (isInReference(document, start)) return true;
  const after = text.slice(end, end + 24);
  const written = text.slice(start, end);
  if (/^[A-Z]{1,4}$/.test(written) && /^\s{0,2}[:=]?\s{0,2}(?!(?:19|20)\d\d(?!\d)|\d{1,2}[./]\d)\d/.test(after))
    return true;
  if (
    /^(?:PE|RA|LOC|CAP|AF|FA|EP)$/.test(written) &&
    (/^\s{0,2}[:]/.test(after) || /(?:%|\bon|air)[ \t]{1,2}$/i.test(text.slice(Math.max(0, start - 6), start)))
  )
    return true;
  if (text[start - 1] === '[' && /^\//.test(after)) return true;
  // "Glucemia capilar 187 mg/dl": a quantity.
  if (/^\s{0,2}(?:\p{L}{3,12}\s)?:?\s?\d[\d.,]*\s?(?:mg|mmol|g|µmol)\s?\/\s?d?l/iu.test(text.slice(end, end + 40)))
    return true;
  // The reaction of an allergy.
  if (reactionBefore.test(text.slice(Math.max(0, start - 60), start)) && /^\)/.test(after)) return true;
  return /^(?:[ -]induced|[ -]related|[ -]free|[ -]negative|-positive)/i.test(after);
}

const maternity =
  /(?<!\p{L})(?:G\d\s?P\d|gravida|antepartum|postpartum|post-natale?|prénatal\p{L}*|maternit\p{L}+|obstetric\p{L}*|wochenbett|entbindung|schwangerschaft|accouchement|césarienne|grossesse|puerperi\p{L}+|embarazo|parto|gravidanza|zwangerschap|bevalling|ciąż\p{L}+|těhotenstv\p{L}+)(?!\p{L})/iu;
const newborn =
  /^[\s\p{P}]{0,4}(?:l['’](?:enfant|nouveau-né)|le (?:nouveau-né|bébé)|the (?:baby|infant|newborn|neonate|child)|(?:das|der) (?:kind|neugeborene|säugling)|el (?:recién nacido|bebé|niño)|la (?:niña|recién nacida)|il (?:neonato|bambino)|la (?:neonata|bambina)|het kind|de baby|o (?:recém-nascido|bebé)|noworodek|dziecko|novorozenec)(?!\p{L})/iu;

/** In the record of a mother. */
export function isOfNewborn(document: Document, at: number): boolean {
  const { start } = sentenceAt(document, at);
  return newborn.test(document.text.slice(start, start + 60)) && maternity.test(document.text.slice(0, 8_000));
}

const reactionBefore =
  /(?<!\p{L})(?:alergi\p{L}|intoleranci\p{L}|allergi[ae]|intolleranza|allergy|intolerance|alergi\p{L}|uczulenie|unverträglichkeit) [^.;()\n]{3,40} \($/iu;

/** The longest term at each position. */
function problemMentions(document: Document): FoundProblem[] {
  const words = plainWords(document.words);
  const found: FoundProblem[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const term = longestAt(document.text, words, index);
    if (term === undefined) continue;
    const last = words[index + term.words.length - 1]!;
    const first = withQualifiers(words, index, found.at(-1)?.end ?? 0);
    found.push({ start: first, end: last.end, term: term.term, isEpisode: term.isEpisode });
    index += term.words.length - 1;
  }
  return found;
}

function longestAt(text: string, words: readonly Word[], index: number): Term | undefined {
  const word = words[index]!;
  const known = terms()
    .get(word.text)
    ?.find(({ words: all, isCapital }) => {
      const fits = all.every((part, at) => {
        const here = words[index + at];
        return here !== undefined && here.text === part && (at === 0 || !here.opens);
      });
      return fits && (!isCapital || isInCapitals(text.slice(word.start, word.end)));
    });
  if (known !== undefined) return known;
  const eponym = eponymAt(text, words, index);
  if (eponym !== undefined) return eponym;
  if (word.text.length < 8 || exceptions.has(word.text)) return undefined;
  if (!endings.test(word.text) && !compoundEndings.test(word.text)) return undefined;
  return {
    words: [word.text],
    term: word.text,
    isEpisode:
      /(?:carcinoma|karzinom|carcinoom|cancer|krebs|kanker|kræft|kreft|fraktur|fractuur|brud|brudd|embolie?r?|infar[kc]t|trombos|trombose|infe[kc]tion)$/.test(
        word.text,
      ),
    isCapital: false,
  };
}

const notEponyms = new Set(
  'the this that his her no any other chronic acute severe mild heart liver lung kidney renal cardiac infectious communicable underlying systemic metastatic recurrent stable active advanced residual of and with clinical viral a des du de la le un bei beim mit am im das ein einer'.split(
    ' ',
  ),
);

/** "Brugada syndrome", "Whipple's disease", "Morbus Wilson", "Sjögren-Syndrom", "syndrome de Lynch". */
function eponymAt(text: string, words: readonly Word[], index: number): Term | undefined {
  const [word, next, third] = [words[index]!, words[index + 1], words[index + 2]];
  if (next === undefined || next.opens) return undefined;
  const isName = (each: Word) =>
    /^\p{Lu}\p{Ll}{2,}/u.test(text.slice(each.start, each.end)) && !notEponyms.has(each.text);
  const term = (count: number): Term => {
    const all = words.slice(index, index + count).map((each) => each.text);
    return { words: all, term: all.join(' '), isEpisode: false, isCapital: false };
  };
  if (/^(?:syndrome?|disease|krankheit)$/.test(next.text) && isName(word)) return term(2);
  if (word.text === 'morbus' && isName(next)) return term(2);
  const isFrench =
    /^(?:syndrome|maladie)$/.test(word.text) &&
    next.text === 'de' &&
    third !== undefined &&
    !third.opens &&
    isName(third);
  return isFrench ? term(3) : undefined;
}

function isInCapitals(written: string): boolean {
  return /^\p{Lu}/u.test(written) && /\p{Lu}/u.test(written.slice(1));
}

/** French articles are parts of their word: "d'infarctus". */
export function plainWords(words: readonly Word[]): Word[] {
  return words.map((word) => {
    const cut = /^(?:d|l|qu|n|s|j|m|c)'/.exec(word.text)?.[0].length ?? 0;
    return cut === 0 ? word : { ...word, text: word.text.slice(cut), start: word.start + cut };
  });
}

const qualifiers = new Set(
  (
    'acute chronic left right bilateral recurrent paroxysmal permanent essential systolic diastolic ' +
    'upper lower sided abdominal chest leg arm back neck head joint knee hip shoulder calf breast lung ' +
    'colon prostate renal hepatic aortic mitral femoral inguinal pleural pericardial pulmonary cerebral portal ventricular atrial venous arterial ' +
    'ischemic ischaemic hemorrhagic haemorrhagic metastatic seasonal gestational congenital primary secondary uncomplicated akute chronische chronisches akutes akut akutes kronisk kroniska acuut acute chronische'
  ).split(' '),
);

function withQualifiers(words: readonly Word[], index: number, from: number): number {
  let first = index;
  while (first > 0 && index - first < 3) {
    const before = words[first - 1]!;
    if (
      words[first]!.opens ||
      before.start < from ||
      !qualifiers.has(before.text) ||
      words[first]!.start - before.end > 2
    )
      break;
    first -= 1;
  }
  return words[first]!.start;
}
