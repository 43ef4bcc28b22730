/** Defangs indicators so that programs do not turn them into links, and parses the usual defanged forms. */

/** `http` becomes `hxxp`, `ftp` `fxp`, `.` `[.]`, `://` `[://]`, `@` `[@]`, and the colons of an IPv6 address `[:]`. */
export function defang(indicator: string): string {
  const scheme = /^([a-z][a-z0-9+]{1,9}):\/\//i.exec(indicator);
  if (scheme === null) {
    const separated = indicator.includes('.') || indicator.includes('@') ? indicator : indicator.replaceAll(':', '[:]');
    return separated.replaceAll('.', '[.]').replaceAll('@', '[@]');
  }
  const rest = indicator.slice(scheme[0].length);
  const hostEnd = rest.search(/[/?#]/);
  const host = hostEnd < 0 ? rest : rest.slice(0, hostEnd);
  const harmless = scheme[1]!.toLowerCase().replace(/^http/, 'hxxp').replace(/^ftp/, 'fxp');
  return `${harmless}[://]${host.replaceAll('.', '[.]')}${hostEnd < 0 ? '' : rest.slice(hostEnd)}`;
}

/**
 * Reverses `defang` and similar notations: `[.]` `(.)` `{.}` `[dot]` `(dot)` `\\.`, `[@]` `(at)`, `hxxp`, `meow`, `[:]`,
 * `[://]`, `[/]`.
 */
export function refang(written: string): string {
  return written
    .replace(/[[({](?:\.|dot)[\])}]|\\\./gi, '.')
    .replace(/[[({](?:@|at)[\])}]/gi, '@')
    .replace(/\[(:\/{0,2})\]/g, '$1')
    .replace(/\[\/\]/g, '/')
    .replace(/^(?:h[tx]{2}p|meow)(s?):/i, 'http$1:')
    .replace(/^fxp(s?):/i, 'ftp$1:');
}

/** Whether `refang` changes it. */
export function isDefanged(written: string): boolean {
  return /[[({\\]|^(?:hx|htx|fx|meow)/i.test(written) && refang(written) !== written;
}
