import { blank } from '../text/blanks.ts';

/** "[Note to draft: the Buyer's draft had £25,000]": what the drafters say to each other. */
const draftingNote =
  /\[\p{Lu}{2,3}:\s[^\]]{0,600}\]|\[(?:note\s+to\s+(?:draft\p{L}{0,2}|counsel|self)|NTD|draft(?:ing)? notes?|(?:redaktions)\p{L}{0,12}|entwurfsanmerkung|anmerkung (?:zum|für den) entwurf|note de rédaction|nota (?:al borrador|de redacción|di redazione)|noot bij (?:het )?(?:concept|ontwerp)|uwaga do projektu)(?!\p{L})[^\]]{0,600}\]/giu;

/** Replaces notes of the drafters by blanks, so that all offsets stay. */
export function withoutDraftingNotes(text: string): string {
  return text.replace(draftingNote, blank);
}
