/** Terms of an employment document beyond simple values: covenants, place, law, hours, benefits, and conflicts with that law. */
import type { Document } from '../../document/document.ts';
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
import { type ClauseFact, clausesOf } from './clauses.ts';

/** Only documents about employment are read; others (leases, price lists) are not. */
const employment =
  /employ(?:ee|er|ment)|\bstaff\b|\bworkers?\b|team members?|salary|wages|annual leave|probation|arbeitnehmer|gehalt|urlaub|stundenlohn|anstellung|personalhandbuch|salaire|congés payés|embauch|salario|vacaciones|jornada|retribuzione|assunzione|\bloon\b|vakantie|personeel|arbeitnehmer|arbeitgeber|arbeitsvertrag|arbeitszeit|mitarbeiter|tarifvertrag|salarié|contrat de travail|trabajador|contrato de trabajo|lavorator|contratto di lavoro|dipendente|werknemer|arbeidsovereenkomst|zaměstnan/iu;

export function clauseFacts(document: Document): ClauseFact[] {
  if (!employment.test(document.text.slice(0, 20_000))) return [];
  const clauses = clausesOf(document);
  const base = [
    ...probationFacts(clauses),
    ...noticeFacts(clauses),
    ...payFacts(clauses),
    ...benefitFacts(clauses),
    ...leaveFacts(clauses),
    ...covenantFacts(clauses),
    ...workplaceFacts(clauses),
    ...hours(clauses),
    ...termFacts(clauses, document),
  ];
  const law = lawFacts(clauses);
  return [...base, ...law, ...conflictFacts(clauses, base, law[0]?.value)];
}
