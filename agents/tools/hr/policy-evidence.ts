/** Evidence for topics of the checklist other than words: facts that the clauses state, and how letters name the parties and the post. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { certainClauseFacts } from './clause-facts.ts';
import type { ClauseFact } from './clauses.ts';

/** By topic, the facts that cover it. */
const factsOf: Readonly<Partial<Record<string, (fact: ClauseFact) => boolean>>> = {
  place: ({ kind, value }) => kind === 'workplace' && value.place !== undefined,
  start: ({ kind, value }) => kind === 'term' && value.part === 'employment' && value.start !== undefined,
  fixed_term: ({ kind, value }) => kind === 'term' && value.part === 'fixed-term',
  probation: ({ kind, value }) => kind === 'term' && value.part === 'probation',
  leave: ({ kind }) => kind === 'annual_leave',
  termination: ({ kind }) => kind === 'notice',
  pay: ({ kind }) => kind === 'pay',
  hours: ({ kind, value }) => kind === 'working_time' && (value.hours !== undefined || value.start !== undefined),
};

const company =
  /(?<!\p{L})(?:limited|ltd|llp|plc|inc|llc|corp(?:oration)?|gmbh|ag|kg|ohg|gbr|e\.? ?k|ug|se|s\.?a\.?s?|sarl|s\.?r\.?l|s\.?p\.?a|s\.?l|b\.?v|n\.?v|aps|a\/s|ab|oy|sp\. z o\. ?o|s\.r\.o|a\.s|lda)(?![\p{L}])\.?/iu;
const salutation =
  /(?<=^|\n)[ \t]*(?:dear|sehr geehrte[rs]?|liebe[rs]?|guten tag|chère?|madame|monsieur|estimad[oa]|querid[oa]|gentile|egregi[oa]|geachte|beste|kære|kjære|hej|bästa|szanown[ya]|vážen[ýá]|car[oa]) \p{Lu}/iu;
const post =
  /(?<!\p{L})(?:(?:offer of (?:employment|appointment)|job offer|employment offer|stellenangebot|einstellungszusage|(?:promesse|offre) d['’](?:embauche|emploi)|oferta de (?:empleo|trabajo)|offerta di (?:lavoro|assunzione)|aanbod)(?: as| als| –| -|:) ?\p{Lu}|(?:employ(?:ed|s)?|engaged?s?|appointed|hired|work|join us|start)(?: you)?(?: \p{L}+){0,3} as (?:an? |our |the )?\p{L}{3}|(?:above|offered) position|(?:position|post|role|job title|title)\s?[:–]|als \p{Lu}[^.;\n]{2,60} (?:eingestellt|beschäftigt|angestellt|tätig)|(?:tätigkeit|stelle|position|anstellung) als|en (?:qualité|tant) (?:de|que)|(?:emploi|poste|fonctions?) d[e'’]|(?:puesto|categoría|cargo) (?:de|profesional)|(?:mansioni?|qualifica|inquadrament\p{L}) |in de functie van|als \p{L}+ in dienst|stilling som|tjänst som|anställs som|stanowisk\p{L}+|pracovní pozic\p{L}|druh práce)/iu;

const headCharacters = 1_500;

/** "Hartwell & Dunne Limited" above "Dear Priya": a letter names its parties without the words for them. */
function partiesOfLetter({ text }: Document): Range | undefined {
  const head = text.slice(0, headCharacters);
  const [name, greeting] = [company.exec(head), salutation.exec(head)];
  if (name === null || greeting === null) return undefined;
  const start = head.lastIndexOf('\n', name.index) + 1;
  return { start, end: name.index + name[0].length };
}

/** Where a document covers a topic in other words than those of the list. */
export function evidenceOf(document: Document): ReadonlyMap<string, Range> {
  const { facts } = certainClauseFacts(document);
  const found = new Map<string, Range>();
  for (const [id, states] of Object.entries(factsOf)) {
    const fact = facts.find((each) => states!(each));
    if (fact !== undefined) found.set(id, { start: fact.start, end: Math.min(fact.end, fact.start + 120) });
  }
  const parties = partiesOfLetter(document);
  if (parties !== undefined) found.set('parties', parties);
  const job = post.exec(document.text);
  if (job !== null) found.set('job', { start: job.index, end: job.index + job[0].length });
  return found;
}
