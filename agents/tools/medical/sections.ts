/** The sections of clinical documents: what the heading or label above a position means for the statements below it. */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

export type SectionKind =
  | 'family'
  | 'allergies'
  | 'stopped'
  | 'held'
  | 'proposed'
  | 'given'
  | 'admission medication'
  | 'medication'
  | 'resolved'
  | 'past'
  | 'differential'
  | 'instructions'
  | 'risks'
  | 'literature'
  | 'not performed'
  | 'procedures'
  | 'social'
  | 'laboratory'
  | 'vitals'
  | 'limits'
  | 'plan'
  | 'diagnoses'
  | 'administrative'
  | 'other';

export interface ClinicalSection extends Range {
  readonly kind: SectionKind;
  readonly title: string;
}

/**
 * Words of headings by language (English, German, French, Czech). The first matching kind decides, so that "medications
 * stopped" is not a list of current medicines. `=` before a word requires the whole heading.
 */
const headings: readonly (readonly [SectionKind, string])[] = [
  [
    'family',
    'family history; family medical history; family hx; =fh; =fhx; =fam hx; famhx; familienanamnese; antécédents familiaux; =familiaux; =familial; histoire familiale; rodinná anamnéza; relatives; family psychiatric history; antecedentes familiares; anamnesi familiare; familieanamnese; familiäre vorbelastung; familiäre belastung; =familiare; wywiad rodzinny; história familiar; historia familiar',
  ],
  [
    'allergies',
    '=all; allergies; allergy; allergies and intolerances; adverse reactions; adverse drug reactions; drug sensitivities; intolerances; =nkda; allergien; allergie; unverträglichkeiten; =cave; allergies et intolérances; intolérances; alergie; alergická anamnéza; alergias; reacciones adversas; reazioni avverse; allergieën; sensitivities; medikamentenunverträglichkeiten; uczulenia; uczulenie; nietolerancje; allergie; allergia; intolleranze; intolerancias; overgevoeligheden; alergie i nietolerancje; reações adversas',
  ],
  ['not performed', 'not performed; procedures not performed; nicht durchgeführt; non réalisés; examens non réalisés'],
  [
    'limits',
    'alarm limits; parameters; call parameters; goals; targets; target; notify parameters; hold parameters; zielwerte; grenzwerte; objectifs; reference; reference ranges; legend; standing orders; policy extract; valores de referencia; valori di riferimento; referentiewaarden; wartości referencyjne; valores de referência',
  ],
  [
    'stopped',
    'stop taking; stop; no longer; no longer to be taken; not to be taken; do not take; no longer taken; do not continue; nicht mehr; nicht mehr einnehmen; ne plus prendre; à arrêter; stopped; discontinued; medications stopped; stopped medications; discontinued medications; discontinue; past medication; past medications; previous medication; previously tried; previous treatments; ceased; =stop; abgesetzt; abgesetzte medikamente; abgesetzte medikation; beendet; arrêt; arrêts; arrêté; arrêtés; traitements arrêtés; traitement arrêté; médicaments arrêtés; vysazeno; medicines stopped; stopped medicines; medications discontinued; past medications tried; medication trials; failed medications; prior medications; medikamente abgesetzt; medicación suspendida; =suspender; farmaci sospesi; gestopte medicatie; medicación retirada; tratamiento suspendido; =sospendere; terapia sospesa; leki odstawione; =odstawić; medicação suspensa',
  ],
  ['held', 'held; on hold; hold; medications held; withheld; pausiert; suspendu; suspendus'],
  [
    'proposed',
    'proposed; to be started; to be commenced; start after; begin after; future medication; geplant; geplante medikation; planned; à débuter; to start; recommendations for therapy; suggested; awaiting prescriber signature; planned medication; empfohlene medikation; therapievorschlag; terapia consigliata; tratamiento recomendado; tratamiento propuesto; tratamiento al alta; zalecenia; zalecone leki; leki zalecone; aanbevolen medicatie; medicação proposta',
  ],
  [
    'given',
    '=inpatient; medications given; inpatient medications; inpatient medication; hospital medications; medications during admission; medications during stay; stationäre medikation; medikation stationär; traitement hospitalier; traitement pendant le séjour; given in ed; meds given; administered; medications administered; ed medications; ed meds; ed course medications; intraoperative medications; premedication; prämedikation; stat doses; =therapie; =behandlung; =treatment; anaesthetic drugs; anesthesia medications; once only medicines; medikamente während des aufenthalts',
  ],
  [
    'admission medication',
    "admission medications; leki przed przyjęciem; medications on admission; meds on admission; medication on admission; medikation bei aufnahme; vormedikation; aufnahmemedikation; traitement à l'entrée; traitement d'entrée; traitement à l'admission; pre-admission medications; prior to admission medications; medication prior to admission",
  ],
  [
    'medication',
    'medications; medication; medicines; meds; medication list; current medication; drug history; =dh; =dhx; =rx; =tto; =tta; =ttos; =ttas; tablets to take out; drugs on discharge; discharge drugs; active orders; prescriptions; repeat templates; repeats; acute; postoperative orders; discharge rx; medikation; medikamente; medikamentenplan; medikationsplan; therapie bei entlassung; entlassungsmedikation; entlassmedikation; dauermedikation; hausmedikation; therapieempfehlung; traitement; traitements; traitement de sortie; traitement habituel; traitement actuel; ordonnance; ordonnance de sortie; prescription; médicaments; farmakologická anamnéza; medikace; léky; terapie; current treatment; current treatments; current therapy; regular treatment; drug treatment; treatment on discharge; discharge treatment; discharge prescriptions; home meds; aktuelle therapie; dauertherapie; bisherige therapie; bisherige medikation; medikamentöse therapie; arzneimittel; traitement en cours; traitement à domicile; traitement personnel; tratamiento; tratamiento habitual; tratamiento previo; tratamiento actual; medicación habitual; terapia in atto; terapia in corso; terapia alla dimissione; leki przyjmowane; leki stałe; leki przy wypisie; huidige medicatie; actuele medicatie; medicatie bij ontslag; medicação habitual; medicação; medicación; terapia; terapia domiciliare; medicatie; thuismedicatie',
  ],
  ['resolved', 'resolved problems; resolved; significant past; inactive problems; past problems; inactive; minor past'],
  [
    'differential',
    'ddx; differential; differential diagnosis; differentials; differenzialdiagnose; differentialdiagnose; diagnostics différentiels; hypothèses diagnostiques',
  ],
  [
    'instructions',
    'instructions; discharge instructions; patient instructions; return precautions; return instructions; when to call; when to seek help; seek medical attention; call your doctor; warning signs; red flags to watch; safety net; safety netting; safety-net; advice; patient advice; advice to patient; hinweise; warnhinweise; consignes; conseils; consignes de surveillance; recomendaciones al alta; adviezen; leefregels; istruzioni; what to do if',
  ],
  ['risks', 'risks; risks discussed; risks and benefits; consent; aufklärung; risques'],
  [
    'literature',
    "discussion; abstract; guidance; =disclaimer; nota informativa; guida per il paziente; guía para el paciente; note d'information; learning points; take-home messages; key points; teaching points; patienteninformation; background; introduction; literature; literature review; references; competing interests; conflicts of interest; keywords; interpretive information; interpretation guide; methodology; limitations; patient education; health information; about your condition; about your medicine; learn more; información para el paciente; informazioni per il paziente; patiëntinformatie; informacje dla pacjenta; your proxy",
  ],
  [
    'administrative',
    'dictated; transcribed; electronically signed; signed; printed; print date; copy to; disclaimer; performed at; distribution',
  ],
  [
    'past',
    'past medical history; past history; medical history; past medical; previous medical history; pmh; pmhx; =phx; =pmhx; background history; significant medical history; comorbidities; co-morbidities; vorerkrankungen; vorgeschichte; eigenanamnese; nebendiagnosen; antécédents; antécédents médicaux; =personnels; =médicaux; =atcd; osobní anamnéza; past surgical history; =psh; =pshx; surgical history; antécédents chirurgicaux; =chirurgicaux; past obstetric history; voroperationen; past psychiatric history; past ocular history; past gynecological history; past gynaecological history; antecedentes personales; antecedentes médicos; =antecedentes; =ap; anamnesi patologica remota; voorgeschiedenis; choroby współistniejące; choroby przebyte; patologica remota; anamnesi remota; comorbilidades; antecedentes pessoais',
  ],
  [
    'social',
    'social history; social; =sh; =shx; sozialanamnese; mode de vie; habitudes; sociální anamnéza; hábitos; substance use; habits',
  ],
  [
    'vitals',
    'vitals; vital signs; triage vitals; discharge vitals; obs; observations; =vs; vitalparameter; vitalwerte; constantes; paramètres vitaux; fyziologické funkce; constantes vitales; signos vitales; parametry życiowe; sinais vitais; parametri vitali; vitale parameters',
  ],
  [
    'laboratory',
    'labs; lab; laboratory; laboratory data; laboratory results; lab results; lab data; results; bloods; blood tests; blood results; investigations; pathology; biochemistry; haematology; hematology; labor; laborwerte; laborbefunde; laborbefund; biologie; bilan biologique; bilan sanguin; laboratoire; examens biologiques; laboratoř; pertinent results; admission labs; discharge labs; analítica; laboratorio; esami ematici; esami di laboratorio; laboratoriumonderzoek; badania laboratoryjne; =esami; laboratorium; análises; exames laboratoriais',
  ],
  [
    'procedures',
    'procedure; procedures; operation; operations; procedure performed; operation performed; intervention; eingriff; eingriffe; acte; gestes',
  ],
  [
    'plan',
    'plan; empfehlung; empfehlungen; appts; appointments; upcoming appointments; rendez-vous; termine; further management; =post-op instructions; =postoperative instructions; =post-operative instructions; =post op instructions; =instructions post-opératoires; =post-op plan; follow-up; follow up; disposition; procedere; prozedere; weiteres vorgehen; conduite à tenir; suivi; doporučení; nachsorge; follow-up plan; plan terapéutico; recomendaciones; beleid',
  ],
  [
    'diagnoses',
    '=final; diagnosis; diagnoses; principal diagnosis; secondary diagnoses; problem list; problems; active problems; =active; impression; assessment; assessment and plan; =a/p; =a&p; =a; diagnosen; diagnose; hauptdiagnose; diagnostic; diagnostics; conclusion; postoperative diagnosis; preoperative diagnosis; diagnóza; diagnózy; závěr; beurteilung; zusammenfassung; clinical impression; impressions; dauerdiagnosen; diagnóstico; diagnósticos; juicio clínico; diagnosi; conclusie; rozpoznanie; rozpoznania; juicio diagnóstico',
  ],
  [
    'other',
    "history of present illness; hpi; =s; =o; =hx; =pc; =hpc; presenting complaint; chief complaint; reason for admission; reason for visit; history; subjective; objective; examination; physical examination; physical exam; exam; on examination; =o/e; =pe; findings; technique; indication; indications; clinical history; comparison; description; course; hospital course; clinical course; progress; emergency department course; course in hospital; case presentation; case report; anamnese; aktuelle anamnese; jetzige anamnese; aufnahmebefund; befund; körperliche untersuchung; klinischer befund; epikrise; therapie und verlauf; verlauf; histoire de la maladie; motif; motif d'hospitalisation; motif de consultation; examen clinique; examen d'entrée; examen; évolution; examens complémentaires; imagerie; imaging; radiology; review of systems; =ros; ecg; ekg; echo; mdm; medical decision making; pharmacist notes; hinweis des apothekers; hinweise des apothekers; notes; comment; nynější onemocnění; personal history; motivo de ingreso; motivo de consulta; enfermedad actual; evolución; exploración física; exploración; mental status; mental status examination; beloop; decorso; esame obiettivo; lichamelijk onderzoek; wywiad; badanie przy przyjęciu; badanie przedmiotowe; badania obrazowe; leczenie; przebieg; pruebas complementarias; =all'ingresso; =alla dimissione",
  ],
];

/** Headings that must match as a whole, and words of headings, each with the rank of its kind. */
const wholes = new Map<string, SectionKind>();
const contained = new Map<string, number>();

for (const [rank, [kind, list]] of headings.entries()) {
  for (const entry of list.split(';')) {
    const words = entry.trim().replace(/^=/, '');
    if (!wholes.has(words)) wholes.set(words, kind);
    if (!entry.trim().startsWith('=') && words.length > 3 && !contained.has(words)) contained.set(words, rank);
  }
}

/** Labels of other lines, which are not section headings. */
const wordsMax = 7;
const markedWordsMax = 12;

/** @returns undefined if the words are not a known heading */
export function kindOfHeading(written: string, max: number = wordsMax): SectionKind | undefined {
  const plain = unspaced(written)
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/\([^()]{0,60}\)/g, ' ')
    .replace(/\b\d{1,4}([./-]\d{1,4}){0,2}\b/g, ' ')
    .replace(/[^\p{L}\p{N}/&'-]+/gu, ' ')
    .trim();
  if (plain === '' || plain.split(' ').length > max) return undefined;
  const whole = wholes.get(plain);
  if (whole !== undefined) return whole;
  let best = headings.length;
  for (const words of runsOf(plain.split(' '))) best = Math.min(best, contained.get(words) ?? best);
  return headings[best]?.[0];
}

/** "E n t l a s s m e d i k a t i o n": a heading in spaced letters. */
export function unspaced(written: string): string {
  return /(?:^|\s)(?:\p{L} ){4}\p{L}(?:\s|$)/u.test(written)
    ? written
        .split(/ {2,}/)
        .map((word) => word.replace(/(?<=(?:^|[^\p{L}]|(?<!\p{L})\p{L})) (?=\p{L}(?:\s|$))/gu, ''))
        .join(' ')
    : written;
}

function runsOf(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    words.slice(from, from + 5).map((__, count) => words.slice(from, from + count + 1).join(' ')),
  );
}

const known = new WeakMap<Document, readonly ClinicalSection[]>();

/** In the order of the text, without gaps. */
export function clinicalSections(document: Document): readonly ClinicalSection[] {
  const read = known.get(document);
  if (read !== undefined) return read;
  const sections: ClinicalSection[] = [];
  let open: { start: number; kind: SectionKind; title: string } = { start: 0, kind: 'other', title: '' };
  for (const heading of findHeadings(document)) {
    if (heading.start > open.start) sections.push({ ...open, end: heading.start });
    open = heading;
  }
  sections.push({ ...open, end: document.text.length + 1 });
  known.set(document, sections);
  return sections;
}

export function sectionAt(document: Document, position: number): ClinicalSection {
  const sections = clinicalSections(document);
  return sections[indexAt(sections, position) ?? 0]!;
}

/** A label before a colon at the beginning of a line, of a cell, or after a sentence or two blanks. */
const labelShape =
  /(?<=^|[\n\t.;]|[ ]{2})[ \t]*(?:[#>*•–-]{1,4}[ \t]*)?(?:\d{1,2}[.)][ \t]+)?(\p{L}[\p{L}\p{M}\d /&.,'’()-]{0,60}?)[ \u00a0]?:(?![\d/])/gu;

interface FoundHeading {
  readonly start: number;
  readonly kind: SectionKind;
  readonly title: string;
}

function findHeadings(document: Document): FoundHeading[] {
  const { text } = document;
  const found: FoundHeading[] = [];
  for (const match of text.matchAll(labelShape)) {
    const kind = kindOfHeading(match[1]!);
    // "A: pneumonia" is an assessment, "A: 120" a measure.
    const isMeasure =
      match[1]!.length === 1 &&
      /^\s{0,3}\d/.test(text.slice(match.index + match[0].length, match.index + match[0].length + 4));
    if (kind !== undefined && !isMeasure) found.push({ start: match.index, kind, title: match[1]! });
  }
  found.push(...markedHeadings(document));
  let start = 0;
  for (const line of text.split('\n')) {
    const heading = headingOfLine(line);
    if (heading !== undefined) found.push({ start, ...heading });
    start += line.length + 1;
  }
  found.sort((one, other) => one.start - other.start);
  // A label in capitals is found as label and as line.
  const distinct = found.filter(
    ({ start: at, kind }, index) => at > (found[index - 1]?.start ?? -1) || kind !== found[index - 1]!.kind,
  );
  const all: FoundHeading[] = [];
  for (const [index, heading] of distinct.entries())
    all.push(...withEnd(text, heading, all.at(-1), distinct[index + 1]?.start));
  return all;
}

/**
 * Headings that the format marks. One that we do not know ends the section before it, unless it is a part of that section: a
 * lower level than that of its heading.
 */
function markedHeadings({ blocks, text }: Document): FoundHeading[] {
  const found: FoundHeading[] = [];
  let openLevel = 7;
  for (const block of blocks) {
    if (block.kind !== 'heading' || block.isMarked !== true) continue;
    const title = text.slice(block.start, Math.min(block.end, block.start + 90)).trim();
    const { level } = block.heading;
    const kind = kindOfHeading(title, markedWordsMax);
    // "# Acute sinusitis. Likely viral" is an item of a note, and no heading.
    const isTitle = title.split(' ').length <= 8 && !/[.;,]/.test(title);
    if (kind === undefined && (level > openLevel || !isTitle)) continue;
    openLevel = kind === undefined ? 7 : level;
    found.push({ start: block.start, kind: kind ?? 'other', title });
  }
  return found;
}

/** The scope of a label ends with its lines: at an empty line, and for stopped medicines at the end of its line. */
function withEnd(
  text: string,
  heading: FoundHeading,
  /** The section that is open there. */
  before: FoundHeading | undefined,
  next: number = text.length,
): FoundHeading[] {
  const lineEnd = text.indexOf('\n', heading.start + heading.title.length + (ofLine.has(heading.kind) ? 0 : 1));
  const own = text.slice(heading.start, lineEnd === -1 ? text.length : Math.min(lineEnd, heading.start + 400));
  const isInline =
    own
      .replace(/\([^()]{0,60}\)/g, '')
      .trim()
      .replace(/[:*#\s-]{1,6}$/, '').length >
    heading.title.length + 6;
  if (!isInline || lineEnd === -1) return [heading];
  const isOfLine = ofLine.has(heading.kind) || isOfItem(text, heading, lineEnd);
  const end = isOfLine ? endOfLines(text, lineEnd) : text.indexOf('\n\n', heading.start);
  if (end === -1 || end >= next) return [heading];
  const kind = isOfLine && before !== undefined ? before.kind : 'other';
  return [heading, { start: end + 1, kind, title: kind === 'other' ? '' : (before?.title ?? '') }];
}

const ofLine: ReadonlySet<SectionKind> = new Set([
  'allergies',
  'stopped',
  'held',
  'proposed',
  'limits',
  'not performed',
  'administrative',
]);

/** "- Patient education: …" between other items: advice to the patient ends with its item. */
const ofItem: ReadonlySet<SectionKind> = new Set(['literature', 'instructions', 'risks']);
function isOfItem(text: string, { kind, start }: FoundHeading, lineEnd: number): boolean {
  const isItem = (at: number) => itemMark.test(text.slice(at, at + 12));
  return ofItem.has(kind) && isItem(start) && isItem(endOfLines(text, lineEnd) + 1);
}

const itemMark = /^\s{0,8}[-*•–]\s/;

/** The end of a line that no other line continues. */
function endOfLines(text: string, from: number): number {
  let end = from;
  for (let lines = 0; lines < 8; lines += 1) {
    const next = text.indexOf('\n', end + 1);
    const following = text.slice(end + 1, next === -1 ? text.length : next);
    const goesOn =
      /[,;]\s*$/.test(text.slice(Math.max(0, end - 3), end)) || /^\s{0,20}\p{Ll}/u.test(following.slice(0, 24));
    if (!goesOn || next === -1) break;
    end = next;
  }
  return end;
}

/** A separate line, the first cell of a row in capitals, or capitals before the text of their line. */
function headingOfLine(line: string): Omit<FoundHeading, 'start'> | undefined {
  if (line.length < 2 || line.length > 4_000) return undefined;
  const shown = line.slice(0, 90);
  // "--- Message 4 of 6 -----": what stands above it has ended.
  const divider = /^ {0,4}[-=_*~]{3,} {1,3}(\p{L}[^-=_*~\n]{1,60}?) {1,3}[-=_*~]{3,}/u.exec(shown)?.[1];
  if (divider !== undefined) return { kind: kindOfHeading(divider) ?? 'other', title: divider };
  const cell = shown.split('\t', 1)[0]!.trim();
  const bare = cell.replace(/^[#>*•–\s-]{1,5}/, '').replace(/[:*]{1,3}$/, '');
  const isAlone = line.trim() === cell || unspaced(cell) !== cell;
  if (isAlone && cell.length <= 70 && !/[.;,]$/.test(cell)) {
    const kind = kindOfHeading(bare);
    // "HOME MEDICATIONS (per wife, bottles not available)"
    const main = unspaced(bare.replace(/\s?\([^()]{0,60}\)$/, ''));
    const isShort = main.split(' ').length <= 4 || main === main.toUpperCase();
    if (kind !== undefined && isShort) return { kind, title: bare };
  }
  const capitals = /^(?:\p{Lu}{2,}[ /&-]{0,3}){1,5}(?=\t|[ ]{1,4}\S)/u.exec(shown.trimStart())?.[0].trim();
  const kind = capitals === undefined || capitals.length < 3 ? undefined : wholes.get(capitals.toLowerCase());
  return kind === undefined ? undefined : { kind, title: capitals! };
}
