/**
 * Determines which policies a handbook contains: sections with their own rules, as opposed to names in a list, references or
 * withdrawn sections.
 */
import type { Document } from '../../document/document.ts';
import type { Section } from '../../document/headings.ts';
import type { Range } from '../text/span.ts';

export interface PolicyResult {
  readonly id: string;
  /** `named`: there is a heading, but it has no rules. */
  readonly status: 'present' | 'named' | 'absent';
  readonly place?: Range;
}

/** Words of headings by policy, in English, German, French, Spanish, Dutch and Italian. */
const headingWords: readonly (readonly [string, RegExp])[] = [
  [
    'anti_harassment',
    /harass|bullying|dignity|respect(?:ful|ing)?\b|umgang miteinander|respektvoll|mobbing|belästigung|harcèlement|acoso|pesten|intimidatie|molesti|ongewenst gedrag|grensoverschrijdend|kränkande|trakasseri|särbehandling|mobbning|krænkende|chikane|trakassering|nękani|molestowan|mobbing|assédio|vexat|obtěžov|respekt im|vivre ensemble|buena convivencia/iu,
  ],
  [
    'whistleblowing',
    /whistle|speak(?:ing)?[- ]?(?:up|out)|rais(?:e|ing) (?:a )?concerns?|ethics (?:line|hotline)|hotline|hinweise? geben|meldestelle|misstände|protected disclosure|reporting (?:channel|of wrongdoing|misconduct)|hinweisgeber|lanceurs? d['’]alerte|canal de denuncias|klokkenluider|segnalazion|visselblås|whistleblower|varslin|sygnali|zgłaszani|denúncias?|denuncias|irregularidades|oznamovatel|misstanden|missförhållanden|speaking truth|meldesystem|hinweise? (?:auf|von|zu)|alerte (?:interne|professionnelle|éthique)|signalement/iu,
  ],
  [
    'data_protection',
    /data protection|privacy|personal (?:data|information)|your (?:data|information)|information about you|gdpr|datenschutz|protection des données|données personnelles|protección de datos|gegevensbescherming|protezione dei dati|persoonsgegevens|persondata|personuppgift|personopplysning|dane osobowe|danych osobowych|dados pessoais|datos personales|dati personali|personaldaten|osobní(?:ch)? údaj|\brgpd\b|\bdsgvo\b|\bavg\b|\bkvkk\b|\brodo\b/iu,
  ],
  [
    'leave',
    /\bleave\b|holidays?\b|vacation|time (?:off|away)|days off|absences?\b|\bpto\b|abwesenheit|urlaub|congés?|vacaciones|permisos|vakantie|verlof|ferie|permessi|dovolen|semester|ledighet|frånvaro|fravær|orlov|férias|ausências|faltas e licenças|licenças|urlop|nieobecno|freistellung|afwezigheid|absenties|vacances|absence/iu,
  ],
  [
    'expenses',
    /expense|reimburse|travel costs|business travel|spending|company (?:card|money)|dienstreise|spesen|reisekosten|auslagen|frais|gastos|dietas|onkosten|declaraties|declaratie|reiskosten|spese|trasferte|rimborsi|utlägg|\bresor\b|traktamente|udlæg|rejser|rejseudgift|utgifter|reiseregning|wydatki|delegac|podróże służbowe|despesas|deslocações|viagens|notes? de frais|déplacements|cestovn|viajes/iu,
  ],
  [
    'remote_work',
    /remote|work(?:ing)? (?:away|from anywhere|elsewhere)|where (?:we|you) work|home ?office|ortsunabhängig|homework|working from home|work from home|telework|telecommut|hybrid work|flexible working|mobiles arbeiten|mobile arbeit|télétravail|teletrabajo|trabajo a distancia|thuiswerk|telelavoro|lavoro agile|smart working|distansarbete|hemarbete|hjemmearbejde|hjemmekontor|praca zdalna|pracy zdalnej|teletrabalho|trabalho remoto|práce z domova|etätyö|homeoffice|plaats- en tijd|thuis werken|plaatsonafhankelijk|flexibel werken/iu,
  ],
  [
    'health_and_safety',
    /safety|\bhealth and\b|safe (?:work|at)|accidents?\b|first aid|unfall|gesundheitsschutz|arbeitsschutz|arbeitssicherheit|santé et (?:la )?sécurité|hygiène et sécurité|seguridad|riesgos laborales|veiligheid|arbo\b|sicurezza|arbetsmiljö|arbejdsmiljø|arbeidsmiljø|skydd(?:sutrustning|srond)|\bhms\b|\bbhp\b|bezpieczeństwo|segurança|saúde e|bezpečnost|unfälle|prevención|arbeidsomstandigheden|prévention|sécurité|accidents/iu,
  ],
  [
    'equal_opportunity',
    /equal (?:opportunit|employment|treatment|chance)|fair (?:chance|treatment|employment)|inclusion|chancengleichheit|vielfalt|equality|\beeo\b|diversity|anti-?discriminat|non-?discriminat|gleichbehandlung|égalité|igualdad|gelijke behandeling|gelijkheid|diversiteit|pari opportunità|parità|likabehandling|jämställdhet|mångfald|ligestilling|likestilling|mangfold|równe traktowanie|równość|igualdade|diversidad|diversité|diversità|rovné zacházení|inklusion|fairness/iu,
  ],
  [
    'grievance',
    /grievance|complaints?\b|(?:problem|conflict|dispute|issue) resolution|(?:resolving|settling|solving) (?:disagreements?|problems?|disputes?|conflicts?|issues?|differences)|open[- ]door|konflikt|beschwerde|réclamation|quejas|reclamaciones|klachten|klachtenregeling|reclami|klagomål|klager?\b|klageprosedyre|skargi|skarg\b|reclamações|queixas|stížnost|doléances|litiges internes|problems and|meningsverschillen/iu,
  ],
  [
    'disciplinary',
    /disciplin|corrective action|when things go wrong|misconduct|consequences|pflichtverletzung|warnings?\b|sanctions?\b|sanciones|régimen disciplinario|abmahnung|droit disciplinaire|sancties|sanzioni|provvedimenti|varningar|varning\b|disciplin|advarsel|advarsler|påtale|kary porządkowe|upomnien|sanções|ação disciplinar|fouten en|maatregelen bij|faltas y|warnings|verwarnung|verstöße|kárn|conduct and/iu,
  ],
];

/** Topics whose title alone does not show a policy: the rules say what the employer does with the data. */
const requiredWords: Readonly<Record<string, RegExp>> = {
  data_protection:
    /process|collect|spara|radera|registerutdrag|behandl|slette|opbevar|lagr|przetwarz|przechow|usuwa|conserv|tratad|guardad|eliminad|verwijder|zpracov|store[sd]?\b|retain|retention|access|protect|gdpr|controller|monitor|share[sd]?\b|delet|consent|encrypt|password|verarbeit|speicher|lösch|auskunft|trait(?:e|ement)|conserv|trata|tratamiento|almacen|tratta|verwerk|bewaar/iu,
};

/** A body that only states where the rules are or will be. */
const emptyBody =
  /\[(?:insert|tbd|tbc|add|placeholder|to be)|template text|placeholder|\b(?:to (?:follow|be (?:added|confirmed|published|issued|drafted))|(?:will|shall) (?:publish|issue|adopt|draft) (?:its|our|a|the)\b|tbc|tbd|coming soon|under (?:review|revision|development)|(?:was|has been|is) (?:withdrawn|removed|suspended|deleted)|reserved|not yet (?:adopted|in force|available)|being (?:written|drafted|revised)|intentionally (?:left )?blank|folgt|entfällt|in bearbeitung|in vorbereitung|wird (?:noch|derzeit) (?:erstellt|überarbeitet|ergänzt)|zurückgezogen|à venir|à compléter|en cours de rédaction|supprimée?|pendiente|por redactar|se publicará|en preparación|volgt nog|wordt nog|vervallen|in ontwikkeling|da definire|da redigere|in preparazione|kommer senare|skrivs av|under arbete|saknas|klar till|kommer til|følger senere|under udarbejdelse|under utarbeidelse|mangler|w przygotowaniu|w opracowaniu|zostanie dodan|a definir|em elaboração|a publicar|připravuje se|bude doplněn)(?!\p{L})/iu;
const pointerBody =
  /^\W{0,6}(?:please )?(?:see|refer to|consult|siehe|voir|consulter|véase|ver|consulte|zie|raadpleeg|vedi|si veda|se (?:koncern|bilag|bilaga|policy|separat|intran|dokument|handbok|håndbog|vores|vår)\p{L}*|patrz|zob(?:acz|\.)|viz|veja|consultar|katso|konzernrichtlinie|gilt die|es gilt die|il s['’]agit de|the [\p{L} -]{3,60} (?:policy|procedure) (?:is|can be found|applies)|available (?:on|from|at))\b/iu;
/** Minimum length of rules: more than one line. */
const shortCharacters = 240;
const ruleCharactersMin = 40;

/** @returns each of the ten policies of the checklist, in its order */
export function findPolicySections({ text, sections }: Document): PolicyResult[] {
  const topics = sections.map((section) => ({ section, body: bodyOf(text, sections, section) }));
  return headingWords.map(([id, words]) => {
    const own = topics.filter(({ section: { title } }) => title.length <= 90 && words.test(title));
    const withRules = own.find(({ body }) => hasRules(body) && requiredWords[id]?.test(body) !== false);
    const found = withRules ?? own[0];
    if (found === undefined) return { id, status: 'absent' };
    const { start, bodyStart } = found.section;
    const place = { start, end: Math.max(start + 1, Math.min(bodyStart, start + 120)) };
    return { id, status: withRules === undefined ? 'named' : 'present', place };
  });
}

/** Up to the next heading of the same or a higher level; only the beginning is examined. */
function bodyOf(text: string, sections: readonly Section[], section: Section): string {
  const first = sections.indexOf(section);
  let end = section.end;
  for (let index = first + 1; index < Math.min(sections.length, first + 12); index += 1) {
    const next = sections[index]!;
    if (next.level <= section.level || end - section.bodyStart > 600) break;
    end = next.end;
  }
  return text.slice(section.bodyStart, Math.min(end, section.bodyStart + 600)).trim();
}

function hasRules(body: string): boolean {
  if (body.length < ruleCharactersMin) return false;
  return body.length > shortCharacters || !(emptyBody.test(body) || pointerBody.test(body));
}
