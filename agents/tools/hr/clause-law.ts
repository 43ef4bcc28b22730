/** The law that governs an employment document, as a clause states it or as the only statutes that it names. */
import { type Clause, type ClauseFact, fact } from './clauses.ts';

const states =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming';
const british = 'England(?: and Wales| & Wales)?|Scotland|Wales|Northern Ireland';

const laws: readonly (readonly [string, RegExp])[] = [
  [
    'us',
    new RegExp(
      String.raw`[Ll]aws? of (?:the )?(?:[Ss]tate|[Cc]ommonwealth) of (?<state>${states})|[Ll]aws? of (?<named>${states})\b|\b(?<short>${states}) law\b|[Gg]overning [Ll]aw:? (?:[Ss]tate of )?(?<form>${states})\b`,
      'u',
    ),
  ],
  [
    'gb',
    new RegExp(
      String.raw`[Ll]aws? of (?<state>${british})|[Gg]overning [Ll]aw.{0,30}?:\s?(?<form>${british})|\b[Ll]aw:?\t? ?(?<form2>${british})|(?<english>English law|law of England)|(?<scots>Scots law|Scottish law)`,
      'u',
    ),
  ],
  ['ie', /laws? of (?:the Republic of )?Ireland|Irish law|[Gg]overning [Ll]aw:? Ireland/u],
  [
    'de',
    /deutsche[mnsr]? (?:arbeits)?recht|recht der bundesrepublik deutschland|laws? of (?:the federal republic of )?germany|german law|droit allemand|derecho alemán|duits recht/iu,
  ],
  ['at', /österreichische[mnsr]? (?:arbeits)?recht|recht der republik österreich|austrian law|laws? of austria/iu],
  [
    'ch',
    /schweizer(?:isch)?e[mnsr]? (?:arbeits)?recht|schweizer recht|droit suisse|swiss law|laws? of switzerland|diritto svizzero/iu,
  ],
  [
    'fr',
    /droit (?:du travail )?français|lois? françaises?|législation française|french law|laws? of france|französische[mns] recht/iu,
  ],
  [
    'es',
    /(?:ley|legislación|derecho|normativa)(?: laboral)? español|spanish law|laws? of spain|Real Decreto Legislativo 2\/2015|estatuto de los trabajadores/iu,
  ],
  ['it', /(?:legge|diritto|legislazione|normativa) italian|italian law|laws? of italy/iu],
  ['nl', /nederlands(?:e)? (?:recht|wet)|dutch law|laws? of the netherlands/iu],
  ['be', /belgisch(?:e)? (?:recht|wet)|droit belge|loi belge|belgian law|laws? of belgium/iu],
];
const statutes: readonly (readonly [string, RegExp])[] = [
  [
    'de',
    /\bBGB\b|Kündigungsschutzgesetz|\bKSchG\b|Bundesurlaubsgesetz|\bBUrlG\b|Nachweisgesetz|\bTzBfG\b|\bArbZG\b|\bEFZG\b|Entgeltfortzahlungsgesetz|\bHGB\b/u,
  ],
  ['fr', /Code du travail|\bSMIC\b|\bURSSAF\b/u],
  ['at', /\bAngG\b|Angestelltengesetz|\bABGB\b|Urlaubsgesetz(?! ?\(?BUrlG)|\bAVRAG\b|Kollektivvertrag/u],
  ['ch', /\bArt\. 3\d\d[a-z]? OR\b|Obligationenrecht|Code des obligations|\bCHF\b.{0,400}\bOR\b/u],
  ['it', /\bCCNL\b|Codice civile|art\. 2\d\d\d c\.c\.|D\.\s?Lgs\./u],
  ['nl', /Burgerlijk Wetboek|\b7:6\d\d[a-z]? BW\b|\bart(?:ikel|\.) 7:6\d\d/u],
  [
    'ie',
    /Terms of Employment \(Information\) Acts?|Organisation of Working Time Act|Unfair Dismissals Acts?|\bPRSI\b/u,
  ],
  ['gb', /Employment Rights Act 1996|Working Time Regulations 1998|\bHMRC\b|Equality Act 2010/u],
  ['es', /\bart(?:ículo|\.) \d+(?:\.\d+)? (?:del )?(?:ET|E\.T\.)\b|Seguridad Social.{0,80}SEPE|\bSEPE\b/u],
  ['be', /Wet(?:geving)? (?:betreffende|van 3 juli 1978)|loi du 3 juillet 1978|paritair comité|commission paritaire/iu],
];
/** The law of another form, of mandatory minimum rules, or of a possible posting. */
const otherLaw =
  /without regard|other than|not (?:be )?(?:used|governed)|irrespective|more favourable|mandatory|unless|mindestens|éventuel|minimum terms|statutory rights under|as required by|under \w+ law you|complies with/iu;
/** "The form for Newry staff, which is governed by the law of Northern Ireland, must not be used." */
const otherForm =
  /^[^.;]{0,60}(?:\b(?:must|may|shall|should|is|are|does|do) not (?:be )?(?:used?|apply|govern)|\bno longer (?:used?|appl)|nicht (?:zu )?verwend|(?:gilt|gelten|findet) (?:hier )?(?:nicht|keine)|ne (?:doit|peut|s['’]appli)\w* pas|no (?:se aplica|debe)|non (?:si applica|deve)|niet (?:van toepassing|gebruikt))|^[^.;]{0,30}\b(?:staff|employees|colleagues|form|mitarbeiter\p{L}*|personnel)\b/iu;
const forOthers =
  /\b(?:form|contracts?|terms|vertrag|verträge|contrats?|contratos?|contratti|contracten)\b (?:for|of|für|der|pour|des|para|de|per|voor|van) (?:the |our |die |unsere |les |los |i |de )?[^.;,]{0,40}\b(?:staff|employees|colleagues|office|branch|mitarbeiter\p{L}*|beschäftigte\p{L}*|salariés|personnel|empleados|dipendenti|medewerkers)\b[^.;]{0,60}$/iu;
/** "The reference to Dutch law in the draft was a mistake." */
const mistaken =
  /\b(?:mistake|in error|erroneous\w*|irrtümlich\w*|versehentlich|irrtum|par erreur|une erreur|por error|un error|per errore|un errore|vergissing|ten onrechte)\b/iu;
const applies =
  /govern|appl(?:y|ies|icable)|subject to|construed|interpreted|accordance with|unterliegt|gilt|anwend\w*|anzuwenden|findet|régie?s?|soumise?|applicable|rige|regirá|sometid|estará|regolat|disciplinat|applica|van toepassing|beheerst|onderworpen/iu;

const agreement =
  /contract|agreement|offer|statement of|employment|vertrag|contrat|contrato|contratto|overeenkomst|handbook|handbuch/iu;

/** At most one. */
export function lawFacts(clauses: readonly Clause[]): ClauseFact[] {
  const stated: { clause: Clause; country: string; state?: string; at: number; isClause: boolean }[] = [];
  for (const [country, shape] of laws) {
    for (const clause of clauses) {
      const match = shape.exec(clause.text);
      if (
        match === null ||
        mistaken.test(clause.text) ||
        otherLaw.test(clause.text.slice(Math.max(0, match.index - 80), match.index)) ||
        forOthers.test(clause.text.slice(Math.max(0, match.index - 120), match.index)) ||
        otherForm.test(clause.text.slice(match.index + match[0].length))
      )
        continue;
      const isClause =
        /\blaw\b|recht\b|droit|loi\b|ley\b|legge|governing|jurisdiction/iu.test(clause.label) &&
        applies.test(`${clause.label} ${clause.text}`);
      const isAlone =
        clause.text
          .replace(match[0], '')
          // The title of a form's row.
          .replace(/^(?:governing |applicable )?(?:law|recht|droit|ley|legge): ?/iu, '')
          .replace(/^(?:the|[\W\d])+/iu, '')
          .trim() === '';
      if (!isClause && !isAlone && !applies.test(clause.text)) continue;
      if (
        country === 'us' &&
        match.groups?.short !== undefined &&
        !isClause &&
        !/\blaw (?:governs|applies|shall)|governed by/iu.test(clause.text)
      )
        continue;
      const state = stateOf(match.groups);
      stated.push({ clause, country, at: match.index, isClause, ...(state === undefined ? {} : { state }) });
      break;
    }
  }
  const best =
    stated.find(({ isClause }) => isClause) ??
    stated.sort(
      (a, b) =>
        Number(/govern|unterliegt|régi|regi|van toepassing/iu.test(b.clause.text)) -
        Number(/govern|unterliegt|régi|regi|van toepassing/iu.test(a.clause.text)),
    )[0];
  if (best !== undefined)
    return [
      fact(best.clause, 'governing_law', {
        country: best.country,
        ...(best.state === undefined ? {} : { state: best.state }),
      }),
    ];
  // A record or an advertisement may name a statute without being governed by it.
  if (!clauses.slice(0, 15).some(({ text }) => agreement.test(text))) return [];
  const named = statutes.flatMap(([country, shape]) => {
    const clause = clauses.find(({ text }) => shape.test(text));
    return clause === undefined ? [] : [fact(clause, 'governing_law', { country })];
  });
  return named.length === 1 ? named : [];
}

function stateOf(groups: Readonly<Record<string, string | undefined>> | undefined): string | undefined {
  const state = groups?.state ?? groups?.named ?? groups?.short ?? groups?.form ?? groups?.form2;
  if (state !== undefined) return state.replace(' & ', ' and ');
  if (groups?.scots !== undefined) return 'Scotland';
  return groups?.english === undefined ? undefined : 'England and Wales';
}
