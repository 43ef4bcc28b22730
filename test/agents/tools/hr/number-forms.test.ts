/** Numbers of employment documents as digits. */
import { describe, expect, it } from 'vitest';
import { withDigits } from '../../../../agents/tools/hr/number-forms.ts';

describe('withDigits', () => {
  it.each([
    ['thirty-two (32) hours per week', '32 hours per week'],
    ['an average of thirty-six and one-half (36½) hours', 'an average of 36.5 hours'],
    ['a target of thirty percent (30%) of your salary', 'a target of 30% of your salary'],
    ['shall be thirty percent of the salary', 'shall be 30% of the salary'],
    ['two hundred thousand dollars ($200,000)', '$200,000'],
    ['treinta y ocho horas semanales', '38 horas semanales'],
    ['treinta y siete horas y media', '37.5 horas'],
    ['mit einer 10-tägigen Frist', 'mit einer 10 Tage Frist'],
    ['eine dreimonatige Probezeit', 'eine 3 Monate Probezeit'],
    ['Euro 2.700,- brutto', 'Euro 2.700 brutto'],
    ['£38k a year', '£38000 a year'],
    ['a month’s notice', '1 month’s notice'],
    ['les deux premiers mois', 'les premiers 2 mois'],
  ])('reads %s', (text, plain) => {
    expect(withDigits(text)).toBe(plain);
  });

  it.each([
    ['one hour for lunch'],
    ['Monday (1) to Friday (5)'],
    ['mil setecientas horas'],
    ['the percentage of the salary'],
    ['the first paragraph (a)'],
  ])('leaves %s', (text) => {
    expect(withDigits(text)).toBe(text);
  });
});
