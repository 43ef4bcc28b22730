/** The thread of a graph's twin: opens the graph, then runs one batch at a time until it is told to close. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openSession } from '../onnx-session.ts';
import { runGraph } from './run-graph.ts';
import { fromPlain } from './tensors.ts';
import { ANSWERED, ASKED, type FromTwin, type ToTwin, type TwinData } from './twin-messages.ts';

const { path, options, port, counts } = workerData as TwinData;
const { session } = await openSession(path, options);
parentPort!.postMessage('open');

let asked = 0;
for (;;) {
  // Asleep, not in an event loop: a message would come through that a tenth of a millisecond later.
  Atomics.wait(counts, ASKED, asked);
  asked += 1;
  const message: ToTwin = receiveMessageOnPort(port)!.message;
  if (message.kind === 'close') break;
  const answer = await run(message);
  const buffers = answer.kind === 'outputs' ? answer.outputs.map(({ data }) => data.buffer as ArrayBuffer) : [];
  port.postMessage(answer, buffers);
  Atomics.add(counts, ANSWERED, 1);
  Atomics.notify(counts, ANSWERED);
}
await session.release();
port.close();

async function run({ feeds, outputs }: ToTwin & { kind: 'run' }): Promise<FromTwin> {
  try {
    const tensors = Object.fromEntries(Object.entries(feeds).map(([name, plain]) => [name, fromPlain(plain)]));
    return { kind: 'outputs', outputs: await runGraph(session, tensors, outputs) };
  } catch (error) {
    return { kind: 'error', message: (error as Error).message };
  }
}
