import { describe, expect, it } from 'vitest';
import { parseDocument, readDocument } from '../../../../agents/document/document.ts';
import { summaryOf } from '../../../../agents/tools/due-diligence/cap-table.ts';
import { checkDataRoom } from '../../../../agents/tools/due-diligence/data-room.ts';
import { dataRoomItems } from '../../../../agents/tools/due-diligence/data-room-table.ts';
import { allFlags } from '../../../../agents/tools/due-diligence/flag-table.ts';
import { findCapTables } from '../../../../agents/tools/due-diligence/holdings.ts';
import { findControlMentions, findLitigationMentions } from '../../../../agents/tools/due-diligence/mentions.ts';
import { checkFlags } from '../../../../agents/tools/due-diligence/red-flags.ts';
import { findInstruments, findRoundTerms } from '../../../../agents/tools/due-diligence/round-terms.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const read = (text: string) => readDocument({ message: 0, text });

describe('cap tables', () => {
  it('are added up by kind and by holder', () => {
    const text =
      'Holder\tOrdinary shares\tSeries A\nAda\t600.000\t0\nFund\t\t300.000\nGranted options\t50.000\t\nUnallocated pool\t50.000\t\nTotal\t700.000\t300.000\n';
    const [table] = findCapTables(parseDocument(documentOf(text)));
    expect(summaryOf(table!)).toMatchObject({
      issued: '900000',
      options_granted: '50000',
      pool_unissued: '50000',
      fully_diluted: '1000000',
      pool_percent: '5.00',
      disagreements: [],
    });
    expect(summaryOf(table!).holders.items[0]).toEqual({
      holder: 'Ada',
      shares: '600000',
      issued_percent: '66.67',
      fully_diluted_percent: '60.00',
    });
  });

  it('are reported if they do not add up', () => {
    const text = '| Holder | Shares | % |\n| Ada | 600 | 60.0 |\n| Bo | 400 | 41.0 |\n| Total | 1,100 | 100 |\n';
    expect(findCapTables(parseDocument(documentOf(text)))[0]!.disagreements).toEqual([
      'Shares: rows add up to 1000, the table says 1100',
      'Bo: holds 40.0 %, the table says 41.0 %',
      'percentages add up to 101 %, the table says 100 %',
    ]);
  });

  it('are not found in other tables', () => {
    expect(
      findCapTables(parseDocument(documentOf('| Year | Revenue |\n| 2025 | 1,000 |\n| 2026 | 2,000 |\n'))),
    ).toEqual([]);
  });
});

describe('terms', () => {
  it('of SAFEs and notes are read from sentences', () => {
    const text =
      'A SAFE of Birch Angels for USD 500,000 has a post-money valuation cap of USD 5,000,000 and a discount of 20 %. ' +
      'The convertible note of Cedar for USD 200,000, with a USD 8,000,000 cap, bears interest of 6 % and ran for 18 months.';
    expect(
      findInstruments(read(text)).map(({ kind, terms, interest }) => [kind, terms.holder, terms.capBasis, interest]),
    ).toEqual([
      ['SAFE', 'Birch Angels', 'post', undefined],
      ['convertible note', 'Cedar', 'pre', '18000.00'],
    ]);
  });

  it('of a round are read, and a pool in a table is not a target size', () => {
    const terms = findRoundTerms(
      read(
        'Pool | 12 %\nA note has a pre-money valuation cap of EUR 8 million. Delta invests EUR 3 million at a pre-money valuation of EUR 12 million. The pool shall be 10 %.',
      ),
    );
    expect([terms.preMoney?.value, terms.newMoney?.value, terms.poolPercent?.value]).toEqual([
      '12000000',
      '3000000',
      '10',
    ]);
  });
});

describe('red flags', () => {
  it('count once each, by severity, capped at 100', () => {
    const text =
      'There is a pending lawsuit against the company. A second lawsuit has been filed. The shares of the company are pledged.';
    const report = checkFlags([{ message: 0, text }]);
    expect(report.raised.map(({ id, points, mentions }) => [id, points, mentions])).toEqual([
      ['encumbered_shares', 15, 1],
      ['pending_litigation', 15, 2],
    ]);
    expect(report.score).toBe(30);
    expect(report.raised.length + report.clean.length + report.not_mentioned.length).toBe(allFlags.length);
  });

  it('that the documents deny are listed separately', () => {
    const report = checkFlags([{ message: 0, text: 'There is no pending litigation against the company.' }]);
    expect(report.score).toBe(0);
    expect(report.clean.map(({ id }) => id)).toEqual(['pending_litigation']);
  });

  it('are not raised by headings and entries of an index', () => {
    expect(checkFlags([{ message: 0, text: '3. Tax\n3.1 Tax audits\n4. Pending litigation\n' }]).raised).toEqual([]);
  });
});

describe('mentions', () => {
  it('of a change of control include its effects and periods', () => {
    const text =
      'The lender may terminate within 30 days after a change of control and all loans become immediately due.';
    expect(findControlMentions(read(text))).toMatchObject([
      { effects: ['termination', 'acceleration'], periods: ['P30D'], denied: false },
    ]);
  });

  it('of litigation include status and amounts', () => {
    const text =
      'A carrier filed a claim of EUR 615,000 in Hamburg. The claim of Mr. Ott was settled in May. No legal proceedings are threatened.';
    expect(findLitigationMentions(read(text)).map(({ status, denied, amounts }) => [status, denied, amounts])).toEqual([
      ['pending', false, [{ value: '615000', currency: 'EUR' }]],
      ['settled or ended', false, []],
      ['threatened', true, []],
    ]);
  });
});

describe('data rooms', () => {
  it('have items listed, announced or missing', () => {
    const text = 'Data room index\n1.1 Articles of association\n1.2 Cap table: to follow\n';
    const { items, indexFound } = checkDataRoom([{ message: 0, text }]);
    expect(indexFound).toBe(true);
    expect(items).toHaveLength(dataRoomItems.length);
    const statusOf = (title: string) => items.find((item) => item.title === title)?.status;
    expect([
      statusOf('Articles of association'),
      statusOf('Cap table and share register'),
      statusOf('Tax returns'),
    ]).toEqual(['listed', 'announced', 'missing']);
  });

  it('are not assessed without an index', () => {
    expect(checkDataRoom([{ message: 0, text: 'Articles of association of Acme.' }]).indexFound).toBe(false);
  });
});
