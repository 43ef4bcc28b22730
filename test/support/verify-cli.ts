/** A simulated server, and a folder with its root in `root.pem` to run `cloister verify` in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttestedServer, startAttestedServer } from './attested-server.ts';
import { type Printed, runCloister } from './cloister.ts';

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
