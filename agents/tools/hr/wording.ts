/** Discriminatory wording of advertisements and of rules: the words, the ground, and the sentence. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { documentKind } from './document-kind.ts';
import { languageWordings, seeksSomebody } from './wording-languages.ts';
import { type Ground, wordings } from './wording-patterns.ts';

export interface Wording extends Range {
  readonly ground: Ground;
  readonly phrase: string;
  readonly sentence: Range;
}

const advertisement =
  /\b(?:vacanc(?:y|ies)|job(?:s| advert\w*| posting| title| board| description)?|we (?:are looking|seek|are hiring|need)|looking for|seeks|hiring|wanted|apply|applicants?|candidates?|per hour|join our|stellen\w*|gesucht|suchen|sucht|bewerb\w*|wir bieten|recherch\w+|recrut\w+|poste|offres? d['’]emploi|candidature|ofertas?|empleos?|puestos?|se (?:busca|necesita|requiere|precisa)n?|buscamos|vacantes?|selecciona\w*|cerc(?:a|asi|hiamo)|offerta di lavoro|candidat\w+|offres?|annonces?|annuncio|anúncios?|emprego|vagas?|procura(?:mos|-se)?|og[łl]osze\w+|poszukuj\w+|szukamy|zatrudni\w+|ofert[ay]|annons\w*|jobannons\w*|jobannonce\w*|jobopslag|stillings?\w*|lediga?|tjänst|s[öø]ker|s[øö]ger|ansök\w*|ansøg\w*|søknad|kandidat\w*|hled[áa]me|nab[íi]dka|lavoro|vacature|gezocht|solliciteer\w*|wij zoeken)\b/iu;

/** The sentence forbids such words, reports them, or promises equal treatment. */
const protective =
  /\b(?:regardless|irrespective|(?:does|do|will|shall) not (?:accept|publish|print|allow|tolerate|discriminat)|never (?:appear|use|ask)|avoid|strike|struck|delete|instead of|without (?:regard|distinction)|equal(?:ity| opportunit| treatment| pay)|prohibit(?!ed for)|unlawful|illegal|discriminat|harass|zero[- ]tolerance|protected (?:characteristic|trait|status|class)|reasonable (?:adjustment|accommodation)|occupational (?:requirement|qualification)|schedule 9|bfoq|audition\w*|actor|actress|actrices?|acteurs?|comédien\w*|schauspieler\w*|attric\w|attore|[LR]\. ?1142|positive action|under-?represented|particularly (?:encourage|welcome)|welcome applications|encourage|of any age|all ages|young at heart|joven(?:es)? de espíritu|jeunes? d['’]esprit|junggeblieben\w*|giovan[ei] di spirito|jong van geest|all genders|equally welcome|(?:is|are) welcome|any (?:age|gender|background)|diversity|inclusi|slurs?|comments? like|such as ["“„']|called (?:him|her|you)|alleg\w+|ohne ansehen|gleichbehandlung|unabhängig von|diskriminier|spielen keine rolle|drucken .{0,80}nicht|nicht zulässig|unzulässig|bei gleicher eignung|vielfalt|willkommen|indépendamment|oavsett|uanset|uavhengig|uansett|likabehandl\w*|ligestilling|likestilling|mångfald|mangfold|jämställd\w*|niezależnie od|bez względu|równe traktowanie|dyskrymina\w*|independentemente|igualdade|diskrimin\w*|välkom\w*|velkom\w*|bez ohledu|rovn\w+ zacház\w+|sans distinction|égalité|discrimination|quel que soit|bienvenu|sin distinción|igualdad|independientemente|pari opportunità|senza distinzione|a prescindere|ongeacht|gelijke behandeling|welkom|not (?:needed|required|necessary|essential)|nicht (?:nötig|erforderlich|notwendig)|kein muss|of advantage|§ ?[89] AGG|who use our service|our (?:clients|guests|residents|patients|pupils|customers))\b/iu;
/** "(m/w/d)", "Barkeeper / Barkeeperin", "H/F", "m/v": the advertisement is open to all sexes. */
const allSexes =
  /\b(?:m\/w\/d|w\/m\/d|m\/f\/d|m\/w|h\/f|f\/h|m\/v(?:\/x)?|m\/f|all genders)\b|\(e\)|\p{L}\/(?:in|innen|frau|mann|a|o|as|rice|euse)\b|\p{L}[*:_](?:in|innen)\b|(\p{Lu}\p{L}{3,}) ?(?:\/|oder|or|bzw\.) ?\1(?:in|innen|ess)\b/iu;
const legalAge =
  /\b(?:ley \d|por ley|bar\b|mayor(?:es)? de (?:18|edad)|alcohol|licen[cs]e|by law|insurance|jugendschutz|führerschein|mindestalter|permis)\b/iu;
/** The age of the people who are there already, or who are served, before a range of ages. */
const othersAge =
  /(?<!\p{L})(?:team|équipe|equipo|squadra|ploeg|laget|teamet|zespół|equipa|kund\p{L}+|client\p{L}*|klient\p{L}*|patient\p{L}*|pacjent\p{L}*|résidents?|bewohner\p{L}*|kinder\p{L}*|children|enfants|barn|børn|dzieci|crianças|niñ[oa]s|bambini|schüler\p{L}*|pupils|élèves|gäste|guests|público|public|publikum|zielgruppe|target group|study|studie|participants?|utenti|personnes (?:accueillies|accompagnées)|colleagues|kolleg\p{L}+|collègues)(?!\p{L})[^.;]{0,60}$/iu;
/** "Spanish nationality or that of the EU, unless with a permit": the law on permits to work. */
const openToOthers =
  /^[^.;]{0,60}\b(?:o de la UE|o de la Unión|or (?:an? )?EU|or (?:a )?(?:valid )?(?:work permit|right to work)|oder (?:EU|eines EU)|ou (?:de l['’]UE|européenne)|o dell['’]UE|of (?:van )?de EU|salvo permiso|permiso de trabajo|arbeitserlaubnis|titre de séjour|permesso di)\b/iu;
/** Rules on maternity and paternity name the sex that has the right. */
const ofParents =
  /\b(?:maternit\w+|paternit\w+|pregnan\w+|childbirth|mutterschutz\w*|schwanger\w*|grossesse|embaraz\w+|maternidad|paternidad|gravidanza|zwangerschap\w*)\b/iu;
const wordingsMax = 40;
/** Of one wording in a sentence. */
const matchesMax = 3;

/** With whether the pattern needs a word that seeks somebody, which few sentences have. */
const allWordings = [...wordings, ...languageWordings].map(
  ([ground, shape]) =>
    [ground, new RegExp(shape.source, `${shape.flags}g`), shape.source.includes(seeksSomebody.source)] as const,
);

/** Ordered by position in the text; nothing in documents that are neither advertisements nor rules. */
export function findWordings(document: Document): Wording[] {
  const kind = documentKind(document);
  const isRules = kind === 'handbook' || kind === 'policy';
  if (!isRules && (kind === 'contract' || !advertisement.test(document.text.slice(0, 20_000)))) return [];
  const { text, sentences } = document;
  const found: Wording[] = [];
  for (const [index, sentence] of sentences.entries()) {
    if (found.length >= wordingsMax) break;
    const { shown, offsetOf } = onOneLine(text, sentence.start, Math.min(sentence.end, sentence.start + 600));
    const matches = wordingsIn(shown);
    if (matches.length === 0 || protective.test(shown) || isExempt(text, sentence) || exempt.test(shown)) continue;
    for (const [ground, match] of matches) {
      if (isQuoted(shown, match.index) || isNegated(shown, match.index)) continue;
      if (ground === 'sex' && (allSexes.test(shown) || allSexes.test(nextOf(text, sentences, index)))) continue;
      if (ground === 'age' && (legalAge.test(shown) || isOfOthers(shown, match))) continue;
      if (ground === 'sex' && isRules && ofParents.test(shown)) continue;
      if (ground === 'origin' && openToOthers.test(shown.slice(match.index))) continue;
      const start = offsetOf(match.index);
      const end = offsetOf(match.index + match[0].length - 1) + 1;
      // One wording per ground and clause; only limits of age may stand next to other words about age.
      const own = found.filter(
        (each) =>
          each.ground === ground &&
          each.sentence === sentence &&
          !text.slice(Math.min(each.end, start), Math.max(each.start, start)).includes(';'),
      );
      const isFurther = ground === 'age' && !/graduate|grads?\b|leavers/iu.test(match[0]);
      if (own.length > 0 && (!isFurther || own.some((each) => each.start < end && start < each.end))) continue;
      found.push({ ground, phrase: match[0], sentence, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Most sentences have none: a test costs less than the iterator of all matches. */
function wordingsIn(shown: string): (readonly [Ground, RegExpExecArray])[] {
  const isSeeking = seeksSomebody.test(shown);
  return allWordings.flatMap(([ground, shape, isSought]) => {
    if (isSought && !isSeeking) return [];
    const isThere = shape.test(shown);
    // A pattern with the flag `g` keeps its position, from which all matches would begin.
    shape.lastIndex = 0;
    return !isThere ? [] : [...shown.matchAll(shape)].slice(0, matchesMax).map((match) => [ground, match] as const);
  });
}

/** A part of the text with single spaces, since line breaks divide phrases; `offsetOf` is the position of a character in the text. */
function onOneLine(text: string, start: number, end: number) {
  const part = text.slice(start, end);
  if (!/[^\S ]| {2}/u.test(part)) return { shown: part, offsetOf: (at: number) => start + at };
  const offsets: number[] = [];
  let shown = '';
  for (let at = start; at < end; at += 1) {
    const isSpace = /\s/u.test(text[at]!);
    if (isSpace && shown.endsWith(' ')) continue;
    shown += isSpace ? ' ' : text[at]!;
    offsets.push(at);
  }
  return { shown, offsetOf: (at: number) => offsets[at]! };
}

/** An occupational requirement is stated near the job that has it, in the same advertisement. */
function isExempt(text: string, { start, end }: Range): boolean {
  const shown = text.slice(Math.max(0, start - 260), start + 60);
  const own = Math.min(start, 260);
  const begin = [...shown.matchAll(divider)].findLast((match) => match.index + match[0].length <= own + 1);
  const before = shown.slice(begin === undefined ? 0 : begin.index + begin[0].length, own);
  const after = text
    .slice(start, end + 260)
    .slice(1)
    .split(divider, 1)[0]!;
  return exempt.test(before) || exempt.test(after);
}

// "REF 31-04   CHEF DE PARTIE": a new advertisement begins with its number.
const divider = /\n\s*(?:[-=_*]{5,}|#+ )|\n\s*\n(?=[ \t]*(?:\p{L}+\.?[ :]){0,2}#?[\p{L}-]{0,6}\d[^\n]*\p{Lu}{3})/gu;

const exempt =
  /occupational requirement|schedule 9|bona fide occupational|(?:permitted|allowed|authori[sz]ed|required) (?:[\p{L} -]{0,60} )?(?:by|under) (?:the |an? )?(?:law|statute|act|section|article|schedule)|as permitted|exception (?:of|in|under)|§ 8 AGG|§ 9 AGG|exigence professionnelle essentielle/iu;

function isQuoted(sentence: string, at: number): boolean {
  const before = sentence.slice(0, at);
  return /["“„«‚‘][^"”“»]{0,40}$/u.test(before) || /(?:^|[\s(])'$/u.test(before);
}

function isNegated(sentence: string, at: number): boolean {
  return /\b(?:not (?:only |just )?(?:for|looking for|limited to)|nicht (?:nur|vorausgesetzt)|no need to be)\b[^.;]{0,20}$/iu.test(
    sentence.slice(0, at),
  );
}

function nextOf(text: string, sentences: readonly Range[], index: number): string {
  const next = sentences[index + 1];
  return next === undefined ? '' : text.slice(next.start, Math.min(next.end, next.start + 80));
}

/** A range of ages, such as "from 23 to 61", of people who are not sought. */
function isOfOthers(sentence: string, match: RegExpExecArray): boolean {
  return /\d\d\D{1,8}\d\d/u.test(match[0]) && othersAge.test(sentence.slice(0, match.index));
}
