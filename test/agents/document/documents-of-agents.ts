/** A document for each agent, as paragraphs and tables that can be printed in several forms. Texts are our own. */
import type { Agent } from '../../../agents/agent/agent.ts';
import { complianceOfficer } from '../../../agents/compliance-officer/index.ts';
import { contractAnalyst } from '../../../agents/contract-analyst/index.ts';
import { cybersecurityAnalyst } from '../../../agents/cybersecurity-analyst/index.ts';
import { dueDiligence } from '../../../agents/due-diligence/index.ts';
import { euLegal } from '../../../agents/eu-legal/index.ts';
import { financialAnalyst } from '../../../agents/financial-analyst/index.ts';
import { hrAnalyst } from '../../../agents/hr-analyst/index.ts';
import { medicalAnalyst } from '../../../agents/medical-analyst/index.ts';
import { taxAnalyst } from '../../../agents/tax-analyst/index.ts';

/** A paragraph, or a table with the headings of its columns first. */
export type DocumentPart = string | readonly (readonly string[])[];

/** Sections, each of which is complete without the others. */
export const documentsOfAgents: readonly (readonly [Agent, readonly (readonly DocumentPart[])[]])[] = [
  [
    medicalAnalyst,
    [
      [
        'A 71-year-old woman was admitted on 14 March 2026. Review of systems is negative for fever, seizure, or stroke.',
      ],
      ['Father has diabetes. The patient has hypertension and atrial fibrillation.'],
      [
        [
          ['Test', 'Result', 'Units', 'Reference', 'Flag'],
          ['Potassium', '5.9', 'mmol/L', '3.5-5.1', 'H'],
          ['Creatinine', '2.4', 'mg/dL', '0.7-1.3', 'H'],
          ['Sodium', '128', 'mmol/L', '135-145', 'L'],
        ],
      ],
      [
        [
          ['Medicine', 'Dose', 'Frequency'],
          ['Apixaban', '5 mg', 'twice daily'],
          ['Amlodipine', '10 mg', 'once daily'],
        ],
      ],
    ],
  ],
  [
    financialAnalyst,
    [
      [
        'Amounts in EUR thousand',
        [
          ['Item', '2024', '2023'],
          ['Revenue', '1,250', '1,100'],
          ['Cost of sales', '(700)', '(650)'],
          ['Net income', '96', '(12)'],
          ['Total assets', '2,400', '2,210'],
        ],
      ],
      ['In 2022 revenue was EUR 0.9 million.'],
    ],
  ],
  [
    dueDiligence,
    [
      ['The auditor issued an unqualified opinion. The agreement is enforceable except as limited by bankruptcy laws.'],
      ['The Company is defendant in a pending litigation for EUR 300,000 before the courts of Brno.'],
      [
        [
          ['Holder', 'Common Shares', 'Series Seed'],
          ['Ada Lind', '6,000', '1,000'],
          ['Bo Keller', '4,000', '500'],
        ],
      ],
    ],
  ],
  [
    hrAnalyst,
    [
      ['During the probationary period of six months the notice period is two weeks.'],
      ['After the probation the period of notice is three months. The annual leave is 25 days.'],
    ],
  ],
  [
    taxAnalyst,
    [
      [
        'Invoice no. 2026-041\nInvoice date: 14 March 2026\nSeller: Vesna Print d.o.o., VAT ID SI12345679\nBuyer: Halm GmbH, VAT ID DE129273398',
        [
          ['Description', 'Net', 'VAT rate', 'VAT', 'Gross'],
          ['Brochures', 'EUR 400.00', '22%', 'EUR 88.00', 'EUR 488.00'],
          ['Delivery', 'EUR 50.00', '22%', 'EUR 11.00', 'EUR 61.00'],
          ['Total', 'EUR 450.00', '', 'EUR 99.00', 'EUR 549.00'],
        ],
        'Payment is due by 13 April 2026.',
      ],
      [
        'Invoice no. 2026-042\nInvoice date: 16 March 2026\nSeller: Vesna Print d.o.o., VAT ID SI12345679\nBuyer: Orla GmbH, VAT ID DE129273398',
        [
          ['Description', 'Net', 'VAT rate', 'VAT', 'Gross'],
          ['Posters', 'EUR 200.00', '22%', 'EUR 44.00', 'EUR 244.00'],
          ['Total', 'EUR 200.00', '', 'EUR 44.00', 'EUR 244.00'],
        ],
        'Payment is due by 15 April 2026.',
      ],
    ],
  ],
  [
    complianceOfficer,
    [
      ['Register of processing activities of Halm GmbH under Article 30 GDPR'],
      [
        [
          ['Activity', 'Purpose', 'Legal basis', 'Categories of data', 'Recipients', 'Retention'],
          ['Payroll', 'Paying salaries', 'Art. 6(1)(b) GDPR', 'Bank details, salary', 'Tax office', '7 years'],
          ['Access', 'Security of the site', 'Art. 6(1)(f) GDPR', 'Images of cameras', 'Guard service', '72 hours'],
        ],
      ],
      ['A personal data breach is reported to the authority within 72 hours.'],
    ],
  ],
  [
    cybersecurityAnalyst,
    [
      ['Result of the scan of 3 March 2026'],
      [
        [
          ['Host', 'CVE', 'CVSS', 'Severity', 'Status'],
          ['web-01.example.org', 'CVE-2021-44228', '10.0', 'Critical', 'open'],
          ['db-02.example.org', 'CVE-2023-4966', '9.4', 'Critical', 'fixed'],
        ],
      ],
      ['The vendor describes CVE-2024-3094 as a backdoor in the release tarballs.'],
    ],
  ],
  [
    contractAnalyst,
    [
      ['This agreement is made between Orla Ltd and Bexley GmbH and begins on 1 May 2026.'],
      [
        [
          ['Milestone', 'Date', 'Amount'],
          ['Delivery of the pumps', '1 June 2026', 'EUR 12,000'],
          ['Acceptance by the Customer', '1 July 2026', 'EUR 4,000'],
        ],
      ],
      ['The liability of each party is limited to EUR 50,000. This agreement is governed by the laws of Ireland.'],
      ['Either party may terminate with a notice of 3 months. Invoices are payable within 30 days.'],
    ],
  ],
  [
    euLegal,
    [
      ['Regulation (EU) 2024/1689 applies to the systems of this register.'],
      [
        [
          ['Act', 'Subject', 'Applies from'],
          ['Directive (EU) 2022/2555', 'Security of networks', '18 October 2024'],
          ['Regulation (EU) 2022/2554', 'Resilience of banks', '17 January 2025'],
        ],
      ],
      ['The authority decides within 30 days of 3 March 2026.'],
    ],
  ],
];
