import { describe, expect, it } from 'vitest';
import { agentDirectory } from '../../../../agents/registry.ts';

function results(text: string): string {
  const { tools } = agentDirectory().get('eu-legal')!;
  return JSON.stringify(tools.map((tool) => tool.run([{ message: 0, text: `Article 5\n${text}` }]).result));
}

describe('days that describe a thing', () => {
  it.each([
    'International agreements which were concluded by Member States prior to 24 May 2016, and which comply with Union law, shall remain in force.',
    'Contracts entered into with consumers before 24 May 2016 shall be governed by the former rules.',
    'Licences granted by the competent authorities before 24 May 2016 shall remain valid.',
  ])('are no deadlines: %s', (text) => {
    expect(results(text)).not.toContain('2016-05-23');
  });

  it.each([
    'Reports shall be submitted by Member States before 24 May 2016.',
    'Member States shall submit their plans to the Commission before 24 May 2016.',
  ])('differ from days by which something is to be done: %s', (text) => {
    expect(results(text)).toContain('2016-05-23');
  });

  it.each([
    'The restrictive measures should be extended until 22 March 2028.',
    'Die Maßnahmen werden bis zum 22. März 2028 verlängert.',
    "Il y a lieu de proroger le régime transitoire jusqu'au 22 mars 2028.",
  ])('are no deadlines where something is prolonged: %s', (text) => {
    expect(results(text)).not.toContain('"date":"2028-03-22","weekday"');
  });

  it('are deadlines where a time limit is prolonged', () => {
    expect(results('The time limit for lodging the application shall be extended until 22 March 2028.')).toContain(
      '"date":"2028-03-22","weekday"',
    );
  });

  it('an age in years is no deadline: "below the age of 16 years"', () => {
    const found = results(
      'Where the child is below the age of 16 years, such processing shall be lawful only if consent is given.',
    );
    expect(found).not.toMatch(/"count":"?16|P16Y/);
  });
});
