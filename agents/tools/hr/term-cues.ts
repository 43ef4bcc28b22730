/** Terms of employment and the cue words for them, in English, German, Czech and French. */
import { compilePhrases } from '../text/phrases.ts';
import type { Range } from '../text/span.ts';

export type TermKind =
  | 'notice_period'
  | 'probation'
  | 'annual_leave'
  | 'weekly_hours'
  | 'start_date'
  | 'end_date'
  | 'notice_given'
  | 'salary'
  | 'severance_rule'
  | 'garden_leave'
  | 'non_compete'
  | 'opt_out';

export interface Term extends Range {
  readonly kind: TermKind;
  /** ISO duration, ISO date, amount with currency and period, or the matched words. */
  readonly value: string;
  readonly caution?: string;
  /** Of what the caution says, on the scale of all agents. */
  readonly severity?: 'critical' | 'high' | 'medium' | 'low' | 'info';
}

/** Phrases as one text, so that the table stays readable. */
const list = (phrases: string) => phrases.split(', ');

export const termCues = compilePhrases<TermKind>([
  [
    'notice_period',
    list(
      "notice period, period of notice, notice of, days notice, notice of termination, months notice, months' notice, " +
        "month's notice, weeks' notice, weeks notice, written notice, kündigungsfrist, výpovědní doba, " +
        'výpovědní dob*, préavis, preavis',
    ),
  ],
  ['probation', list("probation*, trial period, probezeit, zkušební dob*, période d'essai")],
  [
    'annual_leave',
    list(
      'annual leave, paid leave, holiday entitlement, paid holiday, vacation days, days of vacation, ' +
        'urlaubsanspruch, erholungsurlaub, jahresurlaub, dovolen*, congés payés',
    ),
  ],
  [
    'weekly_hours',
    list(
      'hours per week, hours a week, weekly working time, weekly hours, working week, wochenstunden, ' +
        'wöchentliche arbeitszeit, hodin týdně, heures par semaine',
    ),
  ],
  [
    'start_date',
    list(
      'start date, commencement date, employment commenc*, employment began, employment starts, ' +
        'commenced employment, joined, hired, employed since, employed from, eintrittsdatum, ' +
        "beginn des arbeitsverhältnisses, den nástupu, date d'entrée",
    ),
  ],
  [
    'end_date',
    list(
      'termination date, end date, last day of employment, last working day, employment ends, ' +
        'employment will end, employment terminates, end of employment, austrittsdatum, ' +
        'ende des arbeitsverhältnisses, den skončení, date de sortie',
    ),
  ],
  [
    'notice_given',
    list('notice was given, notice given, gave notice, notice served, letter of termination dated, date of notice'),
  ],
  [
    'salary',
    list(
      'salary, remuneration, gross pay, basic pay, base pay, monthly pay, wage, wages, bruttogehalt, ' +
        'monatsgehalt, gehalt, mzda, hrubá mzda, plat, salaire',
    ),
  ],
  [
    'severance_rule',
    list('severance, redundancy pay*, redundancy compensation, abfindung, odstupné, indemnité de licenciement'),
  ],
  ['garden_leave', list('garden leave, gardening leave, freistellung, released from work')],
  [
    'non_compete',
    list('non compet*, non competition, wettbewerbsverbot, konkurenční doložk*, clause de non concurrence'),
  ],
  [
    'opt_out',
    list('opt out, 48 hour limit, article 22 of directive 2003, waive* ~4 48 hour*, average of 48 hours ~8 not apply'),
  ],
]);
