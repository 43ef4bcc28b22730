/** How documents give seats on a board. Names and figures are invented. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findTerms } from '../../../../agents/tools/due-diligence/terms.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const seatsOf = (text: string) =>
  Object.fromEntries(findTerms(parseDocument(documentOf(text))).seats.map(({ elected_by: by, seats }) => [by, seats]));

describe('seats', () => {
  it.each([
    [
      'Beirat: Fünf Mitglieder: zwei werden von den Gründern, zwei vom Lead Investor entsandt, eines einvernehmlich',
      { total: 5, common: 2, preferred: 2, independent: 1 },
    ],
    [
      'Directors. The number of directors is fixed at six. The Preferred Stock, as a class, elects two. The Common Stock elects two. The person who serves as chief executive officer is elected by all shares together, and one director who is not employed by the Corporation is nominated jointly by the others.',
      { total: 6, preferred: 2, common: 2, 'chief-executive': 1, independent: 1 },
    ],
    [
      'Board: Maximum of seven directors. The Lead Investor may appoint two; the founders together may appoint three. The chair, an independent, is to be agreed by both.',
      { total: 7, preferred: 2, common: 3, independent: 1 },
    ],
    [
      'The Board shall comprise seven directors, of whom three shall be appointed by the Investors, three by the Founders and one shall be independent.',
      { total: 7, preferred: 3, common: 3, independent: 1 },
    ],
    [
      'Board of Directors: Five (5) members. Two (2) designated by the holders of Common Stock; two (2) designated by the Lead Investor; one (1) independent.',
      { total: 5, common: 2, preferred: 2, independent: 1 },
    ],
    [
      'Investor Director\nThe Investor shall have the right to appoint one director to the Board and one observer.',
      { preferred: 1, observer: 1 },
    ],
    [
      'For so long as the Lead Investor holds at least 5% of the shares it may appoint and remove one person as a director of the Company.',
      { preferred: 1 },
    ],
    ['The Founders may appoint up to two directors to the Board.', { common: 2 }],
    [
      'Board composition: 1 Founder Director, 2 Investor Directors, 1 Independent Director',
      { common: 1, preferred: 2, independent: 1 },
    ],
    ['Board size: 5', { total: 5 }],
    ['Number of directors: 3', { total: 3 }],
    [
      'Series A Directors: 2\nCommon Directors: 1\nIndependent Directors: 1',
      { preferred: 2, common: 1, independent: 1 },
    ],
    ['The size of the Board shall be set at five.', { total: 5 }],
    [
      'The Board will initially consist of three directors: one representative of the Series Seed, one representative of the Common Stock, and one seat for the Chief Executive Officer.',
      { total: 3, preferred: 1, common: 1, 'chief-executive': 1 },
    ],
    [
      'The Board shall consist of:\n(a) two directors elected by the holders of Common Stock;\n(b) one director elected by the Series A Preferred; and\n(c) one independent director.',
      { common: 2, preferred: 1, independent: 1 },
    ],
    [
      'The holders of record of the Series A Preferred Stock, voting as a separate class, are entitled to elect two (2) directors of the Corporation.',
      { preferred: 2 },
    ],
    [
      '| Term | Agreed |\n|---|---|\n| Board | 5 directors: 2 Founders, 2 Investors, 1 independent |\n| Observer | 1 observer for Fund II |',
      { total: 5, common: 2, preferred: 2, independent: 1, observer: 1 },
    ],
    ['The Board is a five-member board.', { total: 5 }],
    [
      'Der Beirat besteht aus fünf Mitgliedern. Zwei Mitglieder werden von den Investoren entsandt, zwei von den Gründern; ein unabhängiges Mitglied wird gemeinsam bestimmt.',
      { total: 5, preferred: 2, common: 2, independent: 1 },
    ],
    ['Die Investoren haben das Recht, ein Mitglied des Beirats zu benennen.', { preferred: 1 }],
    ['Es wird ein Beirat mit drei Mitgliedern eingerichtet.', { total: 3 }],
    [
      'Dem Lead-Investor steht ein Entsendungsrecht für ein Beiratsmitglied zu. Die Gründer benennen zwei Beiratsmitglieder.',
      { preferred: 1, common: 2 },
    ],
    ['Beobachter: Der Investor darf einen Beobachter in den Beirat entsenden.', { observer: 1 }],
    [
      'Le conseil d’administration sera composé de cinq membres, dont deux désignés sur proposition des Fondateurs, deux sur proposition des Investisseurs et un administrateur indépendant.',
      { total: 5, common: 2, preferred: 2, independent: 1 },
    ],
    ['L’Investisseur disposera d’un siège de censeur au conseil.', { observer: 1 }],
    [
      'Le Comité stratégique comprend 6 membres : 3 représentants des Fondateurs, 2 représentants des Investisseurs et 1 membre indépendant.',
      { total: 6, common: 3, preferred: 2, independent: 1 },
    ],
    [
      'El Consejo de Administración estará integrado por cinco consejeros: dos designados por los Fundadores, dos por los Inversores y uno independiente.',
      { total: 5, common: 2, preferred: 2, independent: 1 },
    ],
    ['Los Inversores tendrán derecho a nombrar un consejero y un observador sin voto.', { preferred: 1, observer: 1 }],
    [
      'De raad van commissarissen bestaat uit drie leden: één lid op voordracht van de Investeerder, één lid op voordracht van de Oprichters en één onafhankelijk lid.',
      { total: 3, preferred: 1, common: 1, independent: 1 },
    ],
  ] as const)('are read from: %s', (text, expected) => {
    expect(seatsOf(text)).toEqual(expected);
  });

  it.each([
    'The quorum is two directors, one of whom must be an Investor Director.',
    'If the holders fail to elect one director, the seat remains vacant.',
    'Each director has one vote at the Board.',
    'The Board meets four times a year.',
    'One director resigned in 2024.',
    'The directors may delegate powers to a committee of two persons.',
  ])('are not read from: %s', (text) => {
    expect(seatsOf(text)).toEqual({});
  });
});
