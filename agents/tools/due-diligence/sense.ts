/** Determines whether a sentence affirms, denies or supposes something, from the scope of the words around the match. */

export type Sense = 'stated' | 'denied' | 'supposed';

const bounded = (words: string, flags = 'iu') => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, flags);

const denial = bounded(
  'no(?!\\.)|not|(?:nobody|no one)(?= (?:has|have|had|is|was|did|alleges?|claims?|asserts?|contests?|disputes?|challenges?))|niemand|personne|nadie|nessuno|nikt|ingen|ninguém|nor|neither|none|never|without|cannot|nil|absence of|free (?:of|from)|frei von|libres? de|vrij van|liber[aeio] da|wolne od|fria från|fri for|livres? de|kein\\p{L}{0,3}|nicht|weder|noch|ohne|niemals|pas|aucune?s?|ni|sans|jamais|ningun[oa]?s?|ningún|sin|tampoco|geen|niet|noch|zonder|nooit',
);
/** Words that look like a negation but negate nothing, or not what follows. */
const harmless = bounded(
  'not only|no later|not less|no less|not more|not yet|no longer|no waiver|not(?=[^,;]{0,30} (?:waived|cured|remedied|resolved|settled|provided for|accrued|provisioned))|without merit|without prejudice|nicht nur|noch nicht|non seulement|niet alleen|ni siquiera|noch auf',
  'giu',
);
const turning = bounded(
  "except(?: that| for| as)?|other than|save (?:for|that|as)|but|however|although|whereas|with the exception of|ausgenommen|mit ausnahme|abgesehen von|jedoch|aber|außer|sauf|hormis|à l[’']exception|toutefois|mais|cependant|salvo|excepto|pero|con la excepción|sin embargo|aunque|behalve|met uitzondering|echter|maar",
  'giu',
);
/** A new statement with its own verb after a comma. */
const newStatement =
  /,\s(?:and|und|et|y|en|while|wobei|which|who|der|die|das|qui|que|die)\s(?=[^,;]{0,120}?(?<!\p{L})(?:could|cannot|can|konnten?|is|are|was|were|has|have|had|ist|sind|war|hat|haben|wurde|wurden|est|sont|a|ont|été|es|son|fue|ha|han|zijn|heeft|hebben|werd)(?!\p{L}))/giu;
const supposing = bounded(
  'may|might|could|would|should|if|unless|whether|in the event|from time to time|risk (?:of|that)|any (?:such|breach|material)|künftige[nr]?|future|toekomstige|historically|formerly|früher|antérieurement|históricamente|voorheen|shall|will not|undertakes?|könnten?|könnte|falls|sofern|wenn|ob|würden?|pourrai(?:t|ent)|si|risque de|podrían?|podría|en caso de|en cas de|im falle|kan|kunnen|zou|zouden|indien|mocht|ingeval',
);
const month = /(?<!\p{L})May(?= \d|,)|(?<=\b(?:in|of|since|until|by|\d) )May(?!\p{L})/gu;
const modal = bounded('may|might|could|would|könnten?|pourrai(?:t|ent)|podrían?|zou|zouden');
/** Between a topic and what becomes of it: "audits can lead to assessments". */
const possible = bounded('can(?! not)|(?:können|kann)(?! nicht)|(?:peut|peuvent)(?! pas)|puede|pueden');
const defining = new RegExp(
  `^["“„«][^"”“»]{2,60}["”“»]|${
    bounded(
      "means|shall mean|each of the following|constitutes? (?:an )?events? of default|events of default (?:are|include)|constituent? (?:un|des) cas|constituyen? (?:un )?supuestos?|gelten als kündigungsgr\\p{L}*|bezeichnet|signifie|désigne|significa|betekent|the auditor['’]s responsib\\p{L}*|responsible for|evaluat\\p{L}* whether|assess\\p{L}* whether|responsabilidad|verantwort\\p{L}*|responsabilité d|verantwoordelijk|if we conclude|si concluimos|warrants? (?:and represents? )?that|represents? (?:and warrants? )?that|garantiert|déclare et garantit|manifiesta y garantiza|verklaart en garandeert",
    ).source
  }`,
  'iu',
);
/** A denial after the match: "Going concern doubt: none". */
const deniedBehind =
  /^\s{0,3}(?:[:–—-]\s{0,2})?(?:none|nil|n\/a|no|keine?|nein|néant|aucune?|non|ninguno|ninguna|geen|nee|not applicable|entfällt)\s{0,2}(?:[.;,]|$)|^(?:(?!\s(?:and|und|et|y|e|en)\s)[^.;,]){0,14}?(?<!\p{L})(?:(?:is|are|was|were|has|have) (?:not|no longer)(?! (?:been )?(?:waived|cured|remedied|resolved|settled|provided|accrued|recorded|disclosed|filed|assigned))|nicht vor|liegen nicht vor|n['’](?:est|a) pas|no (?:consta|existe)n?|is er niet|zijn er niet)(?!\p{L})/iu;

/** German and Dutch deny at the end of the clause: "ist im Bericht nicht enthalten". */
const deniedAtEnd =
  /^[^.;,:]{0,70}?(?<!\p{L})(?:nicht|niet) (?:bekannt|ersichtlich|erkennbar|vorhanden|enthalten|gegeben|festgestellt|gemeldet|angedroht|anhängig|gebleken|bekend|aanwezig|opgenomen)(?!\p{L})/iu;

/** Characters before what was found. */
const beforeMax = 240;

/** @param parts the matched words, in the order of the sentence; a negation inside one of them is part of the statement */
export function senseOf(text: string, parts: readonly { readonly at: number; readonly to: number }[]): Sense {
  const [first] = parts;
  const last = parts.at(-1);
  const definition = defining.exec(text);
  // "The Seller warrants that …, except that …": what stands behind the exception is said of itself.
  if (definition !== null && (first === undefined || !isExcepted(text, definition.index, first.at))) return 'supposed';
  if (first === undefined || last === undefined) return 'stated';
  const before = clauseBefore(text.slice(Math.max(0, first.at - beforeMax), first.at)).replace(month, ' ');
  if (isOfOthers(text, first.at, last.to)) return 'supposed';
  if (/(?<!\p{L})(?:un|non)-$/iu.test(text.slice(Math.max(0, first.at - 5), first.at))) return 'denied';
  if (supposing.test(before) || isOfGeneralList(text, first.at)) return 'supposed';
  if (listedModal.test(text.slice(last.to, last.to + 160))) return 'supposed';
  const between = text.slice(Math.min(first.to, last.at), last.at).replace(month, ' ');
  if (
    modal.test(between) ||
    possible.test(between) ||
    modal.test(text.slice(last.to, last.to + 12).replace(month, ' '))
  )
    return 'supposed';
  if (denial.test(before) || denial.test(between.replace(harmless, ' '))) return 'denied';
  const behind = text.slice(last.to, last.to + 80);
  return deniedBehind.test(behind) || deniedAtEnd.test(behind) ? 'denied' : 'stated';
}

/** "Our competitor suffered a breach", "a typical concern in this sector": no fact about the company. */
const others =
  /(?<!\p{L})(?:competitors?|(?:former|previous) (?:parent|owner|group)|peers|other companies|companies in (?:our|this|the|its) (?:industry|sector|market)|wettbewerber\p{L}*|konkurrent\p{L}*|(?:frühere|ehemalige)\p{L}? (?:mutter|eigentümer)\p{L}*|concurrents?|ancienne société mère|competidor\p{L}*|concurrenten?|voormalige moeder\p{L}*|concorrent[ei]|konkurenc\p{L}*)(?!\p{L})/iu;
const typical =
  /(?<!\p{L})(?:typical(?:ly)?|common(?:ly)?|usual(?:ly)?|typisch\p{L}*|üblich\p{L}*|typiques?|habitual\p{L}*)(?!\p{L})[^.;]{0,30}(?<!\p{L})(?:sector|industry|branche|secteur|industria|business|market)(?!\p{L})/iu;
const own =
  /(?<!\p{L})(?:us|we|our|the company|the group|die gesellschaft|la société|la sociedad|de vennootschap|the target)(?!['’]s? (?:competitors?|former|previous))(?!\p{L})/iu;

/** "A competitor alleges that our product infringes". */
const accusing =
  /(?<!(?<!\p{L})(?:are|is|were|was|been|be)\s(?:\p{L}+\s)?)(?<!\p{L})(?:alleg|claim(?:s|ing)?|assert|cease.and.desist|accus|sue[ds]|threat|complain|behaupt|verklagt|wirft|mahnt|allègue|accuse|réclame|alega|acusa|demand|beweert|sommeert|vorder)/iu;

function isOfOthers(text: string, from: number, to: number): boolean {
  const clause = text.slice(text.lastIndexOf(';', from) + 1, from);
  const subject = others.exec(clause);
  if (subject !== null && !accusing.test(text.slice(from - clause.length + subject.index, to)))
    return !own.test(text.slice(from - clause.length + subject.index + subject[0].length, to + 80).split(';', 1)[0]!);
  return typical.test(text.slice(from, to + 120));
}

/** "… lists matters that may arise: breaches of covenants, …": what an introduction only supposes holds for its list. */
function isOfGeneralList(text: string, at: number): boolean {
  const colon = text.lastIndexOf(':', at);
  return (
    colon > 0 && !text.slice(colon, at).includes(';') && general.test(text.slice(Math.max(0, colon - beforeMax), colon))
  );
}

const general =
  /(?<!\p{L})(?:may have to|may|might|could|can|typical(?:ly)?|generally|for example|e\.g\.|such as|können|könnten|kann|typischerweise|zum beispiel|z\. ?b\.|peuvent|pourraient|par exemple|pueden|podrían|por ejemplo|kunnen|bijvoorbeeld|possono|potrebbero|ad esempio|mogą|na przykład|m\.in\.)(?!\p{L})[^.!?]{0,120}$/iu;
/** "A qualified opinion, a breach of covenants or a data breach would be a red flag": a list as the subject of a supposition. */
const listedModal =
  /^(?:(?!\s(?:which|that|who|and (?:this|it)|is|are|was|were|has|have|ist|sind|wurde)\s)[^.;:()"”“])*?\s(?:would|could|might|may|wäre|würde|könnte|serait|pourrait|sería|podría|zou)\s(?:be|constitute|count|amount|represent|ein|eine|als|constituer|être|ser|constituir|een|zijn|un|une|una)(?!\p{L})/iu;

const exception =
  /(?<!\p{L})(?:except (?:that|for|as)|other than|save (?:for|that|as)|with the exception of|mit ausnahme|ausgenommen|sauf|à l[’']exception|salvo|excepto|behalve|met uitzondering)(?!\p{L})/iu;

function isExcepted(text: string, from: number, to: number): boolean {
  return (
    /^(?:represent|warrant|garanti|déclare|manifiesta|verklaart)/iu.test(text.slice(from)) &&
    exception.test(text.slice(from, to))
  );
}

/** From the last turn of the sentence: what stands before it says nothing of what follows. */
function clauseBefore(text: string): string {
  const clause = (text.split(/[;:]/).at(-1) ?? '').replace(harmless, ' ');
  const turns = [...clause.matchAll(turning), ...clause.matchAll(newStatement)].map(
    ({ index, 0: { length } }) => index + length,
  );
  return turns.length === 0 ? clause : clause.slice(Math.max(...turns));
}
