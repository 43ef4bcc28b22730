/** `npm run eval:agents:mutations`: wrong numbers that agents report for mutants of the labelled documents. */
import { labelledAgents } from './agents-quality/documents.ts';
import { judgeMutation } from './agents-quality/mutations/judge.ts';
import { mutations } from './agents-quality/mutations/mutations.ts';
import { readOptions } from './command-line.ts';

const help = `npm run eval:agents:mutations -- [options]

  --agent SLUG       this agent only
  --mutation NAME    this mutation only
  --seeds COUNT      mutants of each document by each mutation [3]
  --from SEED        the first seed [1]
  --list             every wrong number`;

const options = readOptions(help, {
  agent: { type: 'string' },
  mutation: { type: 'string' },
  seeds: { type: 'string' },
  from: { type: 'string' },
  list: { type: 'boolean' },
});

const slugs = options.agent === undefined ? labelledAgents() : [options.agent];
const names = options.mutation === undefined ? Object.keys(mutations) : [options.mutation];
const seeds = Array.from({ length: Number(options.seeds ?? 3) }, (_, index) => Number(options.from ?? 1) + index);

console.log('| agent | mutation | mutants | judged | recall | wrong numbers |\n| --- | --- | --- | --- | --- | --- |');
for (const slug of slugs) {
  for (const name of names) {
    const { mutants, judged, labels, missed, wrong } = await judgeMutation(slug, mutations[name]!, seeds);
    const recall = (1 - missed / Math.max(1, labels)).toFixed(2);
    console.log(`| ${slug} | ${name} | ${mutants} | ${judged} | ${recall} | ${wrong.length} |`);
    if (!options.list) continue;
    for (const { document, seed, fact } of wrong) {
      console.log(`  ${document} ${seed} ${fact.kind} ${JSON.stringify(fact.value)}`);
    }
  }
}
