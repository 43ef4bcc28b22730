/** Finds the GPU backends of llama.cpp, which are packages of their own. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Paths of the installed GPU backends of llama.cpp, preferred first. */
export function gpuLibraries(kind: 'cuda' | 'vulkan'): string[] {
  const candidates = {
    cuda: [
      ['linux-x64-cuda', 'bins/linux-x64-cuda/libggml-cuda.so'],
      ['linux-x64-cuda-ext', 'bins/linux-x64-cuda/fallback/libggml-cuda.so'],
    ],
    vulkan: [['linux-x64-vulkan', 'bins/linux-x64-vulkan/libggml-vulkan.so']],
  } as const;
  return candidates[kind].flatMap(([name, path]) => {
    const folder = packageFolder(`@node-llama-cpp/${name}`);
    return folder !== undefined && existsSync(join(folder, path)) ? [join(folder, path)] : [];
  });
}

function packageFolder(name: string): string | undefined {
  try {
    // The packages export their entry point only, which lies in `dist`.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}
