import { describe, expect, it } from 'vitest';
import { itemsOf, runTool } from '../../../support/agents/run-tool.ts';

const vitals = (text: string) =>
  itemsOf(runTool('medical-analyst', 'patient_facts', text).vitals).map(
    ({ sign, value, date }) => `${sign} ${value} ${date}`,
  );
const labs = (text: string) =>
  itemsOf(runTool('medical-analyst', 'laboratory_values', text).values).map(
    ({ label, writtenNumber, date }) => `${label} ${writtenNumber} ${date}`,
  );

describe('the day of a reading', () => {
  it('is that of the examination, whose label is far above in a table', () => {
    expect(
      vitals(
        'ENDOSCOPIA\nFecha del estudio: 21/05/2026   Paciente: Nuria Vidal\n\n| Momento | FC | SpO2 |\n|---|---|---|\n| antes 08:40 | 78 | 97 |\n| después 09:15 | 70 | 96 |\n',
      ),
    ).toEqual(['pulse 78 2026-05-21', 'spo2 97 2026-05-21', 'pulse 70 2026-05-21', 'spo2 96 2026-05-21']);
  });

  it('is that of the letterhead with its time', () => {
    expect(vitals('WARD 9   HANDOVER   2026-03-24   07:10\nObs at 06:00: HR 88, SpO2 95%\n')).toEqual([
      'pulse 88 2026-03-24',
      'spo2 95 2026-03-24',
    ]);
  });

  it('is none where the note has a day of print alone', () => {
    expect(vitals('Printed: 24/03/2026 07:10\nObs: HR 88, SpO2 95%\n')).toEqual([
      'pulse 88 undefined',
      'spo2 95 undefined',
    ]);
  });

  it('is that of each line', () => {
    const text =
      'Opname: 06-04-2026\nControles 18-04-2026 07:00: pols 112, temp 38,9\nControles 19-04-2026 07:00: pols 92, temp 37,6\n';
    expect(vitals(text)).toEqual([
      'pulse 112 2026-04-18',
      'temperature 38.9 2026-04-18',
      'pulse 92 2026-04-19',
      'temperature 37.6 2026-04-19',
    ]);
  });

  it('changes at midnight under titles of times', () => {
    const text = (left: string) =>
      `Entrée : 21/06/2026 22:48        Sortie : ${left}\n\nBiologie            23h10       03h00      normes\nCRP                 88          96         < 5 mg/L\nCréatinine          112         104        60-110 µmol/L\n`;
    expect(labs(text('22/06/2026 05:10'))).toEqual([
      'CRP 88 2026-06-21',
      'CRP 96 2026-06-22',
      'Créatinine 112 2026-06-21',
      'Créatinine 104 2026-06-22',
    ]);
    // In a longer stay, a time does not tell its day.
    expect(labs(text('29/06/2026 05:10'))[0]).toBe('CRP 88 undefined');
  });

  it('is not that of the next line', () => {
    expect(labs('Labor 18.04.2026: Natrium 133 mmol/l\nVisite 19.04.2026: wach\n')).toEqual(['Natrium 133 2026-04-18']);
  });

  it('is in its row where another cell could be a day of a month', () => {
    const rows =
      'mrn,collected,test,result,unit,ref_low,ref_high,flag\n71,2026-08-17T09:30,WBC,5.8,10*3/uL,4.0,10.5,\n71,2026-08-17T09:30,CRP,12,mg/L,,5.0,H\n';
    expect(labs(rows)).toEqual(['WBC 5.8 2026-08-17', 'CRP 12 2026-08-17']);
  });

  it('is not that of a cell without a number before it', () => {
    const text = [
      'Compte rendu du 16/04/2026 au 21/04/2026',
      '',
      '| BIOLOGIE | 17/04 | 18/04 | 20/04 | Lot | Normes |',
      '|---|---|---|---|---|---|',
      '| Plaquettes (G/L) | 142 | 98 (B) | 131 (B) | 7900 | 150-400 |',
      '| Uricémie (µmol/L) | 402 (H) | 431 (H) | non dosée | 7927 | 150-360 |',
      '',
      'Sortie le 21/04/2026.',
    ].join('\n');
    expect(labs(text).join()).not.toContain('7927');
  });
});

describe('parts of a record about others', () => {
  it('leaves out a remark about another bed, and keeps the bed of the patient', () => {
    const text = (bed: string) =>
      `Ward 6   Bed 14   Pt: Edna Quill   2026-03-24  07:10\nObs: HR 88\n(Bed ${bed}, cover only: HR 120, Hb 71 g/L)\n`;
    expect(vitals(text('15'))).toEqual(['pulse 88 2026-03-24']);
    expect(labs(text('15'))).toEqual([]);
    expect(vitals(text('14'))).toHaveLength(2);
  });

  it('leaves out rows of other patients, control material, and results that were replaced', () => {
    const rows = [
      'patient_id;sample;sampled;name;result;unit;state',
      '88112;A-1;2026-02-01;Haemoglobin;131;g/L;final',
      '88112;A-1;2026-02-01;Potassium;6.4;mmol/L;preliminary',
      '88112;A-1;2026-02-01;Potassium;4.8;mmol/L;corrected',
      '88112;A-3;2026-02-09;Potassium;5.4;mmol/L;preliminary',
      '88131;A-2;2026-02-01;Glucose;19.2;mmol/L;final',
      'CONTROL;QC1;2026-02-09;Haemoglobin;98;g/L;final',
    ].join('\n');
    expect(labs(rows)).toEqual(['Haemoglobin 131 2026-02-01', 'Potassium 4.8 2026-02-01', 'Potassium 5.4 2026-02-09']);
  });
});

describe('a medicine of a row', () => {
  const rows = (remark: string) =>
    itemsOf(
      runTool(
        'medical-analyst',
        'medication_review',
        `| Drug | Dose | Route | Remark |\n|---|---|---|---|\n| Midazolam | 2 mg | IV | ${remark} |\n| Ramipril | 5 mg | oral | once daily, continue |\n`,
      ).medications,
    ).map(({ status }) => status);

  it('was given once or not at all by its remark', () => {
    expect(rows('given 10:04')[0]).toBe('given');
    expect(rows('nicht erforderlich')[0]).not.toBe('current');
  });
});
