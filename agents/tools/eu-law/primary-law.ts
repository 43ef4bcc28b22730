/** The Treaties, the Charter and the Statute of the Court, by their full names and abbreviations in nine languages. */
import type { Range } from '../text/span.ts';

export interface PrimaryLaw extends Range {
  readonly celex: string;
  readonly name: string;
}

/** Names after which articles are those of primary law. Source: the language versions of the Treaties, EUR-Lex sector 1. */
const names: readonly { readonly celex: string; readonly name: string; readonly words: string }[] = [
  {
    celex: '12016E/PRO/03',
    name: 'Statute',
    words:
      'statute of the court of justice|satzung des gerichtshofs|statut de la cour de justice|estatuto del tribunal de justicia|statuto della corte di giustizia|statuut van het hof van justitie|statut[A-Za-zÀ-ž]{0,2} trybunału sprawiedliwości|statut[A-Za-zÀ-ž]{0,2} soudního dvora',
  },
  {
    celex: '12016E',
    name: 'TFEU',
    words:
      "treaty on the functioning of the european union|vertrag(?:s|es)? über die arbeitsweise der europäischen union|traité sur le fonctionnement de l'union européenne|tratado de funcionamiento de la unión europea|trattato sul funzionamento dell'unione europea|verdrag betreffende de werking van de europese unie|traktat[A-Za-zÀ-ž]{0,3} o funkcjonowaniu unii europejskiej|smlouv[A-Za-zÀ-ž]{1,2} o fungování evropské unie|tratado sobre o funcionamento da união europeia",
  },
  {
    celex: '12016M',
    name: 'TEU',
    words:
      "treaty on european union|vertrag(?:s|es)? über die europäische union|traité sur l'union européenne|tratado de la unión europea|trattato sull'unione europea|verdrag betreffende de europese unie|traktat[A-Za-zÀ-ž]{0,3} o unii europejskiej|smlouv[A-Za-zÀ-ž]{1,2} o evropské unii|tratado da união europeia",
  },
  {
    celex: '12016P',
    name: 'Charter',
    words:
      "charter of fundamental rights(?: of the european union)?|charta der grundrechte(?: der europäischen union)?|grundrechtecharta|charte des droits fondamentaux(?: de l'union européenne)?|carta de los derechos fundamentales(?: de la unión europea)?|carta dei diritti fondamentali(?: dell'unione europea)?|handvest van de grondrechten(?: van de europese unie)?|kart[A-Za-zÀ-ž]{1,2} praw podstawowych(?: unii europejskiej)?|listin[A-Za-zÀ-ž]{1,2} základních práv(?: evropské unie)?|carta dos direitos fundamentais(?: da união europeia)?",
  },
];

const shape = new RegExp(
  `(?<![A-Za-zÀ-ž])(?:${names.map(({ words }) => `(${words})`).join('|')})(?![A-Za-zÀ-ž])|(?<=(?:\\bthe|\\bla|\\bder|\\bdie|\\bde la|\\bhet|\\bdella) )(?:Charter|Charte|Charta|Carta|Handvest)(?! of| der| des| de | dei| van)(?![A-Za-zÀ-ž])`,
  'giu',
);

/** Ordered by position. Full names; abbreviations are short names of acts. */
export function findPrimaryLaw(text: string): PrimaryLaw[] {
  return [...text.matchAll(shape)].flatMap((match) => {
    const index = names.findIndex((_, at) => match[at + 1] !== undefined);
    const named = index === -1 ? names.at(-1)! : names[index]!;
    // The short form has a capital: a charter in general has none.
    if (index === -1 && !/^\p{Lu}/u.test(match[0])) return [];
    return [{ celex: named.celex, name: named.name, start: match.index, end: match.index + match[0].length }];
  });
}
