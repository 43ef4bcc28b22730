/** How the index of a data room or a request list says that a document is there, missing, a draft, expired or not needed. */
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import { anyAlphabet } from './word-bounds.ts';

export type EntryStatus = 'present' | 'missing' | 'partial' | 'expired' | 'not-applicable';

export interface Entry extends Range {
  readonly title: string;
  readonly status: EntryStatus;
  /** Whether the text gives the status; otherwise the document is listed without a word on it. */
  readonly isStated: boolean;
}

/** Checked in this order: "not uploaded" and "unsigned" come before "uploaded" and "signed". */
const statusWords = (
  [
    [
      'not-applicable',
      `n\\/a|n\\.a\\.|not (?:applicable|required|relevant|needed)|does not (?:exist|apply)|none (?:exists?|needed|required|applicable|in place)|no such (?:document|agreement|plan|policy)s?
      |entfällt|entfallen|nicht (?:zutreffend|anwendbar|einschlägig|erforderlich|relevant)|gegenstandslos|existiert nicht
      |sans objet|non (?:applicable|concernée?)|s\\.o\\.|no (?:aplica(?:ble)?|procede|existe)|n\\.?v\\.?t|niet (?:van toepassing|vereist|nodig)
      |nie dotyczy|non (?:applicabile|pertinente|previst[oa])|ej (?:tillämplig\\p{L}*|aktuell\\p{L}*|relevant)|inte tillämplig\\p{L}*|ikke (?:relevant|aktuel\\p{L}*|anvendelig\\p{L}*)|udgår|utgår
      |não (?:aplicável|se aplica|existe)|bortfaller|bortfalder|není relevantní`,
    ],
    [
      'expired',
      `(?:has )?expired|lapsed|out of date|outdated|no longer (?:valid|in force)|superseded|ran out|abgelaufen|ausgelaufen|veraltet|überholt|nicht mehr gültig
      |expirée?|périmée?|échue?|plus en vigueur|caducad[oa]|vencid[oa]|verlopen|verouderd|vervallen|utracił\\p{L}{0,2} ważność|nieaktualn\\p{L}{1,2}|wygas\\p{L}{1,4}|nieważn\\p{L}{1,2}
      |scadut[oaie]|utgång(?:en|et|na)|löpt ut|upphört|udløbet|udløbne|utløpt|expirad[oa]|desactualizad[oa]|prošlá|prošlý`,
    ],
    [
      'partial',
      `partial(?:ly)?|partly|in part|drafts?|unsigned|unexecuted|not (?:yet )?(?:fully |counter)?-?(?:signed|executed)|incomplete|redacted|signature page (?:is )?missing|pages? missing|only .{1,30} of .{1,20} (?:signed|provided)
      |entwurf|teilweise|unvollständig|nicht (?:unter(?:zeichnet|schrieben))|ohne unterschrift|auszugsweise|geschwärzt|nur auszug
      |partiel(?:le)?(?:ment)?|projet|brouillon|non signée?s?|incompl[eè]te?|incomplet[oa]|borrador|parcial(?:mente)?|sin firmar|no firmad[oa]|concept|conceptversie|gedeeltelijk|deels|onvolledig|niet (?:ge|onder)tekend
      |projekt|niepodpisan\\p{L}{1,2}|bez podpisów?|częściow\\p{L}{1,2}|niekompletn\\p{L}{1,2}|bozza|parzial[ei]|non (?:firmat|sottoscritt)[oaie]|incomplet[oaie]
      |utkast|osignera[dt]|ej undertecknad\\p{L}*|inte undertecknad\\p{L}*|delvis|ofullständig\\p{L}*|udkast|ikke underskrevet|ufuldstændig\\p{L}*|minuta|não assinad[oa]|por assinar|rascunho|koncept|návrh|nepodepsan\\p{L}+|částečně`,
    ],
    [
      'missing',
      `missing|outstanding|not (?:yet )?(?:provided|received|uploaded|available|located|found|supplied|disclosed|in (?:the )?(?:folder|data ?room))|(?:re-)?requested|pending|awaited|awaiting|to (?:follow|come)|to be (?:provided|uploaded|supplied)|tb[acdp]|open|empty|cannot (?:find|locate)|not on file|will be (?:provided|uploaded|given)
      |fehlt|fehlen|fehlend|ausstehend|steht (?:noch )?aus|offen|angefordert|nachzureichen|wird nachgereicht|folgt|nachforderung|nicht (?:vorhanden|vorgelegt|eingestellt|verfügbar|auffindbar|vorliegend)|liegt nicht vor
      |manquante?s?|absente?|introuvables?|à (?:fournir|venir|recevoir|produire)|en attente|demandée?s?|non (?:fourni|reçu|communiqué|disponible|transmis|produit)e?s?
      |pendientes?|falta|faltan|faltante|solicitad[oa]s?|no (?:disponible|facilitad[oa]|aportad[oa]|recibid[oa]|consta)
      |ontbre(?:e)?kt|ontbrekend|opgevraagd|(?:nog )?niet (?:ontvangen|beschikbaar|verstrekt|aanwezig|geüpload|aangetroffen)|openstaand|volgt
      |nie (?:zamieszcz|przekaz|udostępni|dostarcz)on[oaey]|brak(?:uje)?|oczekiwan\\p{L}{1,2}
      |mancant[ei]|manca|mancano|assente|non (?:caricat|fornit|ricevut|prodott|trovat|pervenut)[oaie]|non (?:disponibil[ei]|presente)|da (?:fornire|caricare|integrare|produrre)|richiest[oaie]|in attesa
      |saknas|efterfrågad|begärd|ej (?:mottagen|tillgänglig\\p{L}*|inlämnad|uppladdad)|väntar|mangler|afventer|efterspurgt|ikke (?:modtaget|uploadet|tilgængelig\\p{L}*|fremlagt)|etterspurt
      |em falta|não (?:disponível|fornecid[oa]|entregue|recebid[oa])|solicitad[oa]|a aguardar|chybí|nedodáno|vyžádáno`,
    ],
    [
      'present',
      `present|uploaded|provided|available|received|complete(?:d)?|yes|final|executed|signed|in (?:the )?(?:data ?room|folder)|delivered|disclosed|on file|in place|supplied|vorhanden|eingestellt|liegt (?:\\p{L}+ )?vor|vorgelegt|vollständig|hochgeladen|verfügbar|ja|fournie?|disponible|oui|présente?|reçue?|transmise?|communiquée?|complet
      |facilitad[oa]|sí|recibid[oa]|subid[oa]|aportad[oa]|complet[oa]|aanwezig|ontvangen|geüpload|verstrekt|beschikbaar|zamieszczon[oaey]|udostępnion[oaey]|przekazan[oaey]|dostarczon[oaey]|jest|caricat[oaie]|fornit[oaie]|ricevut[oaie]|prodott[oaie]|disponibil[ei]|sì|tak|ok|erledigt|close[d]?
      |finns|mottagen|uppladdad|tillgänglig|foreligger|findes|modtaget|uploadet|fremlagt|disponível|entregue|fornecid[oa]|recebid[oa]|sim|dodáno|ano`,
    ],
  ] as const
).map(
  ([status, words]) => [status, anyAlphabet(new RegExp(`\\b(?:${words.replaceAll(/\s*\n\s*/g, '')})\\b`))] as const,
);

const crossed = /[✗✘☒❌○]/u;
const ticked = /[✓✔☑]/u;
/** "No", "Nein, angefordert": an answer. Elsewhere "no" denies something else: "no changes since". */
const answersNo = /^\W{0,3}(?:no|nein|non|nee|nej|nie|nei|não|ne)\s{0,2}(?:$|[.,;:(–—-])/iu;

export function statusIn(text: string): EntryStatus | undefined {
  if (crossed.test(text)) return 'missing';
  const found = statusWords.find(([, words]) => words.test(text))?.[0];
  if (answersNo.test(text) && (found === undefined || found === 'present')) return 'missing';
  return found ?? (ticked.test(text) ? 'present' : undefined);
}

const inPart = anyAlphabet(
  /\b(?:partial(?:ly)?|partly|in part|teilweise|partiel\p{L}*|parcial\p{L}*|gedeeltelijk|deels|częściow\p{L}{1,2}|parzial\p{L}*|delvis)\b/u,
);

/**
 * What a status and the remark next to it say together: a document that is there may be a draft or have expired, and one that is
 * asked for may be there in part.
 */
export function statusWithRemark(status: EntryStatus | undefined, remark: string): EntryStatus | undefined {
  const noted = statusIn(remark);
  if (status === undefined) return noted;
  if (noted === 'partial' && (status === 'present' || inPart.test(remark))) return noted;
  return status === 'present' && (noted === 'expired' || noted === 'not-applicable') ? noted : status;
}

const codeShape =
  /(?<![\p{L}\p{N}/])(\p{Lu}{1,2}|[nN]\/[aA]|[xX+○●◐✓✔✗✘–-]|[0-9])["”)\]]?\s?(?:[=:]|[–-]|means)?\s{1,3}([\p{L}][\p{L} /-]{2,40})/gu;
const wordShape = /(?<![\p{L}\p{N}/])(\p{Ll}{3,14})\s?=\s?([\p{L}][\p{L} /-]{2,60})/gu;
const boxShape = /\[([^\]\n]{0,4})\]\s?[=:–-]?\s?([\p{L}][\p{L} /.()-]{1,60}?)(?=\s{2,}|\s*\[|[,;·|]|$)/gu;

/** "U uploaded · O outstanding", "A = available; M = missing", "[x] uploaded  [ ] missing  [~] draft". */
export function legendOf(text: string): ReadonlyMap<string, EntryStatus> {
  const codes = new Map<string, EntryStatus>();
  const boxes = new Map<string, EntryStatus>();
  for (const { start, end } of splitLines(text)) {
    if (end - start > 600) continue;
    const line = text.slice(start, end);
    const found = new Map<string, EntryStatus>();
    for (const match of [...line.matchAll(codeShape), ...line.matchAll(wordShape)]) {
      const status = statusIn(match[2]!);
      if (status !== undefined) found.set(match[1]!.toLowerCase(), status);
    }
    for (const match of line.matchAll(boxShape)) {
      const status = statusIn(match[2]!);
      if (status !== undefined) boxes.set(`[${match[1]!.trim().toLowerCase()}]`, status);
    }
    if (found.size > 1) for (const [code, status] of found) codes.set(code, status);
  }
  if (boxes.size > 1) for (const [code, status] of boxes) codes.set(code, status);
  return codes;
}
