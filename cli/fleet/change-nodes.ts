/** `cloister fleet roll` and `scale`, for a fleet on this machine or in a Docker Swarm. */
import { parseEvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { autoscale, type Decision, type Reading } from './autoscale.ts';
import { nodesMax } from './balancer.ts';
import {
  type FleetCall,
  locked,
  noArgument,
  onlyNumber,
  readPolicy,
  releaseOf,
  secondsOf,
  wholeNumber,
} from './call.ts';
import { LocalFleet } from './local-fleet.ts';
import { type FleetOptions, type FleetPlatform, roll as replaceAll } from './platform.ts';
import { SwarmFleet } from './swarm-fleet.ts';
import { SwarmService } from './swarm-service.ts';

/** As many as the directory of a fleet lists. */
const swarmNodesMax = 1024;
const metricsPortDefault = 9443;
const secondsMax = 86_400;

export async function roll(call: FleetCall, options: FleetOptions, { stderr }: CommandIo): Promise<number> {
  noArgument(call, 'roll');
  const { values, paths, serveOptions } = call;
  const replace = async <Release>(fleet: FleetPlatform<Release>, release: Release) => {
    await replaceAll(await fleet.rollout(release), options);
    stderr.write(`${(await fleet.nodes()).length} nodes run the new release\n`);
    return exitCodes.ok;
  };
  if (values.swarm === undefined) {
    if (values.image !== undefined) throw usageError('--image needs --swarm: here, --program names a version', 'fleet');
    return await locked(paths, async () => {
      const fleet = new LocalFleet({ ...options, paths });
      return await replace(fleet, releaseOf(call, fleet.state.release));
    });
  }
  if (values.program !== undefined) throw usageError('with --swarm, --image names a version, not --program', 'fleet');
  return await replace(await swarmFleet(call, options), { image: values.image, options: serveOptions });
}

export async function scale(call: FleetCall, options: FleetOptions, io: CommandIo): Promise<number> {
  const { values } = call;
  const isSwarm = values.swarm !== undefined;
  const max = isSwarm ? swarmNodesMax : nodesMax;
  if (values.auto === true) return await scaleByLoad(call, options, { max, io });
  const count = onlyNumber(call, { takes: `scale takes the number of nodes, 1 to ${max}, or --auto`, max });
  const fleet = isSwarm ? await swarmFleet(call, options) : localFleet(call, options);
  await fleet.scale(count);
  io.stderr.write(`${(await fleet.nodes()).length} nodes run\n`);
  return exitCodes.ok;
}

async function scaleByLoad(
  call: FleetCall,
  options: FleetOptions,
  { max, io }: { max: number; io: CommandIo },
): Promise<number> {
  noArgument(call, 'scale --auto');
  const { values } = call;
  const tokens = { fallback: 0, max: Number.MAX_SAFE_INTEGER };
  const rule = {
    min: wholeNumber(values, 'min', { fallback: 1, max }),
    max: wholeNumber(values, 'max', { fallback: nodesMax, max }),
    upAboveS: secondsOf(values, 'up-above-s', { fallback: 1.5, max: secondsMax }),
    upAboveTokens: values['up-above-tokens'] === undefined ? Infinity : wholeNumber(values, 'up-above-tokens', tokens),
    downBelowS: secondsOf(values, 'down-below-s', { fallback: 0.2, max: secondsMax }),
    intervalMs: wholeNumber(values, 'interval-s', { fallback: 15, max: secondsMax }) * 1000,
    cooldownMs: wholeNumber(values, 'cooldown-s', { fallback: 120, max: secondsMax }) * 1000,
  };
  if (rule.min > rule.max) throw usageError(`--min ${rule.min} exceeds --max ${rule.max}`, 'fleet');
  if (rule.downBelowS >= rule.upAboveS) throw usageError('--down-below-s must be less than --up-above-s', 'fleet');
  const isDryRun = values['dry-run'] === true;
  await autoscale(values.swarm === undefined ? localFleet(call, options) : await swarmFleet(call, options), {
    ...{ ...options, rule, isDryRun, isOnce: values.once === true },
    onDecision: (reading, decision) => printDecision({ reading, decision, isDryRun }, values.json === true, io),
  });
  return exitCodes.ok;
}

/** Locks the fleet only while nodes are added or removed, so that other commands work between two decisions. */
function localFleet({ paths }: FleetCall, options: FleetOptions): Pick<FleetPlatform<never>, 'nodes' | 'scale'> {
  const fleet = () => new LocalFleet({ ...options, paths });
  return { nodes: () => fleet().nodes(), scale: (count) => locked(paths, () => fleet().scale(count)) };
}

async function swarmFleet({ values, cwd }: FleetCall, options: FleetOptions): Promise<SwarmFleet> {
  if (values.policy === undefined)
    throw usageError('--swarm needs --policy, which the evidence of new nodes must satisfy', 'fleet');
  const policy = parseEvidencePolicy(readPolicy(values.policy, cwd));
  const metricsPort = wholeNumber(values, 'metrics-port', { fallback: metricsPortDefault, max: 65_535 });
  const service = await SwarmService.find(values.swarm ?? '', options.env);
  return new SwarmFleet(service, { ...options, policy, metricsPort, isSimulated: values.simulated === true });
}

interface Printed {
  readonly reading: Reading;
  readonly decision: Decision;
  readonly isDryRun: boolean;
}

function printDecision({ reading, decision, isDryRun }: Printed, isJson: boolean, { stdout }: CommandIo): void {
  const { nodes, read, queueP95S, waiting, waitingTokens, kvUsage } = reading;
  const time = new Date().toISOString();
  const { count, reason } = decision;
  if (isJson) {
    const facts = {
      time,
      nodes,
      read,
      queueP95Seconds: queueP95S ?? null,
      waiting,
      waitingTokens,
      kvUsage,
      count,
      reason,
      isDryRun,
    };
    stdout.write(`${JSON.stringify(facts)}\n`);
    return;
  }
  const unread = read === nodes ? '' : ` (${read} of them read)`;
  const queue = queueP95S === undefined ? 'none' : `${queueP95S.toFixed(3)} s`;
  const load = `queue time p95 ${queue}, ${waiting} requests and ${waitingTokens} prompt tokens waiting, KV cache ${Math.round(kvUsage * 100)} %`;
  const change = count === nodes ? `keeps ${nodes}` : `${isDryRun ? 'would scale' : 'scales'} to ${count}`;
  stdout.write(`${time}  ${nodes} nodes${unread}: ${load}: ${change}, because ${reason}\n`);
}
