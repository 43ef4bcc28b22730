/** The words of terms, liability, ownership and governing law that complete those of `agreement-words.ts`. */
export const clauseWords = `
starting on | nl ingaande op, ingaande per, gaat in op, vangt aan op, aanvangende op | pt com início em, com início a, inicia-se em | it a decorrere dal, con decorrenza dal, decorre dal | es con inicio el, con inicio en, a contar desde el | fr prenant effet le, commençant le | sv med start den, börjar löpa den | pl rozpoczynając od, począwszy od
quarterly | fr par trimestre, par trimestre civil, trimestriellement | es por trimestres, trimestralmente | it a trimestri, trimestralmente | pt por trimestre, trimestralmente | nl per kwartaal | pl kwartalnie | sv kvartalsvis
may be terminated by the | fr est résilié de plein droit au profit du, est résiliée de plein droit au profit de la, sera résilié de plein droit au profit du, sera résiliée de plein droit au profit de la, est résilié de plein droit par le, sera résilié de plein droit par le
if there is non-payment | fr à défaut de paiement, en cas de non-paiement, faute de paiement
formal notice | fr un commandement, un commandement de payer, commandement de payer, une mise en demeure, mise en demeure
bears interest | fr porte intérêt, portera intérêt, porteront intérêt, portent intérêt, produit intérêt, produira intérêt, produit des intérêts, est productive d'intérêts, sont productives d'intérêts | es devenga intereses, devengará intereses, devengarán intereses | it produce interessi, producono interessi, frutta interessi | pt vence juros, vencerá juros, vencem juros | nl draagt rente, is rente verschuldigd | sv löper med ränta, löper ränta
late payments | it ritardi di pagamento, ritardati pagamenti, ritardi | es pagos atrasados, retrasos en el pago | pt atrasos de pagamento, pagamentos em atraso
shall not exceed | it non supera, non superano, non supererà, non potrà superare, non può superare, non eccede, non eccederà, non può eccedere | es no supera, no excede, no podrá superar, no podrá exceder, no superará, no excederá | fr n'excède pas, ne dépasse pas, n'excédera pas | pt não excede, não ultrapassa, não excederá, não ultrapassará, não poderá exceder | nl bedraagt niet meer dan, bedraagt ten hoogste, bedraagt maximaal | pl nie przekracza, nie przekroczy, nie może przekroczyć | sv överstiger inte, ska inte överstiga
paid | it corrisposti, corrisposte, corrisposto, versati | es abonados, abonadas, satisfechos | pt pagos, pagas | nl betaalde | pl zapłaconych, uiszczonych | sv erlagda
preceding | it precedenti | es precedentes, anteriores a | fr précédant | pt anteriores a, precedentes | nl voorafgaand aan, voorafgaande | pl poprzedzających | sv föregående
and ends on | fr pour se terminer le, pour finir le, et se termine le, et prend fin le, et prendra fin le, pour expirer le | es y finaliza el, y finalizará el, y termina el, y terminará el, hasta el | it e termina il, e scade il, con scadenza il, con scadenza al | pt e termina em, com termo em | nl en eindigt op, tot en met | pl i kończy się, i kończy się dnia | sv och upphör den
former | fr ancien, ancienne, précédent locataire | es antiguo, anterior arrendatario | it precedente conduttore | pt anterior inquilino | nl voormalige, vorige | pl poprzedni, poprzednia | sv tidigare
supply | fr fournir | es suministrar | it fornire | pt fornecer | nl leveren | pl dostarczać | sv leverera
sell | fr vendre | es vender | it vendere | pt vender | nl verkopen | pl sprzedawać | sv sälja
let | fr louer, donner à bail | es arrendar, alquilar | it locare, affittare | pt arrendar | nl verhuren | pl wynajmować, wynająć | sv hyra ut
a competitor | fr un concurrent | es un competidor | it un concorrente | pt um concorrente | nl een concurrent | pl konkurentowi | sv en konkurrent
loss of goodwill | fr perte de la clientèle, perte de clientèle, atteinte à l'image | es pérdida de fondo de comercio | it perdita di avviamento | pt perda de clientela | nl verlies van goodwill | pl utrata renomy | sv förlust av goodwill
wilful misconduct | fr faute dolosive, dolosive
supersedes all prior agreements | fr annule les échanges antérieurs, annule tous échanges antérieurs, annule tout échange antérieur, remplace les échanges antérieurs
from its signature | es desde su firma, a partir de su firma, desde la firma | fr à compter de sa signature | it dalla sottoscrizione, dalla firma, dalla data di sottoscrizione | pt a contar da assinatura, a partir da assinatura | nl vanaf ondertekening
ends on | nl eindigt van rechtswege op, eindigt op, loopt af op | pt termina em, cessa em | it termina il, scade il, cessa il | es finaliza el, termina el, vence el | fr se termine le, expire le, prend fin le | sv upphör den, löper ut den | pl kończy się, wygasa z dniem
ends automatically | sv upphör därefter utan uppsägning, upphör därefter | nl eindigt van rechtswege, eindigt zonder dat opzegging | pl wygasa z upływem
automatically renewed | nl telkens stilzwijgend, wordt telkens stilzwijgend, stilzwijgend
renews automatically for | fr est renouvelé par tacite reconduction, se renouvelle par tacite reconduction, renouvelable par tacite reconduction | it si rinnova tacitamente, si rinnoverà tacitamente | es se prorrogará tácitamente, prorrogable tácitamente
extended | nl verlengd
extend | nl verlengen
either party may extend | nl partijen kunnen haar, partijen kunnen de overeenkomst
successive terms of one year | es por períodos anuales, por periodos anuales, por anualidades, períodos anuales sucesivos | it di anno in anno | fr par périodes d'un an, par périodes annuelles, d'année en année | pt por períodos anuais, por períodos de um ano | sv med ett år i taget
successive terms of equal length | pt por iguais períodos, por iguais e sucessivos períodos | es por iguales períodos, por períodos iguales, por idénticos períodos | it per uguale periodo, per eguale periodo, per ulteriori periodi di uguale durata | fr par périodes identiques, pour des périodes identiques
remains in force for | es durará, tendrá una vigencia de | it avrà durata di, dura | fr durera | pt durará, terá a duração de
is entered into for an indefinite period | pl zawarta jest na czas nieokreślony, zawarta na czas nieokreślony, została zawarta na czas nieokreślony
not remedied within | fr non réparé dans un délai de, non réparée dans un délai de, auquel il n'est pas remédié dans un délai de | es no subsanado en, no subsanado en un plazo de | it non sanato entro, a cui non sia posto rimedio entro | nl niet hersteld binnen | pt não sanado no prazo de
days prior notice | pt dias de antecedência
is due within | it avverrà entro, sarà effettuato entro, deve avvenire entro
payment term is | nl betalingstermijn bedraagt
is governed by Dutch law | nl is nederlands recht van toepassing
is governed by Belgian law | nl is belgisch recht van toepassing
the governing law is | pl prawem właściwym jest | it la legge applicabile è | es la ley aplicable es, el derecho aplicable es | fr la loi applicable est, le droit applicable est | pt a lei aplicável é
governed by | fr soumis au, soumise au | es sujeto a, sujeta a | pt sujeito à, sujeito a
finally resolved by arbitration | fr sera tranché par arbitrage, seront tranchés par arbitrage, tranché par arbitrage | es se resolverá mediante arbitraje, se resolverán mediante arbitraje | it sarà risolta mediante arbitrato, saranno risolte mediante arbitrato | pt será resolvido por arbitragem, serão resolvidos por arbitragem
exclusive jurisdiction of the courts in | pl rozstrzyga sąd w, rozstrzyga sąd powszechny w | it foro competente è, foro esclusivo di
does not apply in the event of | es no rige en caso de, no se aplicará en caso de | it non si applica in caso di, non opera in caso di | fr ne joue pas en cas de | pt não se aplica em caso de | pl nie dotyczy szkód wyrządzonych, nie dotyczy szkody wyrządzonej | nl geldt niet in geval van, geldt niet bij
the limitation | sv begränsningen, ansvarsbegränsningen | nl de beperking, deze beperking | pl ograniczenie | it la limitazione, tale limite, detto limite | es la limitación, este límite, el límite | fr cette limitation, ce plafond | pt a limitação, este limite
wilful misconduct | pl umyślnie, umyślną, winy umyślnej | pt dolo
gross negligence | nl bewuste roekeloosheid | pl rażącego niedbalstwa, rażące niedbalstwo | pt culpa grave, negligência grosseira
breach of confidentiality | pl naruszenia obowiązku poufności, naruszenia poufności | pt violação da confidencialidade
is not liable for | it è escluso il risarcimento del, è escluso il risarcimento della, è escluso il risarcimento dei, non risponde del, non risponde dei | es no responde de, no responde del | pt não responde por
the deliverables | nl de rechten op het resultaat, rechten op het resultaat, het resultaat, de resultaten | sv rättigheterna till resultatet, resultatet | pl prawa do rezultatów, rezultaty prac
vest on payment in | nl gaan bij betaling over op, gaan na betaling over op
vest in | nl gaan over op, komen toe aan, komt toe aan | sv övergår till, övergår på | pl przechodzą na
belongs to | sv tillfaller, tillkommer | it spettano al, spettano alla, spetta al | pl należą do, przysługują
remains the property of | es sigue siendo titularidad del, sigue siendo propiedad del, sigue siendo titularidad de, permanecerá en propiedad de | pt permanece propriedade de, continua a ser propriedade de
held before the agreement | nl al bezat, reeds bezat | pl stworzył przed zawarciem umowy
shall not solicit | es no podrá contratar | nl zal niet in dienst nemen | it non assumerà | pt não contratará | pl nie będzie zatrudniać
may not assign their rights | nl dragen hun rechten niet over
keep confidential | es guardarán secreto, guardará secreto, mantendrán en secreto | it mantengono riservate, mantiene riservate, manterranno riservate, manterrà riservate | pt guardarão sigilo, manterão sigilo
thereafter | sv därefter | nl daarna
`;
