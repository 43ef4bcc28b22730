/** Terms of an employment document beyond simple values: covenants, place, law, hours, benefits, and conflicts with that law. */
import type { Document } from '../../document/document.ts';
import { type CertainFacts, withholdDoubtful } from './certainty.ts';
import { benefitFacts } from './clause-benefits.ts';
import { conflictFacts } from './clause-conflicts.ts';
import { covenantFacts } from './clause-covenants.ts';
import { hours } from './clause-hours.ts';
import { lawFacts } from './clause-law.ts';
import { leaveFacts } from './clause-leave.ts';
import { noticeFacts, probationFacts } from './clause-notice.ts';
import { payFacts } from './clause-pay.ts';
import { termFacts } from './clause-terms.ts';
import { workplaceFacts } from './clause-workplace.ts';
import { type Clause, type ClauseFact, clausesOf } from './clauses.ts';
import { documentKind } from './document-kind.ts';

/** Only documents about employment are read; others (leases, price lists) are not. */
const employment =
  /employ(?:ee|er|ment)|\bstaff\b|\bworkers?\b|team members?|salary|wages|annual leave|probation|arbeitnehmer|gehalt|urlaub|stundenlohn|anstellung|personalhandbuch|salaire|congés payés|embauch|salario|vacaciones|jornada|retribuzione|assunzione|\bloon\b|vakantie|personeel|arbeitnehmer|arbeitgeber|arbeitsvertrag|arbeitszeit|mitarbeiter|tarifvertrag|salarié|contrat de travail|trabajador|contrato de trabajo|lavorator|contratto di lavoro|dipendente|werknemer|arbeidsovereenkomst|zaměstnan|ansættelse|\bansatte?\b|medarbejder|medarbetare|anställ|arbetstagar|arbetsgivar|arbejdsgiver|arbejdstid|arbetstid|arbeidstid|arbeidsavtale|ansettelse|arbeidstaker|\bløn\b|\blön\b|\blønn\b|personalhandb|personalehåndb|umow\p{L}+ o prac|pracowni|pracodaw|wynagrodzeni|zatrudni|czas\p{L}* pracy|trabalhador|contrato de trabalho|colaborador|salário|férias|remuneração|empregador|tempo de trabalho|työsopimus|työntekij|pracovní smlouv|mzd[ay]\b/iu;

const board =
  /vacanc(?:y|ies)|job (?:board|advert|offers?)|stellen(?:anzeigen|angebote|markt|ausschreibung)|offres? d['’]emploi|ofertas? de (?:empleo|trabajo)|tablón de empleo|annunci di lavoro|offerte di lavoro|vacatures/iu;
const advertisementsMin = 3;

/** The statements of each advertisement of a board, by its title; those of another document as one list. */
function advertisements(clauses: readonly Clause[], document: Document): readonly (readonly Clause[])[] {
  if (documentKind(document) !== 'other' || !board.test(document.text.slice(0, 400))) return [clauses];
  const byTitle = Map.groupBy(clauses, ({ titles }) => titles.split(' > ').slice(-2, -1)[0] ?? titles);
  const several = [...byTitle.values()];
  return several.length < advertisementsMin ? [clauses] : several;
}

/** All facts, as they are read. */
export function clauseFacts(document: Document): readonly ClauseFact[] {
  const { found, conflicts } = readClauses(document);
  return [...found, ...conflicts];
}

/** The facts without those whose reading is doubtful, and without the conflicts with the law that rest on these. */
export function certainClauseFacts(document: Document): CertainFacts {
  const { clauses, found, conflicts } = readClauses(document);
  const { facts, withheld } = withholdDoubtful(found, clauses, document);
  const doubtful = new Set(withheld.map(({ fact }) => fact.start));
  return { facts: [...facts, ...conflicts.filter(({ start }) => !doubtful.has(start))], withheld };
}

interface ReadClauses {
  readonly clauses: readonly Clause[];
  readonly found: readonly ClauseFact[];
  readonly conflicts: readonly ClauseFact[];
}

function readClauses(document: Document): ReadClauses {
  if (!employment.test(document.text.slice(0, 20_000))) return { clauses: [], found: [], conflicts: [] };
  const clauses = clausesOf(document);
  const base = advertisements(clauses, document).flatMap((own) => [
    ...probationFacts(own),
    ...noticeFacts(own),
    ...payFacts(own),
    ...benefitFacts(own),
    ...leaveFacts(own),
    ...covenantFacts(own),
    ...workplaceFacts(own),
    ...hours(own),
    ...termFacts(own, document),
  ]);
  const law = lawFacts(clauses);
  return { clauses, found: [...base, ...law], conflicts: conflictFacts(clauses, base, law[0]?.value) };
}
