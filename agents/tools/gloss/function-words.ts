/** Articles, prepositions and conjunctions with their English meaning; inside a name they stay. */
import type { GlossLanguage } from './languages.ts';

/** "english: words". */
const tables: Readonly<Record<GlossLanguage, string>> = {
  fr: "the: le la les l'; of: de du des d'; of the: de_la; to: à au aux; by: par; or: ou; and: et; in: dans en; with: avec; for: pour; this: ce cette cet; any: tout toute; its: sa son ses leur leurs; is: est sera; are: sont seront; on: sur; if: si; that: que qu'; which: qui",
  es: 'the: el la los las; of: de; of the: del; to: a; to the: al; by: por; or: o u; and: y e; in: en; with: con; for: para; this: este esta; any: cualquier; its: su sus; is: es será; are: son serán; if: si; that: que; without: sin',
  it: "the: il lo la gli le l'; of: di d'; of the: del dello della dei degli delle dell'; to: a ad; to the: al allo alla ai agli alle all'; by: da; by the: dal dallo dalla dai dalle dall'; or: o od; and: e ed; in: in; in the: nel nello nella nei nelle nell'; with: con; for: per; this: questo questa; any: qualsiasi qualunque; its: suo sua suoi; is: è sarà; are: sono saranno; if: se; that: che; without: senza",
  nl: 'the: de het; of: van; to: aan; by: door; or: of; and: en; in: in; with: met; for: voor; this: deze dit; any: elke iedere; its: haar zijn_; is: is wordt; are: worden; on: op; if: indien als; that: dat; without: zonder; a: een; from: uit vanaf; at: bij',
  pl: 'and: i oraz; or: lub albo; in: w we; with: z ze; for: dla; to: do; by: przez; of: od; is: jest; are: są; if: jeżeli jeśli; on: na; without: bez; within: ',
  sv: 'and: och; or: eller; of: av; to: till; by: genom; in: i; with: med; for: för; this: detta denna; is: är; are: ; on: på; if: om; that: som att; without: utan; the: den det de; from: från; a: en ett; any: någon något; its: dess sin sitt sina',
  pt: 'the: o a os as; of: de; of the: do da dos das; to the: ao à aos às; by: por; by the: pelo pela pelos pelas; or: ou; and: e; in: em; in the: no na nos nas; with: com; for: para; this: este esta; any: qualquer; its: seu sua seus suas; is: é será; are: são serão; if: se; that: que; without: sem',
};

export const functionWords: Readonly<Record<GlossLanguage, ReadonlyMap<string, string>>> = Object.fromEntries(
  Object.entries(tables).map(([language, table]) => [
    language,
    new Map(
      table.split(';').flatMap((entry) => {
        const [english = '', words = ''] = entry.split(':');
        return words
          .trim()
          .split(' ')
          .filter(Boolean)
          .map((word) => [word, english.trim()] as const);
      }),
    ),
  ]),
) as unknown as Readonly<Record<GlossLanguage, ReadonlyMap<string, string>>>;
