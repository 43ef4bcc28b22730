/** The wording of exclusivity, of non-competition and non-solicitation, and of restrictions on assignment. */

/** A restrictive promise other than confidentiality. */
export type PromiseType = 'exclusivity' | 'non-compete' | 'non-solicitation' | 'no-assignment';

/** What makes a sentence a restrictive promise. */
export interface CovenantRule {
  readonly type: PromiseType;
  readonly words: RegExp;
  readonly promise: RegExp;
  /** Words that cancel the promise, or show that something else is meant. */
  readonly unless: RegExp;
}

const notTo = '(?:shall|will|must|may|can|agrees?|undertakes?|covenants?|promises?|is|are)(?: \\w+)? not';
const neither = '(?:neither|no) (?:party|side|of us|of them|of the parties)';

/** In the order in which they are examined. */
export const covenantRules: readonly CovenantRule[] = [
  {
    type: 'exclusivity',
    words:
      /wettbewerber|konkurrent|mitbewerber|exclusiv|compet|engage|\bsole\b|appoint|alleinvertr|ausschließlich|requirements|anyone else|another|anybody else|third part/i,
    promise:
      /\bappoints?\b[^.;]{0,120}\b(?:as|to be)\b[^.;]{0,40}\b(?:exclusive|sole)\b|\b(?:shall|will|may|must|agrees?|undertakes?) not (?:to )?(?:\w+ ){0,3}(?:appoint|engage|supply|sell|licen[sc]e|grant|deliver)\b[^.;]{0,80}\b(?:another|any other|other|anyone else|anybody else|anyone other|any third part(?:y|ies))\b|\b(?:purchase|buy|obtain|order|source|procure)\b[^.;]{0,120}\b(?:exclusively|only|solely) from\b|\b(?:exclusively|solely) (?:purchase|buy|obtain|order|from)\b|\b(?:grants?|appoints?|entrusts?|supplies|sells?|buys?|purchases?|distributes?)\b[^.;]{0,140}\bon an exclusive basis\b|\ball (?:of )?(?:its|their) requirements\b|\bexclusive (?:supplier|provider|distributor|agent|reseller|customer|licensee|manufacturer|partner|representative|carrier)\b|\bgrants?\b[^.;]{0,80}(?<!non-)\bexclusive\b[^.;]{0,40}\b(?:licen[cs]e|right to (?:sell|distribute|market))\b|\balleinvertriebsrecht|\bals (?:alleinige[nr]?|exklusive[nr]?|ausschließliche[nr]?) (?:händler|vertriebs|lieferant|vertrags)|\bausschließlich (?:beim|bei der|vom) |\b(?:shall|will|may|must|agrees?|undertakes?) not (?:to )?(?:\w+ ){0,3}(?:let|lease|rent|sell|supply|licen[sc]e|grant|deliver|provide)\b[^.;]{0,60}\bto (?:an? |any )?(?:\w+ )?compet|\b(?:nicht|keine?n?)\b[^.;]{0,60}\ban (?:einen? |andere |keinen )?(?:\w+ )?(?:wettbewerber|konkurrent|mitbewerber)\w*\b[^.;]{0,60}\b(?:vermieten|liefern|verkaufen|überlassen|lizenzieren|vergeben)|\bà titre exclusif\b|\ben exclusiva\b/i,
    unless:
      /\bnon-?exclusive\b|\bnot (?:the |an |its )?exclusive\b|\bnicht[- ]?(?:exklusiv|ausschließlich)|\bno course of dealing\b|\bmay convert\b|\bprocessors?\b|\bsub-?contract|\bwithout (?:the )?(?:[\w']+ ){0,4}consent\b|\bexclusive (?:jurisdiction|property|owner|remedy|forum|venue)\b|\bnothing\b|\bpersonal data\b|\bconfidential|\bsub-?licen[sc]e|\bthe software\b/i,
  },
  {
    type: 'non-compete',
    words: /compet|wettbewerb|concurren|competencia|\bnot\b/i,
    promise: new RegExp(
      `\\b${notTo}\\b[^.;]{0,240}\\bcompet|\\b(?:does|do) not (?:work|act)\\b[^.;]{0,80}\\bcompet|\\b${neither} (?:shall|will|may)\\b[^.;]{0,200}\\bcompet|\\bnot (?:to )?(?:\\w+ ){0,6}compete\\b|\\b${notTo}\\b[^.;]{0,80}\\b(?:concerned|engaged|interested|involved|employed)\\b[^.;]{0,40}\\bin any (?:other )?(?:business|undertaking|company|trade)\\b|\\brefrain\\b[^.;]{0,120}\\bcompet|\\bwettbewerb\\w*\\b[^.;]{0,120}\\b(?:unterlassen|enthalten|untersagt|verboten|nicht)\\b|\\b(?:nicht|keine?n?)\\b[^.;]{0,100}\\b(?:in wettbewerb|wettbewerb|konkurr)|\\bnon-concurrence\\b|\\bs['’]interdit\\b[^.;]{0,120}\\bconcurren`,
      'i',
    ),
    unless:
      /\b(?:competent|competition law|competition act|competitive)\b|\bdoes not apply\b|\bbesteht nicht\b|\bnot (?:to )?(?:\w+ ){0,3}(?:let|lease|rent|sell|supply|licen[sc]e|grant|deliver|provide)\b[^.;]{0,60}\bto (?:an? |any )?(?:\w+ )?compet|\ban (?:einen? |andere |keinen )?(?:\w+ )?(?:wettbewerber|konkurrent|mitbewerber)\w*\b[^.;]{0,60}\b(?:vermieten|liefern|verkaufen|überlassen|lizenzieren)|\bno (?:non-?compet|restraint)|\bnot (?:be )?(?:prevent|restrict|prohibit|preclude)|\bnothing\b|\bfree to\b|\bkein wettbewerbsverbot\b|\bwettbewerbsverbot (?:wird|ist) nicht (?:vereinbart|vorgesehen)|\bnon-compet\w* (?:is|has been) not\b|\bwettbewerbsverbot besteht nicht\b|\b(?:access|use) (?:the|it|to)\b[^.;]{0,60}\bcompeting (?:product|service)/i,
  },
  {
    type: 'non-solicitation',
    words: /solicit|entice|poach|(?<![-\\w])hire\\b|recruit|\bemploy|approach|abwerb|abzuwerben|débauch/i,
    promise: new RegExp(
      `\\b${notTo}\\b[^.;]{0,160}\\b(?:solicit|entice|poach|(?<![-\\w])hire\\b|induce|recruit|(?:offer )?employ(?:ment)?\\b[^.;]{0,40}\\b(?:staff|employees?|personnel)|approach\\b[^.;]{0,60}\\b(?:clients?|customers?|staff|employees?))|\\b${neither}\\b[^.;]{0,120}\\b(?:solicit|entice|poach|(?<![-\\w])hire\\b|recruit|employ)|\\bnot (?:to )?(?:\\w+,? ){0,8}(?:solicit|entice|poach|approach (?:\\w+ ){0,6}(?:clients?|customers?))|\\brefrain from (?:\\w+ ){0,3}solicit|\\babzuwerben\\b|\\babwerben\\b`,
      'i',
    ),
    unless:
      /\bnot (?:be )?(?:prevent|restrict|prohibit|preclude)|\bis not (?:a )?solicitation\b|\bunsolicited\b|\bwith reasonable\b|\bregulator/i,
  },
  {
    type: 'no-assignment',
    words: /assign|transfer|novat|abtret|übertrag|céd|cesión|ceder|overdrag/i,
    promise:
      /\b(?:shall|may|will|can|must)(?: \w+)? not\b[^.;]{0,100}\b(?:assign|transfer|novate)|\bmay (?:\w+ ){1,5}not assign\b|\bcannot (?:\w+ )?(?:assign|transfer)|\b(?:neither|no)\b[^.;]{0,60}\b(?:may|shall|will|can)\b[^.;]{0,80}\b(?:assign|transfer)|^[^.;]{0,20}\b[Nn]ot to assign|\b(?:assign|transfer)\w*\b[^.;]{0,160}\b(?:only with|requires?|without|subject to|only if|unless)\b[^.;]{0,60}\b(?:consent|approval|agrees?|permission)|\bneeds?\b[^.;]{0,60}\bconsent\b[^.;]{0,40}\b(?:to|before|if)\b[^.;]{0,20}\b(?:assign|transfer)|\bonly (?:be )?(?:assigned|transferred)\b[^.;]{0,60}\b(?:consent|agree)|\bnot (?:be )?(?:assignable|transferable)\b|(?:abtret|übertrag)\w*[^.;]{0,260}\b(?:zustimmung|einwilligung)|\bnur mit\b[^.;]{0,80}\b(?:zustimmung|einwilligung)\b[^.;]{0,80}(?:abtreten|übertragen)|\b(?:nicht|ohne|keine)\b[^.;]{0,160}(?:abtreten|übertragen|abzutreten|zu übertragen|abgetreten)|\b(?:ne|sans)\b[^.;]{0,100}\bc(?:é|e)d(?:er|é)|\bno (?:podrá|podrán|puede)(?!\p{L})[^.;]{0,60}\bceder|\bniet (?:\p{L}+ ){0,3}overdragen\b/iu,
    unless:
      /\b(?:may|can) (?:freely )?assign\b(?![^.;]{0,160}\bconsent)|(?<!\b(?:neither|no|none|nor|nobody|only)\b[^.;]{0,80})\b(?:may|can) (?:freely )?(?:assign|transfer)\b[^.;]{0,160}\bwithout (?:[\w']+ ){0,6}(?:consent|approval)\b|\b(?:personal data|title|risk|ownership)\b[^.;]{0,60}\btransfer|\btransfer(?:s|red)? of (?:personal data|data|title)|\brestricted transfer\b|\bpersonal data\b|\bnutzungsrecht|\bhereby assigns?\b/i,
  },
];
