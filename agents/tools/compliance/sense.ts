/**
 * In which sense a clause says something: as it is, denied, planned, only if, formerly, as an example, as what a law says, or of
 * somebody else. Tables of cue words in nine languages, of which the document's own and the English are looked for.
 */
import { compilePhrases, type PhraseList, type PhraseMatch, phraseList } from '../text/phrases.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { isExampleRow } from './example-rows.ts';
import { labelsInTitle } from './flat-text.ts';
import { furtherCues } from './further-wordings.ts';
import type { Language } from './languages.ts';
import { type Clause, phrasesIn } from './reading.ts';

export type Cue =
  | 'denied'
  | 'planned'
  | 'conditional'
  | 'former'
  | 'example'
  | 'law'
  | 'other'
  | 'turn'
  | 'harmless'
  | 'achieved';

const cues: Readonly<Record<Language, Readonly<Partial<Record<Cue, string>>>>> = {
  en: {
    denied:
      'not; never; nothing; without; none; neither; nor; cannot; lacks; lacking; lack of; excludes; excluded; outside; out of; absent; missing; no; instead of; rather than; disabled; rejected',
    harmless:
      'not only; no later; not later; no less; not less; not more; no more than; no longer than; without undue|delay|prejudice|limitation|notice|unreasonable|limiting; not limited; not exceed*; no exceptions; without exception; no critical; no later than; no prior; out of hours; out of band; out of office; nor shall; not be|constitute ~2 violation|breach|infringement|incident; not qualify; not a|an violation|breach|infringement',
    planned:
      'has been ordered; have been ordered; on order; goes live; will go live; will be ~2 active|live|available|operational; planned; plans to|for; will be ~3 implemented|introduced|rolled|deployed|enabled|activated|encrypted|completed; roadmap; under way; underway; in progress; being rolled|introduced|implemented|prepared|deployed; to be implemented|introduced|rolled|defined|established|deployed; pursue; pursuing; scheduled for|in|to; intends to; intend to; yet to; not yet; procurement started; in preparation; expected; aims to; aim to; seek; seeks; seeking; working towards; envisaged; readiness; next year; in future; in the future; target date; targeted for; coming soon; coming next|in; to follow; in progress; pilot; outstanding',
    conditional:
      'if; unless; would; were to; where a|an|any ~8 not; in the event; in case of; hypothetical*; had we; should the; should any; might; could; may request; where required; assuming',
    former:
      'former; formerly; had been kept|retained|stored; previous; previously; superseded; supersedes; withdrawn; abolished; no longer; removed; obsolete; used to; repealed; discontinued; any more; anymore; until 201*; until 202*; prior version; earlier version|edition|issue; old policy; retired; sold in; given up; abandoned; replaced by',
    example:
      'example; e g; for instance; sample answer; comparison; illustration; fictitious; glossary; guidance; instructions',
    law: 'statutory; statute*; by law; the law; legally; article|art ~4 requires|provides|allows|gives|grants|obliges|permits; gdpr requires|provides|allows; must itself; itself notify; legal maximum|period|limit|deadline; under national law; regulator requires; hipaa requires; law|laws require|requires; rule|rules ~2 gives|give|requires|require|allows|allow; regulation|regulations ~2 require|requires|allow|allows; would allow; under|pursuant|by section 100*|110*|120*|130*|140*|150*|160*|170*|180*|190*; a|the business|controller|company|operator|organization must generally; must generally',
    other:
      'user entity|entities; subservice ~2 organization*|organisation*; our customers|clients; customers are|ask|must|may|sometimes; some customers|clients; payment processor; payment provider; acquirer; affiliate; unrelated; subcontractor|subcontractors; told us; tells us; informed us that; the supplier|vendor|provider ~4 told|says|claims|states|holds|is; lms vendor; vendor ~4 holds; did not verify; a vendor that; vendors that; a supplier that; suppliers that|must|should|shall|who; provider has|holds|is|gave|supplied; hosting provider; data centre operator|provider; data center operator|provider; sister company; parent company; another company; other company; third party ~3 certified|holds; informed ~6 that it; claims; of our|a|the ~3 vendor|supplier; its|our ~3 vendor|provider|supplier|partner|host ~6 is|has|holds|provides|was; customers ~1 review|manage|enforce|maintain|ensure; their own users; states that it; states that they; not examine; own soc; own report',
    turn: 'but; however; although; though; while; whereas; except',
    achieved:
      'has|have been ~2 switched|enabled|introduced|activated|implemented|rolled|completed|deployed|installed; now enabled|enforced|active|implemented|in; is now; are now; since then; meanwhile',
  },
  de: {
    denied:
      'nicht; kein; keine; keinen; keiner; keinem; keines; ohne; nie; weder; noch; fehlt; fehlen; fehlend*; ausgenommen; außerhalb; ausgeschlossen; entfällt; nein; anstelle; deaktiviert',
    harmless:
      'nicht nur|später|mehr|länger|weniger|vor; ohne unangemessene|schuldhaftes|schuldhaften|unnötige|ausnahme|verzögerung|verzug|weiteres|vorankündigung; keine ausnahmen|abweichungen|feststellungen; noch am; noch vor; noch im; weder mehr',
    planned:
      'bestellt; beauftragt ~4 ab; geht ~3 in betrieb; wird ~3 aktiv|verfügbar; geplant*; vorgesehen; angestrebt; in arbeit|umsetzung|einführung|vorbereitung|planung; wird|werden ~6 eingeführt|umgesetzt|ausgerollt|aktiviert|realisiert; noch nicht; noch keine|kein|keinen; soll ~5 eingeführt|werden; künftig; zukünftig; ausstehend; im aufbau; beabsichtigt; strebt; streben; roadmap; pilot*; bis ende; offen',
    conditional:
      'falls; sofern; wenn; würde; würden; wäre; wären; hätte; hätten; im falle; im fall; könnte; könnten; sollte ein|eine|die|der|das|sich; nur erfolgen; bedarf der; es sei denn; gegebenenfalls',
    former:
      'früher; frühere; früheren; früherer; ehemalig*; ehemals; überholt; entfallen; gestrichen; aufgehoben; nicht mehr; vormals; bisherige; bisher; abgelöst; bis 201*; bis 202*; alte fassung; vorige; vorherige; eingestellt; ersetzt; verworfen; aufgegeben',
    example: 'beispiel*; z b; bspw; etwa solche; vergleich*; muster; fiktiv*; glossar; hinweis für',
    law: 'gesetzlich*; gesetz; gesetzes; rechtlich vorgeschrieben; das gesetz; kraft gesetzes; selbst ~4 melden|meldet; art ~4 verlangt|schreibt|sieht|gewährt; der verantwortliche ~4 selbst',
    other:
      'nur für den|die|das; gilt nicht; gelten nicht; gelten nur; gilt nur; dienstleister sollen|müssen|haben|ist|hat|verfügt; sie sollen; lieferanten sollen|müssen; unterauftragnehmer ist|hat|verfügt; zahlungsdienstleister; muttergesellschaft; schwestergesellschaft; tochtergesellschaft; rechenzentrumsbetreiber ist|hat|verfügt; einige kunden; teilt ~4 mit; gibt ~5 an; nach eigenen angaben; manche kunden; unsere kunden; anderes unternehmen; anbieter ist|hat|sollen|verfügt; hoster; kunden ~1 prüfen|verwalten|pflegen|stellen; ihrer eigenen nutzer; korrespondierende* kontrolle*',
    turn: 'aber; jedoch; sondern; während; wobei; allerdings; hingegen',
    achieved:
      'wurde|wurden ~5 eingeführt|aktiviert|umgesetzt|eingeschaltet|nachgerüstet; ist nun; sind nun; inzwischen; mittlerweile; nunmehr',
  },
  fr: {
    denied:
      'ne; n; pas; aucun; aucune; sans; hors; non; jamais; ni; absence; exclu; exclue; exclus; exclut; dépourvu; manque; désactivé',
    harmless:
      'non conformité*; non conforme*; pas plus|seulement; non seulement; sans délai|préjudice|retard|exception|réserve; sans délai injustifié; hors ligne; hors site; hors sol; hors bande; n est accordé qu; ni exception; ne peut excéder|dépasser; ne peuvent excéder|dépasser; n excède; aucune exception; dans les meilleurs; hors heures; hors de l; hors de; hors ue; hors eee',
    planned:
      'sera ~2 actif|active|opérationnel|opérationnelle|disponible; a été commandé*; en commande; prévu ~3 pour|en|au; prévue ~3 pour|en|au; planifié*; sera|seront ~3 déployé*|mis|mise|mises|activé*|réalisé*|généralisé*|chiffré*|introduit*|achevé*; pourra|pourront ~2 étudié*|étudiée|envisagé*|engagé*|engagée|examiné*|examinée; sera|seront ~2 étudié*|étudiée; à l étude; en cours ~3 de; en cours; pas encore; envisagé*; en projet; en préparation; à venir; feuille de route; en rédaction; à mettre; vise; viser; prochainement; pilote en; à ce jour pas',
    conditional:
      'si; s il; en cas de|d; serait; seraient; venait; pourrait; pourraient; dans l hypothèse; à supposer; le cas échéant; sous réserve; devrait',
    former:
      'ancien; ancienne; anciens; était|étaient ~3 conservé|conservée|conservés|conservées|archivé|archivée|archivés|archivées; anciennes; abandonné*; supprimé*; remplacé*; n est plus; ne sont plus; ne s applique plus; plus en vigueur; précédente; précédent; jusqu en; auparavant; obsolète; retiré*; abrogé*; antérieure; antérieur',
    example: 'exemple*; pour mémoire; par ex; p ex; comparaison; illustration; fictif; glossaire; lecture',
    law: 'légale; légal; légales; légaux; la loi; loi; réglementaire; prescrit*; doit lui même; article ~4 impose|exige|prévoit|accorde|laisse; la réglementation; code du travail',
    other:
      'le prestataire ~5 a|dispose|est|nous|détient; prestataire ~5 nous|détient|remis; prestataire de paiement; fournisseur ~4 a|dispose|est|détient; les prestataires doivent; les fournisseurs doivent; hébergeur; certains clients; affirme; indique ~6 qu; déclare être; nos clients; société sœur; maison mère; filiale; sous traitant ~3 dispose|détient|certifié; acquéreur; autre société; autre entreprise; ne concerne que; s applique qu',
    turn: 'mais; toutefois; cependant; tandis; alors; néanmoins',
    achieved:
      'a été ~2 activé*|déployé*|mis|mise|généralisé*|introduit*; ont été ~2 activé*|déployé*|mis|mises|généralisé*; est désormais; sont désormais; désormais; depuis lors',
  },
  it: {
    denied:
      'non; né; senza; nessun; nessuna; nessuno; mai; fuori; escluso; esclusa; esclusi; escluse; manca; mancano; assente; assenza; privo; priva; no; disattivat*',
    harmless:
      'non conformità; non conforme; non conformi; non oltre; non solo; non più di|tardi; senza indebito|ingiustificato|ritardo|indugio|eccezioni|pregiudizio; non superiore; non inferiore; no profit; fuori sede; nessuna eccezione; fuori linea; fuori orario; non meno',
    planned:
      'è stato ordinat*; è stata ordinat*; ordinato; sarà ~2 attivo|attiva|operativo|operativa|disponibile|installato|attivato; saranno ~2 attivi|attive|operativi; in ordine; pianificat*; previsto per; prevista per; previsti per; previste per; sarà ~3 introdott*|attivat*|implementat*|estes*|complet*; saranno ~3 introdott*|attivat*|implementat*|estes*; in corso ~3 di; in corso; non ancora; in programma; in fase di; da implementare; da attuare; in preparazione; entro fine; in valutazione; si prevede di; intende; roadmap; futuro; in redazione; allo studio',
    conditional:
      'se; qualora; in caso di; nel caso; sarebbe; sarebbero; potrebbe; potrebbero; ove; purché; salvo che; eventuale; eventuali; può essere; possono essere',
    former:
      'precedente; precedenti; abrogat*; superat*; ritirat*; non più; ex; sostituit*; abbandonat*; eliminat*; soppress*; vecchia; vecchio; in passato; obsolet*',
    example: 'esempio; esempi; ad es; per es; confronto; a titolo esemplificativo; fittizi*; glossario',
    law: 'di legge; la legge; per legge; normativa; legale; legali; legge; ai sensi di legge; art ~4 prevede|impone|concede|richiede|stabilisce; deve a sua volta; il titolare ~4 entro 72',
    other:
      'il fornitore ~4 è|ha|dispone|possiede|dichiara; fornitori devono|dovranno; subfornitore; fornitore di servizi di pagamento; alcuni clienti; afferma di; dichiara di; i nostri clienti; consociata; capogruppo; controllata; altra società; il datacenter ~3 è; hosting provider; si applica solo; solo al; solo alla; riguarda solo',
    turn: 'ma; tuttavia; mentre; però; bensì; invece',
    achieved:
      'è stat* ~2 attivat*|introdott*|implementat*|estes*; sono stat* ~2 attivat*|introdott*|implementat*|estes*; ora attiv*; ormai; da allora',
  },
  es: {
    denied:
      'no; sin; ningún; ninguna; ninguno; ni; nunca; tampoco; fuera; excluido; excluida; excluidos; excluye; excluyen; carece; falta; faltan; ausencia; jamás; desactivad*',
    harmless:
      'no conformidad; no conformidades; no conforme; no conformes; no más|menos|superior|inferior|solo|sólo|obstante|exceda|excederá|después; sin demora|dilación|perjuicio|indebida|retraso|excepciones|excepción; sin dilación indebida; fuera de línea; fuera de las instalaciones; fuera de horario; sin ánimo; no seleccionad*',
    planned:
      'estará ~2 activo|activa|operativo|operativa|disponible; se ha pedido; está pedido; ha sido encargado; previsto para; prevista para; previstos para; previstas para; planificad*; prevé ~3 implantar|introducir|activar|desplegar; se implantará; se implantarán; se desplegará; se activará; se introducirá; será ~2 implantad*|desplegad*|activad*; en proceso; en curso; en fase; todavía no; aún no; no ~4 todavía; pendiente*; en preparación; en el futuro; hoja de ruta; proyectad*; se prevé; se ha contratado; se contratará; en redacción; en estudio',
    conditional:
      'si; en caso de; en el caso; sería; serían; podría; podrían; siempre que; decayera; decayese; fuera a; salvo que; eventual; eventuales; en su caso; cuando proceda; supuesto',
    former:
      'anterior; anteriores; se conservaban|guardaban|archivaban; antiguo; antigua; retirad*; ya no; suprimid*; derogad*; sustituid*; abandonad*; eliminad*; obsolet*; preveía; precedente; hasta 201*; hasta 202*; vencid*; previo; descartad*; dej* de',
    example: 'ejemplo; ejemplos; p ej; por ej; comparación; ilustrativ*; ficticio; glosario; a título de',
    law: 'la ley; legal; legales; legalmente; por ley; normativa; ley; el reglamento concede|exige|otorga; artículo ~4 exige|prevé|concede|establece; la guía; guía sectorial; debe por su parte',
    other:
      'el proveedor ~4 es|tiene|afirma|dispone|posee|declara; proveedores deben|deberán; proveedor de pagos|alojamiento; algunos clientes; afirma; indica ~5 que; declara estar; nuestros clientes; filial; matriz; empresa hermana; otra empresa; otra sociedad; subcontratista; adquirente; solo para|a|al; sólo para|a|al; únicamente al|a|para; se aplica solo',
    turn: 'pero; aunque; mientras; sino; sin embargo',
    achieved:
      'se ha|han activado|implantado|introducido|habilitado|desplegado; ha sido ~2 activad*|implantad*|habilitad*; han sido ~2 activad*|implantad*|habilitad*; ya está; ya están; desde entonces',
  },
  nl: {
    denied:
      'niet; geen; zonder; nooit; noch; buiten; ontbreekt; ontbreken; uitgesloten; uitgezonderd; nee; afwezig; uitgeschakeld; behalve',
    harmless:
      'niet later|alleen|meer dan|langer|enkel|minder; zonder onredelijke|vertraging|onnodige|uitzondering|onnodig; geen uitzonderingen|afwijkingen|bevindingen; buiten kantooruren|werktijd; niet openbaar',
    planned:
      'besteld; zal ~3 actief|operationeel|beschikbaar; wordt ~3 actief|operationeel; gepland*; wordt|worden ~5 ingevoerd|uitgerold|geïmplementeerd|geactiveerd; nog niet; nog geen; in voorbereiding; in ontwikkeling; in uitvoering; beoogd; voorzien voor; streeft; streven; zal|zullen ~5 worden; binnenkort; op termijn; openstaand; volgt in; uitrol; roadmap',
    conditional: 'als ~4 zou; indien; tenzij; mits; mocht; zou; zouden; in geval van; eventuele; wanneer zich; ingeval',
    former:
      'voormalig*; vorige; vorig; eerdere; eerder; vervallen; ingetrokken; niet meer; geschrapt; oude; afgeschaft; vervangen; achterhaald; voorheen; destijds; opgeheven; niet langer; andere registers',
    example:
      'voorbeeld; voorbeelden; bijv; bijvoorbeeld; vergelijking; ter illustratie; fictief; woordenlijst; verwijderen voor gebruik',
    law: 'wettelijk*; de wet; bij wet; wet; artikel ~4 vereist|verplicht|bepaalt|geeft; dient ~3 zelf; zelf ~5 melden; moet ~3 zelf',
    other:
      'de leverancier ~4 is|heeft|beschikt; leveranciers moeten|dienen; onze klanten; verklaart zelf; zegt te; sommige klanten; betaaldienstverlener; zustermaatschappij; moedermaatschappij; dochter; ander bedrijf; andere organisatie; hostingpartij; onderaannemer ~4 is|heeft; alleen voor; geldt niet; certificatie instelling',
    turn: 'maar; echter; terwijl; doch; hoewel',
    achieved:
      'is ~2 ingeschakeld|ingevoerd|geactiveerd; zijn ~2 ingeschakeld|ingevoerd|geactiveerd; inmiddels; sindsdien; nu ingeschakeld',
  },
  ...furtherCues,
};

const lists = new Map<Language, PhraseList<Cue>>();
for (const language of Object.keys(cues) as Language[]) {
  const own = Object.entries(cues[language]);
  const english = language === 'en' ? [] : Object.entries(cues.en).filter(([cue]) => cue !== 'conditional');
  lists.set(
    language,
    compilePhrases([...own, ...english].map(([cue, text]) => [cue as Cue, phraseList(text!)] as const)),
  );
}

const known = new WeakMap<Clause, readonly PhraseMatch<Cue>[]>();

/** The cues of a clause; denials that deny nothing are left out. */
export function cuesOf(clause: Clause, language: Language): readonly PhraseMatch<Cue>[] {
  const found = known.get(clause);
  if (found !== undefined) return found;
  const all = phrasesIn(clause, lists.get(language)!);
  const harmless = all.filter(({ label }) => label === 'harmless');
  const kept = all.filter(
    ({ label, firstWord, start, end }) =>
      label !== 'harmless' &&
      !(label === 'denied' && harmless.some((each) => each.firstWord <= firstWord && firstWord < each.endWord)) &&
      !(
        label === 'denied' &&
        /^(?:no|n|non)$/i.test(clause.text.slice(start, end)) &&
        /^(?:[.-]|\s{0,2}\d)/.test(clause.text.slice(end, end + 3))
      ),
  );
  known.set(clause, kept);
  return kept;
}

/** Words between a thing and a denial behind it. */
const denialWordsMax = 10;

/**
 * The cues that hold for a range of the clause's text: those on its own side of "but", "although", "while"; behind it, a denial only
 * up to the next comma.
 */
export function cuesAround(clause: Clause, language: Language, { start, end }: Range): PhraseMatch<Cue>[] {
  const all = cuesOf(clause, language);
  const turns = all.filter(({ label }) => label === 'turn');
  const from = Math.max(0, ...turns.filter((turn) => turn.end <= start).map((turn) => turn.end));
  const to = Math.min(clause.text.length, ...turns.filter((turn) => turn.start >= end).map((turn) => turn.start));
  const lastWord = indexAt(clause.words, end - 1) ?? 0;
  return all.filter((cue) => {
    if (cue.start < from || cue.end > to) return false;
    if (cue.start < end || (cue.label !== 'denied' && cue.label !== 'former')) return true;
    return (
      cue.firstWord - lastWord <= denialWordsMax &&
      !clause.text.slice(end, cue.start).replace(listComma, ' ').includes(',')
    );
  });
}

/** "ISO 9001, ISO 14001 and TISAX are not …": commas of a list. */
const listComma = /,(?=\s{0,3}(?:\p{Lu}|\d))/gu;

/** Whether one of some cues holds for a range of the clause's text. */
export function hasCue(clause: Clause, language: Language, range: Range, ...wanted: readonly Cue[]): boolean {
  return cuesAround(clause, language, range).some(({ label }) => wanted.includes(label));
}

const asideHeadings = compilePhrases<'aside'>([
  [
    'aside',
    phraseList(
      'definitions; glossary; revision history; version history; change history; change log; document history; document control; legend; ' +
        'complementary user entity; user entity controls; begriffe; begriffsbestimmungen; glossar; änderungen; änderungshistorie; änderungsverlauf; legende; ' +
        'définitions; glossaire; historique; légende; definiciones; glosario; historial; control de cambios; leyenda; anciens risques; definizioni; glossario; cronologia; ' +
        'storico; legenda; revisioni; definities; begrippen; begrippenlijst; wijzigingen; versiebeheer; versiehistorie; wijzigingshistorie; former risks; closed risks; ' +
        'contents; table of contents; inhalt; inhaltsverzeichnis; sommaire; table des matières; índice; indice; inhoud; inhoudsopgave; disclaimer; avvertenze; advertencias; avertissement; historique des versions; storia delle revisioni; scoring; ' +
        'histórico; alterações; definições; glossário; historia zmian; definicje; słownik; ändringshistorik; definitioner; ordlista; revisionshistorik; innehåll; spis treści; frühere vorfälle; incidents antérieurs; previous incidents',
    ),
  ],
]);

const asideLabel =
  /^(?:(?:general )?guidance|general note|allgemeine (?:auftrags|geschäfts)bedingungen|general terms|terms of engagement|conditions générales|condiciones generales|condizioni generali|algemene voorwaarden|opportunit\p{L}+ for improvement|ofi|recommendations?|verbesserungs\p{L}+|empfehlung\p{L}*|piste d.amélioration|recommandation\p{L}*|oportunidad\p{L}* de (?:mejora|melhoria)|recomenda\p{L}*|spunt\p{L} di miglioramento|raccomandazion\p{L}|verbeterp\p{L}+|aanbeveling\p{L}*|instructions?|change history|revision history|changes since|previous version|former version|requirement text|extract from|excerpt|model forms?|form note|text of the requirement|sample|muster|auszug|extrait|modèle|extracto|modelo|estratto|uittreksel|exemplo|extrato|przykład|wzór|exempel|how to|example|note to \p{L}+|hinweise? (?:für|zum)|ausfüllhinweise?|anleitung|beispiel|consignes?|mode d.emploi|exemple|instrucciones|ejemplo|istruzioni|esempio|instructie|toelichting bij|voorbeeld)/iu;

/** Whether a clause is beneath a heading, or in a line with a label, of definitions, legends, instructions or former editions. */
export function isAside({ heading, label, row }: Clause): boolean {
  if (label !== undefined && asideLabel.test(label)) return true;
  if (row !== undefined && isExampleRow(row)) return true;
  return [heading, label ?? '', row?.heading ?? ''].some(
    (text) => text !== '' && labelsInTitle(text, asideHeadings).size > 0,
  );
}

/** The same for a row. */
export function isAsideRow({ heading }: { readonly heading: string }): boolean {
  return heading !== '' && labelsInTitle(heading, asideHeadings).size > 0;
}
