import { describe, expect, it } from 'vitest';
import { agentDirectory } from '../../../../agents/registry.ts';

/** Every fact of the tools that read terms, as `kind value`. */
function facts(text: string): string {
  const { tools } = agentDirectory().get('hr-analyst')!;
  return JSON.stringify(tools.map((tool) => tool.run([{ message: 0, text }]).result));
}

describe('limits of benefits', () => {
  it('does not read the limit of a benefit as pay', () => {
    const found = facts(
      '# Disability\n\nThe Short Term policy may replace up to 65% of your salary, up to 10 weeks and up to $2,500 per week. There is a 5-calendar-day waiting period. The Long Term policy may replace up to 55% of your salary, up to $9,000 per month.',
    );
    expect(found).not.toMatch(/"kind":"(?:pay|salary)"/);
    expect(found).not.toMatch(/2500|9000/);
    expect(found).toContain('"benefit":"sick-pay","percent":65,"duration":{"count":10,"unit":"week"}');
    expect(found).toContain('"benefit":"sick-pay","percent":55}');
  });

  it('still reads pay that the word for it limits', () => {
    expect(facts('Salary: up to £41,000 per year.')).toContain('"amount":41000');
  });

  it('does not read what employees pay as a benefit', () => {
    const found = facts(
      '# Medical insurance\n\nEach pay period, you will see a payroll deduction for medical insurance:\n\n* Employee-only medical coverage: $88.05\n* Employee-family medical coverage: $251.65\n',
    );
    expect(found).not.toMatch(/88\.05|251\.65/);
  });

  it('reads an allowance for a workplace outside the office', () => {
    expect(
      facts(
        '# Employee handbook\n\n## Coworking\n\nYou can expense up to $150/month towards renting coworking space in your city.',
      ),
    ).toContain('"benefit":"remote-allowance","amount":150,"currency":"usd","per":"month"');
  });

  it('does not read leave to care for a family member as annual leave', () => {
    const found = facts('* Paid Family Leave for Family Care to care for a seriously ill family member, 9 weeks.');
    expect(found).not.toContain('annual_leave');
  });
});
