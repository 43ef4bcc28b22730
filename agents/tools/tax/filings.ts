/** Deadlines of tax filings and payments: in calendars, and in sentences that state a due date. */
import type { Document } from '../../document/document.ts';
import type { FoundDate } from '../text/dates.ts';
import type { DurationUnit } from '../text/durations.ts';
import type { Range } from '../text/span.ts';
import { foldText, phraseShape } from './fold.ts';
import { headerOver } from './labels.ts';
import type { Layout, Line } from './layout.ts';

export type FilingKind =
  | 'vat-return'
  | 'ec-sales-list'
  | 'intrastat'
  | 'corporate-tax-return'
  | 'corporate-tax-payment'
  | 'withholding-tax-return'
  | 'country-by-country-report'
  | 'local-file'
  | 'master-file'
  | 'globe-information-return'
  | 'dac6-report'
  | 'dividend-payment'
  | 'other-filing';

export interface Deadline extends Range {
  readonly kind: FilingKind;
  /** ISO. */
  readonly date?: string;
  readonly period?: { readonly count: number; readonly unit: DurationUnit };
}

/** The more special kinds first. */
const kinds: readonly (readonly [FilingKind, RegExp])[] = (
  [
    [
      'globe-information-return',
      'globe information return|globe return|gir|globe report|pillar two information return|pillar two return|pillar 2 return|mindeststeuer bericht|mindeststeuerbericht|mindeststeuererklarung|globe erklarung|declaration globe|globe aangifte|globe melding|declaracion informativa globe',
    ],
    [
      'country-by-country-report',
      'country by country report*|country by country notification|cbc report*|cbcr|landerbezogene* bericht*|landerbezogener bericht|declaration pays par pays|reporting pays par pays|rendicontazione paese per paese|informe pais por pais|modelo 231|landenrapport|land for land rapport*|land for land rapportering|raport wedlug krajow|cbc r',
    ],
    [
      'master-file',
      'master file|masterfile|stammdokumentation|fichier principal|documentation groupe|hoofddossier|dokumentacja grupowa',
    ],
    [
      'local-file',
      'local file|localfile|landesspezifische* unternehmensbezogene* dokumentation|landesspezifische dokumentation|fichier local|documentation locale|lokaal dossier|lokalna dokumentacja|transfer pricing documentation|transaktionsmatrix|verrechnungspreisdokumentation|documentation des prix de transfert',
    ],
    [
      'dac6-report',
      'dac6*|dac 6|reportable arrangement*|cross border arrangement*|arrangement|mdr report*|grenzuberschreitende* gestaltung*|dispositif transfrontiere|meldepflichtige* gestaltung*',
    ],
    [
      'ec-sales-list',
      'ec sales list*|esl|recapitulative statement*|zusammenfassende meldung*|zm|etat recapitulatif|modelo 349|elenco riepilogativo|opgaaf icp|icp opgaaf|icp opgave|icl opgave|periodisk sammanstallning|eu salgsliste|eu salg uden moms|vat ue|souhrnne hlaseni|declaracao recapitulativa|intracommunity listing|ic listing',
    ],
    ['intrastat', 'intrastat*'],
    [
      'withholding-tax-return',
      'withholding tax return*|wht return*|withholding tax declaration*|withholding return|kapitalertragsteueranmeldung*|kapitalertragsteuer anmeldung|quellensteueranmeldung|quellensteuerabrechnung|quellensteuer anmeldung|steuerabzug nach 50a|anmeldung nach 50a|50a anmeldung|modello 770|formulaire 2777|declaration de retenue a la source|modelo 216|modelo 296|aangifte dividendbelasting|aangifte bronbelasting|dividendbelasting aangifte|ift 2r|cit 6r|form 1042|verrechnungssteuer formular|kupongskatt*|kildeskatteoppgave',
    ],
    [
      'corporate-tax-payment',
      'corporate tax payment|corporate income tax payment|corporation tax payment|corporate income tax advance*|corporate tax advance*|corporate income tax instalment*|corporate tax instalment*|corporation tax instalment*|corporate tax prepayment*|cit advance*|cit instalment*|cit prepayment|advance corporate tax|advance payment of corporate*|advance payment of corporation*|payment of corporation tax|payment of corporate*|balance of corporation tax|instalment of corporate*|instalment of corporation*|quarterly instalment*|preliminary tax|korperschaftsteuervorauszahlung*|korperschaftsteuer vorauszahlung*|gewerbesteuervorauszahlung*|vorauszahlung korperschaftsteuer|vorauszahlungen korperschaftsteuer|vorauszahlung|acompte is|acompte d is|acompte d impot sur les societes|acompte impot*|solde is|solde d is|pago fraccionado|modelo 202|acconto ires|saldo ires|secondo acconto|primo acconto|voorlopige aanslag vpb|voorlopige aanslag*|forskuddsskatt|aconto skat|acontoskat|zaliczka cit|zaliczka na cit|zaloha na dan z prijmu|pagamento por conta|f skatt|preliminarskatt',
    ],
    [
      'corporate-tax-return',
      'corporate tax return*|corporate income tax return*|corporation tax return*|corporation tax self assessment|company tax return|cit return*|ct600|ct return|ct1|income tax return|tax return of the company|korperschaftsteuererklarung*|korperschaftssteuererklarung*|gewerbesteuererklarung*|steuererklarung*|jahressteuererklarung|liasse fiscale|declaration de resultat*|declaration is|declaration d impot sur les societes|modelo 200|impuesto sobre sociedades|modello redditi|redditi sc|dichiarazione dei redditi|aangifte vennootschapsbelasting|aangifte vpb|vpb aangifte|vennootschapsbelasting*|skattemelding*|selskapsskatt*|selvangivelse*|oplysningsskema|inkomstdeklaration*|cit 8|zeznanie cit*|priznani k dani z prijmu*|priznani dppo|modelo 22|declaration of corporate*',
    ],
    [
      'vat-return',
      'vat return*|vat declaration*|vat filing|umsatzsteuervoranmeldung*|umsatzsteuer voranmeldung*|ust voranmeldung*|ust va|uva|umsatzsteuererklarung*|umsatzsteuerjahreserklarung|mwst abrechnung*|declaration de tva|declaration tva|ca3|modelo 303|declaracion de iva|declaracion iva|dichiarazione iva|liquidazione iva|lipe|btw aangifte*|aangifte omzetbelasting|aangifte btw|mva melding*|mva oppgave|momsdeklaration*|momsangivelse*|skattedeklaration moms|deklaracja vat|jpk v7*|jpk*|priznani k dph|danove priznani dph|declaracao de iva|declaracao periodica|alv ilmoitus',
    ],
    [
      'dividend-payment',
      'dividend payment|payment of the dividend|dividend payable|dividend paid|dividend is payable|dividend will be paid|dividend was paid|dividend is paid|dividendenzahlung|auszahlung der dividende|dividende wird|dividende wurde|mise en paiement|paiement du dividende|versement du dividende|pagamento del dividendo|pago del dividendo|utbetaling av utbytte|utbyttet utbetales|betaling van het dividend|dividend betaald|wyplata dywidendy',
    ],
    [
      'other-filing',
      'appeal*|objection*|einspruch*|klage|reclamation|recours|ricorso|recurso|bezwaar*|beroep|odwolanie|odvolani|klage over|refund claim*|claim for refund|refund application*|erstattungsantrag*|vergutungsantrag*|vat refund|demande de remboursement|notification|disclosure|registration|payroll tax return*|wage tax return*|lohnsteueranmeldung*|lohnsteuer anmeldung*|digital services tax return|dst return|capital duty|stamp duty return|excise return|qdmtt return*|domestic top up tax return*|advance pricing agreement application|apa application|apa request|mutual agreement request|map request|oss return*|one stop shop*|insurance premium tax return|property tax return|grunderwerbsteueranzeige|aussensteuererklarung|tax return*|annual return|beps notification|transparency register|extension request|fristverlangerung*',
    ],
  ] as const
).map(([kind, phrases]) => [kind, phraseShape(phrases)] as const);

/** @returns the kind that is named, and its position */
function kindIn(folded: string): { readonly kind: FilingKind; readonly index: number } | undefined {
  for (const [kind, shape] of kinds) {
    const index = shape.exec(folded)?.index;
    if (index !== undefined) return { kind, index };
  }
  return undefined;
}

export function findDeadlines(layout: Layout): Deadline[] {
  const found = [...calendarDeadlines(layout), ...sentenceDeadlines(layout), ...dividendDates(layout)];
  const seen = new Set<string>();
  return found.filter(({ kind, date, period }) => {
    const key = `${kind} ${date ?? `${period!.count} ${period!.unit}`}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

const dueHead = phraseShape(
  'due|due date|due by|deadline|filing deadline|filing date|statutory deadline|date|by|frist|abgabefrist|fallig*|fallig am|abgabe bis|termin|stichtag|echeance|date limite|date limite de depot|scadenza|termine|vencimiento|plazo|fecha limite|fecha|deadline datum|uiterste datum|indienen voor|termijn|frist dato|innleveringsfrist|forfall|sista dag|inlamningsdag|termin zlozenia|lhuta|prazo|datum|data',
);
const otherHead = phraseShape(
  'period end|year end|filed|filed on|submitted|submitted on|done|completed|eingereicht|eingereicht am|abgegeben am|depose le|presentato il|presentado|ingediend|innsendt|received|prepared|from|start|beginn|reminder',
);

/** Rows of a calendar: a filing and its date, below a header for due dates; else a list "VAT return May: 10.06.2026". */
function calendarDeadlines(layout: Layout): Deadline[] {
  const { dates } = layout.document;
  let next = 0;
  return layout.lines.flatMap((line): Deadline[] => {
    while (next < dates.length && dates[next]!.start < line.start) next += 1;
    const own: FoundDate[] = [];
    for (let at = next; at < dates.length && dates[at]!.start < line.end; at += 1) own.push(dates[at]!);
    if (own.length === 0 || line.segments.length < 2) return [];
    const cells = line.segments.filter(
      (segment) =>
        !own.some(
          ({ start, end }) => start >= segment.start && end <= segment.end && end - start > segment.text.length - 4,
        ),
    );
    const folded = cells.map((segment) => segment.folded).join(' | ');
    const kind = kindIn(folded)?.kind;
    if (kind === undefined || folded.length > 260) return [];
    const candidates = own
      .filter(({ iso }) => iso.length === 10)
      .flatMap((date) => {
        const segment = line.segments.find(({ start, end }) => date.start >= start && date.start < end)!;
        if (date.end - date.start < segment.text.length - 12) return [];
        const head = headerOver(layout, segment, 80)?.folded ?? headBefore(layout, line, segment.from, segment.to);
        return [
          {
            date,
            isDue: head !== undefined && dueHead.test(head),
            isOther: head !== undefined && otherHead.test(head),
          },
        ];
      });
    const due =
      candidates.find(({ isDue, isOther }) => isDue && !isOther) ??
      candidates.find(({ isOther }) => !isOther && candidates.length === 1);
    return due === undefined ? [] : [{ kind, date: due.date.iso, start: line.start, end: line.end }];
  });
}

/** A header that a rule or a gap separates from the rows. */
function headBefore({ lines }: Layout, line: Line, from: number, to: number): string | undefined {
  for (let at = line.index - 1; at >= Math.max(0, line.index - 60); at -= 1) {
    const head = lines[at]!.segments.find(
      (segment) => !/\d/.test(segment.text) && Math.min(to, segment.to) > Math.max(from, segment.from),
    );
    if (head !== undefined && head.text.length < 40) return head.folded;
  }
  return undefined;
}

const before =
  /(?:by|until|till|before|than|due|due on|due date|deadline|falls on|on or before|expires on|ends on|runs until|lapses on|latest|bis|bis zum|spatestens am|am|zum|fallig am|frist|jusqu'au|avant le|au plus tard le|le|au|entro il|entro|scade il|il|antes del|hasta el|a mas tardar el|el|uiterlijk|uiterlijk op|voor|op|voor of op|innen|senest|senast|senest den|den|do|do dnia|nejpozdeji do|ate|is|ist|:)[ :]{0,2}(?:the )?$/;
const obligation = phraseShape(
  'due|deadline|by|must|shall|has to|have to|is to be|are to be|to be filed|to be submitted|to be lodged|no later than|not later than|latest|until|on or before|before|frist|fristen|bis|spatestens|abzugeben|einzureichen|fallig|endet|avant le|au plus tard|jusqu au|doit|doivent|date limite|echeance|entro|scade|scadenza|antes del|a mas tardar|hasta el|vence|plazo|uiterlijk|voor|termijn|innen|frist|senest|senast|do dnia|nejpozdeji|termin|ate|within|innerhalb|binnen|dans|dans les|dans un delai|en el plazo|inom|ciagu|after|nach',
);
const past = phraseShape(
  'was filed|were filed|has been filed|have been filed|filed on|filed in|was submitted|were submitted|has been submitted|submitted on|was lodged|expired|was paid|wurde eingereicht|wurde abgegeben|wurden eingereicht|abgelaufen|a ete depose*|e stata presentata|se presento|is ingediend|ble levert|lamnades',
);
const within =
  /(?:within|in|innerhalb(?: von)?|binnen|innert|dans(?: les| un delai de)?|sous|entro|en (?:el|un) plazo de|dentro de(?: los)?|inom|innen|w ciagu|w terminie|do|no later than|not later than)\s{0,2}(?:a period of |the |first )?$|^(?!)/;

function sentenceDeadlines({ document }: Layout): Deadline[] {
  const { text } = document;
  return sentencesOf(document).flatMap((sentence): Deadline[] => {
    if (sentence.end - sentence.start > 900) return [];
    const shown = text.slice(sentence.start, sentence.end);
    const folded = foldText(shown).replaceAll('\n', ' ');
    if (!/\d/.test(folded) && !/day|month|week|tag|monat|woche|jour|mois|giorn|mes|dag|maand|dni/.test(folded))
      return [];
    const named = kindIn(folded);
    if (named === undefined || !obligation.test(folded) || /^["“„»«]/.test(shown)) return [];
    const inside = (range: Range) => range.start >= sentence.start && range.end <= sentence.end;
    const dates = document.dates.filter((date) => inside(date) && date.iso.length === 10);
    const list = dates.flatMap((date): Deadline[] => {
      const lead = folded.slice(0, date.start - sentence.start);
      const clause = lead.split(/[;]|, (?:and|und|et) /).at(-1)!;
      if (
        !before.test(lead.slice(-26)) ||
        past.test(clause) ||
        !obligation.test(lead) ||
        /\b(?:meets?|meeting|closing|tagt|sitzung|for the (?:year|period) ended|dated|vom|implemented|effective from|started|since|seit)\b[^.]{0,30}$/.test(
          clause.slice(-44),
        )
      )
        return [];
      const kind = kindIn(clause)?.kind ?? kindIn(folded.slice(date.end - sentence.start))?.kind ?? named.kind;
      return kind === 'dividend-payment' ? [] : [{ kind, date: date.iso, start: sentence.start, end: sentence.end }];
    });
    const periods = document.durations.filter(inside).flatMap((duration): Deadline[] => {
      const at = duration.start - sentence.start;
      const lead = folded.slice(Math.max(0, at - 40), at);
      const after = folded.slice(duration.end - sentence.start, duration.end - sentence.start + 40);
      const isPeriod =
        (within.test(lead) &&
          /^(?:['s ]{0,3})(?: ?(?:of|after|from|following|nach|ab|seit|ub|der|des|du|de|dalla|dal|desde|na|van|efter|etter|fran|od|po|a compter|apres))/.test(
            after,
          )) ||
        /^ (?:after|nach|following|apres|na|efter|etter|po)\b/.test(after);
      if (!isPeriod || past.test(folded) || named.kind === 'dividend-payment') return [];
      return [
        {
          kind: kindIn(folded.slice(0, at))?.kind ?? named.kind,
          period: { count: Number(duration.count), unit: duration.unit },
          start: sentence.start,
          end: sentence.end,
        },
      ];
    });
    return [...list, ...periods];
  });
}

/** Sentences of prose; table rows are read as calendars. */
function sentencesOf({ sentences, tables, text }: Document): Range[] {
  let next = 0;
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of sentences) {
    while (next < tables.length && tables[next]!.end < start) next += 1;
    if (tables[next] !== undefined && start >= tables[next]!.start) continue;
    const last = joined.at(-1);
    // "… of Alder S.L. must be lodged": the abbreviation does not end the sentence.
    const goesOn =
      last !== undefined &&
      start - last.end <= 2 &&
      end - last.start < 800 &&
      /^\p{Ll}/u.test(text.slice(start, start + 1));
    if (goesOn) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

const paidOn =
  /\b(?:payment date|pay(?:ment)? day|paid on|payable on|date of payment|value date|zahltag|zahlungstag|ausgezahlt am|ausschuttung am|fallig am|mis en paiement le|verse le|date de paiement|data di pagamento|pagato il|fecha de pago|pagado el|betaald op|betaaldatum|utbetalt|utbetales|utbetalningsdag|data wyplaty|wyplacono)\b[^\d]{0,24}$/;
const dividend = phraseShape(
  'dividend*|dividende*|dividendo*|ausschuttung*|gewinnausschuttung*|utbytte*|utdelning*|udbytte*|dywidend*|distribution',
);

/** The payment date of a dividend: a date after such a label, near the word. */
function dividendDates(layout: Layout): Deadline[] {
  const { document, lines } = layout;
  return lines.flatMap((line): Deadline[] => {
    const folded = foldText(document.text.slice(line.start, Math.min(line.end, line.start + 400)));
    if (!/pa[iy]|zahl|schutt|fallig|paiement|vers|pag|betaal|utbet|wypla|value/.test(folded)) return [];
    const date = document.dates.find(({ start, iso }) => start >= line.start && start < line.end && iso.length === 10);
    if (date === undefined || !paidOn.test(folded.slice(0, date.start - line.start))) return [];
    const around = lines
      .slice(Math.max(0, line.index - 10), line.index + 8)
      .map((each) => each.segments.map((segment) => segment.folded).join(' '))
      .join(' ');
    return dividend.test(around) && !/invoice|rechnung|facture/.test(folded)
      ? [{ kind: 'dividend-payment', date: date.iso, start: line.start, end: line.end }]
      : [];
  });
}
