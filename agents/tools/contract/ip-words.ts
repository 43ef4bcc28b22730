/** Words for kinds of intellectual property and data in contracts, in English, German, French and Spanish. */

/** If two match at one position, the earlier line wins. */
export const subjects: readonly (readonly [string, string])[] = [
  ['feedback', 'feedback|suggestions?'],
  [
    'customer-data',
    "(?:customer|client|subscriber|licensee|controller|user|your|company)(?:'s)? (?:data|content|materials)|all (?:the |personal )?data|(?:all |the )?(?:data|content|records) (?:that|which|entered|uploaded|stored|saisies|introducidos|inseriti|ingevoerd) (?:it|you|they|the \\w+) (?:uploads?|enters?|provides?|stores?|submits?|supplies)|data (?:so )?(?:entered|uploaded|inserit[ie]|introducidos|saisies|ingevoerde?|inseridos|wprowadzone)|its (?:own )?(?:data|content)|kundendaten|daten des (?:kunden|auftraggebers)|données du client|datos del cliente",
  ],
  [
    'background-ip',
    'background (?:ip|intellectual property(?: rights)?|technology|materials?|rights)|pre-?existing (?:ip|intellectual property(?: rights)?|materials?|works?|rights|tools|technology|software|know-how)|prior (?:inventions?|works)|existing intellectual property|(?:its|their|our|your) (?:own )?(?:respective )?(?:pre-existing )?(?:intellectual property(?: rights)?|confidential information|tools|know-how|methods)|provider tools|(?:consultant|supplier|contractor|provider) (?:tools|materials)|confidential information|(?:licensed )?patents?|know-how|vorbestehende\\w*(?: \\p{L}+)?|bestehende schutzrechte|altschutzrechte|vertraulichen? informationen',
  ],
  [
    'improvements',
    'improvements?|enhancements?|modifications?|adaptations|derivative works?|weiterentwicklungen|verbesserungen|bearbeitungen|améliorations|mejoras',
  ],
  ['trade-marks', 'trade ?marks?|logos?|brand(?:s| features| name)?|(?<!waren)marken(?:rechte)?|marques?|marcas?'],
  [
    'deliverables',
    'deliverables?|work products?|works? made for hire|results(?: of the (?:work|services))?|products of the services|foreground (?:ip|intellectual property(?: rights)?)|developed materials|project (?:ip|materials|results)|work results?|arbeitsergebnisse?n?|leistungsergebnisse?n?|ergebnisse?n?|inventions?|reports?|drawings|designs?|photographs?|images|footage|recordings|manuscripts?|translations?|artwork|outputs?|models?|materials|works?|livrables|entregables|œuvres|resultados|résultats',
  ],
  [
    'software',
    'software|services?|platform|licensed (?:software|materials?|technology|products?|program)|programs?|application|documentation|technology|licensed works?|system|lizenzgegenstand|vertragssoftware|programm|produkte?|products?|logiciels?',
  ],
];

/** Rights without a kind of their own: the words around them tell whether they are old or new. */
export const genericRights =
  'intellectual property(?: rights)?|industrial property|copyrights?|inventions?|rights|tools?|methods|know-how|materials?|works?|property|geistige[sn]? eigentum|schutzrechte?|urheberrechte?|nutzungsrechte?';

/** What a party had before the contract or develops apart from it. */
export const ownBefore =
  /\bpre-?existing\b|\bexist(?:ing|ed|s)? (?:before|prior|at the)|\b(?:owned|owns|held|holds|had|has|developed|created|made)\b[^.;,]{0,30}\b(?:before|prior to|independently|outside)\b|\bbefore (?:the|this) (?:agreement|contract|commencement|effective|start|engagement|project)|\bbr(?:ing|ings|ought)\b[^.;,]{0,20}\b(?:along|to (?:the|this))|\bindependently of (?:the|this)|\bvor (?:vertrags|abschluss|beginn)|\bbereits (?:bestehende|vorhandene)/i;
/** What a party makes under the contract. */
export const madeUnder =
  /\b(?:created?s?|develop(?:s|ed)?|produces?d?|generated?|arising|arises?|makes?|made|prepare[ds]?|writes?|written|conceive[ds]?|resulting|results?)\b[^.;]{0,60}\b(?:in (?:the )?(?:course|performance|performing|providing|connection)|during|under|for|specifically|from|by)\b|\bim rahmen (?:dieses|des)\b/i;
