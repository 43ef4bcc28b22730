/**
 * The limits of a plan in the headers of Anthropic's API. Pure.
 * @see https://docs.claude.com/en/api/rate-limits
 */

/**
 * @param headers of a response, with the limits of the account; names in lower case
 * @param now milliseconds since 1970
 * @returns further headers; none for a limit that the plan does not have
 */
export function anthropicLimits(headers: Readonly<Record<string, unknown>>, now: number): Record<string, string> {
  const limits: Record<string, string> = {};
  for (const kind of ['requests', 'tokens']) {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(
      (part) => headers[`x-ratelimit-${part}-${kind}`],
    );
    if (typeof limit !== 'string' || typeof remaining !== 'string' || typeof reset !== 'string') continue;
    limits[`anthropic-ratelimit-${kind}-limit`] = limit;
    limits[`anthropic-ratelimit-${kind}-remaining`] = remaining;
    limits[`anthropic-ratelimit-${kind}-reset`] = timeAfter(reset, now);
  }
  return limits;
}

/** @param duration in the form of OpenAI's headers, such as `6m0s` · @returns the time in RFC 3339, in whole seconds */
function timeAfter(duration: string, now: number): string {
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d+)h)?(?:(\d+)m)?(\d+)s$/.exec(duration) ?? [];
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return new Date(Math.ceil((now + ms) / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
