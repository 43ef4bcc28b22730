import { readProductPath } from '@cloister/native/measure';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/bench.ts';

const { kernels } = readProductPath();
if (kernels === '') console.log('skipped: measurements of bench self, because this CPU has no AVX2');

async function bench(...args: readonly string[]): Promise<{ status: number; output: string }> {
  let output = '';
  const io = {
    stdout: { write: (text: string) => (output += text) },
    stderr: { write: (text: string) => (output += text) },
    env: {},
    cwd: '/',
  };
  return { status: await run([...args], io), output };
}

describe('cloister bench self', () => {
  it.skipIf(kernels === '')('prints bytes and products per second of each path that the machine has', async () => {
    const { status, output } = await bench('self', '--threads', '1', '--format', 'Q4_K', '--rows', '1,9', '--json');
    const { path, memoryBytesPerSecond, products } = JSON.parse(output);
    expect(status).toBe(0);
    const paths = path.mayUseAmx ? [kernels, 'AMX'] : [kernels];
    expect(products.map((product: { path: string; rows: number }) => [product.path, product.rows])).toEqual(
      paths.flatMap((name) => [1, 9].map((rows) => [name, rows])),
    );
    for (const { rows, bytesPerSecond, productsPerSecond } of products) {
      // A block of 256 weights has 144 bytes.
      expect(productsPerSecond / bytesPerSecond).toBeCloseTo((rows * 256) / 144, 6);
      // Weights are read once for all rows, from memory or a cache.
      expect(bytesPerSecond / memoryBytesPerSecond).toBeGreaterThan(0.001);
    }
  });

  it.each([['self', '--threads', '0'], ['self', '--rows', '1,,2'], ['self', '--format', 'F16'], ['peers'], []])(
    'refuses %s %s %s',
    async (...args) => {
      await expect(bench(...args)).rejects.toMatchObject({ code: 'ERR_USAGE' });
    },
  );
});
