/** Compares the GPUs and switches in evidence with those that the server measured at its start. Pure. */
import { type StartEvent, startEventNames } from '../eventlog/start-log.ts';
import { gpuIdentityOf, switchIdentityOf } from '../gpu/device-identity.ts';
import { refuse } from '../verify/checks.ts';
import type { AuthenticDevices } from './check-gpus.ts';
import { contentOf, memberOf } from './start-contents.ts';

type Identity = { readonly keySha256: string } & Readonly<Record<string, string>>;

/**
 * Requires a one-to-one match between the presented and the measured devices: the same report signing keys and the same state.
 * A genuine device of another machine is refused.
 * @param shown authentic devices
 * @returns the finding for the check table
 * @throws {AttestationError} ERR_NOT_VERIFIED, ERR_EVIDENCE_MALFORMED
 */
export async function requireMeasuredDevices(shown: AuthenticDevices, events: readonly StartEvent[]): Promise<string> {
  const facts = contentOf(events, startEventNames.gpu);
  const gpus = await Promise.all(shown.gpus.map(gpuIdentityOf));
  const switches = await Promise.all(shown.switches.map(switchIdentityOf));
  requireSameDevices('GPU', gpus.map(toIdentity), memberOf(facts, 'gpus') ?? []);
  requireSameDevices('switch', switches.map(toIdentity), memberOf(facts, 'switches') ?? []);
  if (gpus.length === 0) return 'no GPU is present';
  const those = switches.length === 0 ? `${gpus.length}` : `${gpus.length} and ${switches.length} switches`;
  return `${those}, by key, driver, VBIOS and mode`;
}

function toIdentity(identity: object): Identity {
  return identity as Identity;
}

function requireSameDevices(device: string, shown: readonly Identity[], measured: unknown): void {
  const list: readonly unknown[] = Array.isArray(measured)
    ? measured
    : refuse(`the start log has no list of ${device}s`);
  shown.forEach((one, index) => {
    const [first, ...more] = shown.filter(({ keySha256 }) => keySha256 === one.keySha256);
    if (first !== one) return;
    if (more.length > 0) refuse(`${device} ${shown.indexOf(more[0]!) + 1} is the same as ${device} ${index + 1}`);
    const found = list.filter((facts) => memberOf(facts, 'keySha256') === one.keySha256);
    if (found.length !== 1) refuse(`${device} ${index + 1}, with key ${one.keySha256}, was not measured at the start`);
    const other = Object.keys(one).find((name) => memberOf(found[0], name) !== one[name]);
    if (other === undefined) return;
    const was = String(memberOf(found[0], other)).slice(0, 64);
    refuse(`${other} of ${device} ${index + 1} is ${one[other]}, but ${was} was measured at the start`);
  });
  if (list.length !== shown.length) {
    refuse(`${list.length} ${device}s were measured at the start, but the evidence has ${shown.length}`);
  }
}
