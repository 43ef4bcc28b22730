/**
 * Checks that GPUs and switches form a whole node. In protected PCIe mode, the links between them carry plaintext, so every device must be
 * attested and no other may be connected. Pure.
 */
import { refuse } from '../verify/checks.ts';
import { type AuthenticDevice, deviceNumberOf, deviceOf } from './device-identity.ts';
import { gpuModeOf } from './gpu-state.ts';
import { connectedGpusOf, connectedSwitchesOf, switchNumberOf } from './switch-state.ts';

/**
 * Requires that each GPU is connected to exactly the given switches, and each switch to exactly the given GPUs.
 * @param devices authentic devices
 * @returns the finding for the check table
 * @throws {AttestationError} ERR_NOT_VERIFIED, ERR_EVIDENCE_MALFORMED
 */
export function requireWholeNode(devices: {
  readonly gpus: readonly AuthenticDevice[];
  readonly switches: readonly AuthenticDevice[];
}): string {
  const { gpus, switches } = devices;
  const protectedGpus = gpus.filter(({ report, chain }) => gpuModeOf(report, deviceOf(chain).chip) === 'ppcie');
  if (protectedGpus.length === 0) return 'no GPU is in protected PCIe mode';
  if (protectedGpus.length < gpus.length) {
    refuse(
      `${protectedGpus.length} of ${gpus.length} GPUs are in protected PCIe mode: the mode requires all GPUs of a node`,
    );
  }
  const gpuNumbers = new Set(gpus.map(({ chain }) => deviceNumberOf(chain)));
  const switchNumbers = new Set(switches.map(({ chain }) => deviceNumberOf(chain)));
  if (gpuNumbers.size < gpus.length || switchNumbers.size < switches.length)
    refuse('a device occurs twice in the evidence');
  gpus.forEach(({ report }, index) => {
    requireSame(connectedSwitchesOf(report), switchNumbers, { what: `GPU ${index + 1}`, others: 'switches' });
  });
  switches.forEach(({ report, chain }, index) => {
    const what = `switch ${index + 1}`;
    if (switchNumberOf(report) !== deviceNumberOf(chain)) refuse(`${what} has a different number than its certificate`);
    requireSame(connectedGpusOf(report), gpuNumbers, { what, others: 'GPUs' });
  });
  return `${gpus.length} GPUs and ${switches.length} switches, connected to one another and to no other`;
}

function requireSame(
  connected: ReadonlySet<string>,
  shown: ReadonlySet<string>,
  { what, others }: { what: string; others: string },
): void {
  if (connected.size === 0) refuse(`${what} names no ${others} that it is connected to`);
  const missing = [...connected].find((number) => !shown.has(number));
  if (missing !== undefined)
    refuse(`${what} is connected to ${missing}, which is not among the ${shown.size} ${others} in the evidence`);
  const foreign = [...shown].find((number) => !connected.has(number));
  if (foreign !== undefined)
    refuse(`${what} is not connected to ${foreign}, which is among the ${others} in the evidence`);
}
