/** How documents state the problems of a company. Names and figures are invented. */
import { describe, expect, it } from 'vitest';
import { checkFlags } from '../../../../agents/tools/due-diligence/red-flags.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const raised = (text: string) => checkFlags([documentOf(text)]).raised.map(({ id }) => id);

describe('red flags', () => {
  it.each([
    [
      'The Company is not under investigation by an authority, except that the Bureau of Industry and Security served a subpoena on 4 May 2025 on shipments.',
      'regulatory_investigation',
    ],
    ['The Bureau of Industry and Security served a subpoena on shipments to two consignees.', 'sanctions'],
    ['Ofgem opened a formal investigation into the trading subsidiary on 5 May 2025.', 'regulatory_investigation'],
    ['On 2 March an unauthorized party copied records of 12,000 patients.', 'data_breach'],
    ['L’URSSAF a notifié une mise en demeure de 41 000 € pour des cotisations de 2023.', 'tax_dispute'],
    ['Le groupe hôtelier Valmy représente 44 % du chiffre d’affaires de 2024.', 'customer_concentration'],
    ['SECTION 4.2 CUSTOMERS\nHollow Pine Health Plan: 47% of revenue for the year.', 'customer_concentration'],
    ['Assignment of the patent from the University of Lorne, which still holds it, is a condition.', 'ip_not_owned'],
    ['The chief executive, who wrote the core library, has not yet assigned it to the Company.', 'ip_not_owned'],
    ['The Company restated 2023 to reverse $900,000 of revenue shipped with a right of return.', 'revenue_recognition'],
    ['The product recall policy lapsed on 30 June 2025.', 'insurance_gaps'],
    ['HSE is considering a prosecution following an accident at the plant.', 'regulatory_investigation'],
    ['La Agencia Tributaria ha iniciado una inspección del IVA de 2021.', 'tax_dispute'],
    [
      'The Company represents that it owns its rights, except that Dr. Lena Forsgren has claimed co-ownership of a patent.',
      'ip_not_owned',
    ],
    // Audit reports
    [
      'Material Uncertainty Related to Going Concern\nWe draw attention to Note 2, which indicates that the Company incurred a net loss of $4.1m and that current liabilities exceeded current assets.',
      'going_concern',
    ],
    ['The recurring losses raise substantial doubt about its ability to continue as a going concern.', 'going_concern'],
    [
      'These conditions, along with other matters, indicate that a material uncertainty exists that may cast significant doubt on the ability to continue.',
      'going_concern',
    ],
    [
      'Es besteht eine wesentliche Unsicherheit im Zusammenhang mit der Fortführung der Unternehmenstätigkeit.',
      'going_concern',
    ],
    ['Die Gesellschaft ist bilanziell überschuldet; ein Rangrücktritt liegt vor.', 'going_concern'],
    [
      'Il existe une incertitude significative susceptible de mettre en cause la continuité d’exploitation.',
      'going_concern',
    ],
    [
      'Les capitaux propres sont négatifs à hauteur de 1,2 M€ : capitaux propres négatifs non reconstitués.',
      'going_concern',
    ],
    ['Er bestaat een onzekerheid van materieel belang die twijfel doet rijzen over de continuïteit.', 'going_concern'],
    [
      'Basis for Qualified Opinion\nWe were unable to observe the counting of inventories at the beginning of the year.\nIn our opinion, except for the possible effects of the matter described, the statements give a true and fair view.',
      'qualified_audit',
    ],
    [
      'Eingeschränktes Prüfungsurteil\nNach unserer Beurteilung entspricht der Abschluss mit Ausnahme der Auswirkungen des beschriebenen Sachverhalts den Vorschriften.',
      'qualified_audit',
    ],
    ['Nous certifions les comptes annuels, sous réserve de l’incidence du point décrit ci-dessus.', 'qualified_audit'],
    ['The comparative figures for 2023 have been restated to correct an error in inventory.', 'restatement'],
    ['Management identified a material weakness in its controls over revenue.', 'internal_control'],
    // Financing
    [
      '- Leverage 4.8x at Q3 vs. covenant of 3.5x: covenant breached, waiver requested from the bank',
      'covenant_breach',
    ],
    ['Die Finanzkennzahl Nettoverschuldung/EBITDA wurde zum 30.06.2025 nicht eingehalten.', 'covenant_breach'],
    ['Le ratio de levier n’a pas été respecté au 31 décembre 2024.', 'covenant_breach'],
    ['De solvabiliteitsratio van de bank is per 31 december niet gehaald.', 'covenant_breach'],
    // Tax
    ['HMRC opened an enquiry into the 2022 corporation tax return in May 2025; the enquiry is ongoing.', 'tax_dispute'],
    ['The IRS issued a notice of deficiency of $310,000 for 2021.', 'tax_dispute'],
    ['Tax: open VAT audit for 2021–2023, exposure estimated at EUR 190k', 'tax_dispute'],
    ['Lohnsteuer und Sozialversicherungsbeiträge für freie Mitarbeiter wurden nicht abgeführt.', 'tax_dispute'],
    ['La société a fait l’objet d’un redressement URSSAF de 84 000 €.', 'tax_dispute'],
    ['De Belastingdienst heeft een naheffingsaanslag loonheffing van EUR 61.000 opgelegd.', 'tax_dispute'],
    // Disputes
    [
      'A former distributor has commenced arbitration against the Company claiming EUR 2.4 million.',
      'pending_litigation',
    ],
    ['Gegen die Gesellschaft ist ein Rechtsstreit vor dem Landgericht Köln anhängig.', 'pending_litigation'],
    ['La société Durand a assigné la Société devant le tribunal de commerce de Lyon.', 'pending_litigation'],
    [
      'Er loopt een procedure bij de rechtbank Rotterdam: een voormalig agent vordert EUR 120.000.',
      'pending_litigation',
    ],
    ['A competitor alleges that the Aero product infringes its European patent.', 'ip_infringement'],
    ['Wir haben im März eine Abmahnung wegen Verletzung der Marke „Lumo“ erhalten.', 'ip_infringement'],
    // Intellectual property
    [
      'The core algorithm was written by a freelancer before incorporation; no written assignment exists.',
      'ip_not_owned',
    ],
    ['Trademark "VELA" – registered in the name of the founder, transfer pending', 'ip_not_owned'],
    ['Three early developers never signed invention assignments.', 'ip_not_owned'],
    [
      'Der Quellcode wurde von einem freien Entwickler erstellt; eine Rechteübertragung liegt nicht vor, die Nutzungsrechte wurden nicht auf die Gesellschaft übertragen.',
      'ip_not_owned',
    ],
    ['Le code source a été développé par un prestataire qui n’a pas cédé ses droits.', 'ip_not_owned'],
    ['Het octrooi staat nog op naam van de oprichter.', 'ip_not_owned'],
    ['The mobile app statically links a library under GPLv3.', 'copyleft'],
    // Customers and people
    ['Our largest customer, Obsidian Retail, accounted for 47% of FY25 revenue.', 'customer_concentration'],
    ['• Top 3 customers = 61% of ARR', 'customer_concentration'],
    ['Mit den drei größten Kunden werden 68 % des Umsatzes erzielt.', 'customer_concentration'],
    ['Les deux premiers clients représentent 54 % du chiffre d’affaires.', 'customer_concentration'],
    ['De grootste klant is goed voor 39% van de omzet.', 'customer_concentration'],
    ['The CTO resigned in August 2025 and leaves at year end.', 'key_people'],
    ['Der technische Geschäftsführer hat zum 31.12.2025 gekündigt.', 'key_people'],
    ['Two drivers have filed claims for unpaid overtime with the labour court.', 'employment_claims'],
    ['Zwei Kündigungsschutzklagen sind beim Arbeitsgericht München anhängig.', 'employment_claims'],
    // Operations and records
    ['The environmental permit of the Gent site expired on 1 March 2025 and has not been renewed.', 'missing_licence'],
    ['Die Betriebsgenehmigung ist am 30.04.2025 abgelaufen.', 'missing_licence'],
    ['Groundwater at the Leeds site is contaminated with solvents.', 'contamination'],
    ['Auf dem Grundstück wurden Altlasten festgestellt.', 'contamination'],
    [
      'In March 2025 an attacker gained unauthorised access to customer data; 12,000 records were exposed.',
      'data_breach',
    ],
    ['Minutes of the annual meetings 2020 to 2022 could not be located.', 'missing_minutes'],
    ['La société ne dispose pas du registre des mouvements de titres, qui est introuvable.', 'missing_minutes'],
    ['A former co-founder claims to be entitled to 8% of the shares.', 'disputed_ownership'],
    ['Die Geschäftsanteile sind zugunsten der Sparkasse verpfändet.', 'encumbered_shares'],
    [
      'The Company lent EUR 250,000 to its managing director, interest free and without a written agreement.',
      'related_parties',
    ],
    ['Office rented from a company controlled by the CEO at above-market rent', 'related_parties'],
    ['The accounts for 2024 are unaudited.', 'unaudited'],
    ['The defined benefit scheme shows a deficit of £1.9m.', 'pension_deficit'],
    // Tables, questions and answers
    [
      '| Area | Finding | Severity |\n|---|---|---|\n| IP | Source code of the gateway was never assigned by two contractors | High |\n| Tax | VAT not paid in Italy for 2023 | Medium |',
      'ip_not_owned',
    ],
    [
      'Q4: Are there any proceedings pending?\nA4: Yes. Brightwater GmbH filed a claim against the Company in June 2025.',
      'pending_litigation',
    ],
  ] as const)('are raised by: %s', (text, id) => {
    expect(raised(text)).toContain(id);
  });

  it.each([
    'The Company is not a party to any pending or threatened litigation.',
    'No permit has expired or been revoked.',
    'The Sellers warrant that there are no claims for infringement of intellectual property.',
    'The Company has complied with all covenants under the facility.',
    'Es sind keine Rechtsstreitigkeiten anhängig oder angedroht.',
    'Aucun client ne représente plus de 10 % du chiffre d’affaires.',
    'Revenue grew by 34% as we added customers.',
    'Our opinion is not modified in respect of this matter.',
    'The Purchaser may claim damages if a permit expires before Completion.',
    'If the Company is unable to pay its debts, the Investor may demand repayment.',
    'Amended and Restated Articles of Association',
    'The Bestätigungsvermerk is unqualified; der Bestätigungsvermerk ist uneingeschränkt.',
    'All inventions have been assigned to the Company by its founders.',
    'De vennootschap is niet betrokken bij procedures.',
    'Key-man insurance will be taken out for the CEO.',
    'Covenant compliance: no breaches',
    'The Investors receive a 20% discount on the price of new customers shares.',
    'Les comptes 2024 ont été certifiés sans réserve.',
    'The opinion of the auditor was not qualified.',
    'Article 6 - Cas de défaut\n\n6.2 Constituent des cas de défaut : la certification des comptes avec réserves ; le non-respect du ratio.',
    'Events of Default\n\nThe borrower becomes insolvent, or an adverse opinion of the auditor is issued.',
    'Künftige Betriebsprüfungen können zu Nachforderungen führen.',
    '15. Haftungsverhältnisse. Die Angaben sind im Anhang enthalten.',
    'Event of default; loan payable',
    'Historically, until 2019, the Group was in breach of its banking covenants.',
    'The answer that litigation is pending with Zorba Inc. was withdrawn.',
  ])('are not raised by: %s', (text) => {
    expect(raised(text)).toEqual([]);
  });
});
