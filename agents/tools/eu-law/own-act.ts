/** What kind of document a text is: an act of the Union with its number and day of publication, a national law, or another text. */
import type { Range } from '../text/span.ts';
import type { ActCitation } from './act-citations.ts';
import { type ActType, actNoun, ownDeterminer } from './act-words.ts';
import { parseDay } from './calendar.ts';
import type { FlatBlock, FlatText } from './flat-text.ts';
import { findJournals } from './journal-citations.ts';

export interface OwnAct {
  readonly celex: string;
  readonly type: ActType;
  /** Where its title begins. */
  readonly start: number;
  /** ISO day of its publication in the Official Journal, if the text prints it at the title or in the head of the page. */
  readonly publication?: string;
}

export interface DocumentKind {
  /** Of an act of the Union, its annexes and its consolidated versions. */
  readonly own?: OwnAct;
  /** A national law or its draft: from its beginning to where the explanations begin. */
  readonly national?: Range;
  /** CELEX number of the directive that a national text transposes. */
  readonly transposed?: string;
  /** CELEX number of the only act in the title of a summary, a page of data or a corrigendum. */
  readonly about?: string;
}

/** How many blocks the title is searched in. */
const titleBlocksMax = 60;

export function documentKindOf(flat: FlatText, acts: readonly ActCitation[]): DocumentKind {
  const own = ownActOf(flat, acts);
  if (own !== undefined) return { own };
  const transposed = transposedBy(flat, acts);
  const national = nationalLaw(flat);
  const about = national === undefined ? subjectOfTitle(flat, acts) : undefined;
  return {
    ...(national === undefined ? {} : { national }),
    ...(transposed === undefined ? {} : { transposed }),
    ...(about === undefined ? {} : { about }),
  };
}

const aboutWords =
  /^(?:summary of|zusammenfassung von|synthèse de|síntesis de|sintesi di|samenvatting van|corrigendum(?: to)?|berichtigung(?: der| des)?|rectificatif(?: au| à la)?|corrección de errores(?: del| de la)?|rettifica(?: del| della)?|rectificatie(?: van)?|to|der|des|au|à la|del|de la|della|van) ?:? ?$/iu;
const corrigendumTitle =
  /^(?:corrigendum|berichtigung|rectificatif|corrección de errores|rettifica|rectificatie|sprostowanie|oprava)(?![A-Za-zÀ-ž])/iu;
/** The heading of a page with the data of an act on EUR-Lex: "Document 32026R1417". */
const dataHeading =
  /^(?:(?:EUR-Lex(?: -)?|\p{L}{4,12}|CELEX[- ]?\p{L}{0,9}\.?):? )?(3\d{4}[RLDHF]\d{4})(?: - [A-Z]{2})?$/u;
/** How many blocks may stand over the title. */
const aboutBlocksMax = 10;

/** The first act that begins a line of the head, or follows "Summary of", "Corrigendum to"; of several corrigenda none. */
function subjectOfTitle(flat: FlatText, acts: readonly ActCitation[]): string | undefined {
  const head = flat.blocks.slice(0, aboutBlocksMax);
  const data = head.flatMap(
    ({ start, end }) => dataHeading.exec(flat.text.slice(start, Math.min(end, start + 60)))?.[1] ?? [],
  )[0];
  if (data !== undefined) return data;
  const titles = flat.blocks.filter(({ start, end }) =>
    corrigendumTitle.test(flat.text.slice(start, Math.min(end, start + 40))),
  );
  if (titles.length > 1) return undefined;
  for (const [index, { start, end, kind }] of head.entries()) {
    if (kind === 'row') continue;
    const act = acts.find((each) => each.start >= start && each.end <= end && each.number !== undefined && !each.bare);
    if (act === undefined) continue;
    const before = flat.text.slice(start, act.start);
    const above = head[index - 1];
    const isTitled =
      aboutWords.test(before) ||
      (before === '' && above !== undefined && aboutWords.test(flat.text.slice(above.start, above.end))) ||
      (before === '' &&
        kind === 'heading' &&
        /^ (?:of|vom|von|der|des|du|de|del|della|dell'|van|z dnia|concerning|on|über|relat|sobre|relativ|betreffende|tot)/iu.test(
          flat.text.slice(act.end, act.end + 14),
        ));
    return isTitled && !(titles.length === 0 && /^(?:to|der|des|au|à la|del|de la|della|van) ?$/iu.test(before))
      ? act.celex
      : undefined;
  }
  return undefined;
}

function ownActOf(flat: FlatText, acts: readonly ActCitation[]): OwnAct | undefined {
  const title = titleOf(flat, acts) ?? equated(flat, acts) ?? annexOf(flat, acts);
  if (title !== undefined) {
    const publication = publicationOf(flat, title);
    return {
      celex: title.celex,
      type: title.type,
      start: title.start,
      ...(publication === undefined ? {} : { publication }),
    };
  }
  const celex = consolidatedCelex(flat) ?? footerCelex(flat);
  const type = celex === undefined ? undefined : typeByLetter[celex[5]!];
  if (celex === undefined || type === undefined) return undefined;
  const publication = publicationOf(flat, undefined);
  return { celex, type, start: 0, ...(publication === undefined ? {} : { publication }) };
}

const typeByLetter: Readonly<Record<string, ActType>> = {
  R: 'regulation',
  L: 'directive',
  D: 'decision',
  H: 'recommendation',
  F: 'framework decision',
};

const enacting =
  /(?:ha(?:s|ve) adopted this|ha(?:t|ben) folgende|(?:a|ont) adopté l[ea] présent|ha(?:n)? adoptado (?:el|la) presente|ha(?:nno)? adottato (?:il|la) presente|he(?:eft|bben) de volgende|przyjmuj(?:e|ą) niniejsz|přijal[ay]? tuto|přijal[ay]? toto|binding in its entirety|addressed to the member states)/iu;

/** The Official Journal prints the title in capitals; other prints begin a line with it and enact below. */
function titleOf(flat: FlatText, acts: readonly ActCitation[]): ActCitation | undefined {
  const enacts = enacting.test(flat.text);
  const last = flat.blocks[Math.min(flat.blocks.length, titleBlocksMax) - 1]?.end ?? 0;
  const consolidated = consolidatedCelex(flat);
  return acts.find((act) => {
    if (act.bare || act.number === undefined || act.start > last) return false;
    const block = flat.blockAt(act.start);
    if (block === undefined || !/^(?:[►▼][A-Za-zÀ-ž]\d? ?)?$/u.test(flat.text.slice(block.start, act.start)))
      return false;
    if (consolidated !== undefined) return act.celex === consolidated;
    const noun = /^[^\d(]{4,}/.exec(flat.text.slice(act.start, act.end))?.[0] ?? '';
    const isCapital = noun === noun.toUpperCase() && block.kind !== 'row';
    return (
      isCapital ||
      (enacts &&
        /^,? (?:of|vom|von|der|des|du|de|del|della|dell'|van|z dnia|ze dne|\p{Lu})/u.test(
          flat.text.slice(act.end, act.end + 12),
        ) &&
        block.kind !== 'item' &&
        block.kind !== 'row')
    );
  });
}

const equatedShape = new RegExp(
  `["'„“‘«](?:${ownDeterminer}) (?:${actNoun})["'“”’»] (?:ist|is|means|bezeichnet|est|désigne|es|è|oznacza|to|=) (?:(?:the|die|la|le|il|el|de|der) )?`,
  'giu',
);

/** "'This Regulation' is Regulation (EU) 2027/733", in the notes to a table. */
function equated(flat: FlatText, acts: readonly ActCitation[]): ActCitation | undefined {
  for (const match of flat.text.matchAll(equatedShape)) {
    const end = match.index + match[0].length;
    const act = acts.find(({ start }) => start >= end && start <= end + 2);
    if (act !== undefined) return act;
  }
  return undefined;
}

/** An annex names the act it is part of: "(referred to in Article 52(2) of Regulation (EU) 2028/1190)". */
function annexOf(flat: FlatText, acts: readonly ActCitation[]): ActCitation | undefined {
  const head = flat.blocks.slice(0, 12);
  if (
    !head.some(({ start }) =>
      /^(?:annex|anhang|annexe|anexo|allegato|bijlage|załącznik|příloha)/iu.test(flat.text.slice(start, start + 12)),
    )
  )
    return undefined;
  for (const { start, end } of head) {
    const shown = flat.text.slice(start, Math.min(end, start + 200));
    if (!/^\(.*(?:article|artikel|artículo|articolo|art\.|čl)/iu.test(shown)) continue;
    const act = acts.find((each) => each.start >= start && each.end <= end + 1);
    if (act !== undefined) return act;
  }
  return undefined;
}

function consolidatedCelex(flat: FlatText): string | undefined {
  for (const { start } of flat.blocks.slice(0, 4)) {
    const match = /^(?:CELEX:? ?)?0(\d{4}[RLDHF]\d{4})/.exec(flat.text.slice(start, start + 24));
    if (match !== null) return `3${match[1]}`;
  }
  return undefined;
}

const eliLetters: Readonly<Record<string, string>> = { reg: 'R', dir: 'L', dec: 'D', reco: 'H' };

/** The identifier at the foot of each page, alone in its line. */
function footerCelex(flat: FlatText): string | undefined {
  for (const { start, end } of flat.blocks) {
    if (end - start > 100) continue;
    const match =
      /^(?:\d{1,3}\/\d{1,3}[ \t])?ELI: https?:\/\/data\.europa\.eu\/eli\/(reg|dir|dec|reco)(?:_del|_impl)?\/(\d{4})\/(\d{1,4})\/oj(?:[ \t]\d{1,3}\/\d{1,3})?$/.exec(
        flat.text.slice(start, end),
      );
    if (match !== null) return `3${match[2]}${eliLetters[match[1]!]}${match[3]!.padStart(4, '0')}`;
  }
  return undefined;
}

const headWords =
  /^(?:(?:[A-Z]{2} |[LC] [\d/]{1,9} )?[A-Za-zÀ-ž' ]{0,40}(?:journal|amtsblatt|diario|gazzetta|publicatieblad|dziennik|věstník|union|unión|unione|unie|unii|series?|reihe|série|serie|serii?)[A-Za-zÀ-ž' ]{0,30}(?: [LC] [\d/]{1,9})?(?: [A-Z]{2})?|\p{Lu}{2}|(?:OJ|ABl\.|JO|DO|GU|PB|Dz\.U\.)(?: [LC])?|[LC](?: \d{1,3}(?:\/\d{1,4})?)?|[\d/]{6,12})$/iu;

/** The day in the head of the page or in the brackets below the title. */
function publicationOf(flat: FlatText, title: ActCitation | undefined): string | undefined {
  const titleIndex = title === undefined ? 8 : flat.blocks.findIndex(({ end }) => end >= title.end);
  const after = flat.blocks.slice(titleIndex, titleIndex + 5);
  for (const { start, end } of after) {
    const shown = flat.text.slice(start, Math.min(end, start + 600));
    // A footnote's journal is another act's.
    const bracketed = /\((?:OJ|ABl\.|JO|DO|GU|PB|Dz\.U\.|Úř\. věst\.)[^()]{5,60}\)$/u.exec(shown);
    const [journal] = bracketed === null ? [] : findJournals(bracketed[0]);
    if (journal?.date !== undefined) return journal.date;
  }
  for (const block of flat.blocks.slice(0, Math.max(0, titleIndex))) {
    const date = headDate(flat, block);
    if (date !== undefined) return date;
  }
  return undefined;
}

function headDate(flat: FlatText, { start, end }: FlatBlock): string | undefined {
  const shown = flat.text.slice(start, Math.min(end, start + 160));
  for (const match of shown.matchAll(/(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?![\d.])/g)) {
    const rest = `${shown.slice(0, match.index)} ${shown.slice(match.index + match[0].length)}`;
    const parts = rest
      .split(/[\t,]| (?:vom|du|de|del|van|z|of) |(?<=\d{4}\/\d{1,4}) |(?= \p{Lu}{2}$)/u)
      .map((part) => part.trim());
    if (!parts.every((part) => part === '' || headWords.test(part))) continue;
    const iso = `${match[3]}-${match[2]!.padStart(2, '0')}-${match[1]!.padStart(2, '0')}`;
    if (parseDay(iso) !== undefined) return iso;
  }
  return undefined;
}

const gazette =
  /(?<![A-Za-zÀ-ž])(?:staatsblad van het koninkrijk|belgisch staatsblad|moniteur belge|bundesgesetzblatt|bgbl\.|dziennik ustaw|monitor polski|journal officiel de la république|gazzetta ufficiale della repubblica|boletín oficial del estado|statutory instruments|sbírka zákonů|diário da república|bundestag|drucksache|referentenentwurf)(?![A-Za-zÀ-ž])/iu;
const lawTitle =
  /^(?:wet van|gesetz(?: zur| über|$)|ustawa|loi n|legge |decreto |décret|zákon|statutory instrument|real decreto|rozporządzenie (?:rady ministrów|ministra)|vyhláška|ordonnance n|entwurf eines|proyecto de ley|besluit van|artikel(?:gesetz)|disegno di legge|projekt ustawy|an act to|bill)/iu;
const explanations =
  /^(?:uzasadnienie|memorie van toelichting|nota van toelichting|begründung|exposé des motifs|explanatory (?:memorandum|note|statement)|relazione illustrativa|důvodová zpráva|toelichting|transponeringstabel|tabela zgodności|tableau de concordance|tabella di concordanza|umsetzungstabelle|entsprechungstabelle|tabla de correspondencias)(?![A-Za-zÀ-ž])/iu;

function nationalLaw(flat: FlatText): Range | undefined {
  const head = flat.blocks.slice(0, 15);
  const isLaw = head.some(({ start, end }) => {
    const shown = flat.text.slice(start, Math.min(end, start + 90));
    return lawTitle.test(shown) || (start < 200 && gazette.test(shown));
  });
  if (!isLaw) return undefined;
  const end = flat.blocks.find((block) => explanations.test(flat.text.slice(block.start, block.start + 60)));
  return { start: 0, end: end?.start ?? flat.text.length };
}

/** Words of transposition, with the directive as object after them. */
export const transposing =
  /(?:ter implementatie van|(?:tot|ter) (?:omzetting|uitvoering) van|zur umsetzung(?: der| von)?|dient der umsetzung|setzt .{0,40}? um|(?<!(?:to|shall|must|should|will|may|not|yet|did) )transpos(?:e|es|es?t|ant|ition de|ing|ición de|izione della|e a)|se transponen?|transpone|wdraża(?:ją)?|wdrożeni[A-Za-zÀ-ž]{1,2}|w celu wdrożenia|recepi(?:sce|mento della)|attuazione della|di attuazione|dà attuazione|incorpora|implementing|implements|(?<!(?:to|shall|must|should|will|may|not|yet|did) )give(?:s|n|ing)? effect to|gave effect to|transponuje|provádí|zapracovává)(?:[^.;]|(?<=(?<!\p{L})(?:art|abs|ust|nr|no|par|lit|čl)\.?)\.){0,60}$/iu;

function transposedBy(flat: FlatText, acts: readonly ActCitation[]): string | undefined {
  return acts.find(
    ({ type, start, number }) =>
      type === 'directive' && number !== undefined && transposing.test(flat.text.slice(Math.max(0, start - 90), start)),
  )?.celex;
}

const afterTitle =
  /(?<![A-Za-zÀ-ž])(?:having regard|whereas|gestützt auf|in erwägung|vu l|vu les|considérant|visto|vista|considerando|gezien|overwegende|uwzględniając|a także mając|s ohledem|article 1|artikel 1|artículo 1|articolo 1|artykuł 1|článek 1)(?![A-Za-zÀ-ž\d])/iu;

/** Between the act's number at its head and its citations: what the title names is done by the act. */
export function isInOwnTitle(text: string, start: number, position: number): boolean {
  const between = position >= start && position - start < 1_500 ? text.slice(start, position) : undefined;
  return between !== undefined && !afterTitle.test(between);
}
