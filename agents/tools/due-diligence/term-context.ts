/** Whether a sentence states a term of this agreement: not of an example, of another instrument, or of a former version. */
import type { Sentence } from './flow.ts';

/** Sentences about an example, a public offering or a cancelled instrument. */
const elsewhere =
  /\bstays? as (?:it )?is\b|\bwe (?:recommend|suggest|propose) (?:to )?(?:ask|request|seek|negotiat|demand)\w*|\bnot (?:yet|been) agreed\b|\brecomendamos (?:pedir|solicitar|negociar)|\bno están (?:aún|todavía) acordad\S*|\bwir empfehlen\b[^.;]{0,80}\b(?:zu (?:fordern|verlangen|verhandeln)|einzufordern)|\bnoch nicht vereinbart|\bnous recommandons de (?:demander|négocier|solliciter)|\bpas encore convenu|\b(?:raccomandiamo|consigliamo|suggeriamo) di (?:chiedere|richiedere|negoziare)|\bwij adviseren\b[^.;]{0,40}\bte (?:vragen|bedingen)|\bnog niet overeengekomen|\brekomendujemy (?:żądanie|wynegocjowanie)|\bremains? as (?:it )?is\b|\bbleibt,? wie (?:sie|er|es) ist\b|\b(?:is|are|was|were|has been|have been) (?:hereby )?(?:deleted|struck|withdrawn|superseded|revoked)\b|\bno longer (?:applies|apply|in force)\b|\b(?:est|sont|devenue?s?) caduc\S*|\b(?:ist|sind) (?:hinfällig|gegenstandslos|überholt)\b|\bhas lapsed\b|\b(?:ist|sind|wurden?|wird) (?:ersatzlos )?(?:gestrichen|aufgehoben)\b|\best (?:supprimé|abrogé)\S*|\b(?:queda|ha sido) (?:suprimid|derogad|sustituid)\S*|\bis (?:vervallen|geschrapt)\b|\bexamples?\b|\billustrat\S*|\bfor instance\b|\bzum beispiel\b|\bbeispiel\S*|\bpar exemple\b|\bpor ejemplo\b|\bbijvoorbeeld\b|\bcancell?ed\b|\b(?:older|earlier|previous|prior|former) (?:forms?|versions?|drafts?|safes?|notes?|structures?|proposals?|offers?)\b|\b(?:was|were|has been|have been) (?:since )?(?:dropped|abandoned|rejected)\b|\b(?:wurden?|ist|sind) (?:\S+ ){0,3}(?:verworfen|fallengelassen|abgelehnt)\b|\b(?:abandonnée?s?|rejetée?s?|descartad[oa]s?|rechazad[oa]s?|respint[oaie]|abbandonat[oaie]|verworpen)\b|\bfor information(?: only)?:|\b(?:un|per|ad) esempio\b|\bha(?:s|ve) (?:been )?(?:fully )?converted\b|\b(?:fully|since) repaid\b|\b(?:repaid|redeemed) in full\b|\bvollständig (?:zurückgezahlt|getilgt)|\bintégralement remboursé\S*|\b(?:totalmente|íntegramente) (?:reembolsad|amortizad|devuelt)\S*|\b(?:volledig|inmiddels) (?:afgelost|terugbetaald)|\b(?:is|werd) (?:op [^.]{4,30} )?afgelost\b|\battached for comparison\b|\bhas no effect\b|\bsuperseded\b|\bpublic offering\b|\bunderwritten\b|\bto the public\b(?! (?:offering )?price)|\bipo\b|\bbörsengang|\bintroduction en bourse|\bsalida a bolsa|\bbeursgang/i;
const formTitle =
  /^existing (?:series|preferred|notes?|safes?|loans?)|\bform of\b|\bmuster\b|\bspecimen\b|\bmodèle\b|\btemplate\b|\bexample\b|\bdrafting notes?\b/i;
export const blank = /\[[_ .•●]*\]|_{3,}/;

export function isElsewhere(sentence: Sentence): boolean {
  return isOfOther(sentence) || blank.test(sentence.text);
}

/** A letter of intent that the agreement replaces, and matters that the agreement does not govern. */
const replacedText =
  /\b(?:letter of intent|intentieverklaring|absichtserklärung|lettre d[’']intention|carta de intenciones|lettera d[’']?i?n?tenti|term sheet)\b[^.]{0,240}\b(?:superseded|lapses|vervalt|vervallen|erlischt|hinfällig|caduc\S*|sin efecto|superat[ao])|\b(?:is|are) outside (?:the scope of )?this (?:agreement|loan|note)\b|\bbuiten deze overeenkomst valt\b/i;

export function isOfOther({ text, label }: Sentence): boolean {
  return replacedText.test(text) || elsewhere.test(text) || elsewhere.test(label) || formTitle.test(label);
}

/** Sentences about an instrument or a clause that holds no longer. */
export function isSuperseded({ text }: Pick<Sentence, 'text'>): boolean {
  return superseded.test(text);
}

const superseded =
  /\b(?:is|are|was|were|has been|have been) (?:hereby )?(?:deleted|struck|superseded|revoked)(?![\p{L}])|(?<!\p{L})(?:ersatzlos )?(?:gestrichen|aufgehoben)(?!\p{L})|(?<!\p{L})est (?:supprimé|abrogé)|(?<!\p{L})(?:queda|ha sido) (?:suprimid|derogad)|(?<!\p{L})is (?:vervallen|geschrapt)(?!\p{L})/iu;

/** "Previously 8 %", "increased from 5 to 8 %": the value that held before. */
const replaced =
  /(?<!\p{L})(?:previously|formerly|originally|instead of|rather than|zuvor|bisher|ursprünglich|statt|anstelle von|auparavant|initialement|au lieu de|anteriormente|en lugar de|voorheen|in plaats van)\s(?:\p{L}{1,10}\s)?$/iu;
/** "[Deleted: discount of 25 %.]" */
const bracketed = /\[(?:deleted|gestrichen|supprimé|eliminado|geschrapt)(?!\p{L})[^\]]{0,70}$/iu;
const changing =
  /(?<!\p{L})(?:extend\p{L}*|amend\p{L}*|chang\p{L}*|postpon\p{L}*|increas\p{L}*|reduc\p{L}*|rais\p{L}*|lower\p{L}*|verlänger\p{L}*|erhöh\p{L}*|gesenkt|prorog\p{L}*|port[ée]\p{L}*|prorrog\p{L}*|aument\p{L}*|verleng\p{L}*|verhoogd|verlaagd)(?!\p{L})/iu;

export function isReplaced(text: string, { at, to }: { readonly at: number; readonly to: number }): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  if (replaced.test(before) || bracketed.test(text.slice(Math.max(0, at - 90), at))) return true;
  return (
    changing.test(text) &&
    /(?<!\p{L})(?:from|von|vom|de|du|desde|van)\s$/iu.test(before) &&
    /^\s?(?:to|until|auf|bis|à|au|jusqu|a|hasta|naar|tot|op)(?!\p{L})/iu.test(text.slice(to, to + 12))
  );
}
