/** A cache of collateral with the interface of Intel's service, on loopback. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toHex } from '../../../attestation/base/bytes.ts';
import type { Collateral } from '../../../attestation/collateral/collateral.ts';

export type Reply = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array; silent?: boolean };

export interface CollateralServer {
  readonly url: string;
  /** The requested paths. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** @param override replaces the response for one path · `asked` receives the paths */
export async function startCollateralServer(
  c: Collateral,
  override: Readonly<Record<string, Reply>> = {},
  asked: string[] = [],
): Promise<CollateralServer> {
  const chain = (name: string, pem: string) => ({ [name]: encodeURIComponent(pem) });
  const replies: Readonly<Record<string, Reply>> = {
    '/tdx/certification/v4/tcb': {
      headers: chain('TCB-Info-Issuer-Chain', c.tcbInfoIssuerChain),
      body: `{"tcbInfo":${c.tcbInfo},"signature":"${toHex(c.tcbInfoSignature)}"}`,
    },
    '/tdx/certification/v4/qe/identity': {
      headers: chain('SGX-Enclave-Identity-Issuer-Chain', c.qeIdentityIssuerChain),
      body: `{"enclaveIdentity":${c.qeIdentity},"signature":"${toHex(c.qeIdentitySignature)}"}`,
    },
    '/sgx/certification/v4/pckcrl': {
      headers: chain('SGX-PCK-CRL-Issuer-Chain', c.pckCrlIssuerChain),
      body: c.pckCrl,
    },
    '/root.der': { body: c.rootCaCrl },
    // Encodes the value in hexadecimal, as caches for platforms do.
    '/sgx/certification/v4/rootcacrl': { body: `${toHex(c.rootCaCrl)}\n` },
    ...override,
  };
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const {
      status = 200,
      headers = {},
      body = '',
      silent,
    } = replies[new URL(request.url!, 'http://x').pathname] ?? { status: 404 };
    if (silent !== true) response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
