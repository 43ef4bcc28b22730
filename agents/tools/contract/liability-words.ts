/**
 * Words of liability clauses in English, German, French and Spanish: kinds of loss, and matters that limits of liability leave
 * unlimited.
 */

/** The statement is about liability. */
export const liabilityWords =
  /\bliab|\bgehaftet\b|\bhaft(?!pflicht)|\bhaftung|\bresponsib(?:le|ility|ilities)\b|\bdamages\b|\bcompensat(?:e|ion)\b|\banswerable\b|\bresponsab(?:ilité|le|ilidad|ilità)|\brespond(?:erá|e|en)\b|\baansprakelijk|\bschadensersatz|\bthe most (?:that )?(?:we|you|either|each|the)\b|\btotal\b[^.;]{0,60}\bclaims?\b|\bclaims?\b[^.;]{0,60}\btotal\b|\bin total\b[^.;]{0,60}\bclaims?\b/i;

/** Losses that contracts exclude, outside lists of "loss of …". */
export const losses: readonly (readonly [string, RegExp])[] = [
  [
    'indirect-loss',
    /\b(?<!direct or )(?:indirect|consequential|special|incidental|punitive|exemplary)\b(?! (?:categories|provision|terms?|conditions?|resolution|arrangements?))|\bmittelbare[nr]?\b|\bindirekte[nr]?\b|\bfolgeschäden|\bmangelfolgesch|\bdommages? indirects?|\bpréjudices? indirects?|\bdaños indirectos|\bdanni indiretti|\bindirecte schade/i,
  ],
  [
    'lost-profits',
    /\bentgangene[nr]? gewinn|\bgewinnausfall|\bmanque à gagner|\blucro cesante|\blucro cessante|\bgederfde winst/i,
  ],
  ['lost-revenue', /\bumsatz(?:ausfall|einbuße|verlust)|\bproduktionsausf/i],
  ['lost-data', /\bdatenverlust|\bverlust von daten|\bcorrupt(?:ed|ion of) (?:or lost )?data\b/i],
  ['goodwill', /\bgoodwill\b|\bloss of reputation\b|\bdamage to reputation\b/i],
];

/** Introduces a list of losses: "loss of use, revenue or profit". */
export const lossList =
  /\b(?:loss(?:es)? (?:or (?:corruption|damage|destruction|inaccuracy) )?(?:of|to)|lost|anticipated|pertes? (?:de |d['’])|pérdidas? de|verlust von|perdita di)([^.;:()]{0,140})/gi;
/** A list of losses ends here. */
export const lossListEnd =
  /\b(?:arising|caused|suffered|howsoever|resulting|incurred|even|whether|in connection|under|by|that|which|if)\b/i;
/** Losses by the last words in such a list. */
export const listedLosses: readonly (readonly [string, RegExp])[] = [
  ['lost-profits', /\bprofits?\b|\bbénéfices?\b|\bbeneficios?\b|\bgewinn\b|\bprofitti\b/i],
  [
    'lost-revenue',
    /\brevenues?\b|\bturnover\b|\bsales\b|\bincome\b|\bearnings\b|\bbusiness\b(?! days?)|\bchiffre d['’]affaires|\bingresos\b|\bumsatz\b/i,
  ],
  ['lost-data', /\bdata\b|\bdonnées\b|\bdatos\b|\bdaten\b|\bdati\b/i],
];

/** Matters to which limits do not apply. */
export const matters: readonly (readonly [string, RegExp])[] = [
  [
    'death-or-injury',
    /\bdeath\b|\b(?:personal|bodily|physical) (?:injury|harm)\b|\binjury to (?:life|body|health|persons?)|\blife, (?:body|limb)|\bleben(?:s)?, (?:des |der )?körper|\bkörperverletzung|\bleben, körper|\bpersonenschäden|\bdécès\b|\bdommages? corporels?|\bpréjudices? corporels?|\bmuerte\b|\blesiones\b/i,
  ],
  ['fraud', /\bfraud(?:ulent(?:ly)?)?\b|\bdeceit\b|\barglist|\bfraude\b/i],
  [
    'gross-negligence',
    /\bgross(?:ly)? negligen|\bgrobe[rn]? fahrlässig|\bgrob fahrlässig|\bfaute lourde\b|\b(?:negligencia|culpa) grave\b|\bcolpa grave\b|\bgrove (?:schuld|nalatigheid)/i,
  ],
  [
    'wilful-misconduct',
    /\b(?:wil(?:l)?ful(?:ly)?|intentional(?:ly)?|deliberate(?:ly)?)\b|\bintent\b|\bvors[äa]tz|\bfaute intentionnelle|\bdol\b|\bdolo\b|\bopzet\b/i,
  ],
  [
    'confidentiality',
    /\bconfidential(?:ity| information)\b|\b(?:breach|duty|duties) of (?:confidence|secrecy)\b|\bvertraulichkeit|\bgeheimhaltung|\bconfidentialité\b|\bconfidencialidad\b/i,
  ],
  [
    'data-protection',
    /\bdata protection\b|\bpersonal data\b|\bdata (?:breach|security|processing)\b|\bprivacy\b|\bdatenschutz|\bprotection des données|\bprotección de datos/i,
  ],
  ['indemnity', /\bindemni(?:ty|ties|fy|fication)\b|\bfreistellung|\bgarantie d['’]éviction/i],
  [
    'ip-infringement',
    /\binfring\w+|\bmisappropriation\b|\bintellectual property\b|\bschutzrecht|\bcontrefaçon|\bpropriété intellectuelle/i,
  ],
  [
    'payment',
    /\b(?:obligations?|duty|liability|failure) to (?:make )?pay(?:ments?)?\b|\bnon-?payment\b|\bpayment (?:obligations?|of (?:the )?(?:fees|charges|price|sums|rent))|\b(?:pay|payment of) (?:the |any |its |undisputed |all |unpaid )?(?:fees|charges|price|sums|invoices|amounts|rent)\b|\b(?:fees|amounts|charges|sums|rent|royalties) (?:that are )?(?:due|payable|owed)\b|\bunpaid (?:fees|charges|invoices|sums|amounts|rent)\b|\bzahlungspflicht|\bzahlungsverpflichtung/i,
  ],
  [
    'product-liability',
    /\bproduct liability\b|\bdefective products?\b|\bconsumer protection act\b|\bprodukthaftung|\bproduits défectueux/i,
  ],
  ['guarantee', /\bguarantees?\b|\bgarantie\b(?! d['’])/i],
  [
    'mandatory-law',
    /\b(?:cannot|can not|may not|must not|can't) (?:\w+ ){0,4}(?:be )?(?:\w+ ){0,3}?(?:excluded|limited|restricted|waived)(?:[\w ,]{0,40}(?:law|statute))?|\bmandatory (?:\w+ ){0,2}law|\bnot permitted by (?:\w+ )?law|\bextent (?:prohibited|not permitted) by|\bzwingende[rnms]? |\bgesetzlich zwingend|\bordre public\b/i,
  ],
];
