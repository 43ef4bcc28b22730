/** The words by which contracts call their parties, in five languages, and what a party of that name does. */

/** What a party does under a contract. */
export type RoleCode =
  | 'customer'
  | 'supplier'
  | 'mutual-discloser'
  | 'discloser'
  | 'recipient'
  | 'landlord'
  | 'tenant'
  | 'lender'
  | 'borrower'
  | 'guarantor'
  | 'licensor'
  | 'licensee'
  | 'principal'
  | 'distributor'
  | 'controller'
  | 'processor'
  | 'contractor';

/** `other`: names a party but not what it does. English, German, French, Spanish, Italian and Dutch. */
const words: Readonly<Record<RoleCode | 'other', string>> = {
  customer:
    'customer bestiller bestilleren oppdragsgiver køber køberen kjøper ordregiver sponsor hirer client purchaser buyer subscriber acquirer authority commissioner auftraggeber auftraggeberin kunde kundin käufer käuferin besteller bestellerin acheteur acquéreur cliente comprador compradora committente acquirente opdrachtgever koper klant beställaren beställare kunden köparen köpare zamawiający zamawiająca zleceniodawca zleceniodawcy kupujący nabywca klient contratante compratore mandante opdrachtgeefster acheteuse cliënt afnemer',
  supplier:
    'supplier wykonawca leverandør leverandøren sælger sælgeren selger oppdragstaker provider vendor seller service hosting anbieter anbieterin lieferant lieferantin dienstleister dienstleisterin verkäufer verkäuferin auftragnehmer auftragnehmerin manufacturer hersteller herstellerin subcontractor carrier developer installer warehouse haulier forwarder organiser organizer prestataire fournisseur vendeur proveedor proveedora vendedor vendedora prestador fornitore venditore leverancier opdrachtnemer verkoper leverantören leverantör säljaren säljare uppdragstagaren dostawca sprzedawca usługodawca fornecedor fornecedora prestadora prestador suministrador suministradora appaltatore fornitrice prestatrice leverantörens dienstverlener aannemer titulaire',
  'mutual-discloser': '',
  discloser: 'discloser disclosing informationsgeber informationsgeberin offenlegende utlämnande divulgador divulgante',
  recipient:
    'recipient receiving informationsempfänger empfänger empfängerin empfangende mottagande receptor ricevente ontvanger',
  landlord:
    'landlord udlejer udlejeren utleier lessor vermieter vermieterin verpächter verpächterin bailleur arrendador arrendadora locatore verhuurder vermieterin hyresvärden hyresvärd wynajmujący senhorio locador locadora locatrice verhuurster arrendadores',
  tenant:
    'tenant lejer lejeren leietaker lessee renter mieter mieterin pächter pächterin locataire preneur arrendatario arrendataria conduttore huurder hyresgästen hyresgäst najemca arrendatários inquilino locatário locatária huurster',
  lender:
    'lender långiver långiveren långivar darlehensgeber darlehensgeberin bank creditor prêteur prestamista kredietgever geldgever holder noteholder prêteuse mutuante långivaren långivare pożyczkodawca kredytodawca financiador acreedor finanziatore geldgeefster',
  borrower:
    'borrower darlehensnehmer darlehensnehmerin debtor emprunteur emprunteuse prestatario prestataria kredietnemer geldnemer obligor mutuatario mutuataria låntagaren låntagare pożyczkobiorca kredytobiorca mutuário mutuária finanziata',
  guarantor: 'guarantor bürge bürgin surety garant fiador fiadora garante borgensmannen poręczyciel gwarant borg',
  licensor:
    'licensor licensgiver licensgiveren lizenzgeber lizenzgeberin concédant concédante licenciante licentiegever licensgivaren licensgivare licencjodawca licenciadora licenciador licenziante licentiegeefster',
  licensee:
    'licensee licenstager licenstageren lizenznehmer lizenznehmerin licencié licenciée licenciatario licenciataria licentienemer licenstagaren licenstagare licencjobiorca licenciada licenciado licenziatario licenziataria licentieneemster',
  principal: 'principal unternehmer concesionante concedente agenturgivaren principaal mandant committent concedenti',
  distributor:
    'distributor reseller dealer händler händlerin vertragshändler vertragshändlerin agent handelsvertreter distributeur revendeur distribuidor distribuidora concesionario concessionnaire concessionario distributore rivenditore återförsäljaren återförsäljare distributören distributör dystrybutor distribuidores concessionário revendedor wederverkoper',
  controller:
    'controller verantwortlicher verantwortliche verwerkingsverantwoordelijke titolare administrator personuppgiftsansvarig personuppgiftsansvarige dataansvarlige dataansvarlig behandlingsansvarlig behandlingsansvarlige',
  processor:
    'processor auftragsverarbeiter auftragsverarbeiterin verwerker encargado personuppgiftsbiträdet databehandler databehandleren',
  contractor:
    'contractor consultant freelancer advisor adviser berater beraterin consultor freiberufler konsulten konsult zleceniobiorca consulente consultora consultor freelance uppdragstagare prestatore',
  other:
    'company employer employee agency investor investors founder founders shareholder partner publisher author artist photographer franchisor franchisee insurer insured owner operator institution university hospital member studio label venue host charterer shipper arbeitgeber arbeitgeberin arbeitnehmer arbeitnehmerin gesellschaft verwender verwenderin objednatel dodavatel zhotovitel kupující prodávající',
};

const codeOfWord: ReadonlyMap<string, RoleCode | 'other'> = new Map(
  Object.entries(words).flatMap(([code, list]) =>
    list
      .split(' ')
      .filter(Boolean)
      .map((word) => [word, code as RoleCode | 'other'] as const),
  ),
);

/** Words that are roles only together with others ("Service Provider", "Receiving Party"). */
const incomplete = new Set(['service', 'hosting', 'disclosing', 'receiving', 'offenlegende', 'empfangende', 'holder']);

/** All role words that name a party alone, in lower case. */
export const roleWords: readonly string[] = [...codeOfWord.keys()].filter((word) => !incomplete.has(word));

/** Labels of forms that name a side by what it does. */
const labels: readonly (readonly [RegExp, RoleCode])[] = [
  [/^(?:issued|sold|supplied|offered|provided|quoted) by$|^from$|^remit to$/i, 'supplier'],
  [/^(?:sold|quoted|issued|invoiced|billed?) to$|^prepared for$|^ordered by$|^(?:customer|client) name$/i, 'customer'],
];

/** @returns undefined if none of its words names a role */
export function roleWordOf(role: string): RoleCode | 'other' | undefined {
  const labelled = labels.find(([pattern]) => pattern.test(role.trim()));
  if (labelled !== undefined) return labelled[1];
  const parts = role.toLowerCase().split(/[\s/-]+/);
  for (const part of parts) if (codeOfWord.get(part) === 'contractor' && parts.length === 1) return 'contractor';
  for (const part of [...parts].reverse()) {
    const code = codeOfWord.get(part);
    if (code !== undefined) return code;
  }
  return undefined;
}
