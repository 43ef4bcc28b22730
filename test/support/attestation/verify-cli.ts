/**
 * A simulated server, and a folder to run `cloister verify` in, with its root in `root.pem` and a policy that pins its
 * software in `pinned.json`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Printed, runCloister } from '../cloister.ts';
import { type AttestedServer, simulatedSoftware, startAttestedServer } from './attested-server.ts';

export interface VerifyCli {
  readonly cwd: string;
  readonly server: AttestedServer;
  cloister(line: string): Promise<Printed>;
  close(): Promise<void>;
}

export async function startVerifyCli(): Promise<VerifyCli> {
  const cwd = mkdtempSync(join(tmpdir(), 'cloister-verify-'));
  const server = await startAttestedServer();
  writeFileSync(join(cwd, 'root.pem'), server.rootPem);
  writeFileSync(join(cwd, 'pinned.json'), JSON.stringify({ measurements: simulatedSoftware, sources: 'any' }));
  return {
    cwd,
    server,
    cloister: (line) => runCloister(line, { cwd }),
    async close() {
      await server.close();
      rmSync(cwd, { recursive: true });
    },
  };
}
