/**
 * Verbs by which one act changes, repeals or carries out another, in nine languages. Source: the titles and final provisions of acts
 * in the Interinstitutional Style Guide, part 1, and in the Joint Handbook for the presentation and drafting of acts.
 */

import type { Range } from '../text/span.ts';

export type RelationKind = 'amends' | 'repeals' | 'implements' | 'delegated' | 'transposes' | 'corrects';

export interface Relation extends Range {
  readonly relation: RelationKind;
  /** CELEX number of the act that does it; absent for national laws, corrigenda and acts that the text does not name. */
  readonly from?: string;
  readonly to: string;
  /** Of a repeal: the day with effect from which, ISO. */
  readonly date?: string;
}

/** Before their object: "amending Regulation …", "hob die Richtlinie … auf", "por el que se deroga el Reglamento …". */
const activeVerbs: readonly (readonly [RelationKind, string])[] = [
  [
    'amends',
    'amending|amends|amended|to amend|zur änderung|ändert|änderte|modifiant|modifie|modifia|modifiait|a modifiée?s?|(?:por (?:el|la|los) que )?se modifican?|modifica(?:n|ndo|va)?|modificó|ha modificato|recante modifica|recanti modifica|che modifica|e modifica|modifica del(?:la|l)?|tot wijziging van|wijzigt|wijzigde|zmieniając[A-Za-zÀ-ž]{1,2}|zmienia(?:ła|ło)?|zmienił[A-Za-zÀ-ž]?|w sprawie zmiany|oraz zmiany|zmiany|kterou? se mění|kterým se mění|mění|o změně|que altera|altera(?:ndo)?|om ändring av|ändrar|ändrade|om ændring af|ændrer|ændrede|de modificare a|modifică|o zmene|mení|o izmjeni|mijenja|muuttamisesta',
  ],
  [
    'repeals',
    'repealing|repeals|repealed|and repealing|zur aufhebung|hebt|hob|abrogeant|abroge|abrogea|a abrogée?s?|(?:por (?:el|la|los) que )?se derogan?|deroga(?:n|ndo)?|derogó|queda(?:n)? derogad[oa]s?|abroga(?:ndo|va)?|ha abrogat[oaei]|che abroga|e abrogazione del(?:la|l)?|abrogazione del(?:la|l)?|tot intrekking van|trekt|trok|uchylając[A-Za-zÀ-ž]{1,2}|uchyla|uchylił[A-Za-zÀ-ž]?|oraz uchylenia|uchyla się|zrušuje(?: se)?|kterou? se zrušuje|o zrušení|que revoga|revoga(?:ndo)?|revogou|om upphävande av|upphäver|upphävde|om ophævelse af|ophæver|ophævede|de abrogare a|abrogă|o zrušení|zrušuje|stavlja izvan snage|kumoamisesta|hatályon kívül helyezte|zrušilo|zrušila',
  ],
  [
    'implements',
    "implementing|implements|implemented|(?:laying|lays|lay) down (?:detailed |uniform )?rules for the (?:implementation|application) of|laying down implementing (?:technical standards|rules) (?:for|with regard to)|zur durchführung|mit durchführungsbestimmungen zu|mit durchführungsvorschriften (?:zu|für)|(?:legt|enthält) (?:die )?durchführungsbestimmungen zu|führt|port(?:ant|e) (?:(?:les )?modalités d')?(?:application|exécution) d[eu]|fix(?:ant|e) (?:les )?modalités d'(?:application|exécution) d[eu]|mettant en œuvre|(?:por (?:el|la) que se )?establecen? (?:las )?(?:disposiciones|normas) de (?:aplicación|ejecución) d(?:e|el|e la)|(?:recante|stabilisce|reca) (?:le )?(?:modalità|disposizioni|norme) di (?:applicazione|esecuzione) del(?:la|l)?|(?:tot|ter) uitvoering van|geeft uitvoering aan|stelt uitvoeringsbepalingen vast voor|tot vaststelling van uitvoeringsbepalingen voor|w sprawie wykonania|wykonuje|ustanawia(?:jąc[A-Za-zÀ-ž])? (?:przepisy wykonawcze|zasady stosowania) do|kterou? se provádí|kterým se provádí|prováděcí pravidla k",
  ],
  [
    'delegated',
    'supplementing|supplements|zur ergänzung|ergänzt|complétant|complète|(?:por (?:el|la) que se )?completa|che integra|integra|tot aanvulling van|uzupełniając[A-Za-zÀ-ž]{1,2}|uzupełnia|kterou? se doplňuje|kterým se doplňuje|doplňuje|que completa|completando|om komplettering av|kompletterar|om supplerende regler til|supplerer|de completare a|completează',
  ],
];

/** After their object: "is repealed", "wird aufgehoben", "traci moc". */
const passiveVerbs: readonly (readonly [RelationKind, string])[] = [
  [
    'repeals',
    '(?:is|are|was|were|shall be|has been|have been) (?:hereby )?repealed|(?:wird|werden|wurde|wurden|ist|sind) (?:(?:[^.;]|(?<=\\d)\\.){0,110} )?aufgehoben|(?:est|sont|a été|ont été|fut) abrogée?s?|abrogée?s? par|derogad[oa]s? (?:por|con)|(?:fue|fueron|ha sido|queda|quedan) derogad[oa]s?|(?:è|sono|è stat[oa]|fu) abrogat[oaie]|abrogat[oaie] dal(?:la|l)?|(?:wordt|worden|werd|werden|is|zijn) (?:[^.;]{0,90} )?ingetrokken|trac(?:i|ą) moc|stracił[A-Za-zÀ-ž]? moc|został[A-Za-zÀ-ž]{0,2} uchylon[A-Za-zÀ-ž]{1,2}|uchylon[A-Za-zÀ-ž]{1,2} przez|se zrušuj[eí]|byl[A-Za-zÀ-ž]? zrušen[A-Za-zÀ-ž]?|(?:é|foi|foram|são) revogad[oa]s?|revogad[oa]s? pel[oa]|(?<!as )repealed by|aufgehoben durch|ingetrokken (?:bij|door)|upphäv(?:s|des|ts|d|t)(?: genom)?|ophæv(?:es|edes|et)(?: ved)?|(?:se abrogă|a fost abrogat[ăe]?|este abrogat[ăe]?)|sa zrušuje|stavlja(?:ju)? se izvan snage|kumotaan|kumottiin',
  ],
  [
    'delegated',
    '(?:is|are|was|were|has been|have been) supplemented|(?:wird|werden|wurde|wurden) [^.;]{0,60}ergänzt|(?:est|sont|a été|ont été) complétée?s?|(?:fue|ha sido|queda) completad[oa]|è (?:stat[oa] )?integrat[oa]|(?:wordt|werd|is) [^.;]{0,30}aangevuld|został[A-Za-zÀ-ž]{0,2} uzupełnion[A-Za-zÀ-ž]{1,2}',
  ],
  [
    'amends',
    '(?:is|are|was|were|has been|have been) (?:last )?amended(?: by)?|(?:wird|werden|wurde|wurden) (?:[^.;]|(?<=\\d)\\.){0,100}geändert|(?:est|sont|a été|ont été) modifiée?s?|(?:fue|fueron|ha sido|queda|quedan) modificad[oa]s?|(?:è|sono|è stat[oa]) modificat[oaie]|(?:wordt|worden|werd|werden|is|zijn) (?:[^.;]{0,30} )?gewijzigd|(?:foi|foram|é) alterad[oa]s?|ändra(?:s|des|ts)(?: genom)?|ændre(?:s|des|t)(?: ved)?|a fost modificat[ăe]?|se modifică|wprowadza się następujące zmiany|został[A-Za-zÀ-ž]{0,2} zmienion[A-Za-zÀ-ž]{1,2}|se mění takto',
  ],
];

/** "As amended by Directive …": the act after it amends the act before it. */
const amendedByWords =
  "(?:as )?(?:last |most recently )?amended by|inserted by|added by|geändert durch|zuletzt geändert durch|eingefügt durch|(?:in der )?(?:zuletzt )?durch|tel(?:le)?s? que modifiée?s?(?: en dernier lieu)? par|modifiée?s?(?: en dernier lieu)? par|(?:en su versión )?modificad[oa]s?(?: en último lugar)? por|(?:come )?(?:modificat|inserit)[oaie](?: da ultimo)? (?:da|dal|dalla|dall'|dai)|(?:laatstelijk )?gewijzigd bij|zmienion[A-Za-zÀ-ž]{1,4}(?: ostatnio)?(?: przez)?|ve znění|alterad[oa] pel[oa]";

export interface Verb {
  readonly kind: RelationKind;
  readonly isPassive: boolean;
  readonly start: number;
  readonly end: number;
}

/** "Repeals and replaces": the second verb says nothing more. */
const replaces =
  '(?: (?:and|und|et|y|e|en|oraz|a|och|og) (?:hereby )?(?:replac(?:es|ing|ed)|ersetzt|remplaçant|remplace|sustituye|sostituisce|vervangt|zastępuje|nahrazuje|substitui|ersätter|erstatter))?';
const shape = new RegExp(
  `(?<![A-Za-zÀ-ž-])(?:${[...passiveVerbs, ...activeVerbs].map(([, words]) => `(${words})`).join('|')})${replaces}(?![A-Za-zÀ-ž])`,
  'giu',
);
const kinds = [
  ...passiveVerbs.map(([kind]) => ({ kind, isPassive: true })),
  ...activeVerbs.map(([kind]) => ({ kind, isPassive: false })),
];

/** Ordered by position. */
export function findVerbs(sentence: string): Verb[] {
  return [...sentence.matchAll(shape)].map((match) => {
    const index = kinds.findIndex((_, at) => match[at + 1] !== undefined);
    return { ...kinds[index]!, start: match.index, end: match.index + match[0].length };
  });
}

/** Between a verb and its object, or between the objects of a list. */
const linkWords =
  /^(?:,|;)?(?: ?\(\d{1,2}\))?,?(?:[ '](?:the|and|of|to|council|commission|both|hereby|der|die|das|des|dem|den|von|zur|zum|und|sowie|ou|et|la|le|les|l|d|de|du|des|au|aux|el|los|las|del|al|y|e|a|il|lo|i|gli|della|dello|dell|dei|delle|alla|het|van|en|rady|komisji|i|oraz|av|af|och|og|decision|decyzj[A-Za-zÀ-ž]|(?:article|art\.?|artikel|artículo|articolo|artykuł)s?|artikels|\d{1,3}[a-z]?(?:\(\d\))?))*,? ?(?:l'|dell'|d')?$/iu;

export function isLink(between: string): boolean {
  return between.length < 90 && linkWords.test(between);
}

/** Before the agent of a passive. */
export const agentWords =
  /(?:by|durch|par|por|da|dal|dalla|dall'|bij|door|przez|pelo|pela|genom|ved|prin)(?: (?:article|art\.|artikel|l'article|el artículo|l'articolo|artykuł)[^;.]{0,40}?)?(?: (?:of|der|des|du|de la|de l'|del|della|van|the|die|das|la|le|el|il|lo|de)){0,2}[ ']?$/iu;

/** Words of negation directly before a verb: "is not repealed", "wird nicht geändert". */
export const negated =
  /(?:not|nor|never|without|nicht|weder|ohne|sans|sin|senza|niet|zonder|nie|bez|ne|n'|no|non)(?: [A-Za-zÀ-ž]+)? ?$/iu;

/** Words directly before a verb that is only proposed, planned or permitted: "has proposed to amend", "schlägt vor, … zu ändern". */
export const intended =
  /(?<![A-Za-zÀ-ž])(?:propos(?:es?|ed|ing|als?)|plan(?:s|ned|ning)?|intend(?:s|ed|ing)?|aims?|wants?|considers?|announced|empowered|ask(?:s|ed)|call(?:s|ed)|could|may|might|should|schlägt|vorschlag|plant|beabsichtigt|will|propose|prévoit de|envisage|entend|projet|projette|pourrait|peut|propone|pretende|prevé|podría|puede|intende|potrebbe|può|stelt voor|wil|beoogt|kan|proponuje|zamierza|może|propõe|pode|föreslår|foreslår|kan)(?![A-Za-zÀ-ž])(?: [A-Za-zÀ-ž']+){0,3}?(?: (?:to|zu|à|de|d'|di|a|te|att|at))? ?$/iu;

/** After a directive: "is omgezet bij de …wet". */
export const wordsOfTransposition =
  /^(?: ?\(\d{1,2}\))?,? (?:(?:is|was|has been|wurde|ist|a été|est|fue|ha sido|è (?:stat[ao] )?|werd|foi|har|blev|er)\s)?(?:[^.;,\d]{0,30} )?(?:transposed|implemented|umgesetzt|transposée|transpuesta|recepita|attuata|omgezet|wdrożon[aey]|transposta|införlivats|genomförts|gennemført|transpusă) (?:into [^.;,]{0,30} )?(?:by|durch|par|por|da|dal|dalla|con|bij|door|met|przez|pel[oa]|genom|ved|prin) (?!\d|no later|1er)/iu;
export const amendedByShape = new RegExp(`(?<![A-Za-zÀ-ž])(?:${amendedByWords})(?![A-Za-zÀ-ž])`, 'giu');
