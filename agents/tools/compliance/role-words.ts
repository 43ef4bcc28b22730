/** Words for the parts in the processing of personal data, in six languages, and the forms in which documents give them to somebody. */
import type { DocumentType } from './document-types.ts';

export type ProcessingRole =
  | 'controller'
  | 'joint-controller'
  | 'processor'
  | 'sub-processor'
  | 'covered-entity'
  | 'business-associate';

/** The more specific first. */
const words: readonly (readonly [ProcessingRole, RegExp])[] = [
  [
    'joint-controller',
    /(?<!\p{L})(?:joint[- ]controllers?|gemeinsam verantwortliche?r?|responsables? conjoints?|corresponsables?|contitolar[ei]|gezamenlijke? verwerkingsverantwoordelijken?|responsáveis conjuntos|współadministrator\p{L}*|gemensamt personuppgiftsansvariga?)(?!\p{L})/iu,
  ],
  [
    'sub-processor',
    /(?<!\p{L})(?:sub-?\s?processors?|underdatabehandler\p{L}*|unterauftrag(?:s)?(?:nehmer|verarbeiter)\p{L}*|unterauftragnehmer\p{L}*|weiterer auftragsverarbeiter|subunternehmer\p{L}*|sous-traitants? ultérieurs?|sous-traitants? de (?:rang|niveau) 2|subencargad[oa]s?|sub-?responsabil[ei]|subverwerkers?|sub-verwerkers?|onderaannemers?|sub-?\s?contractors?|subcontratantes? (?:ulterior(?:es)?|subsequentes?)|sub-?subcontratantes?|dalsz\p{L}+ podmiot\p{L}* przetwarzając\p{L}*|podprocesor\p{L}*|underbiträden?)(?!\p{L})/iu,
  ],
  ['covered-entity', /(?<!\p{L})covered entit(?:y|ies)(?!\p{L})/iu],
  ['business-associate', /(?<!\p{L})business associates?(?!\p{L})/iu],
  [
    'processor',
    /(?<!\p{L})(?:(?:data )?processors?|databehandler\p{L}*|auftragsverarbeiter\p{L}*|auftragnehmer\p{L}*|sous-traitants?|encargad[oa]s?(?: del tratamiento)?|responsabil[ei] (?:esterno )?del trattamento|responsabile esterno|verwerkers?|opdrachtnemer|service provider|subcontratantes?|podmiot\p{L}* przetwarzając\p{L}*|procesor(?:em)?|przetwarzając\p{L}{1,2}|personuppgiftsbiträde[nt]?|biträdet)(?!\p{L})/iu,
  ],
  [
    'controller',
    /(?<!\p{L})(?:(?:data )?controllers?|dataansvarlige?|behandlingsansvarlige?|verantwortliche[rn]?(?: stelle)?|auftraggeber\p{L}*|responsables? (?:de|du) traitement|responsable(?:s)?(?: del tratamiento)?|donneur d.ordre|titolar[ei](?: del trattamento)?|verwerkingsverantwoordelijken?|opdrachtgever|covered business|respons(?:ável|áveis) pelo tratamento|administrator(?:em|a)?(?: danych)?|personuppgiftsansvarig\p{L}?)(?!\p{L})/iu,
  ],
];

const contractual: readonly (readonly [ProcessingRole, RegExp])[] = [
  ['controller', /^(?:the )?(?:customer|client|company|kunde|client|le client|cliente|il cliente|klant)$/iu],
  [
    'processor',
    /^(?:the )?(?:supplier|provider|vendor|service provider|contractor|anbieter|dienstleister|lieferant|prestataire|le prestataire|fournisseur|proveedor|prestador|fornitore|leverancier)$/iu,
  ],
];

/** Of the standard contractual clauses, unless a line below gives the role. */
const transferParties: readonly (readonly [ProcessingRole, RegExp])[] = [
  [
    'controller',
    /^(?:the )?(?:data exporter|datenexporteur|exportateur de données|exportador de datos|esportatore|gegevensexporteur)(?:\(?s\)?)?$/iu,
  ],
  [
    'processor',
    /^(?:the )?(?:data importer|datenimporteur|importateur de données|importador de datos|importatore|gegevensimporteur)(?:\(?s\)?)?$/iu,
  ],
];

/** @param type in a contract on processing, "Customer" and "Supplier" are controller and processor */
export function roleOf(text: string, type?: DocumentType): ProcessingRole | undefined {
  const found = words.find(([, shape]) => shape.test(text));
  if (found !== undefined) return found[0];
  const transferred = transferParties.find(([, shape]) => shape.test(text.trim()));
  if (transferred !== undefined) return transferred[0];
  return type === 'data-processing-agreement'
    ? contractual.find(([, shape]) => shape.test(text.trim()))?.[0]
    : undefined;
}

const article = '(?:o |a |the |der |die |den |le |la |l.|el |il |de |het )?';
const roleWord =
  'data exporter|data importer|datenexporteur|datenimporteur|exportateur de données|importateur de données|exportador de datos|importador de datos|gegevensexporteur|gegevensimporteur|joint controllers?|data controller|controller|data processor|sub-?processor|processor|covered entity|business associate|customer|client|supplier|provider|vendor|service provider|company|contractor|verantwortlicher?|auftraggeber(?:in)?|auftragnehmer(?:in)?|auftragsverarbeiter|kunde|anbieter|dienstleister|responsable (?:de|du) traitement|responsable del tratamiento|responsable|encargado(?: del tratamiento)?|sous-traitant|prestataire|titolare(?: del trattamento)?|responsabile(?: del trattamento)?|fornitore|cliente|proveedor|verwerkingsverantwoordelijke|verwerker|opdrachtgever|opdrachtnemer|klant|leverancier|responsável pelo tratamento|subcontratante ulterior|subcontratante|administrator(?:em)?(?: danych)?|(?:dalszy )?podmiot(?:em)? przetwarzający(?:m)?|procesor(?:em)?|personuppgiftsansvarig|personuppgiftsbiträde(?:t)?|underbiträde|biträdet|databehandleren?|dataansvarlig(?:e)?|behandlingsansvarlig(?:e)?';
const organisation =
  "(?<name>\\p{Lu}[\\p{L}\\d&'’.-]*(?: (?:(?:&|of|de|der|und|et|y|e|van|von|the|für|del|della) )?\\p{Lu}[\\p{L}\\d&'’.-]*){0,6})";

export const roleShapes = {
  /** A role in quotation marks, as contracts define it. */
  defined: new RegExp(`["“„«'‘]\\s{0,2}${article}(${roleWord})\\s{0,2}["”“»'’]`, 'giu'),
  /** "("Acme", processor)": a short name and the role that the definition adds. */
  definedWithName: new RegExp(
    `\\(\\s{0,2}["“„«'‘][^"”“»'’)]{2,40}["”“»'’],? (?:${article})(${roleWord})\\s{0,2}\\)`,
    'giu',
  ),
  /** "(Processor, supplier of the platform)", "- nachstehend Auftragnehmer genannt -": a role without quotation marks. */
  bracketed: new RegExp(
    `(?:\\(\\s{0,2}|(?<!\\p{L})(?:nachstehend|nachfolgend|im folgenden|hereinafter(?: referred to as| called)?|ci-après|en adelante|di seguito|hierna)[:,]? (?:dénommée?s? |denominad[oa]s? |te noemen )?)${article}(${roleWord})(?!\\p{L}|[^\\s,)–-])(?=[^)]{0,80}\\)|,? genannt|\\s{0,2}[-–.]?\\s{0,2}$)`,
    'giu',
  ),
  label: new RegExp(`^${article}(?:${roleWord})(?: of the processing| of personal data)?$`, 'iu'),
  supplier:
    /^(?:name of )?(?:supplier|vendor|provider|company|respondent|lieferant|anbieter|dienstleister|fournisseur|prestataire|proveedor|fornitore|leverancier)(?: name)?$/iu,
  addressee: /^(?:to|an|aan|à|a|para|attn|destinataire|destinatario|empfänger)$/iu,
  asYourProcessor:
    /(?<!\p{L})(?:as your (?:data )?processor|als (?:ihr|ihre) auftragsverarbeiter(?:in)?|en (?:tant que|qualité de|notre qualité de) (?:votre )?sous-traitant|como (?:su )?encargado|in qualità di (?:vostro )?responsabile|als uw verwerker|acting as (?:your )?processor)(?!\p{L})/iu,
  asController:
    /(?<!\p{L})(?:as (?:the |data )?controller,? we|we(?:, | )as (?:the )?controller|we are the (?:data )?controller|als (?:datenschutzrechtlich )?verantwortliche[rn]?(?: stelle)?,? (?:melden|informieren|benachrichtigen|zeigen)|en (?:tant que|qualité de|notre qualité de) responsable (?:de|du) traitement|como responsable del tratamiento|in qualità di titolare|als verwerkingsverantwoordelijke)(?!\p{L})/iu,
  stated: [
    // "Acme LLC ("Acme"), our billing vendor and business associate", "its vendor, Acme LLC, a business associate".
    new RegExp(
      `${organisation}(?:,? (?:LLC|Inc\\.?|P\\.C\\.|PLLC|Ltd\\.?|GmbH|S\\.A\\.))?(?: \\([^)]{2,40}\\))?, (?:our|its|their|a|an|unser|ein|notre|un|une|nuestro|il nostro|onze|een) (?:[\\p{L}-]+ ){0,4}(?<role>business associate|data processor|sub-?processor|auftragsverarbeiter(?:in)?|sous-traitant|encargad[oa] del tratamiento|responsabile del trattamento|verwerker)(?!\\p{L})`,
      'gu',
    ),
    // "Acme College (the College), which is the controller".
    new RegExp(
      `${organisation}(?: \\([^)]{2,40}\\))?,? (?:which|who|die|qui|que|che|il quale)? ?(?:is|acts? as|ist|handelt als|est|agit (?:en qualité de|comme)|es|actúa como|è|agisce (?:come|in qualità di)|is de|treedt op als) (?:the |a |an |der |die |le |la |el |il |de |een |un |une |\\p{Lu}[\\p{L}]{1,30}['’]s )?(?:sole |alleiniger? |service provider and )?(?<role>joint controller|data controller|controller|sub-?processor|data processor|processor|covered entity|business associate|verantwortliche[rn]?|auftragsverarbeiter(?:in)?|responsable (?:de|du) traitement|responsable del tratamiento|sous-traitant(?: ultérieur)?|encargad[oa] del tratamiento|subencargad[oa]|titolare del trattamento|responsabile del trattamento|verwerkingsverantwoordelijke|verwerker)(?!\\p{L})`,
      'gu',
    ),
    // "Acme and Beta act as processors for Gamma, the controller".
    new RegExp(
      `(?:and |und |et |y |e |en )${organisation} (?:act|handeln|agissent|actúan|agiscono|treden op) (?:as|als|comme|en tant que|como|come) (?<role>processors?|auftragsverarbeiter|sous-traitants|encargados|responsabili|verwerkers)`,
      'gu',
    ),
    new RegExp(
      `(?:for|für|pour|para|per|voor) ${organisation}, (?:the |der |die |le |la |el |il |de )(?<role>controller|verantwortlichen?|responsable (?:de|du) traitement|responsable del tratamiento|titolare del trattamento|verwerkingsverantwoordelijke)(?!\\p{L})`,
      'gu',
    ),
    // "The only subcontractor that receives data is Acme, Inc.".
    new RegExp(
      `(?:only|sole|einziger?|seul|único|unico|enige) (?<role>sub-?processor|unterauftragnehmer|unterauftragsverarbeiter|sous-traitant ultérieur|subencargado|subresponsabile|subverwerker|subcontractor)(?: (?:that|which|who|der|qui|que|che|die) [^.;:]{2,60})? (?:is|ist|est|es|è) ${organisation}`,
      'gu',
    ),
    // "Our sub-processor Acme B.V.".
    new RegExp(
      `(?:[Oo]ur|[Ii]ts|[Tt]he|[Uu]nser(?:em|en)?|[Nn]otre|[Nn]uestr[oa]|[Ii]l nostro|[Oo]nze|[Oo]ns) (?<role>sub-?processor|unterauftragnehmer|unterauftragsverarbeiter|sous-traitant ultérieur|subencargado|subresponsabile|sub-responsabile|subverwerker|onderaannemer|subcontractor|processor|auftragsverarbeiter|verwerker|encargado)s?,? (?:is |ist |est |es |è )?${organisation}`,
      'gu',
    ),
  ],
} as const;
