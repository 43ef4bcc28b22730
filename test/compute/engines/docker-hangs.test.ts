/** A Docker engine that accepts connections and never answers, as a stopped daemon does. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DockerEngine } from '../../../compute/engines/docker/docker-engine.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

describe('preparing a pod on an engine that hangs', () => {
  it.each(['operator', 'tenant'] as const)('fails at the first request for an image of source %s', async (source) => {
    await using folder = await scratchFolder();
    const socketPath = join(folder.path, 'docker.sock');
    const asked: string[] = [];
    const server = createServer((request) => void asked.push(`${request.method} ${request.url?.split('?')[0]}`));
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    try {
      const engine = new DockerEngine({
        name: 'hung',
        endpoint: { transport: 'unix', socketPath },
        machine: 'm',
        publicHost: '192.0.2.1',
        instance: 'test',
        templates: { key: Buffer.alloc(32), kit: undefined, now: Date.now },
        // Long enough for a busy machine to receive the request.
        timeouts: { readMs: 500 },
      });
      const image = { kind: 'standard', owner: 'acme', image: 'docker.io/library/base:1', source } as const;
      const preparing = engine.prepare(image, { machine: 'm', signal: new AbortController().signal });
      await expect(preparing).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
      expect(asked).toEqual(['GET /images/docker.io/library/base:1/json']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
