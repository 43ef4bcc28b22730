/** The account and the address that the message of a login names: `User [admin] from [10.0.0.7] failed to sign in`. */
import { isOutcome } from './event-words.ts';
import { accountOf, addressOf } from './log-record.ts';

const userWord =
  "(?:users?|username|account|login|benutzer(?:konto|name)?|konto|anwender|utilisateur|l['’]utilisateur|compte|usuario|cuenta|utente|gebruiker|użytkownika?|konta|utilizador|användare[n]?|bruger(?:en)?|brukeren?|käyttäjä|uživatel)";
const quoted = new RegExp(
  `(?<!\\p{L})${userWord}(?: name)?(?:\\s?[:=]\\s?|\\s)(?:[\\['"«“„]\\s?)(?<name>[^\\]'"»”“\\s]{1,64}(?: [^\\]'"»”“\\s]{1,30}){0,2})\\s?[\\]'"»”“]`,
  'iu',
);
/** Without quotation marks, a word with a small letter or a digit that is no word of the sentence. */
const bare = new RegExp(
  `(?<!\\p{L})${userWord}(?:\\s?[:=]\\s?|\\s)(?<name>[\\p{L}\\d][\\w.@\\\\$-]{1,64})(?=[\\s,;:)]|\\.\\s|$)`,
  'iu',
);
const noName =
  /^(?:login|logon|logged|log|name|id|account|accounts?|was|were|is|has|had|from|for|to|of|the|a|an|in|not|and|or|failed|failure|authentication|session|credentials?|password|locked|created|deleted|added|connected|de|du|des|la|le|a|est|wurde|hat|ist|von|konnte|desde|ha|no|non|van|heeft|er|är|har|från|med|with|via|by|auth\w*|agent)$/i;

/** @returns undefined if the words name no account, or one only that may be a word */
export function accountIn(words: string): string | undefined {
  const shown = words.slice(0, 300);
  const name = quoted.exec(shown)?.groups?.name ?? bare.exec(shown)?.groups?.name;
  return name === undefined || noName.test(name) || isOutcome(name) || addressOf(name) !== undefined
    ? undefined
    : accountOf(name);
}

const address = String.raw`(?<address>\d{1,3}(?:\.\d{1,3}){3}|(?=[\da-f:]{0,38}:[\da-f:]{0,38}:)[\da-f:]{3,39})(?![\d.]\d|[\w])`;
const introduced = new RegExp(
  String.raw`(?<![\p{L}\d])(?:from|von|vom|depuis|de|desde|da|dal|van|vanaf|från|fra|z|od|mistä|ip|address|adresse|rhost|client|host|source|src|remote|by)(?: (?:ip|host|address|adresse))?\s?[:=]?\s?[[('"]{0,2}(?:::ffff:)?${address}`,
  'iu',
);
const every = new RegExp(String.raw`(?<![\w.:])(?:::ffff:)?${address}`, 'giu');

/** The address after a word for where from, or else the only address. */
export function addressIn(words: string): string | undefined {
  const shown = words.slice(0, 400);
  const named = addressOf(introduced.exec(shown)?.groups?.address);
  if (named !== undefined) return named;
  const all = new Set([...shown.matchAll(every)].flatMap(({ groups }) => addressOf(groups!.address) ?? []));
  return all.size === 1 ? [...all][0] : undefined;
}
