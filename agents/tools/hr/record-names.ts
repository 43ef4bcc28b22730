/** The person of a time record, from a label ("Employee: …") or from a title over a table ("Doors: in and out, Jory Ballantyne"). */

const labelled =
  /^[\s#*|]{0,8}(?:(?:Employee|Worker|Staff|Staff member)(?: name)?|Name|Operative|Driver|Agente?|Intervenante?|Guard|Watchman|Nurse|Carer|Consultant|Contractor|Technician|Mitarbeiter(?:in)?|Arbeitnehmer(?:in)?|Zam[ěe]stnanec|Salari[ée]e?|Nom(?: du salarié)?|Trabajador(?:a)?|Empleado|Werknemer|Medewerker|Naam|Dipendente|Lavoratore|Lavoratrice|Nome|Colaborador(?:a)?|Collaborat(?:eur|rice)|Trabalhador(?:a)?|Funcion[áa]ri[oa]|Pracownik|Imi[ęe] i nazwisko|Namn|Anst[äa]lld|Medarbejder|Navn|Ansatt|Ansat|Porter|Team member|User|Resource)[ \t]{0,4}[:|][ \t]{0,4}([^|;\t]{1,60})/iu;

/** Words of titles that are no names. */
const noName =
  /\b(?:week|date|day|start|begin|end|finish|break|lunch|datum|tag|beginn|ende|pause|fecha|dato|employee|hours?|time|times|record|records|sheet|timesheet|rota|roster|january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|enero|febrero|marzo|abril|mayo|junio|julio|agosto|team|shift|shifts|department|bakery|bäckerei|klinik|clinic|hospital|logistics|logistik|services?|group|gruppe|school|schule|praxis|pharmacy|apotheke|warehouse|factory|plant|transport|security|cleaning|reinigung|foundation|stiftung|verein|college|university|council|trust|farm|café|bar|market|markt|shop|studio|zentrum|cent(?:er|re)|institut(?:e)?|approved|supervisor|manager|foreman|prepared|checked|signature|signed|site|werk|lager|store|total|summary|month|period|ltd|limited|gmbh|inc|llc|plc|s\.?l|s\.?a|bv|street|road|north|south|east|west|new|saint|st|planned|attendance|log|diary|report|copper|kettle|house|home|care|restaurant|hotel|daily|weekly|monthly|working|stundenzettel|zeiterfassung|zeitnachweis|arbeitszeit|feuille|registro|urenstaat|foglio|pay)\b/iu;
const name =
  /^\p{Lu}[\p{L}'’.-]+(?: (?:de|van|von|der|den|da|di|del|la|le|al|el|bin|\p{Lu}\.?|\p{Lu}[\p{L}'’-]+)){1,4}$/u;

/** "Jane Doe", "Doe, Jane", "DOE Jane", "Doe, J.": two or more words of a name. */
export function isName(text: string): boolean {
  const shown = text.replace(/ \([^()]*\)$/u, '');
  return shown.length <= 50 && (name.test(shown) || surnameFirst.test(shown)) && !noName.test(shown);
}

const surnameFirst = /^\p{Lu}[\p{L}'’-]+,? (?:\p{Lu}\.?|\p{Lu}[\p{L}'’-]+)(?: \p{Lu}[\p{L}.'’-]*)?$/u;

/** @returns the name after a label, up to a wider gap; a number is no name */
function labelledName(line: string): string | undefined {
  const found = labelled.exec(line)?.[1]?.replaceAll('*', '').split(/ {2}/, 1)[0]?.trim();
  return found !== undefined && /\p{L}{2}/u.test(found) ? found : undefined;
}

/** How far above a table the name of its person may be. */
const aboveMax = 800;
/** Further lines above name companies and readers of the record. */
const titleLinesMax = 4;

/** The person whom the nearest line above a table names, by a label or in a title. @param at position of the table */
export function personAbove(text: string, at: number): string | undefined {
  const lines = text.slice(Math.max(0, at - aboveMax), at).split('\n');
  const label = lines.flatMap((line) => labelIn(line) ?? []).at(-1);
  const near = lines.filter((line) => line.trim() !== '').slice(-titleLinesMax);
  return label ?? near.flatMap((line) => nameInTitle(line) ?? []).at(-1);
}

/** The name after a label, which may also follow a wider gap or a dash: "Timesheet - Consultant: Hugo Lang - Week 12". */
export function labelIn(line: string): string | undefined {
  const first = labelledName(line);
  if (first !== undefined || line.length > 160) return first;
  const parts = line.split(/ {3,}|\s[-–—]\s|\t/u);
  return parts.map((_, at) => labelledName(parts.slice(at).join('\t'))).find((found) => found !== undefined);
}

/** The last part of a short title that has the form of a name. */
export function nameInTitle(line: string): string | undefined {
  if (line.length > 120) return undefined;
  const parts = line
    .replace(/[#*|]/gu, ' ')
    .split(/[,:–—()·/]|\s-\s| for | of | von | für | de (?=\p{Lu})| per /u)
    .map((part) => part.trim());
  return parts.findLast((part) => name.test(part) && !noName.test(part) && part.split(' ').length <= 5);
}

/** Rows that stand for several people: their hours are no person's hours. */
export const severalPeople =
  /\b(?:agency|temps|casuals?|various|team|crew|all staff|everyone|aushilfen|leiharbeit\w*|intérim\w*|intérimaires|ett|uitzendkrachten|somministrati|others)\b|\((?:all|several|\d+ (?:people|persons))\)/iu;
