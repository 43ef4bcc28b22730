/** Restrictions after the employment, and confidentiality. */
import type { FoundDuration } from '../text/durations.ts';
import { type Clause, type ClauseFact, durationsIn, fact, lengthOf } from './clauses.ts';

/** What the employee may not do. Several kinds in one sentence share its period. */
const acts: readonly (readonly [string, RegExp])[] = [
  [
    'non-solicitation',
    /solicit\w*|entice|induce|poach|canvass|approach (?:any |our |the )?(?:client|customer)|hire away|recruit (?:any|our|staff|employees)|endeavou?r to (?:employ|engage)|abwerb\w*|abzuwerben|abwirbt|débauch\w+|sollicit\w+|démarch\w+|captar|captación|contratar a (?:empleados|trabajadores)|sollecit\w+|storn(?:o|are)|sviare|klanten te benaderen|wervingsbeding|ronselbeding|personeel (?:te benaderen|weg)/iu,
  ],
  [
    'non-dealing',
    /\bdeal(?:ing)? (?:in business )?with|do business with|business (?:dealings|relations) with|accept (?:business|orders|work|instructions) from|non-?dealing|perform services for (?:any |our )?(?:client|customer)|(?:serve|work for|supply) (?:any |a )?(?:restricted )?(?:client|customer)|kundenschutz\w*|mandantenschutz\w*|kunden .{0,60}(?:zu betreuen|tätig|geschäfte)|geschäfte mit .{0,30}kunden|relatiebeding|zakelijk\w* (?:contact|relatie)|relaties van|non-clientèle|contracter avec .{0,30}clients|trabajar (?:para|con) .{0,20}clientes|clientela|lavorare (?:per|con) .{0,20}clienti/iu,
  ],
  [
    'non-compete',
    /\bcompet(?:e[sd]?|ing|iti\w+)\b|\bnot (?:\p{L}+ ){0,4}(?:work|act|consult|provide services|be (?:employed|engaged)) (?:for|by|with|in) (?:any|an?|another)\b|non-?compet|engaged? in (?:any |a )?(?:restricted )?business|(?:similar|same) (?:business|industry)|carry on (?:any |a )?business|rival\b|wettbewerb\w*|konkurren[zt]\w*|für ein unternehmen tätig|concurren(?:ce|te?s?|tie\w*)|non-?concurrence|competencia|concurrencia|concorren\w+|ne (?:pas )?travaill\w+|(?:pas|sans) .{0,20}entrer au service|no trabajar|werkzaam te zijn (?:bij|voor)/iu,
  ],
];
const afterEnd =
  /\bafter\b|following|post-|from the (?:end|termination|date)|nach(?: (?:der|dem|seinem|ihrem))? (?:beendigung|ende|ausscheiden|vertragsende|arbeitsverhältnis)|nachvertraglich|(?:rupture|cessation|départ|fin) d[ue]|à compter de la|après|suivant|suivront|después|tras|siguientes|posterior|extinción|finaliz|dopo|successiv|cessazione|\bna (?:het )?(?:einde|beëindiging|afloop)|na afloop/iu;
/** Titles under which each period is one after the employment. */
const restrictive =
  /restrict|covenant|non-?compet|non-?solicit|non-?dealing|wettbewerb|abwerb|kundenschutz|concurren|sollicit|competencia|concorren|relatiebeding|concurrentiebeding|post-?(?:employment|termination|contract)|after (?:the )?(?:employment|termination|you leave)/iu;
const released =
  /(?:shall|does|do|will) not apply|no longer|released|waived|\b(?:is|are|has been|hereby) (?:lifted|cancelled|revoked)|(?:wird|werden|ist|sind)(?: \p{L}+){0,3} aufgehoben|verzichtet (?:die|der|auf)[^.;]{0,60}(?:verbot|einhaltung)|est (?:levée|supprimée)|renonce à (?:la|cette) clause|queda (?:sin efecto|suprimid[oa])|(?:è|viene) revocat[oa]|wordt opgeheven|not binding|not agreed|none (?:is|are) agreed|no (?:\p{L}+[ -]){0,3}(?:clause|covenant|restriction)s? (?:is|are|was|applies|apply)|free to work|(?:wird|ist) nicht vereinbart|kein\w* (?:nachvertraglich\w* )?(?:wettbewerbsverbot|kundenschutz)|besteht nicht|findet keine anwendung|(?:aucune|pas de) clause|ne s['’]applique pas|ne comporte pas|no se (?:aplica|pacta)|not relevant|former employer|(?:apply|applies) to (?:grades?|executives|directors)|none\.|nessun patto|non è previsto|geen (?:concurrentie|relatie)beding|vervallen|prior agreement|(?:your |the )agreement with|garden leave|during the employment|while (?:you are )?employed|conflict of interest/iu;
const forbids =
  /\bnot\b|refrain|agree|undertake|restrict|prohibit|\bno\b|nicht|keine[nmrs]?\b|verpflichtet|untersagt|verbot\w*|interdi\w+|s['’]engage|ne .{0,40}pas|obligación|se obliga|prohíb|\bno\b|compromete|non\b|divieto|obblig\w+|impegn\w+|verbod\w*|niet|geen|beding/iu;

const secret =
  /confidential(?:ity|ly)?\b|confidence\b|trade secrets?|secrecy|proprietary information|verschwiegen\w*|stillschweigen|geheimhaltung\w*|geheim zu halten|geschäftsgeheimnis\w*|vertraulich\w*|confidentialité|confidentiel\w*|discrétion|secrètes?|secret professionnel|garder\w* secr|secreto|confidencial\w*|sigilo|riservat\w+|segret\w+|(?:zaken|fabrieks|bedrijfs|beroeps)geheim\w*|(?:disclose|divulge|reveal) (?:to \p{L}+ )?(?:any )?[^.;,]{0,30}\b(?:information|data|affairs)\b|geheimhouding\w*|vertrouwelijk\w*/iu;
const duty =
  /must|shall|will (?:hold|keep|not|treat|protect|maintain|be)|agree|\bhold\b|\bkeep\b|may not|bound by|duty of|do not (?:disclose|share|use)|not (?:to )?(?:disclose|use)|never (?:disclose|share)|verpflichtet|zu bewahren|zu wahren|zu behandeln|geheim zu halten|hat .{0,60}stillschweigen|s['’]engage|garder\w*|tenue?s?\b|s['’]interdit|guardará|mantendrá|mantener|obliga|compromete|deber de|impegna|tenut[oa]|obbligat|bewahrt|bewaart|\bwahrt\b|behandelt|mantenere|verplicht|\bzal\b|plicht|pflicht|obligation|obbligo/iu;
const notSecret =
  /^.{0,12}nothing|does not (?:limit|prevent|stop|apply)|personal and confidential|strictly (?:private and )?confidential$|reports? (?:are|is|will be) (?:kept|treated|handled)|(?:complaint|concern|investigation|hotline|interview|medical)s?\b.{0,60}confidential|confidential(?:ly)? .{0,40}(?:complaint|investigat|hotline|counsel)|treated confidentially by|your (?:data|information|records?|application) .{0,40}confidential|vertraulich behandelt|mutual|settlement/iu;

const afterwards =
  /^ (?:afterwards|thereafter|after (?:it|the employment|your employment|you leave|leaving)|danach|nach (?:dem|ihrem) ausscheiden|après (?:la fin|le départ)|después|tras|dopo|daarna|na afloop)(?!\p{L})/iu;

/** One per restriction and period. */
export function covenantFacts(clauses: readonly Clause[]): ClauseFact[] {
  const found: ClauseFact[] = [];
  const known = new Set<string>();
  let isSecret = false;
  let lastPeriod: FoundDuration | undefined;
  let lead: Clause | undefined;
  for (const each of clauses) {
    lead = listedUnder(each, lead) ?? (/:\s*$/u.test(each.text) && forbids.test(each.text) ? each : undefined);
    const whole = lead === undefined || lead === each ? each : { ...each, text: `${lead.text} ${each.text}` };
    const { label } = whole;
    if (!isSecret && isConfidentiality(whole)) {
      isSecret = true;
      // "While you work here and for two years afterwards".
      const length = durationsIn(whole.text).find(({ end }) => afterwards.test(whole.text.slice(end, end + 40)));
      found.push(
        fact(whole, 'covenant', {
          covenant: 'confidentiality',
          ...(length === undefined ? {} : { duration: lengthOf(length) }),
        }),
      );
    }
    const parts = partsOf(whole.text);
    const isAfter = parts.length > 1 && afterEnd.test(whole.text);
    for (const text of parts) {
      const clause = { ...whole, text };
      if (released.test(text) || /^(?:\d+\. )?former employers?/iu.test(label)) continue;
      const duration = periodAfterEnd(clause, isAfter) ?? (samePeriod.test(text) ? lastPeriod : undefined);
      if (duration === undefined || !forbids.test(`${label} ${text}`)) continue;
      // A title before a dash is part of the text.
      const said = text.replace(label, '');
      const own = acts.filter(([, shape]) => shape.test(said));
      const named =
        own.length > 0
          ? own
          : /\b(?:restriction|covenant|clause|obligation|verbot|interdiction|prohibición|divieto|beding)\b/iu.test(
                text,
              ) || restrictive.test(label)
            ? acts.filter(([, shape]) => shape.test(label))
            : [];
      if (named.length > 0 && own.length === 0 && acts.filter(([, shape]) => shape.test(label)).length !== 1) continue;
      for (const [covenant] of chosen(named, text)) {
        lastPeriod = duration;
        const key = `${covenant} ${duration.count} ${duration.unit}`;
        if (known.has(key)) continue;
        known.add(key);
        const area =
          covenant === 'non-solicitation' && !/\b(?:in|within)\b/iu.test(text) ? undefined : territoryIn(text);
        found.push(
          fact(clause, 'covenant', {
            covenant,
            duration: lengthOf(duration),
            ...(area === undefined ? {} : { territory: area }),
          }),
        );
      }
    }
  }
  return found.slice(0, 16);
}

/** The sentence before a list, for the items of the list: "For twelve months after the end, the Executive shall not:". */
function listedUnder({ text }: Clause, lead: Clause | undefined): Clause | undefined {
  return lead !== undefined && /^(?:\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]|[-•*–])\s/iu.test(text) ? lead : undefined;
}

const samePeriod =
  /\b(?:for|during|within) the same (?:period|time)|(?:während|für) (?:desselben|denselben|die gleiche|der gleichen) (?:zeitraums?|dauer|zeit)|pendant la même (?:période|durée)|durante el mismo (?:per[íi]odo|plazo)|per lo stesso periodo|gedurende dezelfde periode/iu;

/** A sentence may have one restriction "for six months" and another "for twelve months". */
function partsOf(text: string): readonly string[] {
  const parts = text.split(
    /; |,? (?:and|or|und|et|y|e|en) (?=(?:for (?:a )?(?:further )?(?:period of )?|für (?:die dauer von )?|pendant |durante |gedurende )(?:\d{1,2}|\p{L}+) (?:\(\d+\) )?(?:months?|years?|weeks?|monate|jahre|mois|meses|mesi|maanden))/giu,
  );
  return parts.every((part) => durationsIn(part).length > 0) ? parts : [text];
}

/** "Solicit customers who compete" is no second covenant: the competing business is only described. */
function chosen(named: readonly (readonly [string, RegExp])[], text: string) {
  const isSolicitation = named.some(([name]) => name !== 'non-compete');
  return named.filter(
    ([name]) =>
      name !== 'non-compete' ||
      !isSolicitation ||
      /\b(?:not|nor|or|oder|ni|ou|né|noch|of)\b[^.;]{0,40}(?:compete|engage in)|non-?compet|wettbewerb\w* (?:zu|machen)|in wettbewerb|konkurrenz machen/iu.test(
        text,
      ),
  );
}

/** @param isAfter whether another part of the sentence names the end of the employment */
function periodAfterEnd({ text, label, titles }: Clause, isAfter: boolean) {
  return durationsIn(text).find(({ unit, start, end }) => {
    if (unit !== 'month' && unit !== 'year' && unit !== 'week') return false;
    const [before, after] = [text.slice(Math.max(0, start - 60), start), text.slice(end, end + 70)];
    // "With whom you dealt in the last twelve months": the time before the end.
    if (
      /(?:last|preceding|previous|prior|past|letzten|derniers?|últimos|ultimi|laatste|in the|within the|during the|year|age of|vor|avant|antes|prima|voor)(?: \p{L}+)? ?$/iu.test(
        before.slice(-26),
      )
    )
      return false;
    if (/^ ?(?:before|prior to|preceding|immediately before|vor |avant|antes|prima|voor(?:afgaand)?)/iu.test(after))
      return false;
    if (afterEnd.test(after) || afterEnd.test(before)) return true;
    return isAfter || restrictive.test(label) || restrictive.test(titles);
  });
}

function isConfidentiality({ text, label }: Clause): boolean {
  if (notSecret.test(text) || text.length < 30) return false;
  if (
    !secret.test(text) &&
    !(secret.test(label) && /disclos|reveal|divulg|bekannt|offenbar|révél|revelar|rivelare|bekendmak|use/iu.test(text))
  )
    return false;
  return duty.test(text) && !/mindestens|policy (?:covers|applies)/iu.test(text.slice(0, 40));
}

const notArea =
  /^(?:Senior|The Company|Business|Company|Employ|Client|Customer|Termination|Clause|Restricted|Group|Section|Article|January|February|March|April|May|June|July|August|September|October|November|December|Schedule|Wettbewerb|Konkurrenz|Arbeit|Unternehm|Kunden|Fall|Rahmen|Bereich|Form|Sinne|Zeit|Höhe|Gebiet$|Société|Entreprise|Salarié|Contrat|Empresa|Trabajador|Contrato)/u;
const areaShapes: readonly RegExp[] = [
  /(?:départements? (?:de la |de l['’]|du |des |de )|région(?: d[eu]s?)?(?: la| l['’])? ?|territoire (?:de la |du |de l['’])?)((?:[A-Z][\p{L}'’-]+)(?: (?:et|du|de|la|des|d['’]|[A-Z][\p{L}'’-]+)){0,5})/u,
  /(?:(?<!\p{L})en |provincia de |comunidad (?:autónoma )?de |territorio de |comunidad de )([A-Z][\p{L}]+(?: (?:y|de|[A-Z]\p{L}+)){0,4})/u,
  /(?:regione |regioni |provincia di |nel territorio (?:di |della |del ))([A-Z]\p{L}+(?: (?:e|d\w|[A-Z]\p{L}+)){0,3})/u,
  /(?:gemeente |provincie |regio )([A-Z][\p{L}-]+(?: (?:en|[A-Z][\p{L}-]+)){0,2})/u,
  /(?:im Gebiet (?:der |des |von )|in (?:der|den) |innerhalb (?:der |von )|(?:in|im) (?:Land |Bundesland )?)((?:Bundesrepublik )?(?:Deutschland|Österreich|Schweiz|Bayern|Hessen|Sachsen|Berlin|Hamburg|Nordrhein-Westfalen|Baden-Württemberg|[A-Z]\p{L}+land))/u,
  /(?<!\p{L})(?:with)?in(?: the)?(?: territory of| area of| city of| county of)? ((?:(?:[Ss]tate|[Rr]epublic|[Pp]rovince|[Cc]anton|[Dd]istrict) of )?(?:the )?[A-Z][\p{L}-]+(?: (?:and|or|of|the|[A-Z]\p{L}+)){0,4})/u,
  /(?<!\p{L})throughout(?: the)? ((?:[Ss]tate of )?(?:the )?[A-Z]\p{L}+(?: (?:and|of|the|[A-Z]\p{L}+)){0,4})/u,
];
const radius =
  /(?:within|im umkreis von|dans un rayon de|en un radio de|nel raggio di|(?:binnen|in) een straal van) (?:an? |a radius of )?(\d{1,3} ?-?(?:miles?|km|kilomet\w+|kilómetros|chilometri)(?: (?:radius )?(?:of|um|autour de|de|da|van|rond) (?:[A-Z][\p{L}'’-]+(?: [A-Z][\p{L}'’-]+){0,3}))?)/iu;

function territoryIn(text: string): string | undefined {
  const shown = text.slice(0, 500);
  const around = radius.exec(shown)?.[1];
  if (around !== undefined) return around;
  for (const shape of areaShapes) {
    const area = shape.exec(shown)?.[1]?.replace(/ (?:and|or|of|the|e|y|et|en|de|du|des|la)$/u, '');
    if (area !== undefined && !notArea.test(area)) return area.replace(/^the /u, '');
  }
  return undefined;
}
