/** `cloister bench self`: how fast this machine computes matrix products on each path of the kernels, compared with its memory. */
import { availableParallelism, cpus } from 'node:os';
import {
  measuredFormats,
  measureMemory,
  measureProducts,
  type ProductPath,
  readProductPath,
} from '@cloister/native/measure';
import { type CommandIo, exitCodes, table, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';

const help = `Usage: cloister bench self [options]

Measures matrix products of this machine in less than a minute: with AVX-512 VNNI or AVX2, and with AMX where the CPU
has it, compared with the speed of its memory. Needs 1 GB of memory, and a machine without other work.

  --threads <count>   compute threads, 1 to 512 [all CPUs]
  --format <name>     only one format of weights: Q8_0, Q4_K or Q6_K
  --rows <list>       numbers of rows of activations [1,8,16,32,128,512]
  --json              print JSON
`;

const rowsDefault = '1,8,16,32,128,512';

/** One product on one path. */
interface Measurement {
  readonly format: string;
  /** Rows of activations: tokens of a prompt, or answers that are generated together. */
  readonly rows: number;
  readonly path: 'VNNI' | 'AVX2' | 'AMX';
  readonly seconds: number;
  /** Bytes of weights per second. */
  readonly bytesPerSecond: number;
  /** Weights times rows, per second. */
  readonly productsPerSecond: number;
}

/** @returns 0, or 1 if the CPU lacks the instructions of the kernels · @throws {ServerError} ERR_USAGE */
export async function run(args: string[], io: CommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const text = { type: 'string' } as const;
  const { values, positionals } = parseCommandArgs(args, {
    command: 'bench',
    options: { threads: text, format: text, rows: text, json: { type: 'boolean' } },
  });
  if (positionals.length !== 1 || positionals[0] !== 'self') throw usageError('expected: bench self', 'bench');
  const threads = readCount('--threads', values.threads ?? String(availableParallelism()), 512);
  const rows = (values.rows ?? rowsDefault).split(',').map((count) => readCount('--rows', count, 1024));
  if (rows.length > 16) throw usageError('--rows takes at most 16 numbers', 'bench');
  const formats = measuredFormats.filter((format) => values.format === undefined || values.format === format);
  if (formats.length === 0) throw usageError(`--format must be one of ${measuredFormats.join(', ')}`, 'bench');

  const path = readProductPath();
  const { kernels } = path;
  if (kernels === '') {
    io.stderr.write('This CPU has no AVX2: models run on the kernels of llama.cpp, which this does not measure.\n');
    return exitCodes.failure;
  }
  const memoryBytesPerSecond = await measureMemory({ threads });
  const products: Measurement[] = [];
  for (const format of formats) {
    for (const usesAmx of path.mayUseAmx ? [false, true] : [false]) {
      const { weights, weightBytes, seconds } = await measureProducts(format, { rows, threads, usesAmx });
      for (const [index, count] of rows.entries()) {
        const time = seconds[index]!;
        products.push({
          ...{ format, rows: count, path: usesAmx ? 'AMX' : kernels, seconds: time },
          ...{ bytesPerSecond: weightBytes / time, productsPerSecond: (weights * count) / time },
        });
      }
    }
  }
  const found = { cpu: cpus()[0]?.model ?? 'unknown', threads, path, memoryBytesPerSecond, products };
  io.stdout.write(values.json ? `${JSON.stringify(found, null, 2)}\n` : describe(found));
  return exitCodes.ok;
}

function readCount(flag: string, text: string, max: number): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > max) throw usageError(`${flag} must be 1 to ${max}`, 'bench');
  return count;
}

interface Found {
  readonly cpu: string;
  readonly threads: number;
  readonly path: ProductPath;
  readonly memoryBytesPerSecond: number;
  readonly products: readonly Measurement[];
}

function describe({ cpu, threads, path, memoryBytesPerSecond, products }: Found): string {
  const giga = (value: number) => (value / 1e9).toFixed(1);
  const rows = products.map((product) => {
    const other = products.find(
      ({ format, rows, path }) => path === 'VNNI' && format === product.format && rows === product.rows,
    );
    return [
      ...[product.format, String(product.rows), product.path, giga(product.bytesPerSecond)],
      `${Math.round((100 * product.bytesPerSecond) / memoryBytesPerSecond)} %`,
      giga(product.productsPerSecond),
      product.path === 'VNNI' || other === undefined ? '' : `${(other.seconds / product.seconds).toFixed(2)}×`,
    ];
  });
  const heading = ['WEIGHTS', 'ROWS', 'PATH', 'GB/S', 'OF MEMORY', 'G PRODUCTS/S', 'AMX TO VNNI'];
  return `CPU: ${cpu}, ${threads} ${threads === 1 ? 'thread' : 'threads'}
Memory: ${giga(memoryBytesPerSecond)} GB/s
AMX: ${describeAmx(path)}

${table([heading, ...rows])}`;
}

function describeAmx({ mayUseAmx, usesAmx, whyNot }: ProductPath): string {
  if (usesAmx) return 'used for nine and more rows';
  if (whyNot !== '') return `not used: ${whyNot}`;
  return mayUseAmx ? 'not used' : 'not used: the CPU has none';
}
