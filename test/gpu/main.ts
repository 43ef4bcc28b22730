/**
 * Runs the suite `gpu` on the GPU of the machine, or on Mesa's software driver for Vulkan. Where neither is present, it prints why and
 * succeeds, so that a machine without a driver can run all suites.
 *
 *     npm run test:gpu [-- [--gpu vulkan|cuda] [OPTIONS OF VITEST]]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, tokens } = parseArgs({
  options: { gpu: { type: 'string', default: 'vulkan' } },
  strict: false,
  tokens: true,
});
const gpu = String(values.gpu);
const own = new Set(
  tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.name !== 'gpu') return [];
    return token.inlineValue === true ? [token.index] : [token.index, token.index + 1];
  }),
);
const others = process.argv.slice(2).filter((_, index) => !own.has(index));
// ggml leaves out Vulkan devices of type CPU, such as Mesa's software driver, unless they are named.
const env = { GGML_VK_VISIBLE_DEVICES: '0', ...process.env, CLOISTER_TEST_GPU: gpu };

const missing = whyNoGpu();
if (missing !== undefined) {
  console.log(`skipped: the suite gpu: ${missing}`);
  console.log('To install a software driver for Vulkan: .ci/install-vulkan.sh');
} else {
  const { status } = spawnSync('vitest', ['run', '--project', 'gpu', ...others], { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

/** Looks for the GPU in a process of its own, because a backend that was loaded stays loaded. */
function whyNoGpu(): string | undefined {
  const options = new URL('../../native/options.ts', import.meta.url).href;
  const script = `
    import { findGpu } from ${JSON.stringify(options)};
    console.log(await findGpu(${JSON.stringify(gpu)}).then(() => '', (error) => error.message));`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const answer = execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return answer.trim() || undefined;
}
