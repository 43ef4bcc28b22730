/**
 * Determines whether a text is a contract or clauses of one. Articles, statutes, judgments, letters and policies describe and
 * quote contracts; they have no parties, no score and no missing clauses.
 */
import type { Document } from '../../document/document.ts';
import { fullRows } from '../../document/table.ts';
import { partiesOf } from './contract-parties.ts';

/** Titles of texts that are not contracts. */
const otherSelf =
  /\b(?:this|these|our|the present|dieser?|dieses) (?:\w+ )?(?:article|bulletin|newsletter|briefing|blog|post|guide|guidance|note|memo(?:randum)?|report|alert|update|publication|white ?paper|handbook|paper|chapter|survey|presentation|regulation|directive|act|statute|ordinance|law|code of practice|bill|judgment|opinion|decision|ruling|policy|checklist|course|book|gesetz|verordnung|richtlinie|beitrag|artikel|urteil|merkblatt|request for proposals?|rfp|press release|e-?mail|minutes|study|webinar)\b/gi;
const ownSelf =
  /\b(?:this|these|the present|present|dieser?|diese[mns]?|vorliegende[rnms]?) (?:[\p{L}-]+ ){0,4}(?:agreement|contract|lease|deed|terms|order(?: form)?|annex|addendum|licen[cs]e|undertaking|sow|statement of work|schedule|facility|note|letter|guarant(?:ee|y)|conditions|instrument|memorandum of understanding|heads of terms|term sheet|offer|mandate|appointment|settlement|amendment|guarantee|dpa|nda|msa|vertrag(?:es|s)?|bedingungen|geschäftsbedingungen|agb|vereinbarung|rahmenvertrag(?:s|es)?|auftrag(?:s|es)?)\b|\b(?:le |la |du |au )?présente? (?:contrat|convention|accord)\b|\b(?:el|la|del) presente (?:contrato|acuerdo)\b|\bil presente (?:contratto|accordo)\b|\b(?:deze|onderhavige) (?:overeenkomst)\b/giu;
const opening =
  /\bbetween\b[\s\S]{0,600}\band\b|\bzwischen\b[\s\S]{0,800}\bund\b|\bby and between\b|\bmade (?:on|as of|this)\b|\bentered into\b|\bfolgender vertrag\b|\bapply between\b|\bentre les soussigné|\bil a été convenu\b|\b(?:reunidos|de una parte)\b|\bondergetekenden\b|\bpartijen:/i;
const notAdvice =
  /\bnot (?:constitute )?(?:\w+ )?legal advice\b|\bfor (?:general )?information(?:al)? (?:purposes )?only\b|\bsubscribe\b|\bour (?:team|lawyers|clients|readers)\b|\bkeine rechtsberatung\b|\bbe it enacted\b|\ban act to\b|\bthis act may be cited\b|\bofficial journal\b|\bhave adopted this regulation\b|\bin the (?:high court|court of appeal|supreme court|district court)\b|\bthe (?:claimant|plaintiff|appellant|respondent)\b|\bbundesgesetzblatt\b|\bBGBl\b|\bim namen des volkes\b|\bfrequently asked\b|\bwe suggest (?:wording|the following)\b|\bread(?:ers)?\b[^.]{0,20}\bclauses?\b/gi;

const cache = new WeakMap<Document, boolean>();

/** @returns whether the text may be reviewed; a few clauses alone may. */
export function isContract(document: Document): boolean {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const result = decide(document);
  cache.set(document, result);
  return result;
}

function decide(document: Document): boolean {
  const text = withoutQuotes(document.text.slice(0, 60_000)).replace(/\s{1,40}/g, ' ');
  const others = count(text, otherSelf) + count(text, notAdvice);
  const own = count(text, ownSelf);
  const hasParties = partiesOf(document).length >= 2;
  if (hasParties && own >= 1) return true;
  if (others <= own && isGeneralTerms(document)) return true;
  if (others === 0 && labelledTerms(document) >= 3) return true;
  if (others > own) return false;
  // A whole document must call itself a contract or have parties; an excerpt need not.
  if (text.length < 1_500) return true;
  if (hasParties || own >= 2) return true;
  if (own === 1 && opening.test(text)) return true;
  return duties(text) >= Math.max(4, text.length / 1_200) && others === 0;
}

/** General terms name one party only, and their title says what they are. */
function isGeneralTerms({ text, sections }: Document): boolean {
  return (
    generalTerms.test(text.slice(0, openingCharacters)) ||
    sections.slice(0, 3).some(({ title }) => generalTerms.test(title))
  );
}

const openingCharacters = 400;
const generalTerms =
  /(?<!\p{L})(?:allgemeine \p{L}*bedingungen|AGB|general terms|(?:standard |general )?terms (?:and|&) conditions|terms of (?:service|use|business|sale)|conditions of (?:sale|purchase|supply)|conditions générales|condiciones generales|condizioni generali|algemene voorwaarden|allmänna villkor|ogólne warunki|regulamin|condições gerais|almindelige betingelser|salgs- og leveringsbetingelser)(?!\p{L})/iu;

/** Terms in rows or labelled lines of a form: "Governing law: …", "Liability cap | …". */
function labelledTerms({ text, blocks }: Document): number {
  const labels = new Set<string>();
  for (const block of blocks) {
    const shown =
      block.kind === 'field'
        ? [text.slice(block.label.start, block.label.end)]
        : block.kind === 'table' && block.table.rows.length <= 60
          ? fullRows(block.table).map(([first]) => first?.text ?? '')
          : [];
    for (const label of shown) {
      const named = termLabel.exec(label.slice(0, 60))?.[0];
      if (named !== undefined) labels.add(named.toLowerCase());
    }
  }
  return labels.size;
}

const termLabel =
  /^(?:governing law|applicable law|jurisdiction|disputes?|liability|payment|late payment|overdue|billing|renewal|auto-?renewal|term|subscription term|termination|cancellation|assignment|warranty|force majeure|confidentiality|haftung|zahlung|laufzeit|kündigung|gerichtsstand|gewährleistung)\b/i;

function count(text: string, pattern: RegExp): number {
  return Math.min(50, text.match(pattern)?.length ?? 0);
}

/** Duties of a contract party: "the Supplier shall". */
function duties(text: string): number {
  return count(
    text,
    /\b(?:the )?(?:Supplier|Customer|Client|Provider|Contractor|Consultant|Vendor|Company|Seller|Buyer|Purchaser|Licensor|Licensee|Landlord|Tenant|Lender|Borrower|Employee|Employer|Distributor|Party|Auftragnehmer|Auftraggeber|Kunde|Lieferant|Anbieter|either party|each party|neither party|Prestataire|Fournisseur|Acheteur|Vendeur|Proveedor|Cliente) (?:shall|will|may|must|hat|wird|ist verpflichtet|s['’]engage|doit|peut|podrá|deberá|se obliga)/g,
  );
}

/** Quoted sample wording does not describe the surrounding text. */
function withoutQuotes(text: string): string {
  return text.replace(/["“„][^"“”„]{60,1500}["”“]/g, ' ');
}
