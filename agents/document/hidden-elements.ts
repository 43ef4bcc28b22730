/**
 * Elements of HTML that a browser does not show: `hidden`, `display: none`, `visibility: hidden`, `<template>`, and the header of
 * inline XBRL. Rules of style sheets, colours and font sizes are not evaluated: they depend on the screen and on elements inside.
 */
import { decodeReference } from './character-references.ts';

const quoted = /"[^"]*"|'[^']*'/g;
const hiddenAttribute = /(?:^|[\s/])hidden(?=[\s=/]|$)/i;
const styleAttribute = /(?:^|[\s"'/])style\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const hiddenStyle = /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))(?=\s*(?:!|;|$))/i;
const hiddenNames: ReadonlySet<string> = new Set([
  'template',
  'ix:header',
  'ix:hidden',
  'ix:resources',
  'ix:references',
]);

/** Whether the author hides the element itself. @param name in lower case · @param attributes what follows it in the tag */
function isHidden(name: string, attributes: string): boolean {
  if (hiddenNames.has(name)) return true;
  if (!/hidden|none|collapse|&/i.test(attributes)) return false;
  if (hiddenAttribute.test(attributes.replace(quoted, '""'))) return true;
  const [, ...values] = styleAttribute.exec(attributes) ?? [];
  const style = values.find((value) => value !== undefined);
  return style !== undefined && hiddenStyle.test(decoded(style.slice(0, styleCharactersMax)));
}

const styleCharactersMax = 2_000;

/** Without comments. */
function decoded(style: string): string {
  let shown = '';
  for (let at = 0; at < style.length; ) {
    const reference = style[at] === '&' ? decodeReference(style, at) : undefined;
    shown += reference?.text ?? style[at];
    at += reference?.length ?? 1;
  }
  return shown.replace(/\/\*[^*]*\*\//g, '');
}

/** Elements without contents and end tag. */
const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose end tag may be left out, with the tags that end them, and the elements inside which these tags do not. */
const impliedEnds: Readonly<Record<string, { readonly by: RegExp; readonly inside: readonly string[] }>> = {
  p: {
    by: /^(?:p|div|table|ul|ol|dl|h[1-6]|pre|blockquote|section|article|header|footer|main|nav|hr|address|form)$/,
    inside: [],
  },
  li: { by: /^li$/, inside: ['ul', 'ol'] },
  dt: { by: /^d[td]$/, inside: ['dl'] },
  dd: { by: /^d[td]$/, inside: ['dl'] },
  tr: { by: /^(?:tr|tbody|thead|tfoot)$/, inside: ['table'] },
  td: { by: /^(?:t[drh]|tbody|thead|tfoot)$/, inside: ['table'] },
  th: { by: /^(?:t[drh]|tbody|thead|tfoot)$/, inside: ['table'] },
};

/** Follows the tags of an HTML text, and says which of them are in a hidden element. Constant time per tag. */
export class HiddenElements {
  /** Number of open elements by name: outside hidden ones, and in the hidden element, itself included. */
  readonly #outside = new Map<string, number>();
  readonly #inside = new Map<string, number>();
  #name: string | undefined;

  get isOpen(): boolean {
    return this.#name !== undefined;
  }

  /** @returns whether the element is hidden, by its own attributes or by those of an element around it */
  open(name: string, attributes: string): boolean {
    if (this.#name !== undefined) {
      const implied = impliedEnds[this.#name];
      if (implied?.by.test(name) && implied.inside.every((each) => !this.#inside.has(each))) this.#end();
    }
    if (voidElements.has(name) || attributes.endsWith('/')) return this.isOpen || isHidden(name, attributes);
    if (this.#name === undefined && isHidden(name, attributes)) this.#name = name;
    count(this.isOpen ? this.#inside : this.#outside, name, 1);
    return this.isOpen;
  }

  /** @returns whether the end tag belongs to a hidden element */
  close(name: string): boolean {
    if (this.#name === undefined) {
      count(this.#outside, name, -1);
      return false;
    }
    if (this.#inside.has(name)) {
      count(this.#inside, name, -1);
      if (name === this.#name && !this.#inside.has(name)) this.#end();
      return true;
    }
    // The end of an element around the hidden one ends both; any other end tag has no element.
    if (!this.#outside.has(name)) return true;
    this.#end();
    count(this.#outside, name, -1);
    return false;
  }

  #end(): void {
    this.#name = undefined;
    this.#inside.clear();
  }
}

function count(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const open = (counts.get(name) ?? 0) + by;
  if (open > 0) counts.set(name, open);
  else counts.delete(name);
}
