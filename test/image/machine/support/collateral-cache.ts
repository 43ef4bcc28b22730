/** A collateral cache on loopback with the simulated hierarchy's collateral. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toHex } from '../../../../attestation/base/bytes.ts';
import type { Collateral } from '../../../../attestation/collateral/collateral.ts';
import type { CollateralSource } from '../../../../attestation/collateral/fetch.ts';

export async function serveCollateral(collateral: Collateral): Promise<{ source: CollateralSource; server: Server }> {
  const { tcbInfo, tcbInfoSignature, qeIdentity, qeIdentitySignature } = collateral;
  const replies: Readonly<Record<string, [chain: string, name: string, body: string | Uint8Array]>> = {
    '/tdx/certification/v4/tcb': [
      collateral.tcbInfoIssuerChain,
      'TCB-Info-Issuer-Chain',
      `{"tcbInfo":${tcbInfo},"signature":"${toHex(tcbInfoSignature)}"}`,
    ],
    '/tdx/certification/v4/qe/identity': [
      collateral.qeIdentityIssuerChain,
      'SGX-Enclave-Identity-Issuer-Chain',
      `{"enclaveIdentity":${qeIdentity},"signature":"${toHex(qeIdentitySignature)}"}`,
    ],
    '/sgx/certification/v4/pckcrl': [collateral.pckCrlIssuerChain, 'SGX-PCK-CRL-Issuer-Chain', collateral.pckCrl],
    '/root.der': ['', 'X-Nothing', collateral.rootCaCrl],
  };
  const server = createServer((request, response) => {
    const reply = replies[new URL(request.url!, 'http://cache').pathname];
    if (reply === undefined) return void response.writeHead(404).end();
    const [chain, name, body] = reply;
    response.writeHead(200, { [name]: encodeURIComponent(chain) }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { source: { url, rootCrlUrl: `${url}/root.der` }, server };
}
