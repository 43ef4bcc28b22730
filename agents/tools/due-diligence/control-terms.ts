/** Agreements with consequences for a change of control or the transaction: the counterparty and the consequence. */
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { type Cue, cueReader } from './cues.ts';
import type { Flow, Sentence } from './flow.ts';
import { capitalisedIn, companiesIn, peopleIn } from './names.ts';
import { ownName } from './own-name.ts';
import { tableRows } from './table-rows.ts';

export type Consequence =
  | 'termination'
  | 'consent'
  | 'repayment'
  | 'payment'
  | 'accelerated-vesting'
  | 'notice'
  | 'none';

export interface ControlTerm extends Range {
  readonly counterparty?: string;
  readonly consequence: Consequence;
}

type Label = Consequence | 'event' | 'closing' | 'reward' | 'otherwise' | 'supposed' | 'defined' | 'exception';

const cues = cueReader<Label>({
  event: `change|changes|changed of|in ~2 control; change|changes ~2 of|in ~2 ownership|shareholder*|shareholding*; control ~8 changes|changed|passes; ceas* to ~3 control; acquisition ~2 of control; acquires control; transfer|sale ~3 majority ~4 shares; acquires|acquire ~8 shares|stock|capital|votes; more than ~6 shares|votes ~4 acquired|transferred; coc; erwirbt ~10 anteile|stimmrechte|aktien; acquiert|détient ~8 capital|actions|droits; adquiera|adquiere ~8 acciones|participaciones|capital; verwerft ~8 aandelen; kontrollwechsel*; kontrollerwerb*; wechsel ~2 kontrolle|gesellschafter*|anteilseigner*|eigentümer*|mehrheit*; gesellschafterwechsel*; änderung ~3 mehrheitsverhältnisse*|gesellschafter*|beteiligungsverhältnisse*|kontrolle|anteilseigner*|eigentümer*; eigentümerwechsel*; inhaberwechsel*; changement* ~1 contrôle; changement* ~2 actionnaire*|actionnariat; modification ~3 contrôle|actionnariat; prise de contrôle; cambio* ~1 control; cambio* ~2 accionari*|accionariado|titularidad|socios; toma de control; wijziging|verandering|overgang|wisseling ~3 zeggenschap|controle|aandeelhouder*; zeggenschapswijziging*; eigendomswijziging*; controlewijziging*`,
  closing: `upon|at|on ~1 closing|completion; upon ~4 consummation|sale of; as a result of|by reason of ~3 transaction*|merger|acquisition; bei|mit|zum vollzug|closing; à|lors de la réalisation; al cierre; bij closing|overdracht`,
  'accelerated-vesting': `unvested ~4 vest|vests; options|awards|shares ~3 vest|vests; vest|vests|vesting ~2 full|immediately|accelerat*; accelerat* ~3 vest*; fully vest*; full acceleration; double trigger; single trigger; become* exercisable; vesting ~3 beschleunigt; sofort unverfallbar; acquisition accélérée; vesting acelerado; aceleración ~2 vesting|consolidación; versneld* ~1 vesting`,
  reward: `bonus*; severance; months salary|pay; monatsgehält*; jahresgehält*; mois ~1 salaire; mensualidades; maandsalarissen; lump sum; golden parachute; retention payment*|letter*|agreement*|award*; transaction bonus*; stay bonus*; exit fee; success fee; change of control payment; transaction fee; salar* multiple; abfindung*; sonderzahlung*; prämie*; sonderbonus; indemnité*; prime; parachute; indemnización*; bonificación; prima; ontslagvergoeding*; vertrekvergoeding*; bonusuitkering*`,
  termination: `terminat*; cancel*; rescind*; walk away; end ~2 agreement|contract; kündig*; gekündigt; kündbar*; sonderkündigungsrecht*; kündigungsrecht*; rücktritt*; beenden; résili*; dénonc*; rupture; mettre fin; resolver; resolución*; resolv*; resuelto|resuelta; rescindid*; rescisión|rescindir; terminación; dar por terminado; opzeg*; opgezegd; beëindig*; ontbind*; revoke*`,
  repayment: `repay*; repaid; prepay*; prepaid; prepayment; immediately due; due and payable; accelerat*; mandatory redemption; redemption at; put option; event of default; rückzahl*; zurückzuzahlen; fällig*; vorfällig*; remboursement*; remboursable*; exigib*; déchéance du terme; vencimiento anticipado; amortización anticipada; reembolso*; exigible; devolución; terugbetal*; opeisbaar*; aflos*; afgelost; vervroegd* aflossing`,
  consent: `consent; approval; approve; permission; zustimm*; einwillig*; genehmig*; accord; agrément; autorisation; consentement; consentimiento; autorización; aprobación; toestemm*; goedkeur*; instemm*; waiver`,
  payment: `pay; pays; payment; payable; fee; fees; zahlung; zahlt; zahlbar; paiement; payer; versement; pago; pagar; abonar; betaling; betalen; vergoeding*; compensation`,
  notice: `notif*; notice; inform*; anzeige*; anzuzeigen; mitteil*; mitzuteilen; benachrichtig*; unterricht*; aviser; avis; comunicar; comunicación; notific*; avisar; kennisgev*; melden; mededel*; meldingsplicht; informer*`,
  none: `intentionally omitted; intentionally left blank; deleted; reserved; carece* ~3 cláusula|clause; lacks ~3 provision|clause; no effect|impact|consequence*|action; keine ~1 auswirkung*|folgen; aucun ~1 effet|impact; sans effet|incidence; sin ~1 efecto*; geen ~1 gevolg*|effect; no restriction*; no ~1 provision*|clause*; no change of|in control; no coc; no such; no ~3 provision*|clause*|restriction*|right* ~4 control; contain*|has|have|include* no ~2 provision*|clause*|restriction*|right*|term*|such|change; not ~3 triggered|affected|apply|contain|include|provide|restrict; unaffected; silent; none; kein* ~3 klausel*|regelung*|kündigungsrecht*|zustimmung*|kontrollwechsel*|bestimmung*|change|solche; nicht ~3 enthalten|vorgesehen|berührt|betroffen; ne ~3 pas|aucun*; aucun* ~3 clause*|disposition*|changement; pas de clause|changement; sans clause; no contiene*; no incluye*; no prevé*; no contempla*; sin cláusula; ningun* cláusula|disposición; no ~2 afect*; geen ~3 bepaling*|clausule*|change|dergelijk*|zeggenschap*; bevat* geen; niet ~3 geraakt|van toepassing`,
  otherwise: `otherwise; failing which; in default of which; failing that; else; andernfalls; anderenfalls; sonst; à défaut; sinon; de lo contrario; en su defecto; bij gebreke; anders`,
  supposed: `could; might; certain; some; several; many; würde; könnte; könnten; pourrai*; podría*; zou; risk that`,
  defined: `means; shall mean; bezeichnet; bedeutet; désigne; signifie; significa; betekent; definition`,
  exception: `except; other than; save for; ausgenommen; ausnahme; abgesehen; sauf; hormis; salvo; excepto; behalve; uitzondering`,
});

const columnCues = cueReader({
  party:
    'counterparty; party; contract partner; customer; supplier; lender; landlord; licensor; name; vertragspartner; gegenpartei; kunde; lieferant; partei; cocontractant; contrepartie; partenaire; client; fournisseur; contraparte; cliente; proveedor; wederpartij; contractpartij; klant; leverancier; bank',
  agreement:
    'agreement; contract; document; vertrag; vereinbarung; dokument; contrat; convention; contrato; acuerdo; overeenkomst; contract; title; titel',
});

export function findControlTerms(document: Document, flow: Flow): ControlTerm[] {
  const found: ControlTerm[] = [];
  const tables = document.tables.filter(({ columns }) => columns.length > 2);
  const rows = tables.flatMap((table) => termsOfTable(table, document)).map((each) => ({ ...each, isPlaced: true }));
  flow.sentences.forEach((sentence, index) => {
    if (sentence.isRow || (sentence.isTitle && !/\s\S+\s\S+\s\S+\s/.test(sentence.text))) return;
    for (const clause of clausesOf(sentence)) found.push(...termIn(clause, sentence, index, flow, found.length));
  });
  const placed = rows.map(({ isPlaced: _, ...each }) => ({ ...each }));
  return [...inFlow(placed, flow), ...found];
}

/** Rows are found in the document's text; positions of findings refer to the running text. */
function inFlow(rows: readonly ControlTerm[], flow: Flow): ControlTerm[] {
  const sentences = flow.sentences.filter(({ isRow }) => isRow);
  let next = 0;
  return rows.map((row) => {
    while (next + 1 < sentences.length && flow.placeOf(sentences[next]!).end <= row.start) next += 1;
    const own = sentences[next];
    return own === undefined ? row : { ...row, start: own.start, end: own.end };
  });
}

function termsOfTable(table: Table, { text }: Document): ControlTerm[] {
  const { titles, rows } = tableRows(table);
  const eventColumn = titles.findIndex(
    (title) => title.length < 60 && cues.of(title).some(({ label }) => label === 'event'),
  );
  const over = text.slice(Math.max(0, table.start - 160), table.start);
  const isUnder = cues
    .of(
      over
        .split('\n')
        .filter((line) => line.trim() !== '')
        .at(-1) ?? '',
    )
    .some(({ label }) => label === 'event');
  const party = titles.findIndex(
    (title) => title.length < 40 && columnCues.of(title).some(({ label }) => label === 'party'),
  );
  const agreement = titles.findIndex(
    (title, index) =>
      index !== party && title.length < 40 && columnCues.of(title).some(({ label }) => label === 'agreement'),
  );
  return rows.slice(0, 400).flatMap((cells) => {
    const shown = cells.map(({ text: words }) => words);
    const filled = cells.filter(({ text: words }) => words !== '');
    const column =
      eventColumn > 0
        ? eventColumn
        : shown.findIndex((cell, index) => index > 0 && cues.of(cell).some(({ label }) => label === 'event'));
    // "Terminated effective 12/31/2025" in a remark: the agreement has ended.
    if (shown.some((cell, index) => index !== column && hasEnded.test(cell))) return [];
    const candidates = column > 0 ? [shown[column]!] : isUnder ? shown.slice(1) : [];
    const own = candidates
      .map((cell) => [cell, consequenceOf(cell, eventColumn > 0 || isUnder)] as const)
      .find(([, consequence]) => consequence !== undefined);
    if (own?.[1] === undefined) return [];
    const name = partyOf(cells, party, agreement, own[0]);
    return name === undefined
      ? []
      : [{ counterparty: name, consequence: own[1], start: filled[0]!.start, end: filled.at(-1)!.end }];
  });
}

const hasEnded =
  /^\W*(?:(?:agreement |contract |lease )?(?:has |was |is )?(?:already )?(?:been )?)?(?:terminated|expired|superseded|ended|replaced by|no longer in force|beendet|abgelaufen|ausgelaufen|gekündigt (?:zum|per)|ersetzt durch|résilié|expiré|remplacé par|resuelto|vencido|sustituido por|beëindigd|verlopen|vervangen door|cessato|scaduto|sostituito da|rozwiązan[aey]|wygasł[aoy]?|upphört|encerrado|caducado)(?!\p{L})/iu;

function partyOf(cells: readonly Cell[], party: number, agreement: number, said: string): string | undefined {
  const named = cells[party]?.text.trim();
  if (named !== undefined && named !== '' && /\p{L}{2}/u.test(named)) return named.slice(0, 90);
  const row = cells.map(({ text }) => text);
  const company =
    row.flatMap((cell) => (cell === said ? [] : companiesIn(cell)))[0]?.name ?? companiesIn(said)[0]?.name;
  if (company !== undefined) return company;
  const title = row[agreement] ?? row.find((cell) => cell.length > 8 && cell !== said) ?? '';
  return agreementWith(title) ?? peopleIn(title)[0]?.name;
}

/** The consequence that a clause or cell states; only the words of a clause can state the mere existence of a right. */
function consequenceOf(text: string, isCell: boolean): Consequence | undefined {
  const shown = text.trim();
  if (isCell && /^(?:no|none|nein|keine?|non|aucune?|néant|ninguno|ninguna|geen|nee|n\/a|-|–|—)\.?$/i.test(shown))
    return 'none';
  const found = cues.of(shown);
  const has = (label: Label) => found.some((cue) => cue.label === label);
  if (
    has('none') &&
    !has('exception') &&
    (!isCell || !has('termination') || /^\s*(?:no|kein|aucun|sin|geen)/i.test(shown))
  )
    return 'none';
  return strongest(found);
}

const order: readonly Consequence[] = [
  'accelerated-vesting',
  'termination',
  'repayment',
  'consent',
  'payment',
  'notice',
];

/** The first consequence that is stated; one after "otherwise" applies only in the opposite case. */
function strongest(found: readonly Cue<Label>[]): Consequence | undefined {
  const turn = found.find(({ label }) => label === 'otherwise')?.at;
  const main = turn === undefined ? found : found.filter(({ at }) => at < turn);
  const pick = (list: readonly Cue<Label>[]) =>
    list.some(({ label }) => label === 'accelerated-vesting')
      ? 'accelerated-vesting'
      : // "Repayment with a premium of 15 %".
        list.find(({ label }) => label === 'reward' || label === 'repayment')?.label === 'reward'
        ? 'payment'
        : order.find((name) => list.some(({ label }) => label === name));
  return pick(main) ?? pick(found);
}

interface Clause {
  readonly text: string;
  readonly at: number;
}

/** "(i) …; (ii) …" names one agreement each. */
function clausesOf({ text }: Sentence): Clause[] {
  const clauses: Clause[] = [];
  let at = 0;
  for (const match of text.matchAll(/\s(?=\([ivx]{1,4}\)\s|\([a-f]\)\s)|;\s/g)) {
    clauses.push({ text: text.slice(at, match.index), at });
    at = match.index + match[0].length;
  }
  clauses.push({ text: text.slice(at), at });
  return clauses;
}

function termIn(clause: Clause, sentence: Sentence, index: number, flow: Flow, known: number): ControlTerm[] {
  const range = { start: sentence.start + clause.at, end: sentence.start + clause.at + clause.text.length };
  const own = cues.in(flow, range);
  const has = (label: Label) => own.some((cue) => cue.label === label);
  // "Retention letters provide for payments upon the Closing": pay and vesting only; a price is paid at closing too.
  const isReward = has('closing') && (has('reward') || has('accelerated-vesting'));
  if (own.length === 0 || has('defined') || /^["“„«]/.test(sentence.text)) return [];
  const over = sentence.isItem || sentence.label !== '' ? sentence.title : '';
  const labelled = [sentence.label, over].some((title) => cues.of(title).some(({ label }) => label === 'event'));
  const before = flow.sentences[index - 1];
  const previous = before?.paragraph === sentence.paragraph ? before : undefined;
  const isNone = has('none') && !has('exception') && (has('event') || labelled || known > 0);
  if (!isNone && !has('event') && !isReward && !labelled) return [];
  if (has('supposed') && !isNone) return [];
  const next = flow.sentences[index + 1];
  const follows =
    next?.paragraph === sentence.paragraph && !cues.in(flow, next).some(({ label }) => label === 'event')
      ? next
      : undefined;
  const consequence = isNone
    ? 'none'
    : (strongest(own) ?? (follows === undefined || labelled ? undefined : strongest(cues.in(flow, follows))));
  if (consequence === undefined) return [];
  const company = ownName(flow);
  // The company itself, which a running head names, is no counterparty.
  const counterparty = [
    () => nameFor(clause.text, own),
    () => (clause.at > 0 && !/^\([a-z]{1,4}\)/.test(clause.text) ? companiesIn(sentence.text)[0]?.name : undefined),
    () => (next?.paragraph === sentence.paragraph && partyLabel.test(next.text) ? nameFor(next.text, []) : undefined),
    () => nameFor(sentence.label, []),
    () => namedBefore(sentence.text, flow),
    () => (previous === undefined ? undefined : nameFor(previous.text, [])),
    () => companiesBefore(flow, sentence),
  ].reduce<string | undefined>((known, read) => {
    const name = known ?? read();
    return name === company ? undefined : name;
  }, undefined);
  return counterparty === undefined ? [] : [{ counterparty, consequence, ...range }];
}

/** "Landlord: Ormsby Estates Ltd": the sentence after a clause names its party. */
const partyLabel =
  /^\(?(?:counterparty|landlord|lessor|lender|bank|supplier|customer|licensor|vertragspartner(?:in)?|vermieter(?:in)?|gegenpartei|lizenzgeber(?:in)?|lieferant(?:in)?|bailleur|bailleresse|cocontractant|prêteur|arrendadora?|contraparte|proveedora?|verhuurder|wederpartij)\s?:/iu;

/** The company that the clause names after "with", "of" or "to"; else the first; else a party named without a legal form. */
function nameFor(text: string, own: readonly Cue<Label>[]): string | undefined {
  const names = companiesIn(text);
  const close = names.find(({ start }) => preposition.test(text.slice(Math.max(0, start - 24), start)));
  const company = (close ?? names[0])?.name;
  if (company !== undefined) return company;
  const isReward = own.some(({ label }) => label === 'reward' || label === 'accelerated-vesting');
  return (isReward ? peopleIn(text)[0]?.name : undefined) ?? agreementWith(text) ?? peopleIn(text)[0]?.name;
}

const preposition =
  /(?:^|[\s(])(?:with|by|to|of|from|mit|der|dem|des|von|bei|durch|avec|de|du|à|con|del|a|met|van|door|aan)\s(?:(?:the|der|die|das|dem|la|le|el|de)\s)?$/i;
const agreementNoun =
  /(?<!\p{L})(?:agreements?|letters?|plans?|contracts?|leases?|facilit(?:y|ies)|licen[cs]es?|loans?|mandate|notes?|\p{L}*vertr[aä]ge?s?|\p{L}*kredit\p{L}{0,2}|\p{L}*darlehens?|contrats?|bail|prêts?|contratos?|préstamos?|arrendamiento|\p{L}*overeenkomst(?:en)?|\p{L}*lening|\p{L}*contract)(?!\p{L})/giu;

/**
 * "Agreement with Nordwerk", "facility of Maasbank", "Nordwerk agreement"; a capital alone does not mark a name in languages
 * that capitalise nouns.
 */
function agreementWith(text: string): string | undefined {
  const shown = text.slice(0, 400);
  for (const match of shown.matchAll(agreementNoun)) {
    const end = match.index + match[0].length;
    const rest = shown.slice(end, end + 90);
    const link =
      /^\s(?:\([^)]{1,40}\)\s)?(?:(?:with|of|from|to|mit|bei|von|der|avec|de|con|del|met|van|bij)\s(?:(?:the|der|dem|la|le|de)\s)?|[–-]\s)?/u.exec(
        rest,
      )?.[0] ?? '';
    const name = capitalisedIn(rest.slice(link.length)).find(({ start }) => start === 0)?.name;
    if (name !== undefined && link !== '' && (/[^\s]/.test(link) || !/^(?:Vertrag|Kredit)/i.test(match[0])))
      return name.replace(/[’']s$/, '');
    const front = capitalisedIn(shown.slice(Math.max(0, match.index - 60), match.index)).at(-1);
    if (
      front !== undefined &&
      shown.slice(Math.max(0, match.index - 60) + front.end, match.index).trim() === '' &&
      match.index - front.end >= 0 &&
      /^[A-Z]/.test(front.name)
    )
      return front.name;
  }
  return undefined;
}

/** "The Holder", "l'Obligataire": the party that the text defines by that name. */
function namedBefore(text: string, flow: Flow): string | undefined {
  return definedParties(flow).find(({ shape }) => shape.test(text))?.name;
}

interface DefinedParty {
  readonly name: string;
  readonly shape: RegExp;
}

const definition =
  /\((?:(?:together|each|collectively|the|der|die|das|dem|den|le|la|el|los|de|het|im folgenden|nachfolgend|hereinafter|hereafter|ci-après|en adelante|en lo sucesivo|hierna)[ ,:]{1,2}){0,3}(?:l[’'])?["“„«]\s?(\p{Lu}[\p{L}-]{2,24}(?: \p{Lu}[\p{L}-]{2,24})?)\s?["”“»]\)/giu;
/** Names of the company itself and of things, which are no other party. */
const ownRole =
  /^(?:company|target|group|issuer|borrower|parent|seller|vendor|purchaser|buyer|gesellschaft|verkäufer|käufer|société|sociedad|vennootschap|agreement|safe|note|closing|base price|purchase amount)/i;
const parties = new WeakMap<Flow, readonly DefinedParty[]>();
const partiesMax = 40;

function definedParties(flow: Flow): readonly DefinedParty[] {
  const before = parties.get(flow);
  if (before !== undefined) return before;
  const opening = flow.text.slice(0, 20_000);
  const found: DefinedParty[] = [];
  for (const match of opening.matchAll(definition)) {
    const role = match[1]!;
    if (ownRole.test(role) || found.length >= partiesMax) continue;
    const over = opening.slice(Math.max(0, match.index - 120), match.index);
    const name =
      companiesIn(over).at(-1)?.name ??
      capitalisedIn(over).findLast(({ end, name: each }) => / /.test(each) && over.length - end < 12)?.name;
    if (name === undefined) continue;
    found.push({
      name,
      shape: new RegExp(
        `(?<!\\p{L})(?:(?:[Tt]he|[Dd]er|[Dd]ie|[Dd]em|[Dd]en|[Ll]e|[Ll]a|[Dd]u|[Ee]l|[Aa]l|[Dd]el|[Dd]e|[Hh]et)\\s|(?:[Ll]|[Dd])[’'])?${role}(?!\\p{L})`,
        'u',
      ),
    });
  }
  parties.set(flow, found);
  return found;
}

/** The last company that the paragraph names before a sentence. */
function companiesBefore(flow: Flow, sentence: Sentence): string | undefined {
  const near = flow.text.slice(Math.max(0, sentence.start - 600), sentence.start);
  return companiesIn(near.slice(near.lastIndexOf('\n') + 1)).at(-1)?.name;
}
