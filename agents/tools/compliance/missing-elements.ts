/** Elements that a contract or notice must have and lacks: by its own statement, or because no statement speaks of them. */
import type { Range } from '../text/span.ts';
import { frameworkMentions } from './applied-frameworks.ts';
import { type DocumentType, documentTypeOf } from './document-types.ts';
import type { FrameworkId } from './framework-names.ts';
import { type Clause, phrasesIn, type Reading } from './reading.ts';
import { type RequiredElement, requiredContents } from './required-elements.ts';
import { hasCue, isAside } from './sense.ts';

export interface MissingElement {
  readonly framework?: FrameworkId;
  /** The article that requires it. */
  readonly reference: string;
  readonly nature: 'missing-element';
  readonly element: RequiredElement;
  readonly range: Range;
}

const lacking =
  /(?<!\p{L})(?:lacks?|lacking|missing|does not contain|fehlt|fehlen|enthält kein\p{L}*|manque|ne contient pas|falta|faltan|carece|manca|mancano|ontbreekt|ontbreken|não contém|brakuje|nie zawiera|saknas|saknar)(?!\p{L})/iu;
const contractWords =
  /(?<!\p{L})(?:contract|agreement|addendum|vertrag\p{L}*|vereinbarung|contrat|convention|contrato|acuerdo|contratto|accordo|overeenkomst|acordo|umow\p{L}*|avtal\p{L}*)(?!\p{L})/iu;

/** "The contract with Acme lacks the clause on the rights of data subjects (Article 28(3)(e))". */
export function statedGaps(reading: Reading): MissingElement[] {
  const required = requiredContents['data-processing-agreement']!;
  const law = frameworkMentions(reading).find(
    ({ id, status }) => status === 'applied' && (id === 'gdpr' || id === 'uk_gdpr'),
  )?.id;
  if (law === undefined) return [];
  return reading.clauses.flatMap((clause): MissingElement[] => {
    const text = clause.text.replaceAll('´', "'");
    if (clause.row !== undefined || isAside(clause) || !lacking.test(text) || !contractWords.test(text)) return [];
    if (!/(?<!\p{L})art\p{L}{0,6}\.? 28(?!\d)/iu.test(text)) return [];
    const after = lacking.exec(text)!.index;
    const named = phrasesIn(clause, required.elements).filter(({ start }) => start > after);
    const kinds = new Set(named.map(({ label }) => label));
    const [element] = kinds;
    return element === undefined || kinds.size > 1
      ? []
      : [
          {
            framework: law,
            reference: '28',
            nature: 'missing-element',
            element,
            range: { start: clause.start, end: clause.end },
          },
        ];
  });
}

/** A text shorter than this is an extract. */
const wholeCharactersMin = 700;

/** Elements that a contract or notice must have and of which no statement speaks. */
export function missingElements(reading: Reading, type: DocumentType | undefined): MissingElement[] {
  const required = type === undefined ? undefined : requiredContents[type];
  if (required === undefined || reading.flat.length < wholeCharactersMin) return [];
  const applied = frameworkMentions(reading)
    .filter(({ status }) => status === 'applied')
    .map(({ id }) => id);
  const laws =
    type === 'business-associate-agreement'
      ? (['hipaa'] as const)
      : applied.filter((id) => id === 'gdpr' || id === 'uk_gdpr');
  if (laws.length === 0) return [];
  const present = new Set<RequiredElement>();
  for (const [index, clause] of reading.clauses.entries()) {
    if (isLeftBlank(reading.clauses, index)) continue;
    for (const match of phrasesIn(clause, required.elements)) {
      if (!present.has(match.label) && !isBoilerplate(clause, match.label, reading)) present.add(match.label);
    }
  }
  const range = documentTypeOf(reading)!.clause;
  if (partOfContract.test(range.text)) return [];
  return required.names
    .filter((name) => !present.has(name))
    .map(
      (element): MissingElement => ({
        ...(laws.length === 1 ? { framework: laws[0]! } : {}),
        reference: required.reference,
        nature: 'missing-element',
        element,
        range: { start: range.start, end: range.end },
      }),
    );
}

/** "Security addendum to the data processing agreement": the agreement has the elements that its part lacks. */
const partOfContract =
  /(?<!\p{L})(?:addendum|annex|appendix|schedule|exhibit|supplement|amendment|bijlage|anlage|anhang|ergänzung|nachtrag|annexe|avenant|anexo|adenda|allegato)(?!\p{L})[^.;]{0,24}?\s(?:to|of|bij|zu[rm]?|à|au|al|alla?)\s[^.;]{0,40}(?:agreement|addendum|vertrag|vereinbarung|overeenkomst|contrat|accord|contrato|acuerdo|contratto)(?!\p{L})/iu;

/** The heading of a section of a form that has not been filled in. */
function isLeftBlank(clauses: readonly Clause[], index: number): boolean {
  const [own, next] = [clauses[index]!, clauses[index + 1]];
  return (
    own.text.length < 80 &&
    next !== undefined &&
    next.heading === own.heading &&
    next.block !== own.block &&
    placeholder.test(next.text)
  );
}

const placeholder =
  /^\s{0,4}\(?(?:bitte ausfüllen|please complete|to be completed|tbd|à compléter|a completar|por completar|da compilare|in te vullen|a preencher|do uzupełnienia|fylls i)\)?[\s_.]{0,80}$|^\s{0,4}_{6,80}\s{0,4}$/iu;

const confidentialityNotice =
  /(?<!\p{L})(?:this (?:e-?mail|message|document|report) is confidential|confidential(?:ity)? notice|in error)(?!\p{L})/iu;
/** Wordings that contain the words of an element but do not state it. */
const otherMeaning: Readonly<Partial<Record<RequiredElement, RegExp>>> = {
  'audit-rights':
    /(?<!\p{L})(?:audit(?:ed)? logs?|audit trail|prüfprotokoll|journal d.audit|zugriffskontrolle|zutrittskontrolle|contrôle(?:s)? d.accès|control de acceso|controllo (?:degli )?access\p{L}|toegangscontrole|access control|kontrol\p{L} dostępu|controlo de acesso|åtkomstkontroll|kontrol\p{L}{1,3} (?:kameragestützte|der kuverts))/iu,
  'breach-notification':
    /(?<!\p{L})(?:breach of (?:this|the) (?:agreement|contract|clause)|material breach|vertragsverletzung|verletzung (?:dieser|dieses|der) (?:vereinbarung|vertrag\p{L}*|pflicht\p{L}*)|inbreuk op (?:deze|de) overeenkomst|manquement|incumplimiento|violazione (?:del|di) (?:presente )?(?:contratto|accordo))/iu,
  'likely-consequences':
    /(?<!\p{L})(?:likely to result in a risk|where the risk|in consequence of|disciplinary consequences)/iu,
};

function isBoilerplate(clause: Clause, element: RequiredElement, { language }: Reading): boolean {
  if (confidentialityNotice.test(clause.text)) return true;
  if (otherMeaning[element]?.test(clause.text) === true) return true;
  // "The agreement gives no right of audit" speaks of it, and denies it.
  return (
    element === 'audit-rights' &&
    hasCue(clause, language, { start: 0, end: clause.text.length }, 'denied') &&
    /(?<!\p{L})(?:no|kein|aucun|ningún|nessun|geen)(?!\p{L})[^.]{0,30}(?:audit|kontroll|contrôle|auditor|verific|controle)/iu.test(
      clause.text,
    )
  );
}
