/** The words between an article and its act, and those that show that an article is of another law. */
import { annexWord } from './article-words.ts';

const forward = new RegExp(
  `^(?: ?\\(\\d{1,2}\\))?,?(?:[ '](?:of|to|in|from|under|the|that|this|der|des|dem|die|das|von|zu|zur|zum|du|de|la|le|les|en|do|da|dos|das|din|al|a|i|af|av|του|της|на|от|från|fra|del|dell|della|dello|dell'|dei|degli|di|van|het|bij|tot|w|ww\\.|do|k|ke|eu-?|council|commission|rady|komisji|l|l'|d|d'|(?:${annexWord})(?: [ivxlc]{1,5})?|protocol(?: \\(?no\\.? ?\\d{1,2}\\)?)?|said|same|new|former)| ?\\()*,? ?(?:dell'|de l'|d'|l')?$`,
  'iu',
);

/** @param between from the end of an article to the beginning of an act */
export function linksForward(between: string): boolean {
  return between.length <= 120 && forward.test(between);
}

const back =
  /^(?: ?\(\d{1,2}\))?(?:,|:| –| -| \(|,? (?:and )?(?:in particular|notably|especially)|,? insbesondere(?: auf)?|,? et notamment|,? notamment|,? in particolare|,? y en particular|,? en particular|,? (?:en )?met name|,? a? ?w szczególności|,? zejména)?(?:,? (?:its|their|son|sa|ses|l'|les|le|su|sus|gli|agli|l'|all'|il|ihre[nmrs]?|den|die|auf|el|los|zijn|haar|jej|jego|jeho|její|na|artikel|the)){0,3},? ?(?:l'|all'|dell')?$/iu;

/** @param between from the end of an act to the beginning of an article: "Regulation (EU) 2016/679, Article 6", "… and in particular Article 114" */
export function linksBack(between: string): boolean {
  return between.length < 60 && between.trim() !== '' && back.test(between) && !/^ ?\($/.test(between);
}

const particular =
  /(?:in particular|insbesondere(?: auf)?|notamment|in particolare|en particular|met name|w szczególności|zejména|nomeadamente),? (?:(?:its|their|gli|son|sa|ses|su|sus|el|los|jej|jego|le|les|na|den|deren|dessen|the|provisions of) )?(?:l'|all')?$/iu;

/** Before an article of the act that the citation begins with: "Having regard to Regulation … on …, and in particular Article 33". */
export function particularBefore(before: string): boolean {
  return particular.test(before);
}

const possessive =
  /(?<![A-Za-zÀ-ž])(?:its|their|ihre[mnrs]?|deren|dessen|seine[mnrs]?|son|sa|ses|leurs?|sus?|suo|sua|suoi|sue|zijn|haar|jej|jego|ich|její|jeho)(?: (?:new|neuen|nuovo))? $/iu;

/** Before an article: "ihrem Art. 21", "su artículo 29". */
export function possessiveBefore(before: string): boolean {
  return possessive.test(before);
}

/** The genitive of a noun that is no act of the Union: "of the Civil Code", "des Urlaubsgesetzes", "du code de commerce". */
const genitive =
  /^,? (?:of (?!(?:part|chapter|title|section|annex)\b)(?:the |that |those |his |its |an? )?(?=[A-Za-zÀ-ž])|(?:des|der) (?=[A-Za-zÀ-ž])|(?:du|de la|de l'|des) (?=[A-Za-zÀ-ž])|de l'(?=[A-Za-zÀ-ž])|(?:del|de los|de las|della|dello|dei|degli|delle) (?=[A-Za-zÀ-ž])|dell'(?=[A-Za-zÀ-ž])|d[oa]s? (?=[A-Za-zÀ-ž])|din (?=[A-Za-zÀ-ž])|van (?:de|het|die|dat|deze|dit) (?=[A-Za-zÀ-ž])|(?:ustaw|kodeks|konstytucj|regulamin|statut|układ|porozumieni|konwencj|prawa )[A-Za-zÀ-ž]{0,4}|(?:zákona|zákoníku|ústavy|úmluvy|vyhlášky)(?![A-Za-zÀ-ž]))/iu;
const otherName =
  /^,? (?:\p{Lu}[A-Za-zÀ-ž-]{2,30}(?:wet|wetboek|gesetz(?:es|buch(?:s|es)?)?|ordnung)(?![A-Za-zÀ-ž])|(?:BGB|StGB|GG|HGB|AO|VwGO|ZPO|BDSG|UWG|UrhG|B-VG|ABGB|BW|Awb|Sr|CC|KPA|k\.c\.|k\.p\.a\.|Kc|OZ|ECHR|EMRK|CEDH|CEDU|EVRM|EKPC|EKPČ|ICCPR|UNCLOS|TRIPS|GATT|EEA|EWR|EEE|SEE|EER)(?![A-Za-zÀ-ž]))/u;

/** "Art. 45 ust. 5 tej ustawy": a law that is no act of the Union, named before. */
const thatLaw =
  /^,? (?:(?:tej|niniejszej|powyższej) ustawy|(?:dieses|jenes|desselben) Gesetzes|de (?:cette|ladite) loi|(?:du|dudit|de ce) (?:décret|code)|de (?:esa|dicha|esta) ley|di (?:tale|questa|detta) legge|(?:van )?(?:die|deze) wet|(?:of|in) (?:that|this|the said) (?:Act|Law|Statute|Code)|(?:tohoto|téhož) zákona|d(?:essa|esta) lei|i (?:den|denna) lagen|i (?:denne|den) lov)(?!\p{L})/iu;

/** @param after what follows an article, where no act of the Union follows */
export function isOtherLaw(after: string): boolean {
  return genitive.test(after) || otherName.test(after) || thatLaw.test(after);
}

const thereof =
  /^,? (?:thereof|dello stesso|della stessa|desselben|derselben|ervan|daarvan|hiervan|del mismo|de la misma|de celui-ci|de celle-ci|tejże|tegoż|téhož|téže)(?![A-Za-zÀ-ž])/iu;

/** "Article 1 thereof", "considerando 39 dello stesso". */
export function refersBack(after: string): boolean {
  return thereof.test(after);
}
