/** Mutations that remove the defences of our own threat model. See `mutation.ts`. */
import type { Mutation } from './mutation.ts';

export const ownMutations: readonly Mutation[] = [
  {
    row: 'prompts-not-stored',
    file: 'server/http/request-log.ts',
    source: `  const behind = messageAt < 0 ? '' : stack.slice(messageAt + message.length);`,
    replacement: `  const behind = messageAt < 0 ? '' : stack;`,
  },
  {
    row: 'errors-quote-nothing',
    file: 'attestation/aci/strict-json.ts',
    source: `    throw malformed(what, 'JSON in UTF-8');`,
    replacement: `    throw malformed(what, \`JSON in UTF-8, got \${input.toString()}\`);`,
  },
  {
    row: 'pictures-are-zeroed',
    file: 'server/features/images/pending-images.ts',
    source: 'setTimeout(() => this.take(token)?.bytes.fill(0), this.#options.lifetimeMs).unref();',
    replacement: 'setTimeout(() => this.take(token), this.#options.lifetimeMs).unref();',
  },
  {
    row: 'cache-per-account',
    file: 'runtime/chat/prefix-cache.ts',
    source: `if (busy !== isBusy || sequence.salt !== salt) continue;`,
    replacement: 'if (busy !== isBusy) continue;',
  },
  {
    row: 'keys-hashed',
    file: 'accounts/keys/keys.ts',
    source: `  return hash('sha256', key, 'buffer');`,
    replacement: '  return Buffer.from(key);',
  },
  {
    row: 'weights-hashed',
    file: 'models/hub/digest.ts',
    source: '  if (found.sha256 !== file.sha256) {',
    replacement: '  if (found.sha256.length !== file.sha256.length) {',
  },
  {
    row: 'metrics-host',
    file: 'server/operator/operator-server.ts',
    source: '    if (!isOwnHost(hosts[0], ownHosts)) {',
    replacement: '    if (hosts[0] === undefined) {',
  },
  {
    row: 'one-host-header',
    file: 'server/http/client-errors.ts',
    source: `    const isFine = count === 1 || (count === 0 && httpVersion === '1.0');`,
    replacement: `    const isFine = count >= 1 || (count === 0 && httpVersion === '1.0');`,
  },
  {
    row: 'big-bodies',
    file: 'server/start/app.ts',
    source: '    bodyLimit: bodyBytesMax,',
    replacement: '    bodyLimit: 64 * bodyBytesMax,',
  },
  {
    row: 'ratls-key',
    file: 'attestation/ratls/ratls.ts',
    source: 'return judgeQuote(verification, trust.policy, evidence.reportData);',
    replacement: `return judgeQuote(verification, trust.policy, 'any');`,
  },
  {
    row: 'brought-key',
    file: 'server/enclave/enclave.ts',
    source: 'tlsPublicKeys: isTlsKeyBornInside ? [{ spkiSha256: sha256(spkiOf(certificate)) }] : [],',
    replacement: 'tlsPublicKeys: [{ spkiSha256: sha256(spkiOf(certificate)) }],',
  },
  {
    row: 'sealed-frames',
    file: 'attestation/sealed/client.ts',
    source: `const text = await openFrame(frame, open, frameNonce(baseNonce, sequence));
        sequence += 1;`,
    replacement: `const text = await openFrame(frame, open, frameNonce(baseNonce, sequence)).catch(() => new Uint8Array());
        sequence += 1;`,
  },
  {
    row: 'sealed-only',
    file: 'server/serving/sealed-body.ts',
    source: `      if (sealedOnly) throw plainBody();
`,
    replacement: '',
  },
  {
    row: 'receipts-owner',
    file: 'server/enclave/receipts.ts',
    source: 'if (entry === undefined || entry.owner !== owner) return undefined;',
    replacement: 'if (entry === undefined) return undefined;',
  },
  {
    row: 'receipts-signed',
    file: 'attestation/aci/receipt.ts',
    source: `  return crypto.subtle.verify('Ed25519', key, signature, receiptBytes(receipt));`,
    replacement: `  return (await crypto.subtle.verify('Ed25519', key, signature, receiptBytes(receipt))) || signature.length > 0;`,
  },
  {
    row: 'receipts-exchange',
    file: 'attestation/aci/receipt.ts',
    source: `  await requireBody(receipt, receiptEvent.received, exchange.requestBody, 'request');
  await requireBody(receipt, receiptEvent.returned, exchange.responseBody, 'answer');
`,
    replacement: '',
  },
  {
    row: 'simulation-shown',
    file: 'attestation/client/verify-evidence.ts',
    source: `  if (simulated && isIntel) refuse('the server reports a simulated platform, but no root of a simulation is trusted');
`,
    replacement: '',
  },
  {
    row: 'simulation-not-in-td',
    file: 'attestation/guest/open-platform.ts',
    source: '  if (isTd && simulate) {',
    replacement: '  if (isTd && simulate && nowMs < 0) {',
  },
  {
    row: 'fresh-register',
    file: 'attestation/guest/rtmr3.ts',
    source: `    if (!sameBytes(before, this.#expected)) throw notOurs(before, this.events.length);
`,
    replacement: '',
  },
  {
    row: 'whole-start',
    file: 'attestation/eventlog/start-log.ts',
    source: `    if (place < 0) throw incomplete(\`\${name} is not one of Cloister's events\`);
`,
    replacement: `    if (place < 0) continue;
`,
  },
  {
    row: 'start-log',
    file: 'attestation/client/measured.ts',
    source: '  if (!sameBytes(replayed, rtmrs[3])) {',
    replacement: '  if (replayed.length !== rtmrs[3].length) {',
  },
  {
    row: 'claims-measured',
    file: 'attestation/client/measured.ts',
    source: `    else refuse(\`the claim \${type} differs from the measured event of that name\`);`,
    replacement: '    else unmeasured.push(type);',
  },
  {
    row: 'duplicate-members',
    file: 'attestation/aci/strict-json.ts',
    source: `      if (seen?.has(name)) throw malformed(what, \`free of duplicate members, but has \${quoteName(name)} twice\`);
`,
    replacement: '',
  },
  {
    row: 'redirects',
    file: 'attestation/client/pinned-https.ts',
    source: '  if (status >= 300 && status < 400 && status !== 304) {',
    replacement: '  if (status === 399) {',
  },
  {
    row: 'one-gpu-twice',
    file: 'attestation/client/bound-devices.ts',
    source: `    if (more.length > 0) refuse(\`\${device} \${shown.indexOf(more[0]!) + 1} is the same as \${device} \${index + 1}\`);
`,
    replacement: ``,
  },
  {
    row: 'provisioning',
    file: 'server/guest/provision.ts',
    source: '    if (!verify(null, provisionStatement(key.publicKey, secrets), ed25519(operatorKey), signature)) {',
    replacement: '    if (signature.length === 0) {',
  },
  {
    row: 'quote-limits',
    file: 'attestation/guest/quote-queue.ts',
    source: '    this.#take(client);',
    replacement: "    this.#take('all');",
  },
  {
    row: 'prompt-guard',
    file: 'server/features/agents/guard.ts',
    source: `    if (this.#shape.charactersOf(this.#start, this.#length) < droppedFrom) return false;
`,
    replacement: `    if (this.#shape.charactersOf(this.#start, this.#length) < 100 * droppedFrom) return false;
`,
  },
  {
    row: 'money',
    file: 'accounts/plans/limits.ts',
    source: '  if (price <= available) return undefined;',
    replacement: '  if (price <= available + price) return undefined;',
  },
  {
    row: 'state-folder',
    file: 'server/program/state-folder.ts',
    source: `  if (lock === undefined) {
    throw new ServerError(`,
    replacement: `  if (lock === undefined && user.length === 0) {
    throw new ServerError(`,
  },
  {
    row: 'policy-means-software',
    file: 'attestation/policy/pinned-software.ts',
    source: `    if (digits === undefined) return [\`\${register} is not pinned, which permits \${permits}\`];`,
    replacement: `    if (digits === undefined) return [];`,
  },
  {
    row: 'gpus-before-models',
    file: 'server/enclave/gpu-admission.ts',
    source: `  await measureGpus(platform, verified);
  await options.system.setReady();`,
    replacement: `  await options.system.setReady();
  await measureGpus(platform, verified);`,
  },
  {
    row: 'relay-proof',
    file: 'attestation/client/bound-channel.ts',
    source: '  if (signed !== undefined && !isStatementSigned(statement, signed)) {',
    replacement: '  if (signed !== undefined && statement.length === 0) {',
  },
  {
    row: 'session-age',
    file: 'attestation/client/sessions.ts',
    source: '    return Math.min(this.#ageMaxMs - ageMs, session.expiresAtMs - wallMs);',
    replacement: '    return Math.min(this.#ageMaxMs + 0 * ageMs, session.expiresAtMs - wallMs);',
  },
];
