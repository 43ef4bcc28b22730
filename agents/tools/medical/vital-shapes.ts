/** How records write vital signs: labels and values by measure, in the languages of `labels`. */

export type Sign =
  | 'systolic'
  | 'diastolic'
  | 'pulse'
  | 'respiratory-rate'
  | 'temperature'
  | 'spo2'
  | 'weight'
  | 'height';

export type Measure =
  | 'pressure'
  | 'systolic'
  | 'diastolic'
  | 'pulse'
  | 'respiratory-rate'
  | 'temperature'
  | 'spo2'
  | 'weight'
  | 'height';

/**
 * Labels by measure, in English, German, French, Czech, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian and
 * Finnish; single letters count in capitals next to another sign.
 */
export const labels: Readonly<Record<Measure, string>> = {
  systolic: String.raw`systolic(?: bp| blood pressure)?|sbp|sys|bp sys(?:tolic)?|systolisch|rr sys(?:t(?:olisch)?)?|systolique|pas|systolický|tas|sistólica|sistolica|pa sist\.?|ta sist\.?|skurczowe|ciśnienie skurczowe|systoliskt|systolisk|systolisk blodtryk|rr syst\.|systolische bloeddruk|syst\.?|blutdruck syst(?:\.|olisch)?|bp \(sys(?:tolic)?\)|upper bp`,
  diastolic: String.raw`diastolic(?: bp| blood pressure)?|dbp|dia|bp dia(?:stolic)?|diastolisch|rr dia(?:st(?:olisch)?)?|diastolique|pad|diastolický|tad|diastólica|diastolica|pa diast\.?|ta diast\.?|rozkurczowe|ciśnienie rozkurczowe|diastoliskt|diastolisk|diastolisk blodtryk|rr diast\.|diastolische bloeddruk|diast\.?|blutdruck diast(?:\.|olisch)?|bp \(dia(?:stolic)?\)|lower bp`,
  pressure: String.raw`blood pressures?|bp|b\/p|nibp|abp|sys\/dia|presión arterial|tensión arterial|pressione arteriosa|bloeddruk|p\.a\.|t\.a\.|rr|blutdruck|tension artérielle|pression artérielle|tension|ta|pa|tk|krevní tlak|recheck|re-check|repeat|rechecked|pressão arterial|p\.?a\.?|t\.?a\.?|ta max\/min|pressão|ciśnienie tętnicze(?: krwi)?|ciśnienie krwi|ciśnienie|ctk|blodtryck|blodtryk|bt|verenpaine|rr-?wert|tensão arterial|tensione arteriosa|pao|n?ibp|art\.? pressure|blood press\.?|bloeddr\.?|bd|rr \(mmhg\)`,
  pulse: String.raw`heart rate|hr|pulse rate|pulse|puls|pouls|herzfrequenz|hf|fréquence cardiaque|fc|tf|tep|apical|ventricular rate|frecuencia cardiaca|frecuencia cardíaca|frequenza cardiaca|pulso|polso|pols|tętno|tetno|pulse?frequenz|hjärtfrekvens|hjertefrekvens|pulsfrekvens|hartslag|hartfrequentie|hartfreq\.?|polsfrequentie|polsslag|frequência cardíaca|pulsação|akcja serca|czynność serca|syke|fréq\.? card\.?|freq\.? card\.?|frec\.? card\.?|f\.c\.|herzschlag|rhr|resting heart rate|resting pulse`,
  'respiratory-rate': String.raw`respiratory rate|resp(?:iratory|iration)? ?rate|respirations?|respiration|resps?|rr|atemfrequenz|af|fréquence respiratoire|fr|df|dechová frekvence|frecuencia respiratoria|frequenza respiratoria|ademfrequentie|resp\.? ?freq\.?|resp\.? ?rate|breathing rate|breaths|andningsfrekvens|andfrekvens|respirationsfrekvens|respirasjonsfrekvens|frequência respiratória|freq\.? resp\.?|frec\.? resp\.?|fréq\.? resp\.?|f\.r\.|ademhalingsfrequentie|ademhaling|ahf|częstość oddechów|liczba oddechów|oddechy|oddech|atemzüge|rf(?=[ :=]{1,3}\d{1,2}(?:\/min|[,;]))|respirationen|hengitystaajuus|fr resp`,
  temperature: String.raw`temperature|temp|tmax|t°|temperatur|température|körpertemperatur|teplota|tª|temperatura|temperatuur|temp\.|tt|tax|t\.? ?ax(?:illaire|ilar|illare)?\.?|t ?ascellare|tc(?=[ :=]{1,3}\d\d(?:[.,]\d|[ ]?°))|t°c?|tº|t\. corporea|temperatura corporea|temperatura axilar|temperatura ciała|ciepłota(?: ciała)?|kroppstemperatur|kroppstemp|tp\.|körpertemp\.?|lichaamstemperatuur|temperatuur oor|temp tymp\.?|temp ax\.?|lämpö|febertemperatur|t(?:emp)? ?\(°c\)|tkor`,
  spo2: String.raw`spo2|spo₂|sp02|sao2|o2 ?sats?|o2 saturations?|oxygen saturations?|oxygen sats?|sats?|saturations?|pulse ?ox(?:imetry)?|sauerstoffsättigung|o2-sättigung|sättigung|satu?ration en oxygène|sat ?o2|saturace|saturaci[óo]n(?: de o2| de oxígeno)?|saturazione|saturatie|o2 saturation|o₂-?sättigung|syremättnad|syrgasmättnad|sat\.?|o2-?mättnad|syremetning|iltmætning|saturasjon|saturaç[ãa]o(?: de o2| de oxig[ée]nio)?|saturacja(?: krwi)?|sato2|sat\.? ?o2|sat\.? de o2|s\.?o2|sat\.? hb|zuurstofsaturatie|o2-?saturatie|saturation o2|saturazione(?: o2| di ossigeno)?|pox|pulsoxymetrie|pulsoximetrie|saturação periférica|happisaturaatio|perifer saturation|o2-sat\.?|spo2-wert`,
  weight: String.raw`body weight|weight|wt|weighed|weighs|weighing|körpergewicht|gewicht|kgg?|poids|hmotnost|váha|birth weight|peso(?: referido)?|masse|masa ciała|vikt|vægt|vekt|waga(?: ciała)?|mc\.?|peso corporeo|peso corporal|peso actual|peso atual|peso attuale|peso riferito|pds|lichaamsgewicht|kroppsvikt|körpergew\.?|gew\.?|aktuelles gewicht|aufnahmegewicht|paino|dry weight|admission weight|discharge weight|current weight|today's weight|poids actuel|poids sec|peso seco|bw`,
  height: String.raw`height|ht|körpergröße|größe|groesse|taille|výška|length|talla|altura|altezza|lengte|wzrost|längd|högde|højde|høyde|wys\.?|wysokość|estatura|estat\.?|statura|lengde|lichaamslengte|kroppslängd|körperlänge|pituus|stature|standing height`,
};

export const bounds: Readonly<Record<Sign, readonly [number, number]>> = {
  systolic: [40, 300],
  diastolic: [15, 200],
  pulse: [20, 300],
  'respiratory-rate': [4, 90],
  temperature: [25, 45],
  spo2: [40, 100],
  weight: [0.4, 400],
  height: [25, 250],
};

const between = String.raw`[ \u00a0\t]?[.:=°]{0,2}(?:[ \u00a0\t]?\([^()\n\d]{0,24}\)[:=]?)?(?:[\s]{1,6}(?:is|was|of|at|her|his|on|now|today|reading|measured|recorded|approximately|about|sitting|standing|lying|supine|oral(?:ly)?|tympanic|axillary|left arm|right arm|mit|war|lag|betrug|von|bei|bei aufnahme|beträgt|à|de|est|était|mesurée?|estimé à|est|era|è|wynos\p{L}{1,3}|på|in|em|no|na|vid|ved|før|før|przy przyjęciu|regelm(?:ä|ae)ßig|regelbunden|rytmiczn[ae]|regular|irregular)){0,3}(?:[\s:=|]{0,4}|\n[ ]{1,24})`;
const values: Readonly<Record<Measure, string>> = {
  systolic: String.raw`(\d{2,3})(?![\d]|[.,]\d|\s?[\/–-]\s?\d)`,
  diastolic: String.raw`(\d{2,3})(?![\d]|[.,]\d|\s?[\/–-]\s?\d)`,
  pressure: String.raw`(\d{2,3}) ?(?:\/|x|×|over|över|på|sur|su|zu|na) ?(\d{2,3})(?![\d/])(?! ?[cm]m(?! ?Hg))`,
  pulse: String.raw`(\d{2,3})(?![\d]|[.,]\d|\s?[\/–-]\s?\d|\s?%|\s?mg|\s?kg|\s?mm|\s?cm)`,
  'respiratory-rate': String.raw`(\d{1,2})(?![\d]|[.,]\d|\s?[\/–-]\s?\d|\s?%|\s?mm)`,
  temperature: String.raw`(\d{2,3}(?:[.,]\d{1,2})?)(?![\d]|\s?[\/–-]\s?\d|\s?%)[ \u00a0]?(?:°|º|degrees?)?[ \u00a0]?([CF](?![\p{L}])|celsius|fahrenheit)?`,
  spo2: String.raw`(\d{2,3})(?:[.,]\d)?(?![\d]|\s?[\/–-]\s?\d)[ \u00a0]?%?`,
  weight: String.raw`(\d{1,3}(?:[.,]\d{1,3})?)(?![\d])[ \u00a0]?(kgs?|kilograms?|lbs?|pounds|g(?!\/))(?!\p{L}|\/)`,
  height: String.raw`(\d{1,3}(?:[.,]\d{1,2})?)(?![\d])[ \u00a0]?(cm|m(?![\p{L}g])|ft|feet|'|′|’|in(?:ches)?(?!\p{L}))(?:[ ]?(\d{1,2})(?:[ ]?(?:in(?:ches)?|"|″|”|'')|(?=[\s.,;)]|$)))?`,
};

export interface Shape {
  readonly measure: Measure;
  readonly shape: RegExp;
}

/** Single words for systolic and diastolic name columns and pairs: "systolic 128". */
export const shapes: readonly Shape[] = (Object.keys(labels) as Measure[]).map((measure) => ({
  measure,
  shape: new RegExp(String.raw`(?<![\p{L}\d/])(?:${labels[measure]})(?![\p{L}\d])${between}${values[measure]}`, 'giu'),
}));
export const letters: readonly Shape[] = [
  { measure: 'pulse', shape: new RegExp(String.raw`(?<![\p{L}\d/])P[ :=]{1,3}${values.pulse}`, 'gu') },
  {
    measure: 'respiratory-rate',
    shape: new RegExp(String.raw`(?<![\p{L}\d/])R[ :=]{1,3}${values['respiratory-rate']}`, 'gu'),
  },
  { measure: 'temperature', shape: new RegExp(String.raw`(?<![\p{L}\d/])T[ :=]{1,3}${values.temperature}`, 'gu') },
];
export const furtherPressure =
  /^[^.\n;]{0,30}?(?:repeat(?:ed)?|then|and|later|→|->|recheck(?:ed)?|to|[,;]|dopo|poi|después|luego|depois|nach|danach|daarna|efter|därefter|potem|liegend|stehend|couché|debout|standing|lying|sitting|left|right|puis|dann)[^.;\n\d<>]{0,20}(\d{2,3}) ?\/ ?(\d{2,3})(?![\d/])/iu;

/** "(was 79.8 kg in April)", "(adm wt 74.6 kg)", "(84.0kg on 14/08/2024)", "(Vormonat 69,5 kg)". */
export const earlierWeight =
  /^[^.;\n(]{0,12}\n?[ ]{0,12}(?:\((?:\p{L}[\p{L}.-]{1,16} ){0,2}|(?:was|were|previously|before|from|down from|up from|vorher|zuvor|contre|tidigare|tidligere|poprzednio|antes|prima|previo|précédemment|eerder)\s)(\d{1,3}(?:[.,]\d{1,2})?)[ \u00a0]?(kg|lbs?)(?!\p{L}|\s{0,2}(?:[<>≤≥]|gain|loss|lost|more|less|over|above|below|mehr|weniger|zunahme|verlust|abnahme|de plus|de moins))(?:\s{1,4}(?:on|am|le|vom|in|el|il|op|den|em|dnia)\s{1,4}(\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?))?/iu;

/** "VS: 136/84, 92, 18, 98.9F, 96% RA": pressure, pulse, breaths, temperature and saturation in the order that all use. */
export const orderedShape =
  /(?<!\p{L})(?:VS|vitals?|vital signs|obs)[ :–-]{1,4}(\d{2,3}) ?\/ ?(\d{2,3})[,;] ?(\d{2,3})[,;] ?(\d{1,2})[,;] ?(\d{2,3}(?:\.\d)?) ?°? ?([CF])?[,;] ?(\d{2,3}) ?%/giu;

/** "95% on room air", "96 % unter Raumluft", "93% on 2 L": next to a labelled sign the form alone tells saturation. */
export const bareSaturation =
  /(?<![\d.,/])(\d{2,3}) ?% (?:(?:on|in|at|auf|unter|bei|en|sous|with|of) )?(?:RA|room air|ambient air|O2 sat\p{L}*|oxygen sat\p{L}*|Raumluft|air ambiant|AA|aire ambiente|\d{1,2} ?L(?:iters?|itres?|PM)?(?!\p{L})|\d{1,2} ?l\/min)(?!\p{L})/giu;
/** "5 feet 4 inches", "5'9\"": feet with inches are a height. */
export const bareHeight =
  /(?<![\d.,/])([4-7]) ?('|′|’|ft\.?|feet|foot),? ?(\d{1,2})(?:\.\d)? ?(?:"|″|”|''|in\.?(?!\p{L})|inch(?:es)?)(?!\p{L})/giu;

/** "afebrile 36.9 C, 112/68, P 72": next to a labelled sign the form alone tells pressure and temperature. */
export const barePressure =
  /(?<=[,;(:] ?|^\s*|C |F |% )(\d{2,3})\/(\d{2,3})(?=[,;)]|\.(?:\s|$)|\s(?:mm|P|HR|sat|RR|left|right|$))/gu;
/** Only a blood pressure is a pair of numbers in millimetres of mercury. */
export const pairInMercury = /(?<![\d/.,<>≤≥] ?)(\d{2,3}) ?\/ ?(\d{2,3}) ?mm ?Hg/gu;
export const bareTemperature = /(?<![\d.,/]|\p{L})(\d{2,3}[.,]\d)[ ]?°?([CF])(?!\p{L})/gu;
