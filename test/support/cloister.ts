/** Runs the `cloister` command like a user at a terminal. */
import { runCli } from '../../cli/cli.ts';

/** The output on a terminal. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Terminal {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** @param line the words after `cloister`; words may be in single quotes */
export async function runCloister(line: string, { cwd, env = {} }: Terminal): Promise<Printed> {
  let [stdout, stderr] = ['', ''];
  const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const code = await runCli(args, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env,
    cwd,
  });
  return { code, stdout, stderr };
}
