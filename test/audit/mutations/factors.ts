/** Mutations that remove the defences behind the factors that auditors score. See `mutation.ts`. */
import type { Mutation } from './mutation.ts';

export const factorMutations: readonly Mutation[] = [
  {
    row: 'nonce_match',
    file: 'attestation/aci/report.ts',
    source: '  if (toHex(expected.subarray(0, 32)) !== report.reportData) {',
    replacement: '  if (false as boolean) {',
  },
  {
    row: 'tee_quote_present',
    file: 'attestation/score/score.ts',
    source: `measurements === undefined ? fail('no readable quote') : pass('a TDX quote'),`,
    replacement: `measurements === null ? fail('no readable quote') : pass('a TDX quote'),`,
  },
  {
    row: 'tee_quote_structure',
    file: 'attestation/quote/quote.ts',
    source: '  if (!isAllZero(reader.rest())) {',
    replacement: '  if (reader.rest().length > 4096) {',
  },
  {
    row: 'tee_cert_chain',
    file: 'attestation/x509/chain.ts',
    source:
      'if (certificates.length > 1 && anchors.some((anchor) => sameBytes(anchor.der, top.der))) return [...certificates];',
    replacement: 'if (certificates.length > 1) return [...certificates];',
  },
  {
    row: 'tee_quote_signature',
    file: 'attestation/verify/verify-quote.ts',
    source: `    const key = await importEcdsaPoint('P-256', attestationKey);
    if (!(await isSignatureValid(key, signature, signedBytes))) refuse('the signature is invalid');`,
    replacement: `    const key = await importEcdsaPoint('P-256', attestationKey);
    await isSignatureValid(key, signature, signedBytes);`,
  },
  {
    row: 'tee_debug_disabled',
    file: 'attestation/verify/verify-quote.ts',
    source: `    if (bits(body).includes(tdAttribute.debug)) refuse('the debug bit is set: the host can read the memory');
`,
    replacement: '',
  },
  {
    row: 'tee_measurement',
    file: 'attestation/policy/policy.ts',
    source: `    return refuse(\`none of the \${allowed.length} sets matches; MRTD is \${toHex(td.mrTd)}\`);`,
    replacement: `    return toHex(td.mrTd);`,
  },
  {
    row: 'tee_hardware_config',
    file: 'attestation/verify/verify-quote.ts',
    source: `    if (unknown.length > 0) refuse(\`attribute bits \${unknown.join(', ')} are set\`);
`,
    replacement: '',
  },
  {
    row: 'tee_boot_config',
    file: 'attestation/policy/policy.ts',
    source: `      measurements.every((name) => set[name] === undefined || set[name].toLowerCase() === actual[name]),`,
    replacement: `      measurements.some((name) => set[name] !== undefined && set[name].toLowerCase() === actual[name]),`,
  },
  {
    row: 'signing_key_present',
    file: 'attestation/aci/report.ts',
    source: `  if (!(leftMs > 0)) refuse(\`the keyset expired at \${timeText(notAfter)}\`);
`,
    replacement: '',
  },
  {
    row: 'response_schema',
    file: 'attestation/aci/strict-json.ts',
    source: '    if (!required.includes(name) && !optional.includes(name)) {',
    replacement: '    if (!required.includes(name) && optional.includes(name)) {',
  },
  {
    row: 'tee_reportdata_binding',
    file: 'attestation/policy/policy.ts',
    source: `  if (!sameBytes(actual, expected)) refuse(\`expected \${toHex(expected)}, got \${toHex(actual)}\`);
`,
    replacement: '',
  },
  {
    row: 'intel_pcs_collateral',
    file: 'attestation/collateral/prepare.ts',
    source: '    if (!(await isSignatureValid(unwrap(chain).leafKey, signature, new TextEncoder().encode(text)))) {',
    replacement: '    if (unwrap(chain).certificates.length === 0) {',
  },
  {
    row: 'tee_tcb_current',
    file: 'attestation/policy/policy.ts',
    source: `    if (status === 'Revoked' || !allowed.includes(status)) refuse(`,
    replacement: `    if (status === 'Revoked') refuse(`,
  },
  {
    row: 'tee_tcb_not_revoked',
    file: 'attestation/verify/verify-quote.ts',
    source: `    if (tcb.status === 'Revoked') refuse('Intel revoked a version in use');
`,
    replacement: '',
  },
  {
    row: 'nvidia_payload_present',
    file: 'attestation/client/bound-devices.ts',
    source: `  if (list.length !== shown.length) {`,
    replacement: `  if (list.length < shown.length) {`,
  },
  {
    row: 'nvidia_signature',
    file: 'attestation/gpu/verify-gpu.ts',
    source: `    if (!(await isSignatureValid(leafKey, signature, signedBytes))) refuse('the signature is invalid');`,
    replacement: '    await isSignatureValid(leafKey, signature, signedBytes);',
  },
  {
    row: 'nvidia_claims',
    file: 'attestation/gpu/verify-gpu.ts',
    source: '  if (!certified.some((one) => sameBytes(one, reported))) {',
    replacement: '  if (certified.length === 0) {',
  },
  {
    row: 'nvidia_nonce_client_bound',
    file: 'attestation/gpu/verify-gpu.ts',
    source: `    if (!sameBytes(requestNonce, nonce)) refuse(\`the nonce is \${toHex(requestNonce)}, expected \${toHex(nonce)}\`);
`,
    replacement: '',
  },
  {
    row: 'nvidia_nras_verified',
    file: 'attestation/gpu/verify-rim.ts',
    source: `  if (first === undefined) return \`\${compared.length} measurements match the manifest\`;`,
    replacement: `  if (first === undefined || compared.length > 0) return \`\${compared.length} measurements match the manifest\`;`,
  },
  {
    row: 'e2ee_capable',
    file: 'attestation/sealed/client.ts',
    source: `  if (response.ok) {
    throw new AttestationError(`,
    replacement: `  if (response.status === 0) {
    throw new AttestationError(`,
  },
  {
    row: 'e2ee_usable',
    file: 'attestation/client/sealed-probe.ts',
    source: 'const isSealed = answer.headers.has(responseNonceHeader);',
    replacement: 'const isSealed = true;',
  },
  {
    row: 'tls_key_binding',
    file: 'attestation/client/channel.ts',
    source: '  if (same.length === 0) {',
    replacement: '  if (keys.length === 0) {',
  },
  {
    row: 'measured_model_weights',
    file: 'server/enclave/measured-start.ts',
    source: `  requireDigests(models);
`,
    replacement: '',
  },
  {
    row: 'component_recognition',
    file: 'attestation/client/measured.ts',
    source: `  if (allowed !== undefined && !allowed.some(matches)) refuse(\`\${text} is not among the policy's sources\`);
`,
    replacement: '',
  },
  {
    row: 'event_log_integrity',
    file: 'attestation/eventlog/replay.ts',
    source: '    if (!sameBytes(replayed[register], rtmrs[register])) {',
    replacement: '    if (replayed[register].length !== rtmrs[register].length) {',
  },
  {
    row: 'compose_binding',
    file: 'attestation/client/measured.ts',
    source: '  if (composition !== undefined && composition !== compositionOf(startLog)) {',
    replacement: '  if (composition !== undefined && startLog.length === 0) {',
  },
  {
    row: 'cpu_gpu_chain',
    file: 'attestation/client/bound-devices.ts',
    source: `    if (found.length !== 1) refuse(\`\${device} \${index + 1}, with key \${one.keySha256}, was not measured at the start\`);
`,
    replacement: `    if (found.length !== 1) return;
`,
  },
  {
    row: 'nvswitch_binding',
    file: 'attestation/gpu/node.ts',
    source: `  if (missing !== undefined)
    refuse(`,
    replacement: `  if (missing === '')
    refuse(`,
  },
];
