/** Mutations that remove the defences against the findings of the review. See `mutation.ts`. */
import type { Mutation } from './mutation.ts';

export const reviewMutations: readonly Mutation[] = [
  {
    row: 'TOB-WAPI-5',
    file: 'server/http/request-log.ts',
    source: '  return { type: error.name, code, reason: reasonOf(error), at: placesOf(error), cause };',
    replacement: '  return { type: error.name, message: error.message, code, at: placesOf(error), cause };',
  },
  {
    row: 'TOB-WAPI-7',
    file: 'attestation/policy/policy.ts',
    source: `  if (!sameBytes(actual, expected)) refuse(\`expected \${toHex(expected)}, got \${toHex(actual)}\`);
`,
    replacement: '',
  },
  {
    row: 'TOB-WAPI-8',
    file: 'attestation/verify/tcb-level.ts',
    source: `      platform.sgxSvns.every((svn, index) => svn >= candidate.sgxSvns[index]!) &&
`,
    replacement: '',
  },
  {
    row: 'TOB-WAPI-9',
    file: 'attestation/verify/verify-quote.ts',
    source: `if (!bits(body).includes(tdAttribute.septVeDisable)) refuse('SEPT_VE_DISABLE is not set');`,
    replacement: '',
  },
  {
    row: 'TOB-WAPI-11',
    file: 'server/tls/tls.ts',
    source: `minVersion: 'TLSv1.3',`,
    replacement: `minVersion: 'TLSv1.2',`,
  },
  {
    row: 'TOB-WAPI-12',
    file: 'server/tls/tls.ts',
    source: "    minVersion: 'TLSv1.3',",
    replacement: "    minVersion: 'TLSv1.3',\n    ecdhCurve: 'X25519:prime256v1',",
  },
  {
    row: 'TOB-WAPI-13',
    file: 'server/enclave/measured-start.ts',
    source: `  await measure(startEventNames.configuration, measuredConfig(facts.config));
`,
    replacement: `  await measure(startEventNames.configuration, {});
`,
  },
  {
    row: 'TOB-WAPI-14',
    file: 'image/tar.ts',
    source: 'if (!/^[a-z0-9_-][a-z0-9._-]*$/.test(name) || name.length > nameBytesMax) {',
    replacement: 'if (name.length > nameBytesMax) {',
  },
  {
    row: 'TOB-WAPI-17',
    file: 'attestation/policy/policy.ts',
    source: `      measurements.every((name) => set[name] === undefined || set[name].toLowerCase() === actual[name]),`,
    replacement: `      measurements.every((name) => name === 'rtmr0' || set[name] === undefined || set[name].toLowerCase() === actual[name]),`,
  },
  {
    row: 'TOB-WAPI-18',
    file: 'image/package-set.ts',
    source: 'if (entry?.version === undefined || entry.integrity === undefined) {',
    replacement: 'if (entry?.version === undefined) {',
  },
  {
    row: 'TOB-WAPI-19',
    file: 'server/enclave/measured-start.ts',
    source: 'files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })) };',
    replacement: 'files: files.map(({ bytes, sha256 }) => ({ bytes, sha256 })) };',
  },
  {
    row: 'TOB-WAPI-20',
    file: 'attestation/base/report-data.ts',
    source: ',"purpose":"aci.report_data.v1"}`',
    replacement: '}`',
  },
  {
    row: 'TOB-WAPI-23',
    file: 'server/serving/receipts.ts',
    source: `if (request.method === 'POST' && isStarting?.() === true) {`,
    replacement: `if (request.method === 'NONE' && isStarting?.() === true) {`,
  },
  {
    row: 'TOB-WAPI-28',
    file: 'attestation/client/measured.ts',
    source: `  if (!isProtected && memberOf(facts, 'confidentialCompute') !== true) {`,
    replacement: `  if (!isProtected && facts === null) {`,
  },
  {
    row: 'TOB-WAPI-10',
    file: 'attestation/policy/policy.ts',
    source: `    if (platformIds !== undefined && !platformIds.some((one) => ids.includes(one.toLowerCase()))) {`,
    replacement: `    if (platformIds !== undefined && ids.length === 0) {`,
  },
];
