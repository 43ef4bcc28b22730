/** Words with which a record says that a medicine was taken in the past: "used to take", "früher unter", "auparavant sous". */

import { hasMatch } from './clinical-status.ts';

/** Adverbs of the past with a verb of taking next to them. A "previously healthy man on lisinopril" takes it now. */
const formerBefore = new RegExp(
  [
    'used to (?:be (?:on|taking)|take|use|get|receive|inject)',
    String.raw`(?:previously|formerly|in the past|at one time|years ago|in (?:his|her) (?:youth|childhood)),?\s(?:(?:he|she|they|pt|(?:the )?patient|has|had|was|were|been)\s){0,3}(?:on|taking|took|taken|used|using|tried|prescribed|received|(?:treated|managed|maintained|controlled|anticoagulated|started) (?:on|with))`,
    String.raw`(?:took|used|tried|received|taking|been on|treated with|prescribed)\s(?:previously|formerly|in the past)`,
    String.raw`(?:prior to|before) (?!admi|hosp|arriv|present|surg|transfer|discharge|this|the|his|her|today|breakfast|bed|meals?|going)[\p{L}-]{4,30},? (?:he|she|the patient|pt) (?:was (?:on|taking)|took)`,
    String.raw`(?:früher|zuvor|vormals|ehemals|vorher|damals|in der vergangenheit|vor jahren)\s(?:(?:er|sie|die patientin|der patient|war|wurde|noch|bereits)\s){0,3}(?:nahm|unter|mit|auf|erhielt|bekam|behandelt mit|eingestellt auf)`,
    String.raw`(?:nahm|erhielt|bekam|wurde|war|stand)\s(?:er |sie )?(?:früher|zuvor|vormals|ehemals|vorher|damals)`,
    String.raw`(?:auparavant|anciennement|autrefois|précédemment|dans le passé|par le passé),?\s(?:(?:il|elle|était|a été)\s){0,2}(?:sous|prenait|recevait|avec|traitée? (?:par|avec))`,
    String.raw`(?:prenait|recevait|était|a pris)\s(?:auparavant|anciennement|autrefois|précédemment|avant|dans le passé)`,
    String.raw`(?:antes|anteriormente|previamente|en el pasado|antiguamente|antigamente|no passado),?\s(?:(?:él|ella|el paciente|la paciente|estaba|estuvo|estava|esteve)\s){0,2}(?:tomaba|tomó|tomava|tomou|usaba|usava|recibía|recibió|recebia|(?:en )?tratamiento con|tratad[oa] con|medicad[oa] com|con|com)`,
    String.raw`(?:tomaba|usaba|recibía|tomava|usava)\s(?:antes(?! de)|anteriormente|previamente)`,
    String.raw`(?:in passato|precedentemente|in precedenza|anni fa),?\s(?:(?:il paziente|la paziente|era|è stat[oa])\s){0,2}(?:assumeva|prendeva|ha assunto|in (?:terapia|trattamento) con|trattat[oa] con)`,
    String.raw`(?:assumeva|prendeva)\s(?:in passato|precedentemente|in precedenza|prima)`,
    String.raw`(?:voorheen|vroeger|eerder|in het verleden)\s(?:(?:hij|zij|ze|patiënte?|werd|was)\s){0,2}(?:gebruikte|nam|kreeg|behandeld met|op|met)`,
    String.raw`(?:gebruikte|nam|kreeg)\s(?:hij |zij |ze )?(?:voorheen|vroeger|eerder)`,
    String.raw`(?:tidigare|tidligere|förut)\s(?:(?:han|hon|hun|patienten|pasienten|har|hade|havde|hadde|blev)\s){0,2}(?:stod|stått|stået|stått|tog|tok|tagit|fick|fik|fått|brukte|använde|behandlat?s? med|behandlad med|behandlet med|på|med)`,
    String.raw`(?:dawniej|uprzednio|wcześniej|poprzednio|w przeszłości)\s(?:(?:pacjent|pacjentka|był|była)\s){0,2}(?:przyjmował|stosował|brał|zażywał|leczon)\p{L}{0,2}`,
    String.raw`(?:dříve|v minulosti|předtím)\s(?:(?:pacient|pacientka|byl|byla)\s){0,2}(?:užíval|bral|léčen)\p{L}{0,2}`,
  ]
    .map((shape) => String.raw`(?<!\p{L})(?:${shape})(?!\p{L})`)
    .join('|'),
  'giu',
);

/** Words of the present between the past and the name: "previously on X, now on Y". */
const present =
  /(?<!\p{L})(?:now|currently|presently|still|today|but|however|since|then|subsequently|later|takes|is|are|remains|continues|(?:switched|changed|converted) to|replaced (?:by|with)|jetzt|aktuell|derzeit|nun|heute|nimmt|ist|seit|aber|dann|actuellement|maintenant|désormais|prend|puis|est|mais|ahora|actualmente|hoy|toma|luego|pero|está|ora|attualmente|adesso|assume|poi|ma|nu|momenteel|neemt|gebruikt|maar|daarna|nå|tar|tager|men|agora|atualmente|obecnie|teraz|przyjmuje|ale|nyní|užívá)(?!\p{L})|[→]/iu;

/** "Atenolol 50 mg daily in the past": at the end of the clause, so that "(previously 100 mg)" does not count. */
const formerAfter =
  /^[^.;,\n]{0,40}?(?<!\p{L})(?:in the past|previously|formerly|(?:many |several |\d{1,2} )?years ago|in der vergangenheit|früher|vor jahren|dans le passé|auparavant|autrefois|en el pasado|anteriormente|in passato|in precedenza|in het verleden|voorheen|w przeszłości|tidigare|tidligere)(?=\s*(?:[.,;)\n]|$|(?:but|and|now|aber|und|mais|pero|ma|maar)(?!\p{L})))/iu;

/** "She had been taking warfarin until 2021". */
const tookBefore =
  /(?<!\p{L})(?:(?:had been|was|were) (?:on|taking)|took|used|nahm|prenait|tomaba|tomava|assumeva|prendeva|gebruikte|przyjmował\p{L}?)\s[^.;,]{0,24}$/iu;
const untilAfter =
  /^[^.;\n]{0,40}?(?<!\p{L})(?:until|till|up to|bis|jusqu['’]\p{L}{1,2}|hasta|fino a\p{L}?|tot|até|do)\s[^.;,\n]{2,24}/iu;

/** "Previously on metoprolol 25 mg, now on 50 mg": the same medicine with another dose. */
const otherDose =
  /^[^.;\n]{0,40}?(?<!\p{L})(?:now|currently|(?:increased|reduced|decreased|changed|titrated|uptitrated) to|jetzt|aktuell|erhöht auf|reduziert auf|désormais|actuellement|maintenant|augmentée? à|ahora|actualmente|ora|attualmente|nu|obecnie)\s(?:on |at |to |auf |à |a )?\d/iu;

/**
 * @param before the statement up to the name · @param after the rest of the statement up to the next medicine
 * @returns "dose" if the patient still takes the medicine, but not in the dose next to its name
 */
export function isFormer(before: string, after: string): boolean | 'dose' {
  return wasTaken(before, after) && (otherDose.test(after) ? 'dose' : true);
}

function wasTaken(before: string, after: string): boolean {
  if (formerAfter.test(after) || (tookBefore.test(before) && untilAfter.test(after))) return true;
  if (!hasMatch(formerBefore, before)) return false;
  let last: RegExpExecArray | undefined;
  for (const match of before.matchAll(formerBefore)) last = match;
  if (last === undefined) return false;
  const between = before.slice(last.index + last[0].length);
  return between.length <= 120 && !/[.;:]\s/.test(between) && !present.test(between);
}
