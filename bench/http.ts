/**
 * `npm run bench:http [-- --peer <llama-server>]`: requests per second with a model so small that HTTP is the cost.
 * Cloister speaks TLS 1.3 and checks keys; llama-server speaks plain HTTP and checks nothing.
 */
import { tinyModelFile } from '../test/support/models/tiny-models.ts';
import { readOptions } from './command-line.ts';
import { httpCost, ownRoutesCost } from './scenarios/http-cost.ts';
import { chooseServers, measureSideBySide } from './side-by-side.ts';

const help = `node bench/http.ts [--peer <llama-server>] [--only <name>] [--repeats 5] [--cpus 0,1] [--quick]
`;

async function main(): Promise<void> {
  const values = readOptions(help, {
    peer: { type: 'string' },
    'peer-args': { type: 'string' },
    'cloister-args': { type: 'string' },
    only: { type: 'string' },
    repeats: { type: 'string', default: '5' },
    cpus: { type: 'string' },
    quick: { type: 'boolean', default: false },
  });
  await measureSideBySide({
    name: 'http',
    scenarios: [httpCost, ownRoutesCost],
    servers: chooseServers(values),
    options: {
      model: tinyModelFile(),
      threads: 1,
      cpus: values.cpus,
      repeats: values.quick ? 1 : Number(values.repeats),
      concurrency: [],
      endTokens: [],
      quick: values.quick,
    },
  });
}

if (import.meta.main) await main();
