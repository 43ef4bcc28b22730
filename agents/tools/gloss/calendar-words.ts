/** Units of time and numbers in words. Months stay, because dates are read in all languages. */
export const calendarWords = `
day | fr jour | es día | it giorno | nl dag | pl dzień, dnia | sv dag | pt dia
days | fr jours, jours calendaires, jours francs | es días, días naturales | it giorni | nl dagen, kalenderdagen | pl dni, dni kalendarzowych | sv dagar, dagars, kalenderdagar | pt dias, dias de calendário, dias seguidos
business days | fr jours ouvrables, jours ouvrés | es días hábiles, días laborables | it giorni lavorativi | nl werkdagen | pl dni roboczych, dni robocze | sv bankdagar, arbetsdagar | pt dias úteis
business day | fr jour ouvrable, jour ouvré | es día hábil | it giorno lavorativo | nl werkdag | pl dzień roboczy | sv bankdag, arbetsdag | pt dia útil
week | fr semaine | es semana | it settimana | nl week | pl tydzień, tygodnia | sv vecka | pt semana
weeks | fr semaines | es semanas | it settimane | nl weken | pl tygodni, tygodnie | sv veckor, veckors | pt semanas
month | it mese | es mes | nl maand | pl miesiąc, miesiąca | sv månad | pt mês
months | fr mois | es meses | it mesi | nl maanden | pl miesięcy, miesiące, miesiącach, miesiącom, miesiącami | sv månader, månaders | pt meses
year | fr an, année | es año | it anno | nl jaar | pl rok | sv år, års | pt ano
years | fr ans, années | es años | it anni | nl jaren | pl lat, lata | pt anos
years | es ejercicios
hours | fr heures | es horas | it ore | nl uur | pl godzin, godziny | sv timmar, timmars | pt horas
one year | fr un an, une année | es un año | it un anno | nl één jaar, een jaar | pl jeden rok, jednego roku, rocznego, rocznym, roczny | sv ett år, ett års | pt um ano
one month | fr un mois | es un mes | it un mese | nl één maand, een maand | pl jeden miesiąc, jednego miesiąca, miesięczn*, jednomiesięczn* | sv en månad, en månads | pt um mês
two months | pl dwumiesięczn*
three months | pl trzymiesięczn* | fr trimestre | es trimestre | it trimestre | nl kwartaal | pt trimestre
six months | pl sześciomiesięczn*, półroczn*
two years | pl dwuletni*
three years | pl trzyletni*
five years | pl pięcioletni*
two | fr deux | es dos | it due | nl twee | pl dwa, dwóch, dwie | sv två | pt dois, duas
three | fr trois | es tres | it tre | nl drie | pl trzy, trzech | sv tre | pt três
four | fr quatre | es cuatro | it quattro | nl vier | pl cztery, czterech | sv fyra | pt quatro
five | fr cinq | es cinco | it cinque | nl vijf | pl pięć, pięciu | sv fem | pt cinco
six | es seis | it sei | nl zes | pl sześć, sześciu | sv sex | pt seis
seven | fr sept | es siete | it sette | nl zeven | pl siedem, siedmiu | sv sju | pt sete
eight | fr huit | es ocho | it otto | nl acht | pl osiem, ośmiu | sv åtta | pt oito
nine | fr neuf | es nueve | it nove | nl negen | pl dziewięć, dziewięciu | sv nio | pt nove
ten | fr dix | es diez | it dieci | nl tien | pl dziesięć, dziesięciu | sv tio | pt dez
twelve | fr douze | es doce | it dodici | nl twaalf | pl dwanaście, dwunastu | sv tolv | pt doze
fourteen | fr quatorze | es catorce | it quattordici | nl veertien | pl czternaście, czternastu | sv fjorton | pt catorze
fifteen | fr quinze | es quince | it quindici | nl vijftien | pl piętnaście, piętnastu | sv femton | pt quinze
eighteen | fr dix-huit | es dieciocho | it diciotto | nl achttien | pl osiemnaście, osiemnastu | sv arton | pt dezoito
twenty | fr vingt | es veinte | it venti | nl twintig | pl dwadzieścia, dwudziestu | sv tjugo | pt vinte
twenty-four | fr vingt-quatre | es veinticuatro | it ventiquattro | nl vierentwintig | pl dwadzieścia cztery, dwudziestu czterech | sv tjugofyra | pt vinte e quatro
thirty | fr trente | es treinta | it trenta | nl dertig | pl trzydzieści, trzydziestu | sv trettio | pt trinta
thirty-six | fr trente-six | es treinta y seis | it trentasei | nl zesendertig | pl trzydzieści sześć, trzydziestu sześciu | sv trettiosex | pt trinta e seis
forty | fr quarante | es cuarenta | it quaranta | nl veertig | pl czterdzieści, czterdziestu | sv fyrtio | pt quarenta
forty-five | fr quarante-cinq | es cuarenta y cinco | it quarantacinque | nl vijfenveertig | pl czterdzieści pięć, czterdziestu pięciu | sv fyrtiofem | pt quarenta e cinco
forty-eight | fr quarante-huit | es cuarenta y ocho | it quarantotto | nl achtenveertig | pl czterdzieści osiem | sv fyrtioåtta | pt quarenta e oito
sixty | fr soixante | es sesenta | it sessanta | nl zestig | pl sześćdziesiąt, sześćdziesięciu | sv sextio | pt sessenta
ninety | fr quatre-vingt-dix | es noventa | it novanta | nl negentig | pl dziewięćdziesiąt, dziewięćdziesięciu | sv nittio | pt noventa
percentage points | fr points de pourcentage, points | es puntos porcentuales, puntos | it punti percentuali, punti | nl procentpunten, procentpunt | pl punktów procentowych, punkty procentowe | sv procentenheter | pt pontos percentuais
per cent | fr pour cent | es por ciento | it per cento | nl procent | pl procent | sv procent | pt por cento
per year | fr par an, l'an, par année | es anual, anuales, al año, por año | it annuo, annui, annua, all'anno, per anno | nl per jaar | pl rocznie, w skali roku, w stosunku rocznym | sv per år, årlig ränta | pt ao ano, por ano, anuais
per month | fr par mois, mensuel, mensuels | es mensual, mensuales, al mes, por mes | it mensile, mensili, al mese | nl per maand | pl miesięcznie, w skali miesiąca | sv per månad | pt ao mês, por mês, mensal
annual | fr annuel, annuelle, annuels, annuelles | it annuale, annuali | nl jaarlijks, jaarlijkse | pl roczn* | sv årlig, årliga | pt anual
`;
