/**
 * What each part of a report is about, from its headings, the labels of its lines and the captions of its tables, in English,
 * German, French, Spanish, Italian and Dutch.
 */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { isNumberedItem } from './numbered-items.ts';

export type Topic =
  | 'summary'
  | 'timeline'
  | 'impact'
  | 'cause'
  | 'detection'
  | 'actions'
  | 'indicators'
  | 'own-infrastructure'
  | 'sample'
  | 'other';

export interface TopicRange extends Range {
  readonly topic: Topic;
  readonly title: string;
}

/** The first pattern that matches the title decides. */
const titles: readonly (readonly [Topic, RegExp])[] = [
  [
    'sample',
    /^(?:[A-Z\d.]{1,4}\s+)?(?:(?:appendix|annex|anhang|annexe|anexo|allegato|bijlage|załącznik|bilaga|bilag)\b[^:]{0,8}:?\s*)?(?:sample|template|example|muster|beispiel|mod[eè]le|exemple|ejemplo|voorbeeld|sjabloon|plantilla|modello|esempio|szablon|przykład|modelo|exemplo|mall|exempel|skabelon|eksempel)(?!\p{L})|\b(?:sample|example) (?:finding|issue|entry)|^(?:past|previous|earlier|older|other) (?:incidents?|outages?)|incident history|frühere (?:vorfälle|störungen)|incidents (?:passés|précédents|antérieurs)|incidentes (?:anteriores|pasados)|incidenti (?:precedenti|passati)|eerdere (?:incidenten|storingen)/iu,
  ],
  [
    'own-infrastructure',
    /\b(?:test(?:ing)? (?:infrastructure|accounts?|systems?)|our (?:infrastructure|scanners?)|testinfrastruktur|infrastructure de test|rules? of engagement)\b/i,
  ],
  [
    'indicators',
    /\b(?:iocs?|indicators?(?! of (?:success|performance))|observables?|artefacts?|artifacts?|indikatoren|spuren|kompromittierungsindikatoren|indicateurs? (?:de compromission|techniques?)|marqueurs?|cadena de infecci[óo]n|infection chain|infektionskette|cha[îi]ne d['’]infection|catena di infezione|indicadores|indicatori|indicatoren)\b/i,
  ],
  [
    'actions',
    /(?<!\p{L})(?:actions?(?: items?| plan| points?)?|(?:corrective|remedial|follow[- ]?up|preventi(?:ve|on)) (?:actions?|measures?|items?|steps?)|follow[- ]?ups?|remediation (?:plan|items?|actions?)|next steps|improvements?|remediation|what we(?: are|['’]re| will| have)? (?:do|doing|done|change)\w*|prevent(?:ion|ive|ative)\w*|lessons learned|wie wir .{0,40}verhindern|lehren|leçons|enseignements|lecciones|maßnahmen\w*|massnahmen\w*|folgemaßnahmen|aufgaben|mesures?|plan d['’]actions?|acciones|medidas|azioni|misure|maatregelen|actiepunten|verbetermaatregelen)(?!\p{L})/iu,
  ],
  [
    'timeline',
    /(?<!\p{L})(?:rappel des faits|les faits|sachverhalt|(?:vorfall|ereignis)?hergang|hechos|fatti|feiten|relato de los hechos|linea temporal|línea de tiempo|linha do tempo|cronologia|przebieg (?:zdarze[ńn]|incydentu)|time ?line|chronology|sequence of events|what happened when|zeit(?:licher ablauf|leiste|achse|strahl)|chronologie|ablauf|verlauf|d[ée]roul[ée](?:ment)?|cronolog[ií]a|tijdlijn|chronologisch)/iu,
  ],
  [
    'cause',
    /(?<!\p{L})(?:root causes?|causes?|contributing factors?|why (?:it|this|did it) happen\w*|what went wrong|trigger|grundursachen?|ursachen?(?:analyse)?|auslöser|origine|cause (?:racine|première|profonde)|causas?(?: ra[ií]z)?|oorzaken?|oorzaak)(?!\p{L})/iu,
  ],
  [
    'detection',
    /(?<!\p{L})(?:detection|discovery|how (?:we|it was) (?:detected|found|noticed)|entdeckung|erkennung|d[ée]tection|d[ée]couverte|detecci[óo]n|rilevamento|detectie|ontdekking)(?!\p{L})/iu,
  ],
  [
    'impact',
    /(?<!\p{L})(?:impact\w*|consequences|damages?|affected (?:users|customers|services)|scope of (?:the )?(?:incident|breach)|auswirkung\w*|schaden|schäden|folgen|cons[ée]quences?|impacto|consecuencias|impatto|conseguenze|gevolgen|schade|skutki|wpływ|efeitos|konsekven[sz]\p{L}*|påverkan|påvirkning|(?:impact |key )?(?:numbers|figures)|zahlen|kennzahlen|chiffres(?: clés)?|cifras|cifre|cijfers|liczby|números|siffror|tal)(?!\p{L})/iu,
  ],
  [
    'summary',
    /(?<!\p{L})(?:summary|overview|abstract|tl;?dr|in brief|what happened|zusammenfassung|kurzfassung|überblick|management[- ]summary|r[ée]sum[ée]|synth[èe]se|resumen|sintesi|samenvatting)(?!\p{L})/iu,
  ],
];

/** @returns undefined for a title that names none of the topics */
export function topicOfTitle(title: string): Exclude<Topic, 'other'> | undefined {
  const found = titles.find(([, pattern]) => pattern.test(title))?.[0];
  return found === 'other' ? undefined : found;
}

/** A line that is not marked as a heading is one if it is short, alone and names a topic. */
const plainTitleCharactersMax = 60;

/** Ordered by position, without overlaps: each reaches from its title to the next title. */
export function findTopics({ blocks, text }: Document): TopicRange[] {
  const starts: { readonly at: number; readonly topic: Topic; readonly title: string }[] = [];
  let indicatorsLevel: number | undefined;
  const addHeading = (at: number, title: string, level: number) => {
    const named = topicOfTitle(title);
    const isOfIndicators = indicatorsLevel !== undefined || starts[0]?.topic === 'indicators';
    // "Sample hashes" are those of samples of the malware.
    const own = named === 'sample' && isOfIndicators && listsIndicators.test(title) ? 'indicators' : named;
    if (indicatorsLevel !== undefined && level <= indicatorsLevel) indicatorsLevel = undefined;
    // The title of a document on indicators is above everything, also above what they were found in.
    if (own === 'indicators' && level > 1) indicatorsLevel ??= level;
    const isBelow = own === undefined && indicatorsLevel !== undefined && !besideIndicators.test(title);
    starts.push({ at, title, topic: isBelow ? 'indicators' : (own ?? 'other') });
  };
  for (const [index, block] of blocks.entries()) {
    const shown = text.slice(block.start, Math.min(block.end, block.start + 200));
    const marked = block.kind === 'paragraph' ? /^(={1,6}) (\S[^\n]{0,120})$/.exec(shown) : null;
    if (block.kind === 'heading') {
      if (isNumberedItem(blocks, index)) continue;
      addHeading(block.start, block.heading.title === '' ? shown : block.heading.title, block.heading.level);
    } else if (marked !== null) {
      addHeading(block.start, marked[2]!, marked[1]!.length);
    } else if (block.kind === 'paragraph' && isOpening(shown)) {
      starts.push({ at: block.start, title: shown, topic: topicOfTitle(shown) ?? 'other' });
    } else if (block.kind === 'paragraph' && runInTitle(shown) !== undefined) {
      const title = runInTitle(shown)!;
      starts.push({ at: block.start, title, topic: topicOfTitle(title)! });
    } else if (block.kind === 'paragraph' && isPlainTitle(shown)) {
      const topic = topicOfTitle(shown);
      // A numbered or capitalised line that names no topic still ends the one above it.
      starts.push({ at: block.start, title: shown, topic: topic ?? 'other' });
    } else if (block.kind === 'table') {
      for (const row of [...block.table.headerRows, ...block.table.rows.map(({ cells }) => cells)]) {
        const cells = row.flatMap((cell) => (cell === undefined || cell.text.trim() === '' ? [] : [cell]));
        const [first, second] = cells;
        if (cells.length !== 2 || !/^(?:\d{1,2}(?:\.\d{1,2}){0,2}\.?|[A-Z]\.?)$/.test(first!.text)) continue;
        starts.push({ at: first!.start, title: second!.text, topic: topicOfTitle(second!.text) ?? 'other' });
      }
    }
  }
  return starts.map(({ at, topic, title }, index) => ({
    start: at,
    end: starts[index + 1]?.at ?? text.length,
    topic,
    title,
  }));
}

const listsIndicators =
  /(?<!\p{L})(?:hash(?:es|werte)?|domains?|urls?|ips?|addresses|servers?|files?|c2|c&c)(?!\p{L})/iu;
/** What a section on indicators lists in addition to them. */
const besideIndicators =
  /(?<!\p{L})(?:target(?:ed|s|ing)?|victims?|affected|impersonated|legitimate|abused|references?|detection names?|techniques?|mitre|att&ck|yara|betroffen\p{L}*|visée?s?|cibl[ée]e?s?|afectad[oa]s|colpit[ie]|getroffen)(?!\p{L})/iu;

/** "Indicators, please use only this list:" over a list or a table. */
function isOpening(shown: string): boolean {
  return (
    shown.length <= 80 &&
    shown.trimEnd().endsWith(':') &&
    !shown.trimEnd().includes('\n') &&
    ['indicators', 'actions', 'timeline'].includes(topicOfTitle(shown.split(/[ ,]/)[0]!) ?? '')
  );
}

/** "Impact. From 09:30 until …": a paragraph that begins with its title. */
function runInTitle(shown: string): string | undefined {
  const title = /^[*_]{0,3}(\p{Lu}[\p{L}'’ ]{3,32}?)[.:][*_]{0,3}(?:\s|$)/u.exec(shown)?.[1];
  return title !== undefined && title.split(' ').length <= 4 && topicOfTitle(title) !== undefined ? title : undefined;
}

function isPlainTitle(shown: string): boolean {
  return (
    shown.length <= plainTitleCharactersMax &&
    !shown.includes('\n') &&
    !/[.!?;,:|]$/.test(shown) &&
    !/\s{3}|\d{4}$/.test(shown) &&
    /^(?:\d{1,2}(?:\.\d{1,2}){0,2}\.?\s)?\p{Lu}/u.test(shown) &&
    shown.split(/\s+/).length <= 7
  );
}
