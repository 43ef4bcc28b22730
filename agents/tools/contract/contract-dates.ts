/** Finds the dates of a contract and their purpose: start, signature, end; not dates of other agreements, offers or breaks. */
import { labelOver } from '../../document/context.ts';
import type { Document } from '../../document/document.ts';
import type { FoundDate } from '../text/dates.ts';
import { indexAt } from '../text/ranges.ts';
import { fromLabel } from './row-labels.ts';
import { offsetOf, statementAt } from './statements.ts';

export type DateRole = 'effective' | 'signature' | 'start' | 'end' | 'deadline' | 'other';

export interface ContractDate extends FoundDate {
  readonly role: DateRole;
}

/** Ordered by position in the text; at most this many. */
export function findContractDates(document: Document, max: number): ContractDate[] {
  const dates = document.dates.slice(0, max).map((date) => ({ ...date, role: roleOf(document, date) }));
  const hasEffective = dates.some(({ role }) => role === 'effective');
  // If a contract states its beginning only as an effective date, this date is its start.
  const isDated = hasEffective || dates.some((date) => date.role === 'start' && takesEffect(document, date));
  return dates.map((date) =>
    date.role === 'other' && !isDated && isOfLetter(document, date)
      ? { ...date, role: 'effective' }
      : date.role === 'start' && !hasEffective && takesEffect(document, date)
        ? { ...date, role: 'effective' }
        : date,
  );
}

function takesEffect(document: Document, date: FoundDate): boolean {
  const before = document.text.slice(Math.max(0, date.start - 80), date.start);
  return /\b(?:takes? effect|tritt|effective|in kraft)\b/i.test(before);
}

const otherAgreement =
  /\b(?<!\bthis )(?:agreement|contract|lease|order(?: form)?|form|letter|msa|deed|nda|terms|declaration|addendum|annex|proposal|quotation|quote|offer|tender|invoice|statement of work|sow|act|regulation|directive|gazette|version|revision|policy|draft|vertrag|vereinbarung|angebot|bestellung|rechnung|beschluss|gesetz|fassung)\b[^.;]{0,70}\b(?:dated|of|from|vom|as of|made on|entered into on|signed on|on)\s(?:the )?$/i;
const thisAgreement =
  /\b(?:this|dieser?|diese[nms]?|present)(?: [\w-]+){0,5}(?: \([^)]{0,60}\))?[^.;]{0,40}(?:dated|made|entered into|as of|effective|signed|concluded|geschlossen)[^.;]{0,50}$/i;
/** "This Lease replaces the letter of intent dated": the date of the other document. */
const replacedDocument =
  /\b(?:replaces?|supersedes?|cancels?|terminates?|annuls?|amends?|varies|restates?|ersetz(?:t|en)|annule|sustituye|sostituisce|vervangt|zastępuje|ersätter|substitui|erstatter)\b(?![^.;]{0,120}\b(?:effective|takes? effect|entered into) (?:as of |on )?$)[^.;]{0,120}$/i;
/** "The agreement is concluded for … and starts on" is about this agreement. */
const hasVerb =
  /\b(?:start(?:s|ing)?|begin(?:s|ning)?|commenc(?:es?|ing)|remains? in force|ends?|expires?|terminates?|runs?|continues?|takes? effect|comes? into|enters? into force|is (?:valid|concluded)|lasts?|applies|tritt|beginnt|endet|läuft)\b/i;
const effectiveCue =
  /\b(?:(?:valid|applicable|applies|in force) (?:from|as of)|as from|prend effet|entre en vigueur|entrará en vigor|treedt in werking|effective(?: date)?(?: as of| from| on| date is|:)?|with effect from|takes? effect|comes? into (?:force|effect)|enters? into force|dated(?: as of)?|date of (?:this )?(?:agreement|contract|lease|deed)|made (?:and entered into )?(?:as of|on|this)|entered into (?:in \p{Lu}\p{L}{2,30} )?(?:as of|on|this|effective as of)|as of|in kraft|geschlossen am|vertragsdatum|order date|agreement date|contract date|vertragsschluss|wirkung (?:zum|vom|ab))\b[^.;]{0,40}$/iu;
const startCue =
  /\b(?:commenc\w*|begin(?:s|ning)?|start(?:s|ing)?|from and including|subscription start|start date|beginnt|beginn|ab dem|starting on|service(?:s)? date|go-live|(?:years?|months?|weeks?|jahren?|monaten?) (?:from|ab)(?: the)?|with effect from|à compter du|a partir del?|(?:engages?|appoints?|hires?|employs?|lets?)\b[^.;]{0,80}\bfrom)\b[^.;]{0,50}$/i;
const endCue =
  /\b(?:until(?: and including)?|to and including|expir\w*|ends?(?: date)?|ending|through|terminates?|continu\w+ (?:to|until)|subscription end|end date|maturity(?: date)?|final repayment|no later than|valid until|bis(?: einschließlich)?(?: zum)?|endet|jusqu['’]au|hasta el|laufzeitende|befristet bis)\b[^.;]{0,50}$/i;
const noEnd =
  /\b(?:offer|quot\w+|valid|contract years?|first time|erstmals|no (?:increase|change)|increase|pilot|subcontractor|former|previous|bisherig\w*|frühere\w*|vorherig\w*|predecessor|break|may (?:end|terminate)|terminat\w+ (?:\w+ ){0,4}with effect|notice|kündig\w*|angebot|rent review|warrant\w*|guarantee period|respond|submit|financial year|fiscal|reporting|insurance|policy|price[sd]?|preis\w*|fixed until|test phase|probezeit|objections?|exclusivity)\b/i;
const noStart =
  /\b(?:rent|increase|review|insurance|contract years?|accru\w+|interest|instal?ments?|payments?|charges?|fees?|pilot|prices?|audit|born|employed since|reduced|rate|delivery|repayment|vergütung|preis\w*|mietzins|(?:die|der) miete|erhöht|erhöhung)\b/i;
const noEffect =
  /\b(?:first time|erstmals|terminat\w*|kündig\w*|increase|rates?|prices?|charges?|amended|notice|expired|superseded|no longer|former)\b/i;
const deadline =
  /\b(?:no later than|not later than|by|before|deadline|due|within|spätestens|bis spätestens)\b[^.;]{0,24}$/i;

function roleOf(document: Document, date: FoundDate): DateRole {
  if (isOfMail(document, date)) return 'other';
  const label = labelsOf(document, date);
  if (isSignature(document, date, label)) return 'signature';
  const labelled = roleOfLabel(document, label, date);
  if (labelled !== undefined) return labelled;
  const statement = statementAt(document, date.start);
  if (statement === undefined) return 'other';
  const at = offsetOf(statement, date.start) ?? 0;
  const before = statement.text.slice(Math.max(0, at - 160), at);
  const after = statement.text.slice(at, at + 130);
  const own = thisAgreement.test(before);
  if (/^(?:DATED|Dated|Datum|THIS (?:AGREEMENT|DEED|LEASE|CONTRACT) is dated)\b/.test(statement.text) && at < 60)
    return 'effective';
  if (
    /^[^()]{0,4}\("?[^)]{0,30}(?:Effective Date)/i.test(after.slice(date.end - date.start, date.end - date.start + 50))
  )
    return 'effective';
  const other = otherAgreement.exec(before);
  if (other !== null && replacedDocument.test(before)) return 'other';
  if (other !== null && !own && !hasVerb.test(other[0])) return 'other';
  if (
    /\("?[^)]{0,30}(?:Effective Date)/i.test(after.slice(0, 60)) ||
    /\beffective date["”)]* (?:means|is|shall be)\b[^.]{0,20}$/i.test(before)
  )
    return 'effective';
  if (
    /\("?[^)]{0,30}(?:Commencement|Start|Funding|Go-?Live|Handover|Possession|Opening) Date/i.test(
      after.slice(0, 60),
    ) ||
    /\b(?:commencement|start) date["”)]* (?:means|is|shall be|:)[^.]{0,20}$/i.test(before)
  )
    return 'start';
  if (
    /\b(?:(?:expiry|end|termination|expiration|(?:final )?maturity|repayment) date)["”)]* (?:means|is|shall be|:)[^.]{0,20}$/i.test(
      before,
    ) ||
    /\("?[^)]{0,30}(?:Expiry Date|Maturity Date|Expiration Date|End Date)/i.test(after.slice(0, 60))
  )
    return 'end';
  // An amendment replaces the date of the term.
  if (/\((?:term|duration|expiry|laufzeit)[^)]{0,20}\)[^;]*\breplaced (?:by|with)\b[^;]{0,12}$/i.test(before))
    return 'end';
  const near = before.slice(-110);
  if (/\b(?:may|can|kann) (?:\w+ ){0,3}(?:end|terminate|cancel|break|kündigen)\b[^.;]{0,140}$/i.test(before))
    return 'other';
  if (/^ in kraft\b/i.test(after.slice(date.end - date.start))) return 'effective';
  const [role] = (
    [
      ['effective', effectiveCue],
      ['start', startCue],
      ['end', endCue],
      ['deadline', deadline],
    ] as const
  )
    .map(([name, pattern]) => [name, pattern.exec(near)] as const)
    .filter(([, match]) => match !== null)
    .map(([name, match]) => [name, lastCue(match![0], match!.index)] as const)
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name);
  if (role === 'effective') {
    return isAboutContract(document, statement.text, own) && !noEffect.test(near) ? 'effective' : 'other';
  }
  if (role === 'start')
    return isTerm(statement.text, statement.titles) && !noStart.test(near.slice(-70)) ? 'start' : 'other';
  if (role === 'end' && /^(?:to|until|through) (?:and including )?$/i.test(before.trimStart())) return 'end';
  if (role === 'end')
    return isTerm(statement.text, statement.titles) &&
      !noEnd.test(near.replace(/\b(?:agreement|contract|licen[cs]e|framework|order)[^.;]{0,24} valid\b/i, '')) &&
      !noEnd.test(after.slice(0, 40))
      ? 'end'
      : 'other';
  return role ?? 'other';
}

/** "Date: 3 March 2026 18:22" between "From:" and "Subject:". */
function isOfMail({ text }: Document, { start }: FoundDate): boolean {
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start);
  return (
    /^[ \t>]*(?:Date|Sent|Datum|Gesendet|Envoyé|Enviado|Data)[ \t]*:/i.test(line) &&
    /(?:^|\n)[ \t>]*(?:From|Von|De|Da|Van|To|An|À|Subject|Betreff|Objet|Asunto)[ \t]*:/i.test(
      text.slice(Math.max(0, start - 300), start + 300),
    )
  );
}

/** A date above the salutation of a letter, on a line with few other words. */
function isOfLetter({ text }: Document, { start, end }: FoundDate): boolean {
  const salutation =
    /\n[ \t]*(?:Dear|Sehr geehrte|Madame|Monsieur|Messieurs|Estimad|Muy señores|Geachte|Gentile|Szanown)/.exec(
      text.slice(end, end + 700),
    );
  if (salutation === null) return false;
  const lineStart = text.lastIndexOf('\n', start) + 1;
  const before = text.slice(lineStart, start).trim();
  const rest = text
    .slice(end, end + 60)
    .split('\n', 1)[0]!
    .trim();
  return (
    rest === '' &&
    !before.includes(':') &&
    before.split(/\s+/).length <= 4 &&
    !/\b(?:to|until|of|by|from)$/i.test(before)
  );
}

/** The position of the cue; a later cue is closer to the date. */
function lastCue(_words: string, index: number): number {
  return index;
}

function isAboutContract(document: Document, text: string, own: boolean): boolean {
  if (own) return true;
  if (
    /\b(?:earlier|former|previous|superseded|expired|replaced|insurance|price|rate card|increase|order form of)\b/i.test(
      text,
    )
  )
    return false;
  return (
    /\b(?:this|agreement|contract|lease|deed|terms|annex|addendum|order|contrat|convention|contrato|overeenkomst|vertrag|vereinbarung|it|er|sie)\b/i.test(
      text,
    ) || document.text.indexOf(text.slice(0, 20)) < 1_500
  );
}

function isTerm(text: string, titles: string): boolean {
  return (
    /\b(?:this (?:\w+ ){0,3}(?:agreement|contract|lease|annex|order|licen[cs]e|sow|addendum|deed)|the (?:\w+ )?(?:agreement|contract|term|lease|subscription|services?|licen[cs]e|tenancy|engagement|appointment|loan|facility|work|assignment|project|rental|hire|mandate|placement|cooperation|collaboration)|(?:our|the) (?:work|services)|it|contrat|contrato|engages?|appoints?|die (?:pflege|leistung|nutzung|wartung|miete|lieferung)\w*|vertrag\w*|laufzeit|mietverh[\wä]+|er|vereinbarung)\b/i.test(
      text,
    ) || /\bterm\b|duration|laufzeit|dauer|maturity|repayment|commencement/i.test(titles)
  );
}

/** The label of its line, the first cell of its row, or the header above its column. */
function labelsOf(document: Document, { start }: FoundDate): string {
  const index = indexAt(document.blocks, start);
  const block = index === undefined ? undefined : document.blocks[index];
  if (block === undefined) return '';
  if (block.kind === 'field' && start >= block.value.start)
    return document.text.slice(block.label.start, block.label.end);
  if (block.kind === 'table') {
    const rows = [
      ...block.table.headerRows,
      ...block.table.rows.map(({ cells }) => cells.filter((cell) => cell !== undefined)),
    ];
    const row = rows.find((cells) => cells.some((cell) => cell.start <= start && start < cell.end));
    const [first] = fromLabel(row ?? []);
    if (first !== undefined && first.end <= start) return first.text;
    const own = first === undefined ? '' : document.text.slice(first.start, start);
    return /^[^:\n]{2,40}:\s*$/.test(own) ? own.split(':')[0]! : '';
  }
  const line = document.text.slice(block.start, start);
  const label = /(?:^|\n)[^\n:]{0,10}?((?:\p{L}[\p{L} ()]{2,40}))[ \t]*:[ \t]*[^\n:]{0,60}$/u.exec(line);
  return label?.[1] ?? '';
}

function roleOfLabel(document: Document, label: string, date: FoundDate): DateRole | undefined {
  const clean = label.replace(/[*_:]/g, '').trim();
  if (clean === '' || clean.length > 50) return undefined;
  if (/offer|quot|valid|angebot|printed|version|revision|updated|draft|invoice|delivery|birth|due|review/i.test(clean))
    return 'other';
  const before = document.text.slice(Math.max(0, date.start - 40), date.start);
  if (/^(?:date|datum)$/i.test(clean) && date.start < 1_500) return 'effective';
  if (/\bterm\b|laufzeit|period|dauer/i.test(clean)) {
    if (/\b(?:to|until|through|bis)\b[^\n]{0,24}$|[–-]\s*$/i.test(before)) return 'end';
    return 'start';
  }
  if (/\b(?:end|ends|expir\w+|maturity|until|ende|laufzeitende|final repayment)\b/i.test(clean)) return 'end';
  if (/\b(?:start|starts|commenc\w+|begin\w*|beginn|go-live)\b/i.test(clean)) return 'start';
  if (
    /\b(?:effective|order date|agreement date|contract date|date of (?:the )?(?:agreement|lease|contract|order|deed|this)|dated|vertragsdatum|inkrafttreten|date of this|bestelldatum|gültig ab)\b/i.test(
      clean,
    )
  )
    return 'effective';
  return undefined;
}

const stamp =
  /\b(?:received|recd|scanned|filed|entered|stamped|printed|exported|eingegangen|eingang|reçu le|recibido|ontvangen|pervenuto|wpłynęło)\b[^.;]{0,20}$/i;

/** In a signature block below "Signed", each side has a date: "Mainz, 1 June 2026". */
function isSignature(document: Document, date: FoundDate, label: string): boolean {
  const { text } = document;
  const isLate = date.start > text.length * 0.45;
  if (!isLate) return false;
  const lineStart = text.lastIndexOf('\n', date.start) + 1;
  const lineEnd = text.indexOf('\n', date.end) === -1 ? text.length : text.indexOf('\n', date.end);
  const line = text.slice(Math.max(lineStart, date.start - 160), Math.min(lineEnd, date.end + 80));
  const above = text.slice(Math.max(0, date.start - 700), date.start);
  if (
    /^(?:date|datum|dated|signed on|date signed|date of signature|unterzeichnet am)$/i.test(
      label.replace(/[*_:]/g, '').trim(),
    )
  )
    return true;
  // "Mainz, 1 June 2026", "Wendlingen, den 16.03.2026", several in a line.
  const before = text.slice(Math.max(lineStart, date.start - 50), date.start);
  if (
    /(?:^|\s{2,}|\t)\p{Lu}[\p{L}. -]{1,28}(?:, ?(?:den |this |on |am |le |li |lì |a |ai |dnia )?(?:the )?| (?:den|le|li|lì|dnia|the) )$/u.test(
      before,
    ) &&
    line.trim().length < 130 &&
    !/\b(?:of|until|by|from)\b/.test(before)
  )
    return true;
  if (/\b(?:date|datum|dated)[ \t]*:[ \t]*$/i.test(text.slice(Math.max(0, date.start - 24), date.start))) return true;
  // A stamp says when the document was received or scanned.
  if (stamp.test(line.slice(0, Math.max(0, date.start - lineStart)))) return false;
  const isSigning =
    /\bby:|\/s\/|\b(?:agreed (?:for|by|to|and)|accepted|countersigned|signed|executed|in witness whereof|signature|signatures|unterschrift|gezeichnet|duly authori[sz]ed|for and on behalf|firmado|ondertekend|aldus overeengekomen)\b|\bfait à |\bhecho en |\bfatto a /i.test(
      above,
    ) || labelOver(document, date.start).match(/signature|unterschrift|signed/i) !== null;
  // "A net worth of USD 9 million at December 31, 2025": a statement, and no line of a signature.
  const isStated = /\b(?:at|as of|since|until|before|after|through)\s{1,3}$/i.test(before);
  const isBare =
    !isStated &&
    line.trim().split(/\s+/).length <= 16 &&
    !/\b(?:shall|will|is|are|agreement of|dated as of)\b/i.test(line);
  return isSigning && isBare;
}
