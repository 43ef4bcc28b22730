/** The answers of questionnaires, in nine languages. */

export type Answer = 'yes' | 'no' | 'partial' | 'not-applicable';

const answers: readonly (readonly [Answer, RegExp])[] = [
  [
    'not-applicable',
    /^(?:n\/?a|not applicable|nicht anwendbar|entfällt|n\.? ?a\.?|sans objet|non applicable|no aplica|non applicabile|n\.?v\.?t\.?|niet van toepassing|não aplicável|nie dotyczy|ej tillämplig\p{L}?)(?!\p{L})/iu,
  ],
  [
    'partial',
    /^(?:partial(?:ly)?|partly|in part|teilweise|zum teil|partiellement|en partie|parcial(?:mente)?|en parte|parzial(?:e|mente)|in parte|gedeeltelijk|deels|parcialmente|częściowo|delvis|in progress|limited)(?!\p{L})/iu,
  ],
  [
    'yes',
    /^(?:y|yes|ja|j|oui|o|sí|si|sì|s|true|wahr|vrai|x|✓|✔|sim|tak|wdrożono|compliant|in place|implemented|fully)(?!\p{L})/iu,
  ],
  [
    'no',
    /^(?:n|no|nein|non|nee|none|não|nie|nej|brak|keine?|aucune?|ninguna?|nessun[oa]?|geen|not|nicht|false|falsch|faux|falso|onwaar|✗|✘|non-compliant)(?!\p{L})/iu,
  ],
];

/** @returns undefined for an answer in words of its own, such as "quarterly" */
export function answerOf(text: string): Answer | undefined {
  const shown = text.trim().slice(0, 60);
  return answers.find(([, shape]) => shape.test(shown))?.[0];
}
