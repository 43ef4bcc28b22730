/** The company that a document is about, and the document's words for it. */
import type { Flow } from './flow.ts';
import { companiesIn, type Name, namesIn } from './names.ts';

const words =
  'Company|Group|Target|Borrower|Issuer|Corporation|Gesellschaft|Zielgesellschaft|Schuldnerin|Société|Sociedad|Compañía|Vennootschap|Onderneming';
const role = new RegExp(
  `(?<!\\p{L})(?:the|die|der|la|le|de|une|our|us|we|l[’'])?\\s?(?:${words})(?!\\p{L})|(?<!\\p{L})(?:us|wir|uns|nous|ons)(?!\\p{L})`,
  'gu',
);
const defined = new RegExp(
  `\\((?:(?:each |together )?(?:the |die |la |le |de |im folgenden |hereinafter |ci-après |en adelante |hierna )*)?["“„«]\\s?(?:${words})\\s?["”“»]\\)|\\((?:the |la |die |de )(?:${words})\\)`,
  'iu',
);
const labelled = new RegExp(
  `(?:^|\\n|[.;]\\s)\\s?(?:Name of )?(?:the )?(?:${words})(?: name)?\\s?:\\s?([^\\n]{3,90})`,
  'u',
);

/** Positions at which a text refers to the company itself. */
export function ownTermsIn(text: string): Name[] {
  return [...text.matchAll(role)]
    .filter(
      ({ 0: found, index }) =>
        /^\p{Ll}{1,5}[\s’']|^(?:us|wir|uns|nous|ons)$/u.test(found) ||
        index === 0 ||
        /[.;:]\s?$/.test(text.slice(0, index)) ||
        /\p{Lu}/u.test(found[0]!),
    )
    .map((match) => ({ name: '', start: match.index, end: match.index + match[0].length }));
}

/** The only company that the titles at the top of the text name. */
function letterhead({ sentences }: Flow): string | undefined {
  const top = sentences.findIndex(({ isTitle }, index) => !isTitle || index > 5);
  const titles = sentences.slice(0, Math.max(top, 0));
  const names = new Set(titles.flatMap(({ text }) => companiesIn(text).map(({ name }) => name)));
  return names.size === 1 ? [...names][0] : undefined;
}

const known = new WeakMap<Flow, { readonly name: string | undefined }>();

/** The name for which the text uses "the Company", in its opening or on a separate line. */
export function ownName(flow: Flow): string | undefined {
  const before = known.get(flow);
  if (before !== undefined) return before.name;
  const opening = flow.text.slice(0, 20_000);
  const definition = defined.exec(opening);
  const line = labelled.exec(opening)?.[1];
  const name =
    (definition === null
      ? undefined
      : namesIn(opening.slice(Math.max(0, definition.index - 160), definition.index)).at(-1)?.name) ??
    (line === undefined ? undefined : companiesIn(line)[0]?.name) ??
    letterhead(flow);
  known.set(flow, { name });
  return name;
}
