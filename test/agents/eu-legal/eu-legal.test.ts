import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { euLegal } from '../../../agents/eu-legal/index.ts';
import { findHolidays } from '../../../agents/tools/eu-law/find-deadlines.ts';
import { describeAgent } from '../../support/agents/agent-golden.ts';
import { documentOf } from '../../support/agents/agent-inputs.ts';

const documents = join(import.meta.dirname, 'documents');

describeAgent({
  agent: euLegal,
  documents,
  flood: (index) =>
    [
      `Article ${1 + (index % 900)}(${1 + (index % 99)}), points (a), (b) and (c), of Regulation (EU) 2016/${1 + index} is repealed 日本語日本語日本語.`,
      `Case C-${1 + (index % 900)}/${10 + (index % 15)}, EU:C:20${10 + (index % 15)}:${1 + index}, 32016D${String(index % 10_000).padStart(4, '0')}`,
      `OJ L ${1 + (index % 400)}, 4.5.20${10 + (index % 15)}, p. ${1 + index}; data.europa.eu/eli/reg/2016/${1 + index}/oj; Directive 95/${1 + (index % 999)}/EC`,
      `Notified on 5 March 2026, reply within ${1 + (index % 300)} days 日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語.`,
    ].join('\n'),
  units: [
    'Article 6(1)(f) ',
    'Article 6(',
    'Art. 6 Abs. ',
    'Articles 1, 2, 3 and ',
    'Articles 1-',
    'Regulation (EU) 2016/679 ',
    'Regulation (',
    'Regulation (EU ',
    'Regulation ',
    'Regulation 1/',
    'Commission Implementing ',
    'Directive 95/46/EC ',
    'GDPR ',
    'Article 6 GDPR, ',
    'NIS 2 ',
    'C-311/18 ',
    'Case ',
    'C-1/',
    'Opinion in Case C-311/18 ',
    'ECLI:EU:C:2020:',
    'ECLI:EU:C:2020:559 ',
    'EU:C:',
    '32016R0679 ',
    '32016R',
    '12016E101 ',
    'OJ L ',
    'OJ L 119, 4.5.2016, p. 1 ',
    'eli/reg/2016/679/',
    'data.europa.eu/eli/reg/2016/679/oj ',
    'within 30 days of 5 March 2026. ',
    'within 30 days ',
    'within 999 working days of 5 March 2026. ',
    'Holidays: 2026-03-05, 2026-03-06, 2026-03-07\n\nwithin 2 days of 4 March 2026. ',
    'received on 5 March 2026. ',
    'Holidays: 5 March 2026\n',
    'Holidays: 5 March 2026\n\n',
    'Holidays:\n',
    'shall enter into force ',
    'tritt ',
    'tritt in Kraft. ',
    'repealed. ',
    'is repealed by Directive 95/46/EC. ',
    'twentieth day following. ',
    'and 1',
  ],
});

describe('what the EU legal assistant reads in the golden documents', () => {
  const documentOfFile = (file: string) => documentOf(readFileSync(join(documents, file), 'utf8'));
  const plain = (tool: string, file: string) => {
    const { result } = euLegal.tools.find(({ name }) => name === tool)!.run([documentOfFile(file)]);
    return JSON.parse(JSON.stringify(result));
  };

  it('computes the deadline of an access request, moved past Sunday and Easter Monday', () => {
    const [first] = plain('eu_deadlines', 'access-request-memo.txt').deadlines.items;
    expect(first).toMatchObject({
      length: '1 month',
      end: { lastDayBeforeExtension: '2026-04-05', lastDay: '2026-04-07' },
    });
  });

  it('computes the 72 hours for a breach over Easter', () => {
    const hours = plain('eu_deadlines', 'access-request-memo.txt').deadlines.items.find(
      ({ length }: { length: string }) => length === '72 hours',
    );
    expect(hours).toMatchObject({
      event: { date: '2026-04-02T16:40' },
      end: { begins: '2026-04-02T17:00', ends: '2026-04-05T17:00' },
    });
  });

  it('reads holidays that are written in Czech', () => {
    expect(findHolidays([documentOfFile('state-aid-letter.txt')])).toHaveLength(5);
  });
});
