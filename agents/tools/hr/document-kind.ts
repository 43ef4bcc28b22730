/** Determines the type of an employment document by its title: the checklists apply to some types only. */
import type { Document } from '../../document/document.ts';

export type HrDocumentKind = 'handbook' | 'policy' | 'contract' | 'other';

/** Titles are at the beginning; references to other documents are further down. */
const topCharacters = 1_200;

const handbookTitle =
  /\b(?:(?:employee|staff|company|team(?: member)?|crew|colleague|associate|people|workplace|personnel|hr|employment|partner|member)[ -]{1,3}(?:handbook|manual|guide(?:book)?|playbook|policies)|\bhandbook\b$|working at [\p{L} &]{2,40}: (?:our|the|your) (?:guide|handbook)|(?:mitarbeiter|personal)(?:leitfaden|ordnung|richtlinien)|guide du collaborateur|guía del empleado|guida del dipendente|medewerkersgids|handbook for (?:employees|staff)|personalhandbuch|mitarbeiterhandbuch|betriebsordnung|arbeitsordnung|manuel (?:de l['’]employé|du personnel|du salarié)|livret d['’]accueil|règlement intérieur|manual del? (?:empleado|personal)|reglamento interno|personeels(?:handboek|gids|reglement)|arbeidsreglement|manuale (?:del dipendente|del personale)|regolamento (?:aziendale|interno)|pracovní řád|personalhandbok|personalehåndbog|personalhåndbok|medarbetarhandbok|medarbejderhåndbog|ansatthåndbok|regulamin pracy|podręcznik pracownika|manual do (?:colaborador|trabalhador|empregado)|regulamento interno|guia do colaborador|mitarbeiterhandbook|mitarbeiterordnung|hausordnung für mitarbeit\p{L}+|handboek (?:voor )?(?:medewerkers|personeel)|medewerkershandboek|livret (?:du|des) (?:salarié|collaborateur)s?|manual de (?:acogida|bienvenida|convivencia)|guida (?:per|ai|al) (?:i )?dipendent\p{L}|henkilöstöopas|příručka zaměstnance)/iu;
const policyTitle =
  /\b(?:[\p{L}-]{2,30} (?:policy|policies)|code of conduct|verhaltenskodex|richtlinie|code de conduite|código (?:de conducta|ético)|gedragscode|codice (?:etico|di condotta))\b/iu;
const contractTitle =
  /\b(?:employment (?:agreement|contract)|contract of employment|service agreement|offer (?:letter|of employment)|statement of (?:main |initial |written )?(?:terms|particulars|employment)|arbeitsvertrag|anstellungsvertrag|dienstvertrag|contrat (?:de travail|à durée)|contrato (?:de trabajo|indefinido|temporal)|arbeidsovereenkomst|contratto (?:individuale )?di lavoro|lettera di assunzione|pracovní smlouva)/iu;

const changeTitle =
  /(?:änderungs(?:vereinbarung|vertrag)|nachtrag zum|arbeitsvertrag|avenant (?:n° ?\d+ )?au contrat|contrat de travail|variation of (?:terms|contract)|amendment to|employment (?:agreement|contract)|contract of employment|offer letter|contrato de trabajo|anexo al contrato|contratto di lavoro|arbeidsovereenkomst)/iu;
const recordTitle =
  /time ?sheet|time (?:card|record|clock|log)|record of hours|attendance|rota|stundenzettel|stundennachweis|zeit(?:erfassung|nachweis|konto)|arbeitszeitnachweis|feuille (?:de temps|d['’]heures)|relevé d['’]heures|registro|urenstaat|urenregistratie|foglio (?:ore|presenze)/iu;

/** A contract or a change of one states hours that are to be worked, and records none. */
export function isAgreement({ text }: Pick<Document, 'text'>): boolean {
  const top = text.slice(0, topCharacters);
  return changeTitle.test(top.slice(0, 500)) && !recordTitle.test(top);
}

/** A handbook or a policy is recognised by a short line at the beginning; a contract by its title anywhere at the beginning. */
export function documentKind({ text, blocks }: Document): HrDocumentKind {
  const titles = blocks
    .filter(({ start }) => start < topCharacters)
    .map(({ start, end }) => text.slice(start, Math.min(end, start + 160)))
    .filter((line) => line.length <= 120);
  const has = (shape: RegExp) => titles.findIndex((line) => shape.test(line));
  const [handbook, contract, policy] = [has(handbookTitle), has(contractTitle), has(policyTitle)];
  const isBefore = (one: number, other: number) => one >= 0 && (other < 0 || one <= other);
  if (isBefore(handbook, contract)) return 'handbook';
  if (contract >= 0 && isBefore(contract, policy)) return 'contract';
  if (policy >= 0 && policy <= 3) return 'policy';
  return contract >= 0 ? 'contract' : 'other';
}
