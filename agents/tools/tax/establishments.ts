/** What a document finds on permanent establishments of a taxpayer: country, form, conclusion and duration. */
import { allWithin, indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { countriesIn } from './countries.ts';
import { foldText, phraseShape } from './fold.ts';
import type { Layout } from './layout.ts';
import { taxSentences } from './sentences.ts';

export type EstablishmentForm = 'fixed-place' | 'construction-site' | 'dependent-agent' | 'service' | 'home-office';

export interface Establishment extends Range {
  readonly conclusion: 'exists' | 'none' | 'undecided';
  readonly country?: string;
  readonly form?: EstablishmentForm;
  readonly duration?: { readonly count: number; readonly unit: string };
}

const establishment = phraseShape(
  'permanent establishment*|pe|pes|betriebsstatte*|betriebsstatten|etablissement stable|etablissements stables|stabile organizzazione|establecimiento permanente|vaste inrichting|fast driftssted|fast driftsted|fast driftsstalle|zaklad podatkowy|zakladu|staly zaklad|stala provozovna|estabelecimento estavel',
);
const denied =
  /\b(?:(?:is|are|was|were) no permanent|non (?:ha|hanno|dispone|possiede)\b|ne (?:dispose|possede)[a-z ]{0,20} pas|no (?:tiene|dispone|posee)|heeft geen|hebben geen|hat keine|haben keine|nie (?:ma|posiada|powstal)|har (?:inget|ikke|ikkje)|nema|no (?:[a-z-]+ ){0,4}(?:permanent establishment|pe)\b|(?:does|do|did|will|would|could|can|has|have) ?not (?:yet |thereby |therefore |in itself )?(?:be |been |by itself )?(?:constitute|create|give rise|amount|have|establish|lead|result|form|qualify|arise|arisen|exist|occur|come into|trigger|represent|meet|present|given|deemed|considered)|doesn't|don't|isn't|(?:absence|lack) of a|without (?:creating|constituting|a)|neither|entsteht nicht|besteht nicht|ne (?:cree|genere|caracterise|donne pas)|n'existe|n'y a|n'est pas|absence d'etablissement|non (?:sorge|esiste|crea|genera)|no (?:surge|crea|genera|hay)|er is geen|ontstaat niet|foreligger ikke|foreligger inte|not (?:constitute|create|give rise to|amount to) a|(?:is|are|was|has|have) (?:not|no) (?:a |created |been )?|keine? (?:[a-z-]+ ){0,3}betriebsstatte|begrundet (?:[a-z ]{0,30})?keine|nicht begrundet|liegt (?:[a-z ]{0,20})?nicht vor|pas d'etablissement|aucun etablissement|ne constitue[a-z ,]{0,24} pas|non (?:sussiste|costituisce|configura)|nessuna stabile|no (?:existe|constituye)|geen (?:[a-z]+ ){0,2}vaste inrichting|ikke (?:[a-z ]{0,20})?(?:fast driftssted)|inget fast|nie (?:powstaje|stanowi|posiada))/;
const anyDenial =
  /\b(?:not|no|never|nor|neither|cannot|nicht|kein[a-z]{0,2}|niemals|weder|pas|aucun[e]?|jamais|non|nessun[ao]?|ningun[ao]?|geen|niet|ikke|ingen|intet|inte|inget|nie|zadn[a-z]{0,2}|neni)\b/;
const affirmed =
  /\b(?:exists?|existed|has (?:been )?(?:created|established|arisen)|(?:is|are|was) (?:created|established|constituted|present|given)|constitutes? a|creates? a|gives? rise to|gave rise to|has arisen|arises?|arose|we conclude that|we therefore conclude|has a permanent|have a permanent|there is a|begrundet|liegt (?:[a-z ]{0,20})?vor|besteht|entsteht|ist entstanden|gegeben|constitue un|est constitue|existe|est caracterise|dispose(?:[a-z ]{0,24})? d'un|possede un|dispone (?:de|di)|ha una|tiene un|er is een|heeft een|beschikt (?:[a-z ]{0,24})?over|verfugt uber|hat (?:[a-z ]{0,20})?eine|posiada|ma (?:[a-z]+ )?zaklad|har (?:et|ett)|ma stalou|tem um|sussiste|si configura|costituisce|constituye|er sprake van|is sprake|ontstaat|foreligger|oppstar|utgor|powstal|powstaje|stanowi|vznika|vznikla)\b/;
const undecided =
  /\b(?:open|undecided|cannot (?:yet )?be (?:determined|excluded|ruled out)|not yet (?:clear|decided|determined)|remains? to be|unclear|(?:cannot|can not|unable to|not in a position to) (?:yet |currently )?(?:assess|conclude|say|judge|determine|confirm|decide)|(?:konnen|kann) (?:[a-z ]{0,40})?nicht (?:beurteil|abschliess|feststell|entscheid)[a-z]*|ne pouvons (?:[a-z ]{0,24})?(?:nous )?prononcer|ne pouvons (?:pas )?conclure|non possiamo|non siamo in grado|no podemos|kunnen (?:[a-z ]{0,24})?niet (?:beoordelen|vaststellen|zeggen|concluderen)|nie (?:mozemy|mozna) (?:[a-z ]{0,16})?(?:ocenic|stwierdzic|rozstrzygnac)|nelze (?:[a-z ]{0,16})?(?:posoudit|urcit)|to be clarified|further (?:analysis|facts|information)|pending|under review|offen|ungeklart|noch zu (?:prufen|klaren)|nicht abschliessend|a clarifier|reste a|da verificare|pendiente|nog te|onduidelijk|uavklart|oklart|niejasne)\b/;
const supposed =
  /\b(?:should|if|were|could|would|might|may|in case|provided that|falls|wenn|sollte|konnte|wurde|si|pourrait|serait|se|potrebbe|podria|als|zou|hvis|dersom|om|skulle|gdyby|jezeli|pokud)\b/;
const general =
  /\b(?:competitors?|another (?:group|company|taxpayer)|third part(?:y|ies)|reported case|court|judgment|commentary|model convention|oecd model|shall be deemed|only if it lasts|wettbewerber|urteil|bfh|kommentar|concurrent|jurisprudence|concorrente|sentenza|konkurrent)\b/;

/** "Under section 22 of the act, services for more than six months give rise to …": a rule, not a finding. */
const aboutLaw =
  /^\W{0,3}(?:under|according to|pursuant to|nach|gemass|laut|selon|en vertu de|ai sensi|secondo|segun|conforme a|volgens|ingevolge|etter|enligt|zgodnie z|podle) (?:the |der |dem |l'|la |le |il |el |het |de )?(?:section|sections|article|articles|art|art\.|paragraph|§+|abs|artikel|articolo|articulo|treaty|convention|model|domestic|abkommen|dba|musterabkommen|verdrag|domestic act)\b.{0,200}\b(?:more than|at least|longer than|only if|shall|no such|mehr als|langer als|mindestens|plus de|au moins|piu di|almeno|mas de|meer dan|minst|mer enn|ponad|vice nez)\b/;

const forms: readonly (readonly [EstablishmentForm, RegExp])[] = (
  [
    [
      'construction-site',
      'construction|gros oeuvre|parc|datacenter|bouw|bouwwerk*|bouwproject|montagewerk*|monteurs|montaggio|montaje|instalacion|installatie|montaz*|staveniste|installation project|construction site|site|crew|montage|bauausfuhrung*|baustelle*|montagebetriebsstatte|chantier|cantiere|obra|bouwplaats|bouwwerk|anleggs*|byggeplads|bygg*|budow*|staveni*',
    ],
    [
      'home-office',
      'home office|working from home|works from home|worked from home|from her home|from his home|teleworking|telework|remote work|homeoffice|heimarbeit|teletravail|domicile|telelavoro|teletrabajo|thuiswerk*|thuis|hjemmekontor|hjemmearbejde|hemarbete|hemmakontor|praca zdalna|home working',
    ],
    [
      'dependent-agent',
      'dependent agent*|agent|agents|sales representative|commissionnaire|concludes contracts|conclude contracts|principal role|vertreter*|abhangiger vertreter|standiger vertreter|agent dependant|agente dipendente|agente|afhankelijke vertegenwoordiger|vertegenwoordiger|avhengig agent|agentur|zalezny agent|zastupce',
    ],
    [
      'service',
      'service pe|service permanent establishment|service establishment|furnishing of services|services pe|dienstleistungsbetriebsstatte|prestation de services|servizi|services',
    ],
    [
      'fixed-place',
      'fixed place|office|warehouse|branch|store|workshop|factory|premises|lager|buro|geschaftseinrichtung|feste geschaftseinrichtung|niederlassung|depot|entrepot|bureau|installation fixe|sede fissa|magazzino|ufficio|lugar fijo|almacen|kantoor|magazijn|kontor|fast forretningssted|biuro|magazyn|kancelar|server',
    ],
  ] as const
).map(([form, phrases]) => [form, phraseShape(phrases)] as const);

export function findEstablishments(layout: Layout): Establishment[] {
  const { document } = layout;
  const { sections, text } = document;
  const sentences = taxSentences(document);
  const found: Establishment[] = [];
  for (const sentence of sentences) {
    if (sentence.end - sentence.start > 700) continue;
    const shown = text.slice(sentence.start, sentence.end);
    const quoteless = withoutQuotes(foldText(shown).replaceAll('\n', ' '));
    if (aboutLaw.test(quoteless)) continue;
    if (!establishment.test(quoteless)) continue;
    const conclusion = conclusionOf(quoteless);
    if (conclusion === undefined) continue;
    const section = sections[indexAt(sections, sentence.start) ?? -1];
    const around = section === undefined || section.end - section.start > 6_000 ? sentence : section;
    const body = foldText(text.slice(around.start, around.end)).replaceAll('\n', ' ');
    // The country after a preposition, else the only country that is named.
    const country =
      countryBehind(quoteless) ??
      countriesIn(withoutTreaties(quoteless))[0]?.code ??
      countryBehind(withoutTreaties(body));
    const own = formIn(quoteless);
    const form = own ?? formIn(body);
    const duration = durationIn(layout, around, form);
    const fact: Establishment = {
      conclusion,
      start: sentence.start,
      end: sentence.end,
      ...(country === undefined ? {} : { country }),
      ...(form === undefined ? {} : { form }),
      ...(duration === undefined ? {} : { duration }),
    };
    const same = found.findIndex(
      (each) =>
        each.country === fact.country &&
        (own === undefined || each.form === own) &&
        around.start <= each.start &&
        each.start < around.end,
    );
    if (country !== undefined && same === -1) found.push(fact);
  }
  return found;
}

function withoutQuotes(folded: string): string {
  return folded.replace(/["“„«][^"”“»]{0,600}["”“»]/g, ' ').replace(/^[^"]*"$/, ' ');
}

function withoutTreaties(folded: string): string {
  return folded.replace(/\b[a-z]+[-–][a-z ]{3,20} (?:convention|treaty|dta|agreement)|\bdba[- ][a-z]+/g, ' ');
}

function conclusionOf(folded: string): Establishment['conclusion'] | undefined {
  const clause =
    folded.split(/;|, (?:but|however|while|aber|jedoch|mais|ma|maar|men) /).find((part) => establishment.test(part)) ??
    folded;
  if (general.test(clause)) return undefined;
  if (undecided.test(clause) && !denied.test(clause)) return 'undecided';
  if (supposed.test(clause) && !/\b(?:we|wir|nous) (?:conclude|therefore|kommen|concluons)\b/.test(clause))
    return undefined;
  if (denied.test(clause)) return 'none';
  // Another word of denial in the clause: what it denies is not certain.
  return affirmed.test(clause) && !anyDenial.test(clause) ? 'exists' : undefined;
}

function countryBehind(folded: string): string | undefined {
  return countriesIn(folded).find(({ start }) =>
    /(?:\bin|\ben|\bau|\baux|\bnach|\bi|\bw|\bv|\bem|\bnei|\bnel)\s(?:the |den |der |die )?$/.test(
      folded.slice(Math.max(0, start - 10), start),
    ),
  )?.code;
}

function formIn(folded: string): EstablishmentForm | undefined {
  return forms.find(([, shape]) => shape.test(folded))?.[0];
}

const lasting =
  /\b(?:lasted|lasts|last|ends after|ended after|runs|ran|term|period|laufzeit|lauft|endet nach|depuis|since|seit|sinds|desde|duurde|duurt|hebben|haben|hat|sedan|siden|od|will (?:therefore )?have lasted|duration|for|over|total(?:ling)?|altogether|dauert|dauerte|gedauert|dauer|insgesamt|wahrend|duree|dure|pendant|durata|durato|duracion|duro|duur|geduurd|varighet|varte|varade|trwa|trwala|trval)\b[^.]{0,56}$/;
/** The verb behind the length: "veertien maanden geduurd", "14 Monate gedauert". */
const lastedBehind =
  /^[^.]{0,16}\b(?:geduurd|gedauert|lang|long|in total|in all|insgesamt|en tout|in tutto|en total|in totaal|lacznie|i alt|totalt)\b/;
const required =
  /\b(?:more than|longer than|exceed(?:s|ing)?|at least|threshold|only if|mehr als|langer als|plus de|piu di|mas de|meer dan|over|mer enn|mere end|mer an|ponad|vice nez|treaty|convention|article|break|interrupt)\b[^.]{0,24}$/;

/** A duration in a sentence on another form, such as the lease of an office, says nothing of a crew. */
function durationIn(
  { document }: Layout,
  { start, end }: Range,
  form: EstablishmentForm | undefined,
): Establishment['duration'] {
  const { text } = document;
  const sentences = taxSentences(document);
  for (const duration of allWithin(document.durations, { start, end })) {
    if (!['month', 'day', 'year', 'week'].includes(duration.unit)) continue;
    const sentence = sentences[indexAt(sentences, duration.start) ?? -1];
    const other =
      sentence === undefined || sentence.end - sentence.start > 700
        ? undefined
        : formIn(withoutQuotes(foldText(text.slice(sentence.start, sentence.end)).replaceAll('\n', ' ')));
    if (other !== undefined && form !== undefined && other !== form) continue;
    const before = foldText(document.text.slice(Math.max(start, duration.start - 90), duration.start)).replaceAll(
      '\n',
      ' ',
    );
    const behind = document.text.slice(duration.end, duration.end + 3);
    const after = foldText(document.text.slice(duration.end, duration.end + 40)).replaceAll('\n', ' ');
    if ((lasting.test(before) || lastedBehind.test(after)) && !required.test(before) && !/^["”]/.test(behind))
      return { count: Number(duration.count), unit: duration.unit };
  }
  return undefined;
}
