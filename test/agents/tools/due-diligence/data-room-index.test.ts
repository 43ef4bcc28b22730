/** Which texts are indexes of a data room, and how their entries stand. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { checkDataRoom } from '../../../../agents/tools/due-diligence/data-room.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const entriesOf = (text: string) =>
  checkDataRoom([documentOf(text)]).entries.items.map(({ title, status }) => [title, status]);

describe('the entries of a data room', () => {
  it('are not read from a text that mentions a data room in a sentence', () => {
    const text =
      'CONFIDENTIALITY UNDERTAKING\n\nThe Seller opens a data room for the Buyer and its advisers.\n\n1. In return, the Buyer keeps the\n   contents secret\n2. The Buyer may copy documents\n3. Copies are returned on demand\n';
    expect(entriesOf(text)).toEqual([]);
  });

  it('are not read from the numbered findings of a report on a data room', () => {
    const text = 'Red flag report: data room of 4 May\n\n1. Leases end next year\n2. Two permits were not renewed\n';
    expect(entriesOf(text)).toEqual([]);
  });

  it('take the remark into account where the column says that a document is there', () => {
    const text =
      'Dataroom inventaris\n\n| Nr | Document | Aanwezig | Opmerking |\n|---|---|---|---|\n| 1 | Statuten | ja | |\n| 2 | Aandeelhoudersregister | nee | gevraagd |\n| 3 | Huurcontract | ja | niet ondertekend |\n| 4 | Milieuvergunning | ja | verlopen |\n';
    expect(entriesOf(text)).toEqual([
      ['Statuten', 'present'],
      ['Aandeelhoudersregister', 'missing'],
      ['Huurcontract', 'partial'],
      ['Milieuvergunning', 'expired'],
    ]);
  });

  it('leave out questions, and read answers of the seller', () => {
    const text =
      'Document tracker\n\nNo;Requested document / question;State;Answer\n1;Bylaws;closed;In folder.\n2;Who are the lenders?;closed;None\n3;Export permits;closed;Not required for these goods.\n4;Forecast 2027;closed;In folder. Draft only.\n5;Board minutes;open;\n';
    expect(entriesOf(text)).toEqual([
      ['Bylaws', 'present'],
      ['Export permits', 'not-applicable'],
      ['Forecast 2027', 'partial'],
      ['Board minutes', 'missing'],
    ]);
  });

  it('are read from ticked lines and from requests with their responses', () => {
    const ticked = 'Request list\n\n- [x] Lease of the yard\n- [ ] Pension deed\n- [x] Supply contract (unsigned)\n';
    expect(entriesOf(ticked)).toEqual([
      ['Lease of the yard', 'present'],
      ['Pension deed', 'missing'],
      ['Supply contract', 'partial'],
    ]);
    const answered =
      'Information request list\n\nItem 1: Copies of leases. Response: Uploaded at 5.1.\nItem 2: Insurance policies. Response: To follow.\n';
    expect(entriesOf(answered)).toEqual([
      ['Copies of leases', 'present'],
      ['Insurance policies', 'missing'],
    ]);
  });
});
