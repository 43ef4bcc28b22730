/** XGrammar as WebAssembly: `npm install --prefix <folder> @mlc-ai/web-xgrammar`. Never a dependency of ours. */
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface XgrammarMatcher {
  getNextTokenBitmask(): Promise<Int32Array>;
  acceptToken(token: number): boolean;
  reset(): void;
  dispose(): void;
}

interface Disposable {
  dispose(): void;
}

export interface XgrammarCompiler {
  compileJSONSchema(schema: string): Promise<Disposable>;
}

export interface Xgrammar {
  readonly version: string;
  /** @param tokens of a byte-level vocabulary, as the model file spells them */
  createCompiler(tokens: readonly string[], endTokens: readonly number[]): Promise<XgrammarCompiler>;
  createMatcher(grammar: Disposable): Promise<XgrammarMatcher>;
}

interface XgrammarModule {
  readonly TokenizerInfo: {
    createTokenizerInfo(
      ...call: [tokens: readonly string[], kind: string, prependsSpace: boolean, size: number, ends: readonly number[]]
    ): Promise<unknown>;
  };
  readonly GrammarCompiler: { createGrammarCompiler(info: unknown, caches: boolean): Promise<XgrammarCompiler> };
  readonly GrammarMatcher: { createGrammarMatcher(grammar: Disposable): Promise<XgrammarMatcher> };
}

/** @param folder that it was installed into */
export function loadXgrammar(folder: string): Xgrammar {
  const home = join(folder, 'node_modules/@mlc-ai/web-xgrammar');
  // A UMD file that its package.json calls a module: only a file that ends in .cjs is loaded as what it is.
  const path = join(folder, 'xgrammar.cjs');
  copyFileSync(join(home, 'lib/index.js'), path);
  const { TokenizerInfo, GrammarCompiler, GrammarMatcher } = createRequire(import.meta.url)(path) as XgrammarModule;
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  return {
    version,
    async createCompiler(tokens, endTokens) {
      const info = await TokenizerInfo.createTokenizerInfo(tokens, 'byte_level', false, tokens.length, endTokens);
      // Without its cache of compiled schemas: each is compiled anew.
      return await GrammarCompiler.createGrammarCompiler(info, false);
    },
    createMatcher: (grammar) => GrammarMatcher.createGrammarMatcher(grammar),
  };
}
