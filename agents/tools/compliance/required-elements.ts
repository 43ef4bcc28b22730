/**
 * What a contract with a processor and a notice of a breach must contain, and how documents word it in nine languages. Sources:
 * Art. 28(3) and 33(3) of Regulation (EU) 2016/679 and of the UK GDPR; 45 CFR 164.504(e)(2).
 */
import { compilePhrases, type PhraseList, phraseList } from '../text/phrases.ts';
import type { DocumentType } from './document-types.ts';
import { furtherElements } from './further-wordings.ts';

export type RequiredElement =
  | 'instructions'
  | 'confidentiality'
  | 'security'
  | 'subprocessors'
  | 'data-subject-rights'
  | 'breach-notification'
  | 'deletion-or-return'
  | 'audit-rights'
  | 'likely-consequences'
  | 'measures-taken'
  | 'contact-point';

export interface RequiredContents {
  /** "28", the article that requires them. */
  readonly reference: string;
  readonly title: string;
  readonly elements: PhraseList<RequiredElement>;
  readonly names: readonly RequiredElement[];
}

/** Wide on purpose: an element is called missing only where nothing at all speaks of it. */
const words: Readonly<Record<RequiredElement, string>> = {
  instructions: `instruction*; instruct*; directions ~3 controller; as directed; weisung*; angewiesen; instructions; instruit*; istruzion*; instruccion*; instrucción; instructie*; aanwijzing*; permitted uses; uses and disclosures; permitted to use`,
  confidentiality: `confidential*; secrecy; non disclosure; vertraulich*; verschwiegenheit*; geheimhaltung*; datengeheimnis; confidentialité; secret professionnel; confidencial*; secreto; riservatezza; riservat*; segreto; vertrouwelijk*; geheimhouding*; confidenzialità`,
  security: `security; safeguard*; technical and organi*; encrypt*; protection measures; sicherheit*; technisch*; tom; toms; verschlüssel*; maßnahmen; sécurité; mesures techniques; chiffr*; seguridad; medidas técnicas; cifrad*; sicurezza; misure tecniche; cifrat*; beveilig*; technische en organisatorische; passende maatregelen; art 32; article 32; artikel 32`,
  subprocessors: `sub processor*; subprocessor*; sub processing; subprocessing; another processor; other processor*; subcontract*; unterauftrag*; subunternehm*; weitere auftragsverarbeiter; weiteren auftragsverarbeiter*; sous traitant* ~2 ultérieur*; sous traitance ~2 ultérieure; autre sous traitant; autres sous traitants; sous traitants ultérieurs; subencarg*; subcontrat*; otro encargado; otros encargados; sub responsab*; subresponsab*; altro responsabile; altri responsabili; subfornit*; subappalt*; subverwerk*; sub verwerk*; onderaannem*; andere verwerker*; derden inschakel*`,
  'data-subject-rights': `data subject*; subject access; rights of individuals; individual* rights; requests from individuals; betroffene*; betroffenenrecht*; auskunft*; personnes concernées; personne concernée; droits des personnes; interesad*; derechos de los; interessat*; betrokkene*; rechten van; access ~4 phi; amendment ~4 phi; phi ~5 access|amendment|accounting; individual* ~4 access|request*|rights; request* ~3 individual*; accounting of disclosures; 164.524; 164.526; 164.528; chapter iii; kapitel iii; chapitre iii; consumer request*; derechos arco`,
  'breach-notification': `breach*; incident*; verletzung*; datenpanne*; datenschutzvorf*; sicherheitsvorf*; vorfall; vorfälle; vorfällen; violation* ~3 données; violation de; violations de; toute violation; brecha*; violacion*; violación; quiebra*; violazion*; data breach; inbreuk*; datalek*; unauthorized use; art 33; article 33; artikel 33; notify ~6 unauthorised; notification des violations; datenschutzverletz*`,
  'deletion-or-return': `delet*; erase*; erasure; destroy*; destruct*; return ~8 data|information|phi|copies; returned; lösch*; vernicht*; rückgabe; zurückgegeben; herausgabe; gibt ~8 zurück; zurückzugeben; supprim*; suppression; effac*; restitu*; détrui*; destruction; suprim*; supresión; devol*; devuelv*; destru*; borrad*; cancellaz*; cancell*; elimin*; distrug*; distruz*; wissen; gewist; verwijder*; vernietig*; teruggave; teruggeven; terugbezorg*; retourneren; retour; purge*`,
  'audit-rights': `audit*; inspect*; demonstrate compliance; evidence of compliance; kontroll*; überprüfungen; inspektion*; nachweis* ~6 einhaltung|pflichten; überprüfungsrecht*; contrôle*; vérifications; inspeccion*; auditor*; verifich*; ispezion*; revision*; controle*; inspectie*; books ~4 records; available to the secretary; verificar ~3 cumplimiento; dimostrare ~4 conformità; auditrecht*`,
  'likely-consequences': `likely consequence*; consequence*; possible effect*; potential impact; potential harm; impact on ~3 individuals|people|you|data; risk of ~4 theft|fraud|phishing|harm|misuse; risk to ~3 individuals|you|people; could lead to; may be used to|for; likely risk*; identity theft; folgen; wahrscheinliche* folgen; auswirkungen; mögliche* folgen; risiko ~4 betroffene*; missbrauch; identitätsdiebstahl; conséquence*; risque* ~4 personnes; usurpation; consecuencia*; riesgo* ~4 personas; suplantación; conseguenz*; rischi* ~4 interessati; furto di identità; gevolg*; risico* ~4 betrokkenen; identiteitsfraude; misbruik; what this means for you; wat betekent dit; was bedeutet das`,
  'measures-taken': `measures; we have ~4 taken|changed|blocked|reset|disabled|closed|revoked|notified|secured|contained|removed|engaged; what we have done; steps ~3 taken|taking; remedial; actions taken; mitigat*; contain*; has|have been ~3 reset|blocked|disabled|patched|closed|secured|changed|switched; password* ~4 changed|reset; maßnahmen; ergriffen; gesperrt; zurückgesetzt; abgeschaltet; mesures; avons ~3 pris|bloqué|changé|réinitialisé; réinitialis*; medidas; hemos ~3 adoptado|bloqueado|cambiado; bloquead*; misure; abbiamo ~3 adottato|bloccato|cambiato; bloccat*; maatregelen; getroffen; geblokkeerd; teruggedraaid; afgesloten; gewijzigd; corrective`,
  'contact-point': `contact; contacts; contact point; data protection officer; dpo; privacy officer; please call; telephone; phone; e mail; email; reach us; kontakt; ansprechpartner*; ansprechperson*; datenschutzbeauftragt*; rückfragen; telefon; délégué à la protection; interlocuteur; joindre; téléphone; courriel; contacto; delegado de protección; dpd; teléfono; correo; contatto; contatti; responsabile della protezione; rpd; telefono; contactpersoon; functionaris; fg; telefoon; bereikbaar; contactpunt; tel; helpline; hotline`,
};

function contents(reference: string, title: string, names: readonly RequiredElement[]): RequiredContents {
  return {
    reference,
    title,
    names,
    elements: compilePhrases(
      names.map((name) => [name, phraseList(`${words[name]}; ${furtherElements[name] ?? ''}`)] as const),
    ),
  };
}

const processorContract = [
  'instructions',
  'confidentiality',
  'security',
  'subprocessors',
  'data-subject-rights',
  'breach-notification',
  'deletion-or-return',
  'audit-rights',
] as const;

export const requiredContents: Readonly<Partial<Record<DocumentType, RequiredContents>>> = {
  'data-processing-agreement': contents('28', 'contract with a processor', processorContract),
  'business-associate-agreement': contents('164.504(e)', 'contract with a business associate', [
    'security',
    'subprocessors',
    'data-subject-rights',
    'breach-notification',
    'deletion-or-return',
    'audit-rights',
  ]),
  'breach-notice': contents('33', 'notice of a personal data breach', [
    'likely-consequences',
    'measures-taken',
    'contact-point',
  ]),
};
