/** The names of the weekdays in time records, with their abbreviations. */

/** By weekday, from Monday. "so" is Sunday in German and Saturday in Czech. */
const names: readonly string[] = [
  'mon monday montag mo mont lundi lun lunes lunedi lunedì ma maandag maan poniedziałek poniedzialek pon pn mån måndag man mandag mand segunda segunda-feira seg 2ª po pondělí ponedjeljak luni maanantai',
  'tue tues tuesday dienstag di die mardi mar martes martedì martedi dinsdag wtorek wt tis tisdag tir tirsdag tirs terça terca terça-feira ter 3ª út úterý tiistai ti',
  'wed weds wednesday mittwoch mi mit mercredi mer miércoles miercoles mié mie mercoledì mercoledi woensdag wo środa sroda śr sr ons onsdag quarta quarta-feira qua 4ª st středa keskiviikko ke',
  'thu thur thurs thursday donnerstag do don jeudi jeu jueves jue giovedì giovedi gio donderdag czwartek czw cz tors torsdag tor quinta quinta-feira qui 5ª čt čtvrtek torstai to',
  'fri friday freitag fr fre frei vendredi ven viernes vie venerdì venerdi vrijdag vr piątek piatek pią pt fredag sexta sexta-feira sex 6ª pá pátek perjantai pe',
  'sat saturday samstag sonnabend sa sam samedi sábado sabado sáb sab sabato zaterdag za sobota sob lör lördag lør lørdag so lauantai la',
  'sun sunday sonntag so son dimanche dim domingo dom domenica zondag zo niedziela niedz nd ndz sön söndag søn søndag ne neděle sunnuntai su',
];

const numbers: ReadonlyMap<string, readonly number[]> = new Map(
  [
    ...Map.groupBy(
      names.flatMap((list, day) => list.split(' ').map((name) => ({ name, day }))),
      ({ name }) => name,
    ),
  ].map(([name, days]) => [name, days.map(({ day }) => day)] as const),
);

/** The weekdays that a word can name, from Monday, 0; empty if it names none. */
export function weekdaysOf(word: string): readonly number[] {
  return numbers.get(word.toLowerCase().replace(/\.$/u, '')) ?? [];
}

/** Whether a word is the name of a weekday, in one of the languages of the records. */
export function isWeekday(word: string): boolean {
  return weekdaysOf(word).length > 0;
}
