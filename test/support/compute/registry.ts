/** A registry of container images, over plain HTTP. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface TestRegistry {
  /** `address:port` */
  readonly host: string;
  /** The requests received, such as `GET /v2/team/tool/manifests/1`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export interface RegistryImage {
  /** Such as `team/tool`, under any tag. */
  readonly name: string;
  /** The root folder as an uncompressed tar archive. */
  readonly layer: Buffer;
  readonly command?: readonly string[];
  readonly architecture?: string;
  /** Credentials that may fetch it; anonymous access if omitted. */
  readonly user?: { readonly username: string; readonly password: string };
}

const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';

/** @param address to listen on */
export async function startRegistry(images: readonly RegistryImage[], address = '127.0.0.1'): Promise<TestRegistry> {
  const requests: string[] = [];
  const stored = new Map(images.map((image) => [image.name, store(image)]));
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const [, name = '', kind = '', reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs)\/(.+)$/.exec(request.url ?? '') ?? [];
    const image = images.find((candidate) => candidate.name === name);
    const { user } = image ?? {};
    const expected = user && `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
    if (expected !== undefined && request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
      return;
    }
    const blobs = stored.get(name);
    const blob = kind === 'manifests' ? (blobs?.get(reference) ?? blobs?.get('manifest')) : blobs?.get(reference);
    if (request.url === '/v2/' || request.url === '/v2') {
      // Asks for a name and password up front, as registries with private images do.
      const anyPrivate = images.some((candidate) => candidate.user !== undefined);
      const asks = anyPrivate && request.headers.authorization === undefined;
      response.writeHead(asks ? 401 : 200, asks ? { 'www-authenticate': 'Basic realm="test"' } : {}).end('{}');
    } else if (blob === undefined) {
      response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
    } else {
      const type = kind === 'manifests' ? manifestType : 'application/octet-stream';
      const headers = { 'content-type': type, 'content-length': blob.length, 'docker-content-digest': digest(blob) };
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : blob);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    host: `${address}:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function store({
  layer,
  command = ['/bin/sleep', '1000'],
  architecture = 'amd64',
}: RegistryImage): Map<string, Buffer> {
  const packed = gzipSync(layer);
  const config = Buffer.from(
    JSON.stringify({
      architecture,
      os: 'linux',
      config: { Cmd: command },
      rootfs: { type: 'layers', diff_ids: [digest(layer)] },
      history: [{ created: '2026-01-01T00:00:00Z' }],
    }),
  );
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: {
        mediaType: 'application/vnd.docker.container.image.v1+json',
        size: config.length,
        digest: digest(config),
      },
      layers: [
        {
          mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
          size: packed.length,
          digest: digest(packed),
        },
      ],
    }),
  );
  const blobs = [packed, config, manifest].map((blob): [string, Buffer] => [digest(blob), blob]);
  return new Map([...blobs, ['manifest', manifest]]);
}

function digest(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
