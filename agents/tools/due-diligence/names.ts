/** Names of companies and people in a sentence. */

const word = "[\\p{Lu}\\d][\\p{L}\\p{N}&’'.-]{0,30}";
const link = '(?:& |und |y |et |e |en |and |of |de |des |du |der |do |da |van |von |del |la )?';
const form =
  '(?:Ltd\\.?|Limited|LLC|LLP|L\\.?P\\.?|Inc\\.?|Incorporated|Corp\\.?|Corporation|plc|PLC|GmbH(?: & Co\\.? KG(?:aA)?)?|gGmbH|mbH|AG|SE|KG|KGaA|OHG|GbR|PartG(?: mbB)?|eG|UG|e\\.V\\.|S\\.A\\.S\\.?|S\\.A\\.U\\.?|S\\.A\\.R\\.L\\.?|S\\.A\\.|SA|SAS|SASU|SARL|SNC|SCI|S\\.à r\\.l\\.|S\\.r\\.l\\.|S\\.p\\.A\\.|SpA|Srl|S\\.L\\.U?\\.?|SL|SLU|SAU|B\\.V\\.|BV|N\\.V\\.|NV|s\\.r\\.o\\.|a\\.s\\.|Oy|Oyj|AB|ASA|A\\/S|ApS|AS|Bank|[\\p{L}]{2,20}bank|Sparkasse|University|Universität|Université|Universidad|Universiteit|Trust|Fund|Group|Holdings?|Partners|Ventures|Capital|Pty Ltd\\.?|[Ss]p\\. z o\\.o\\.|[Ss]p\\.j\\.|[Ss]p\\.k\\.|S\\.n\\.c\\.|S\\.a\\.s\\.|SCSp|SICAF|Lda\\.?|Kft\\.?|d\\.o\\.o\\.)';
const company = new RegExp(
  `(?:${word}(?:[ ,]{1,2}\\(\\p{Lu}[\\p{L}]{1,20}\\))?[ ,]{1,2}${link}){1,6}${form}(?![\\p{L}\\p{N}])`,
  'gu',
);
const title = '(?:Mr|Ms|Mrs|Dr|Prof|Herrn?|Frau|Mme|Monsieur|Madame|M|Sra?|Don|Doña|Dhr|De heer|Mevrouw|Mevr)';
const capitalised = new RegExp(`(?:${title}\\.? (?:Dr\\.? )?)?${word}(?: ${link}${word}){0,4}`, 'gu');
const person = new RegExp(
  `(?<!\\p{L})${title}\\.? (?:Dr\\.? )?${word}(?: (?:van |von |de |del |der |du |la )?${word}){0,3}`,
  'gu',
);

export interface Name {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Words that begin a sentence or name an object in a contract, and never begin a name. German capitalises every noun. */
const common = new Set(
  (
    'eur usd gbp chf the a an in on by under with upon if our its this that these each any all no not following pursuant according against from to for as at since after before during and or ' +
    'der die das den dem des ein eine einer mit von bei nach gegen laut gemäß im zum zur und oder kein keine wegen durch für ' +
    'le la les un une avec par pour selon contre dans au aux et du des de en el los las una con por contra según y het een door tegen met van bij volgens ' +
    'lease supply facility loan loans framework license licence licensing service services master distribution agreement agreements contract contracts credit note notes clause section schedule article paragraph annex exhibit ' +
    'claim claims claimant plaintiff defendant respondent litigation proceedings action suit lawsuit dispute disputes court tribunal judgment letter notice case matter ' +
    'company group seller sellers buyer purchaser vendor target customer customers client supplier suppliers lender landlord tenant licensor licensee holder investor investors founder founders employee employees management board director directors shareholder shareholders borrower ' +
    'unit plant office premises warehouse building halle hallen gebäude standort objekt grundstück change control ownership party parties termination consent payment bonus key material main largest top current former ' +
    'january february march april may june july august september october november december ' +
    'arbeitnehmer arbeitnehmerin mitarbeiter mitarbeiterin prokurist prokuristin nachbar nachbarin händler driver neighbour deckhand trabajador trabajadora empleado empleada dipendente lavoratore lavoratrice werknemer werkneemster salarié salariée ' +
    'klage klägerin kläger beklagte vertrag verträge rahmenvertrag liefervertrag lieferverträge mietvertrag mietverträge darlehensvertrag kreditvertrag konsortialkredit konsortialkreditvertrag rahmenliefervertrag lizenzvertrag vertriebsvertrag dienstvertrag anstellungsvertrag geschäftsführer geschäftsführerin gesellschaft kunde kunden lieferant lieferanten vermieter vermieterin darlehen kredit firma unternehmen gericht landgericht amtsgericht arbeitsgericht oberlandesgericht rechtsstreit verfahren anspruch forderung schadensersatz kündigung zustimmung kontrollwechsel falle fall januar februar märz mai juni juli oktober dezember ziffer anlage ' +
    'contrat contrats bail prêt convention accord licence société client fournisseur bailleur tribunal litige demande assignation article clause changement janvier février mars avril juin juillet août septembre octobre novembre décembre ' +
    'contrato contratos préstamo arrendamiento sociedad cliente proveedor juzgado demanda litigio cláusula cambio nota ' +
    'sąd okręgowy rejonowy pozew umowa spółka spółki wezwanie causa giudizio tribunale contratto società regional court ' +
    'overeenkomst huurovereenkomst leverancierscontract kredietovereenkomst lening licentieovereenkomst vennootschap klant leverancier verhuurder rechtbank geschil vordering artikel'
  ).split(' '),
);

export function companiesIn(text: string): Name[] {
  return [...text.matchAll(company)].flatMap((match) => shorten(match[0], match.index));
}

export function peopleIn(text: string): Name[] {
  return [...text.matchAll(person)].map((match) => ({
    name: match[0].replace(/[.,]$/, ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Companies and people with titles; if there are none, at least two consecutive capitalised words. */
export function namesIn(text: string): Name[] {
  const companies = companiesIn(text);
  const people = peopleIn(text).filter(
    ({ start }) => !companies.some((each) => start >= each.start && start < each.end),
  );
  const known = [...companies, ...people].sort((a, b) => a.start - b.start);
  return known.length > 0 ? known : capitalisedIn(text).filter(({ name }) => / /.test(name));
}

/** Runs of capitalised words that do not begin with a common noun. */
export function capitalisedIn(text: string): Name[] {
  return [...text.matchAll(capitalised)].flatMap((match) => shorten(match[0], match.index));
}

/** "Tax Claims", "Fundamental Warranties": defined terms of an agreement, which are no parties. */
const legalPlural =
  /(?<!\p{L})(?:Claims?|Warrant(?:y|ies)|Losses|Representations|Indemnit(?:y|ies)|Proceedings|Agreements?|Documents|Liabilities|Ansprüche|Garantien|Garanties|Réclamations|Garantías|Reclamaciones|Vorderingen)$/u;

/** "IX GC 512": a case of a court. */
const fileNumber = /^[IVX]{1,5} [\p{Lu}]{1,4} \d{1,5}/u;

const onlyForm = new RegExp(`^${form}$`, 'u');

/** Without the words before the name that describe an object: "Lease of Harbour Estates Ltd". */
function shorten(found: string, index: number): Name[] {
  let lead = 0;
  for (;;) {
    const first =
      /^([\p{L}’']+|\d[\d.]*)[ ,.]+(?:(?:of|with|der|des|von|mit|de|du|avec|del|van|met|and|und|the)[ ]+)*/u.exec(
        found.slice(lead),
      );
    if (first === null || !(common.has(first[1]!.toLowerCase()) || /^\d/.test(first[1]!))) break;
    if (onlyForm.test(found.slice(lead + first[0].length))) break;
    lead += first[0].length;
  }
  const name = found
    .slice(lead)
    .replace(/^(?:of|der|des|von|de|du|del|van|the|la) /, '')
    .replace(/[ ,]+$/, '');
  const start = index + found.lastIndexOf(name);
  const isName =
    name.length >= 3 &&
    /^[\p{Lu}\d]/u.test(name) &&
    !common.has(name.toLowerCase()) &&
    !legalPlural.test(name) &&
    !fileNumber.test(name) &&
    /\p{L}{2}/u.test(name);
  return isName ? [{ name, start, end: start + name.length }] : [];
}
