/** Who does or answers for something: the function after "by", or the subject of the sentence. Nine languages. */
import type { Range } from '../text/span.ts';
import { elisionMark, printed } from './flat-text.ts';
import { furtherAgents, furtherArticles, furtherEnds, furtherVerbs } from './further-wordings.ts';
import type { Language } from './languages.ts';

const ownerCharactersMax = 60;

/** "by the system owners", "durch den Einkauf", "a cargo de Recursos Humanos". */
const agents: Readonly<Record<Language, string>> = {
  en: 'by|owner:|responsible:|responsibility of',
  de: 'durch|vom|von|seitens|verantwortlich:|zuständig:',
  fr: 'par|à la charge d[eu]|sous la responsabilité d[eu]|responsable ?:|à l initiative d[eu]',
  it: 'da|dal|dalla|dall|dallo|dai|dagli|dalle|a cura d(?:i|el|ella|ell|ei|egli|elle)|a carico d(?:i|el|ella|ell)|responsabile:|ad opera d(?:i|el|ella|ell)',
  es: 'por|a cargo del?|responsable:|bajo la responsabilidad del?',
  nl: 'door|onder verantwoordelijkheid van|verantwoordelijk:|eigenaar:',
  ...furtherAgents,
};

const articles: Readonly<Record<Language, string>> = {
  en: 'the|our|its|their|an?|each',
  de: 'der|die|das|den|dem|einen?|einer|unsere[nr]?|ihre[nr]?',
  fr: 'le|la|les|l|l’|un|une|notre|du|de la|des',
  it: 'il|lo|la|l|i|gli|le|un|una',
  es: 'el|la|los|las|un|una',
  nl: 'de|het|een|onze|ons',
  ...furtherArticles,
};

/** Where a name ends: a preposition, a conjunction, a verb or a mark. */
const ends: Readonly<Record<Language, string>> = {
  en: 'and|or|at|in|on|for|to|of|who|which|that|with|within|using|during|before|after|every|once|twice|annually|quarterly|monthly|weekly|daily|semi|from|as|under|is|are|when|per|against|based|each|through|via|reviews?|unless|where',
  de: 'und|oder|im|in|an|am|auf|für|bei|mit|zu|zum|zur|der|des|geprüft|überprüft|durchgeführt|bewertet|kontrolliert|wird|werden|sowie|alle|jährlich|nach|vor|unter|aus|ist|statt|auditiert|beurteilt|ausgewertet|bestätigt|organisiert|erstellt|vorgenommen|erprobt|getestet|geübt|gewechselt|geschult|aktualisiert|genehmigt|vierteljährlich|halbjährlich|monatlich|wöchentlich|täglich|regelmäßig|mindestens|einmal|zweimal|gesichert|gescannt|rezertifiziert',
  fr: 'et|ou|en|dans|pour|à|au|aux|sur|avec|chaque|tous|après|avant|lors|selon|qui|dont|est|sont|sous|ainsi|puis|une|un|annuellement|trimestriellement|mensuellement|au moins|deux',
  it: 'e|o|in|nel|nella|per|con|su|ogni|dopo|prima|secondo|che|è|sono|entro|presso|almeno|una|due|annualmente|trimestralmente|mensilmente|settimanalmente|quotidianamente',
  es: 'y|e|o|en|para|con|sobre|cada|tras|antes|después|según|que|es|son|se|al|como|una|dos|anualmente|trimestralmente|mensualmente|semanalmente|diariamente',
  nl: 'en|of|in|op|voor|met|aan|bij|elke|ieder|na|volgens|die|dat|is|zijn|wordt|worden|uitgevoerd|beoordeeld|gecontroleerd|getest|herzien|geëvalueerd|goedgekeurd|gehouden|verzorgd|per|geaudit|jaarlijks|maandelijks|wekelijks|dagelijks|halfjaarlijks|driemaandelijks|minimaal|minstens',
  ...furtherEnds,
};

/** Endings that join two words of one name. */
const notOwners =
  /^(?:\d|law|default|e-?mail|hand|means|design|role|default|third|an? (?:independent|external)|independent|external|unabhängige|externe|eine unabhängige|une? (?:société|tiers|organisme) |un tiers|terz[oi]|una? (?:società|ente|terza)|una? (?:empresa|tercero|entidad)|tercer|externa?|een (?:onafhankelijke|externe)|onafhankelijke|this|these|that|it|them|us|we|you|all|clicking|using|sampling|letter|phone|profil|parte|rôle|rollen|type|exemple|año|an |ans?$|mois|semaine|jour|trimestre|vez|perfiles|default)/iu;

const afterShapes = new Map<Language, RegExp>();
const stopShapes = new Map<Language, RegExp>();
for (const language of Object.keys(agents) as Language[]) {
  afterShapes.set(
    language,
    new RegExp(
      `(?<![\\p{L}-])(?:${agents[language]})\\s{1,30}(?:(?:${articles[language]})\\s{1,30})?(?=[\\p{L}])`,
      'giu',
    ),
  );
  stopShapes.set(language, new RegExp(`[.,;:()\\[\\]|–—"“”]|\\s(?:${ends[language]})(?![\\p{L}-])`, 'iu'));
}

/**
 * The doer of a passive clause.
 * @param near what is done: the nearest "by" after it counts, else one before it
 */
export function agentOf(text: string, language: Language, near: Range): string | undefined {
  const found: { readonly at: number; readonly name: string }[] = [];
  for (const match of text.replaceAll(elisionMark, ' ').matchAll(afterShapes.get(language)!)) {
    const at = match.index + match[0].length;
    const name = nameAt(text, at, language);
    if (name !== undefined) found.push({ at, name });
  }
  const after = found.filter(({ at }) => at >= near.start).sort((a, b) => a.at - b.at);
  return (after[0] ?? found.at(-1))?.name;
}

/** From a place to where the name ends; undefined for no name of a function, person or body. */
function nameAt(text: string, at: number, language: Language): string | undefined {
  const rest = text.slice(at, at + ownerCharactersMax + 20);
  const end = stopShapes.get(language)!.exec(rest.replaceAll(elisionMark, ' '))?.index ?? rest.length;
  const name = printed(rest.slice(0, end)).replace(/\s(?:de|del|of|di|van|der|des|du|da|do)$/iu, '');
  if (name.length < 2 || name.length > ownerCharactersMax || notOwners.test(name) || /\d{3}/.test(name))
    return undefined;
  // In German, what is not capitalised is no noun.
  if (language === 'de' && !/\p{Lu}/u.test(name)) return undefined;
  return name;
}

/** "4.3  ", "(a) ", "- ": marks before a sentence. */
const lead =
  /^\s{0,10}(?:[-*•–]\s{1,4}|[A-Z]{1,4}[.-]?\d{1,3}(?:\.\d{1,3}){0,3}\s{1,8}|\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[a-z])[.)]?\s{1,6})?/u;

/** Verbs of doing, by which the words before are the doers. */
const verbs: Readonly<Record<Language, string>> = {
  en: 'reviews?|tests?|performs?|conducts?|assess(?:es)?|attests?|runs?|scans?|checks?|audits?|verif(?:y|ies)|carr(?:y|ies)|examines?|backs?|takes?(?! place)|rotates?|changes?|trains?|organi[sz]es?|evaluates?|recertif(?:y|ies)|monitors?|disables?|shall|must|will|exercises?|updates?|restores?|holds?|certif(?:y|ies)|confirms?|commissions?|arranges?|undertakes?|completes?|revokes?|removes?|renews?|analy[sz]es?|maintains?|inspects?',
  de: 'prüf(?:t|en)|überprüf(?:t|en)|bewerte[tn]|test(?:et|en)|wertet|werten|führ(?:t|en)|sicher(?:t|n)|schul(?:t|en)|organisier(?:t|en)|auditier(?:t|en)|rotier(?:t|en)|wechsel(?:t|n)|kontrollier(?:t|en)|bestätig(?:t|en)|beurteil(?:t|en)|üb(?:t|en)|erprob(?:t|en)|aktualisier(?:t|en)|scann(?:t|en)|sperr(?:t|en)|erneuer(?:t|n)|stell(?:t|en)|nimmt|muss|hat|veranlass(?:t|en)|rezertifizier(?:t|en)|sichte[tn]|analysier(?:t|en)',
  fr: 'revoit|revoient|réexamine(?:nt)?|teste(?:nt)?|réalise(?:nt)?|effectue(?:nt)?|évalue(?:nt)?|contrôle(?:nt)?|vérifie(?:nt)?|analyse(?:nt)?|sauvegarde(?:nt)?|organise(?:nt)?|audite(?:nt)?|procède(?:nt)?|conduit|mène(?:nt)?|renouvelle(?:nt)?|révise(?:nt)?|passe(?:nt)? en revue|exploite(?:nt)?|désactive(?:nt)?|forme(?:nt)?|doit|assure(?:nt)?|actualise(?:nt)?|restaure(?:nt)?',
  it: 'riesamina(?:no)?|verifica(?:no)?|esegu(?:e|ono)|effettua(?:no)?|valuta(?:no)?|controlla(?:no)?|testa(?:no)?|analizza(?:no)?|organizza(?:no)?|conduc(?:e|ono)|rived(?:e|ono)|revisiona(?:no)?|ruota(?:no)?|svolg(?:e|ono)|disabilita(?:no)?|salva(?:no)?|prova(?:no)?|aggiorna(?:no)?|deve|cura|eroga(?:no)?|sottopon(?:e|gono)',
  es: 'revisa(?:n|rá|rán)?|realiza(?:n|rá|rán)?|prueba(?:n)?|evalúa(?:n)?|efectúa(?:n)?|analiza(?:n)?|comprueba(?:n)?|verifica(?:n)?|ejecuta(?:n)?|organiza(?:n)?|audita(?:n)?|copia(?:n)?|renueva(?:n)?|cambia(?:n)?|lleva(?:n)? a cabo|deshabilita(?:n)?|desactiva(?:n)?|imparte(?:n)?|debe|ensaya(?:n)?|actualiza(?:n)?|rota(?:n)?|contrata(?:n)?',
  nl: 'beoordeel(?:t)?|beoordelen|controleer(?:t)?|controleren|test(?:en)?|voer(?:t|en)|evalueert|evalueren|toetst|toetsen|analyseert|analyseren|organiseert|organiseren|herziet|herzien|bekijkt|bekijken|maakt|maken|roteert|wisselt|scant|scannen|moet|schakelt|schakelen|oefent|oefenen|audit(?:eert|eren)|verzorgt|beproeft|laat|actualiseert|blokkeert|blokkeren|trekt',
  ...furtherVerbs,
};

const subjects = new Map<Language, RegExp>();
for (const language of Object.keys(verbs) as Language[]) {
  subjects.set(
    language,
    new RegExp(
      `^(?:(?:${articles[language]})\\s{1,6})?(\\p{L}[\\p{L}\\d &’'/.-]{1,58}?)\\s{1,8}(?:(?:shall|must|will|should)\\s{1,6})?(?:${verbs[language]})(?!\\p{L}|\\s{1,4}(?:are|is|were|was|be|by|of|for|performed|shall|will|must|and|or|results?|reports?)(?!\\p{L}))`,
      'iu',
    ),
  );
}

/** "Personnel complete training annually (People Ops)", "weekly, IT Manager": a function that a comma or parentheses set apart at the end. */
export function functionAtEnd(text: string): string | undefined {
  const match = /(?:\(([^()]{2,48})\)|[,–—]\s{1,3}([^,.;:()–—]{2,48}))[\s.*]{0,4}$/u.exec(text.slice(-80));
  const name = printed(match?.[1] ?? match?.[2] ?? '').replace(/[*_]/g, '');
  const words = name.split(' ');
  return words.length <= 5 && /^\p{Lu}/u.test(name) && !/\d|[:;]/.test(name) && functionName.test(name)
    ? name
    : undefined;
}

/** Whether a text names a function or body: "Head of IT". */
export function isFunction(text: string): boolean {
  return functionName.test(text);
}

/** What names of functions and bodies contain. */
const functionName =
  /(?<!\p{L})(?:teams?|officer|ciso|cio|cto|cfo|ceo|cso|dpo|iod|soc|sec(?:urity|ops)|engineering|operations|ops|managers?|director|heads?|owners?|committee|board|council|departments?|desk|it|leads?|administrators?|custodians?|legal|hr|compliance|procurement|facilities|platform|infrastructure|internal audit|leitung|leiter(?:in)?|beauftragte[rn]?|abteilung|einkauf|personal|geschäftsführung|vorstand|revision|direction|directeur|directrice|responsable|comité|équipe|service|rssi|dsi|drh|dirección|director[ae]?|equipo|jefe|jefa|responsabile|direzione|ufficio|afdeling|hoofd|beheerder|inkoop|directie|chefe|gabinete|diretor|direção|kierownik|pełnomocnik|dyrektor|dział|zespół|dyżurny|administrator|zarząd|serviz[io]|risorse umane|recursos humanos|ressources humaines|human resources|people ops|personeelszaken|chef|avdelning\p{L}*|\p{L}+chef(?:en)?|\p{L}*avdelningen|styrelsen|\p{L}+leit(?:ung|er|erin)|\p{L}+-?(?:koordinator|beauftragte[rn]?|team|manager|abteilung))(?!\p{L})/iu;

/** Words that are no doers: pronouns, and what is done itself. */
const notSubjects =
  /^(?:each|all|every|any|it|this|these|those|they|we|you|there|who|which|that|access|accounts?|passwords?|keys?|backups?|users?|user access|data|training|results?|policy|dies\p{L}*|es|er|sie|wir|man|alle|jede\p{L}*|il|elle|ils|elles|on|ce|cette|nous|chaque|tous|toutes|si|non|ogni|tutt[ie]|questo|questa|se|no|este|esta|todos|todas|cada|nosotros|wij|we|ze|zij|hij|dit|deze|alle|elke|inspected|selected|observed)(?!\p{L})/iu;

/** A verb within, or an article or preposition at the end: no name. */
const isClause =
  /(?<!\p{L})(?:is|are|was|were|be|been|wird|werden|wurde|ist|sind|est|sont|è|sono|es|son|se|wordt|worden|not|nicht|ne|pas|niet|non|prevé|prevede|prévoit|si|sich|man)(?!\p{L})|(?<!\p{L})(?:una?|a|the|la|le|el|il|een|eine?|of|de|to|for|im|in|los|las|les|des|y|e|et|und|and|or|oder|en|i|och|oraz|della|del|der|die|von)$/iu;

/** "The security review team is responsible for testing": the name extends to the verb and may have any words. */
const answersFor =
  /^(?:(?:the|our|its|der|die|das|le|la|les|el|los|il|lo|de|het)\s{1,6})?(\p{L}[\p{L}\d &’'´/.-]{1,58}?)\s{1,6}(?:(?:is|are) (?:responsible|accountable) for|(?:ist|sind) (?:für|verantwortlich für)|(?:est|sont) (?:responsables?|chargée?s?) d|(?:es|son) responsables? de|(?:è|sono) responsabil[ei] d|(?:is|zijn) verantwoordelijk voor)(?!\p{Ll})/iu;

/** The doer of an active clause: "Managers review …", "Das Rechenzentrum sichert …". */
export function subjectOf(text: string, language: Language): string | undefined {
  const from = lead.exec(text)![0].length;
  const answerable = answersFor.exec(text.slice(from, from + 120))?.[1];
  if (answerable !== undefined && functionName.test(answerable)) return printed(answerable);
  const match = subjects.get(language)!.exec(text.slice(from, 260).replaceAll(elisionMark, ' '));
  if (match?.[1] === undefined) return undefined;
  const at = from + match[0].indexOf(match[1]);
  const name = printed(text.slice(at, at + match[1].length));
  if ((notSubjects.test(name) && !/^IT(?!\p{L})/u.test(name)) || isClause.test(name) || name.split(' ').length > 6)
    return undefined;
  if (language === 'de' && !/\p{Lu}/u.test(name)) return undefined;
  return name;
}
