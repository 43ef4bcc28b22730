/** Names of companies and people in a sentence. */

const word = "[\\p{Lu}\\d][\\p{L}\\p{N}&'’.-]{0,30}";
const link = '(?:& |und |y |et |e |en |and |of |de |des |du |der |do |da |van |von |del |la )?';
const form =
  '(?:Ltd\\.?|Limited|LLC|LLP|L\\.?P\\.?|Inc\\.?|Incorporated|Corp\\.?|Corporation|plc|PLC|GmbH(?: & Co\\. KG(?:aA)?)?|AG|SE|KG|OHG|UG|S\\.A\\.S\\.?|S\\.A\\.U\\.?|S\\.A\\.R\\.L\\.?|S\\.A\\.|SA|SAS|SARL|S\\.à r\\.l\\.|S\\.r\\.l\\.|S\\.p\\.A\\.|S\\.L\\.U?\\.?|SL|B\\.V\\.|BV|N\\.V\\.|NV|s\\.r\\.o\\.|a\\.s\\.|Oy|AB|ASA|A\\/S|ApS|AS|Bank|Landesbank|Sparkasse|University|Universität|Trust|Fund)';
const company = new RegExp(`(?:${word}[ ,]{1,2}${link}){1,6}${form}(?![\\p{L}\\p{N}])`, 'gu');
const capitalised = new RegExp(`(?:(?:Mr|Ms|Mrs|Dr|Herr|Herrn|Frau|Dr)\\.? )?${word}(?: ${link}${word}){0,4}`, 'gu');

export interface Name {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Words that begin a sentence or name a thing in a contract, and begin no name. */
const leading =
  /^(?:(?:The|A|An|In|On|By|Under|With|Upon|If|Our|Its|This|That|Each|Der|Die|Das|Den|Dem|Des|Ein|Eine|Mit|Von|Bei|Le|La|Les|Un|Une|El|Los|Las|Het|De|Een|Lease|Supply|Facility|Loan|Framework|License|Licence|Service|Services|Master|Distribution|Agreement|Contract|Credit|Note|Clause|Section|Klage|Claim|Rahmenvertrag|Liefervertrag|Mietvertrag|Konsortialkredit|Contrat|Contrato|Bail|Against|Letter|\d[\d.]*)[ ,]+){1,4}/u;

export function companiesIn(text: string): Name[] {
  return [...text.matchAll(company)].flatMap((match) => shorten(match[0], match.index));
}

/** Two capitalised words or more, where no company is named. */
export function namesIn(text: string): Name[] {
  const companies = companiesIn(text);
  if (companies.length > 0) return companies;
  return [...text.matchAll(capitalised)]
    .flatMap((match) => shorten(match[0], match.index))
    .filter(({ name }) => / /.test(name));
}

function shorten(found: string, index: number): Name[] {
  const lead = leading.exec(found)?.[0].length ?? 0;
  const name = found.slice(lead).replace(/[ ,]+$/, '');
  return name.length < 3 ? [] : [{ name, start: index + lead, end: index + lead + name.length }];
}
