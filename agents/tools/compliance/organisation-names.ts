/** Names of organisations: where they begin and end in a line, and what is none. */
import { printed } from './flat-text.ts';

const forms =
  'Ltd\\.?|Limited|LTD|LIMITED|LLC|L\\.L\\.C\\.|LLP|Inc\\.?|INC\\.?|Incorporated|Corp\\.?|Corporation|plc|PLC|g?GmbH(?: & Co\\. ?KG(?:aA)?)?|mbH|AG|SE|KG|OHG|UG|e\\.V\\.|eG|AöR|S\\.A\\.S\\.?|S\\.A\\.U\\.?|S\\.A\\.|SA|SAS|SASU|SARL|S\\.à r\\.l\\.|S\\.r\\.l\\.|S\\.R\\.L\\.|Srl|S\\.p\\.A\\.|SpA|S\\.L\\.U?\\.?|S\\. ?Coop\\.?|B\\.V\\.|BV|N\\.V\\.|NV|U\\.A\\.|s\\.r\\.o\\.|a\\.s\\.|[Ss]p\\. z o\\.o\\.|OÜ|E\\.M\\.|DAC|Lda\\.?|Oyj?|AB|A\\/S|ApS|AS|ASA|d\\.o\\.o\\.|Kft\\.?|Zrt\\.?|Pty Ltd\\.?|\\(Pty\\) Ltd\\.?|ehf\\.?|hf\\.|Pvt\\.? Ltd\\.?|Private Limited|Co\\.|PC|P\\.C\\.|PLLC|K\\.K\\.|S\\.C\\.';
const bodies =
  'Foundation|University|Universität|Université|Universidad|Università|Universiteit|Hospital|Clinic|Klinikum|Klinik|College|School|Council|Trust|Stichting|Gemeente|Stadt|Stadtwerke|Ayuntamiento|Comune|Commune|Ville|Verein|Association|Fundación|Fondazione|Fondation|Cooperative|Cooperativa|Coopérative|Coöperatie|Genossenschaft|Grupo|Group|Groupe|Gruppo|Bank|Banque|Banca|Banco|Insurance|Versicherung|Institute|Institut|Academy|Authority|Partners|Services|Systems|Solutions|Hosting|Datacenters?|Datacentres?|Rechenzentrum|Cloud|Software|Technologies|Health|Holdings?|Mutual|Company|Agency|Centre|Center|Sparkasse|Landkreis|Provincie|Waterschap|Ministerie|Ministerium|Ministère|Ministerio|Ministero|Kliniken|Praxis|Apotheek|Ziekenhuis|Krankenhaus|Hôpital|Ospedale|Föreningen|Förening|Kommun|Kommune|Regionen?|Stiftelsen|Skola|Universitet|Universidade|Sjukhus|Sygehus|Fundacja|Stowarzyszenie|Spółdzielnia|Gmina|Szpital|Uniwersytet|Município|Câmara|Associação|Fundação|Asociación|Associazione';
const legalForm = new RegExp(`(?:^|[ ,\\u00a0])(?:${forms})(?=$|[\\s,.;:)("“„«])`, 'u');
const body = new RegExp(`(?<!\\p{L})(?:${bodies})(?!\\p{L})`, 'iu');

/** @param isLoose capitals alone suffice, for names that a statement already gives a role */
export function isOrganisation(text: string, isLoose = false): boolean {
  const shown = printed(text);
  if (
    shown.length < 3 ||
    shown.length > 90 ||
    !/^(?:[\p{Lu}\d]|[a-z\d-]{2,20}\.[a-z]{2,4} \p{Lu})/u.test(shown) ||
    isEmptyLike(shown)
  )
    return false;
  if (/(?<!\p{L})(?:is|are|shall|the following|ist|sind|wird|est|sont|è|sono|es|son|wordt|zijn)(?!\p{L})/u.test(shown))
    return false;
  return isLoose
    ? !commonNouns.test(shown)
    : legalForm.test(shown) || (body.test(shown) && shown.split(' ').length >= 2);
}

function isEmptyLike(text: string): boolean {
  return /^[[(<_]/.test(text);
}

const commonNouns =
  /^(?:the |der |die |das |le |la |les |el |los |il |i |de |het )?(?:sub-?processors?|processors?|controllers?|customers?|suppliers?|vendors?|providers?|parties|party|both|each|it|they|we|you|who|which|auftraggeber|auftragnehmer|verantwortliche[rn]?|kunde|lieferant|responsable|encargado|titolare|responsabile|verwerker|administrator\p{L}*|podmiot\p{L}*|subcontratante\p{L}*|personuppgifts\p{L}+|client|clients|organisation|organization|company|contractor|recipients?|data|article|annex|section|clause|agreement|person\p{L}*|employees?|staff|this|these|such|any|all|u|wij|hij)(?!\p{L})/iu;

/** Where a name ends. A comma before a legal form belongs to it. */
const stop = new RegExp(
  `,(?! ?(?:${forms}))|;|\\n|\\s[–—-]\\s| \\(|\\(|["“„«]| an? (?:company|limited|corporation|private|public|municipal|charit)| (?:with|having) (?:its |a )?(?:registered|seat|office)| registered | represented by| vertreten durch| dont le siège| con sede| con domicilio| gevestigd| ingeschreven|, société| mit Sitz| whose | located | based `,
  'u',
);
const lead =
  /^[\s>*•-]{0,8}(?:\(?[\dA-Za-z]{1,2}[.)]\s{1,6})?(?:(?:between|by and between|de una parte|y de otra(?: parte)?|por una parte|por otra(?: parte)?|d.une part|et d.autre part|da una parte|e dall.altra(?: parte)?|enerzijds|en anderzijds|einerseits|andererseits|and|zwischen|und|entre|et|y|e|tra|fra|tussen|en|och|og|samt|oraz|mellan|mellem|mellom|między|pomiędzy|der|die|den|dem|la société|the company|the|la sociedad|la empresa|la società|firma|entreprise)(?:,?\s{1,6}|[:,]\s{0,6})){0,4}/iu;

/**
 * The name at the beginning of a line or part of it; undefined for a sentence or what is no organisation.
 * @param isLoose capitals alone suffice
 */
export function nameIn(text: string, isLoose = false): string | undefined {
  const start = lead.exec(text)?.[0].length ?? 0;
  const rest = text.slice(start, start + 200);
  const end = stop.exec(rest)?.index ?? rest.length;
  const name = printed(rest.slice(0, end)).replace(/[.,]$/, (mark) =>
    mark === '.' && legalForm.test(rest.slice(0, end)) ? '.' : '',
  );
  return isOrganisation(name, isLoose) ? withoutMarks(name) : undefined;
}

/** Without stars, quotes, a trailing comma and an explanation in parentheses. */
export function withoutMarks(name: string): string {
  return printed(name)
    .replace(/^[*_`"“„«]+|[*_`"”»,;:]+$/gu, '')
    .replace(/\s\((?!Pty)[^)]{0,60}\)$/u, '')
    .trim();
}

const withForm = new RegExp(
  `(?<![\\p{L}\\d])((?:\\p{Lu}[\\p{L}\\d&'’.-]{0,30} (?:& )?){1,5}(?:${forms}))(?=$|[\\s,.;:)("“„«])`,
  'gu',
);

/** Names with a legal form, in the order of the text. */
export function organisationsIn(text: string): string[] {
  return [...text.matchAll(withForm)].map((match) => withoutMarks(match[1]!));
}

const listed = /(\p{Lu}[^(),;]{2,80}?(?:, (?:Inc\.?|LLC|S\.A\.|S\.L\.|Ltd\.?))?)\s?\(((?!Pty)[^)]{2,40})\)/gu;

/** "Acme GmbH (Germany), Beta AG (Austria)". */
export function namesWithPlaces(text: string): { readonly name: string; readonly place?: string }[] {
  const found = [...text.matchAll(listed)].map((match) => ({ name: withoutMarks(match[1]!), place: match[2]! }));
  if (found.length > 0) return found.filter(({ name }) => isOrganisation(name) || isOrganisation(name, true));
  const parts = text.split(/;|,(?! ?(?:Inc|LLC|S\.A|S\.L|Ltd))/).map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => isOrganisation(part))
    ? parts.map((name) => ({ name: withoutMarks(name) }))
    : [];
}
