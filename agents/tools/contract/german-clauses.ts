/** Headings and operative wording of the checklist clauses in German contracts, by clause id. */
import { phraseList as list } from '../text/phrases.ts';

interface GermanWording {
  readonly headings: readonly string[];
  readonly wording: readonly string[];
}

const entries: readonly (readonly [string, string, string])[] = [
  ['parties', 'vertragsparteien; parteien; vertragspartner', 'folgender vertrag; wird ~4 vertrag geschlossen'],
  [
    'scope',
    'gegenstand; vertragsgegenstand; leistungen; leistungsumfang; leistungsbeschreibung; mietgegenstand; mietsache; lizenzgegenstand; lieferung*; rechtseinräumung; leistungserbringung',
    'auftragnehmer|anbieter|lieferant|verkäufer ~3 erbringt|liefert|berät|erstellt|überlässt|verpflichtet',
  ],
  [
    'payment',
    'vergütung; zahlung*; zahlungsbedingungen; preise; preis; entgelt; honorar; miete; mietzins; kaufpreis; lizenzgebühr*; gebühren; rechnungsstellung',
    'rechnungen ~12 zahlen|zahlbar|fällig; zahlbar ~4 tagen; zahlungsziel; innerhalb ~8 zahlen',
  ],
  [
    'termination',
    'kündigung; laufzeit und kündigung; vertragsdauer und kündigung; beendigung; vertragsbeendigung',
    'kündigung aus wichtigem grund; ordentlich* kündigung; kündigungsfrist*; schriftlich gekündigt; frist ~6 gekündigt; jederzeit ~12 kündigen; zur kündigung',
  ],
  [
    'limitation_of_liability',
    'haftung; haftungsbeschränkung; haftungsbegrenzung; schadensersatz',
    'haftung ~12 begrenzt|beschränkt|ausgeschlossen; haftet ~12 nur|unbeschränkt|nicht; haften ~12 unbeschränkt',
  ],
  [
    'confidentiality',
    'vertraulichkeit; geheimhaltung; verschwiegenheit',
    'vertraulich ~3 behandeln; behandeln ~8 vertraulich; stillschweigen ~3 bewahren; geheim zu halten; geheimhaltung ~6 verpflichte*',
  ],
  [
    'governing_law',
    'anwendbares recht; rechtswahl; geltendes recht; recht und gerichtsstand; anwendbares recht und gerichtsstand',
    'gilt ~4 recht; recht der bundesrepublik; unterliegt ~6 recht; deutsches recht; deutschem recht; österreichisches|schweizerisches|schweizer recht; ausschluss des un kaufrechts',
  ],
  [
    'data_protection',
    'datenschutz; auftragsverarbeitung; personenbezogene daten; datenschutz und datensicherheit',
    'personenbezogene* daten ~12 verarbeite*; dsgvo; auftragsverarbeitung*',
  ],
  [
    'term',
    'laufzeit; vertragsdauer; vertragslaufzeit; laufzeit und kündigung; dauer; mietzeit; vertragsbeginn; inkrafttreten',
    'tritt ~6 in kraft; verlängert sich; unbestimmte zeit geschlossen; läuft ~6 bis; feste laufzeit; laufzeit beträgt',
  ],
  ['indemnification', 'freistellung', 'stellt ~10 frei; freizustellen; freistellung ~6 ansprüche*'],
  [
    'intellectual_property',
    'nutzungsrechte; rechte an; urheberrecht*; geistiges eigentum; schutzrechte; gewerbliche schutzrechte; arbeitsergebnisse; rechteeinräumung',
    'nutzungsrecht*; eigentum ~4 arbeitsergebnissen; urheberrecht*',
  ],
  [
    'warranties',
    'gewährleistung; mängelansprüche; mängelhaftung; sachmängel; mängel; mängelrechte; garantie*; abnahme und gewährleistung',
    'gewährleistung*; gesetzliche* ~2 mängelrechte; verjährungsfrist ~4 mängel*; mängelansprüche',
  ],
  [
    'dispute_resolution',
    'gerichtsstand; streitbeilegung; schiedsgericht; schiedsklausel; recht und gerichtsstand',
    'gerichtsstand ~12 ist; gerichtsstand ist; schiedsgericht*; schiedsordnung',
  ],
  ['force_majeure', 'höhere gewalt; force majeure', 'höherer gewalt; höhere gewalt'],
  [
    'assignment',
    'abtretung; übertragung; abtretung*; rechtsnachfolge; übertragung von rechten',
    'abtretung ~12 zustimmung; übertragung ~12 zustimmung; nicht ~8 abtreten|abgetreten|übertragen; ohne ~8 zustimmung ~8 abtreten|übertragen',
  ],
  [
    'notices',
    'mitteilungen; zustellung*; erklärungen',
    'mitteilungen ~12 schriftlich|richten|schriftform|textform|anschrift*; mitteilungen nach diesem; erklärungen ~6 textform|schriftform',
  ],
  [
    'amendment',
    'änderungen; vertragsänderungen; schriftform',
    'änderungen ~8 schriftform|schriftlich|textform; änderungen und ergänzungen',
  ],
  [
    'entire_agreement',
    'nebenabreden; gesamte vereinbarung; vollständigkeit',
    'mündliche nebenabreden; nebenabreden ~4 nicht; keine nebenabreden; gesamte vereinbarung; ersetzt alle',
  ],
  [
    'severability',
    'salvatorische klausel; teilunwirksamkeit',
    'bestimmung ~8 unwirksam; bestimmungen ~8 unwirksam; unwirksam ~12 wirksam|unberührt',
  ],
  ['waiver', 'verzicht', 'kein verzicht; verzicht ~6 schriftlich'],
  [
    'survival',
    'fortgeltung; nachvertragliche pflichten',
    'nach vertragsende; nach beendigung ~8 fort; gelten ~6 fort; besteht ~8 fort',
  ],
  [
    'insurance',
    'versicherung; versicherungen; haftpflichtversicherung',
    'berufshaftpflichtversicherung; betriebshaftpflichtversicherung; haftpflichtversicherung; versicherung ~6 deckungssumme',
  ],
  [
    'audit_and_compliance',
    'prüfungsrechte; compliance; kontrollrechte; audit',
    'kontrollrecht*; prüfungsrecht*; einsicht in',
  ],
];

export const germanWording: ReadonlyMap<string, GermanWording> = new Map(
  entries.map(([id, headings, wording]) => [id, { headings: list(headings), wording: list(wording) }]),
);
