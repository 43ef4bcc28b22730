/** How documents state what a change of control sets off. Names and figures are invented. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findControlTerms } from '../../../../agents/tools/due-diligence/control-terms.ts';
import { flowOf } from '../../../../agents/tools/due-diligence/flow.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

function termsOf(text: string) {
  const document = parseDocument(documentOf(text));
  return findControlTerms(document, flowOf(document)).map(({ counterparty, consequence }) => [
    counterparty,
    consequence,
  ]);
}

describe('agreements with change-of-control clauses', () => {
  it.each([
    [
      'Brandt Retail GmbH may terminate the supply agreement if the Company undergoes a change of control.',
      [['Brandt Retail GmbH', 'termination']],
    ],
    [
      'The term loan with Clyde Bank plc becomes immediately due and payable upon a change of control.',
      [['Clyde Bank plc', 'repayment']],
    ],
    [
      'The lease with Arcadia Estates Ltd requires the prior written consent of the landlord to any change of control; otherwise it may be terminated.',
      [['Arcadia Estates Ltd', 'consent']],
    ],
    [
      'Under the licence from Pinewood Software Inc. the Company must notify the licensor within 30 days of any change in control.',
      [['Pinewood Software Inc.', 'notice']],
    ],
    ['Dr. Ines Falk receives a bonus of EUR 250,000 on a change of control.', [['Dr. Ines Falk', 'payment']]],
    [
      'The distribution agreement with Kestrel Trading Ltd contains no change of control clause.',
      [['Kestrel Trading Ltd', 'none']],
    ],
    [
      'Framework agreement with Orbital Systems Ltd dated 3 May 2021. Clause 14 allows the customer to terminate on a change of control.',
      [['Orbital Systems Ltd', 'termination']],
    ],
    [
      'If control of the Company changes, Halden Energi AS is entitled to cancel the agreement.',
      [['Halden Energi AS', 'termination']],
    ],
    [
      'Change of control: Meridian Foods plc may terminate on three months’ notice.',
      [['Meridian Foods plc', 'termination']],
    ],
    [
      'Die Hofer Maschinenbau AG kann den Rahmenvertrag bei einem Kontrollwechsel außerordentlich kündigen.',
      [['Hofer Maschinenbau AG', 'termination']],
    ],
    [
      'Der Kreditvertrag mit der Kreissparkasse Ulm wird bei einem Gesellschafterwechsel zur sofortigen Rückzahlung fällig.',
      [['Kreissparkasse Ulm', 'repayment']],
    ],
    [
      'Der Mietvertrag mit der Lindenhof Immobilien GmbH enthält keine Kontrollwechselklausel.',
      [['Lindenhof Immobilien GmbH', 'none']],
    ],
    [
      'Jede Änderung der Beteiligungsverhältnisse bedarf der Zustimmung der Isartal Leasing GmbH.',
      [['Isartal Leasing GmbH', 'consent']],
    ],
    [
      'Le contrat avec Lumière Distribution SAS peut être résilié en cas de changement de contrôle.',
      [['Lumière Distribution SAS', 'termination']],
    ],
    [
      'En cas de changement de contrôle, le prêt consenti par la Banque Rivage SA devient exigible.',
      [['Banque Rivage SA', 'repayment']],
    ],
    [
      'El contrato con Bodegas Arlanza, S.L. podrá resolverse en caso de cambio de control.',
      [['Bodegas Arlanza, S.L.', 'termination']],
    ],
    [
      'El préstamo de Banco Levante, S.A. prevé el vencimiento anticipado por cambio de control.',
      [['Banco Levante, S.A.', 'repayment']],
    ],
    [
      'De huurovereenkomst met Havenzicht Vastgoed B.V. vereist toestemming bij een wijziging van zeggenschap.',
      [['Havenzicht Vastgoed B.V.', 'consent']],
    ],
    [
      '| Contract | Counterparty | Change of control |\n|---|---|---|\n| Supply agreement | Tarn Mills Ltd | Termination right |\n| Lease | Oakfield Ltd | None |',
      [
        ['Tarn Mills Ltd', 'termination'],
        ['Oakfield Ltd', 'none'],
      ],
    ],
    [
      '| No. | Agreement | Comment |\n|---|---|---|\n| 1 | Supply agreement Corbel Dairy N.V. | may terminate on change of control |\n| 2 | Facility agreement Waalbank | mandatory prepayment on change of control |',
      [
        ['Corbel Dairy N.V.', 'termination'],
        ['Waalbank', 'repayment'],
      ],
    ],
    [
      'Change of control provisions\n(a) Tessera Cloud Inc.: consent required;\n(b) Borden Labs LLC: no restriction.',
      [
        ['Tessera Cloud Inc.', 'consent'],
        ['Borden Labs LLC', 'none'],
      ],
    ],
    [
      'Vertragspartner;Vertrag;Kontrollwechsel\nRhein Chemie GmbH;Liefervertrag;Kündigungsrecht\nMoser AG;Lizenzvertrag;keine',
      [
        ['Rhein Chemie GmbH', 'termination'],
        ['Moser AG', 'none'],
      ],
    ],
    [
      'The bonds are held by FPCI Alpage Croissance (the "Bondholder").\nIn case of a change of control the Bondholder may demand repayment with a premium of 12 %.',
      [['FPCI Alpage Croissance', 'repayment']],
    ],
    [
      'Retention agreements with Jonas Weidle and Clara Montes provide for payments of $300,000 in total upon the Closing.',
      [['Jonas Weidle and Clara Montes', 'payment']],
    ],
    [
      'Sales to Culter Energy Limited were half of revenue. The offtake agreement may be terminated by Culter if any person acquires more than 25 per cent of the shares.',
      [['Culter Energy Limited', 'termination']],
    ],
    [
      'CHANGE OF CONTROL\n\n| Counterparty | Contract | Effect |\n|---|---|---|\n| Orbis Cloud, Inc. | Hosting | No effect |\n| Dr. Amir Solberg | Employment | 100% of unvested options vest |',
      [
        ['Orbis Cloud, Inc.', 'none'],
        ['Dr. Amir Solberg', 'accelerated-vesting'],
      ],
    ],
  ])('are read from: %s', (text, expected) => {
    expect(termsOf(text)).toEqual(expected);
  });

  it.each([
    '"Change of Control" means a transaction in which any person acquires more than 50% of the votes of Alpha Ltd.',
    'Some of our customers could terminate their agreements if we undergo a change of control.',
    'The supply agreement with Tarn Mills Ltd may be terminated for material breach.',
    'The Investors’ consent is required for a change of control.',
    'Certain agreements contain change of control provisions.',
  ])('are not read from: %s', (text) => {
    expect(termsOf(text)).toEqual([]);
  });
});
