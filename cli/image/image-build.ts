/** `cloister image build`: runs Dockerfile.tdx with the builder that this machine has. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Builder, type BuildOptions, baseImageSteps, buildSteps, type Step } from '@cloister/image/build-steps';
import { findProgram } from '@cloister/image/host';
import { programFolder } from '@cloister/server/enclave/build-facts';
import { ServerError } from '@cloister/server/http/errors';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { readImageArguments } from './image-arguments.ts';

const help = `Usage: cloister image build [options]

Builds the confidential VM's image from this checkout. Everything it is made of is named in image/inputs and
package-lock.json with its digest; two builds of the same sources give the same bytes.

  --output <folder>    where the image goes [.cloister/image]
  --builder <program>  docker or buildah [buildah where it is there]
  --base <image>       a Debian to build in [docker.io/library/debian:trixie-slim]
  --make-base          make that Debian here, with mmdebstrap, instead of pulling it; buildah only
  --mirror <address>   of Debian's archives [http://deb.debian.org]; with %s where an archive's name goes, for older inputs:
                       http://snapshot.debian.org/archive/%s/20261121T000000Z
  --ca <pem>           certificates to trust on the way to the npm registry [NODE_EXTRA_CA_CERTS]
  --gpu <kind>         none or nvidia [none]; the latter has not been run on such hardware
  --repository <url>, --commit <hash>
                       where the sources are from: measured at the start of the guest, and shown
  --no-cache           build every step
  --resolve <folder>   build no image: write new lists of inputs, in the versions that the archives hold now; with
                       --gpu nvidia those of NVIDIA
  --print              print the commands and do not run them
`;

export async function run(args: string[], io: CommandIo): Promise<number> {
  const names = ['output', 'builder', 'base', 'mirror', 'ca', 'gpu', 'repository', 'commit', 'resolve'];
  const { values, flags, positionals } = readImageArguments(args, 'build', names, {
    flags: ['no-cache', 'make-base', 'print'],
  });
  if (values.help === true) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  if (positionals.length > 0) throw usageError(`image build takes no argument, got ${positionals[0]}`, 'image build');
  const builder = builderOf(values.builder, io);
  const { gpu = 'none' } = values;
  if (gpu !== 'none' && gpu !== 'nvidia') throw usageError('--gpu is none or nvidia', 'image build');
  const output = resolve(io.cwd, values.resolve ?? values.output ?? join('.cloister', 'image'));
  const options: BuildOptions = {
    builder,
    output,
    gpu,
    target: values.resolve === undefined ? 'artifacts' : gpu === 'none' ? 'resolve' : 'resolve-nvidia',
    base: values.base,
    mirror: values.mirror,
    caFile: caFileOf(values.ca, io),
    repository: values.repository,
    commit: values.commit,
    isCached: !flags.has('no-cache'),
    isBaseLocal: flags.has('make-base'),
  };
  if (!existsSync(join(programFolder, 'Dockerfile.tdx'))) {
    throw new ServerError('ERR_START', 'there is no Dockerfile.tdx: build from a checkout of the sources');
  }
  const base = flags.has('make-base') ? baseImageSteps(options) : [];
  const steps = [...base, ...buildSteps(options)];
  if (flags.has('print')) {
    for (const step of steps) io.stdout.write(`${lineOf(step)}\n`);
    return exitCodes.ok;
  }
  mkdirSync(output, { recursive: true });
  for (const step of steps) await runStep(step, io);
  io.stdout.write(`${output}\n`);
  return exitCodes.ok;
}

function caFileOf(named: string | undefined, { env, cwd }: CommandIo): string | undefined {
  const path = named ?? env.NODE_EXTRA_CA_CERTS;
  return path === undefined ? undefined : resolve(cwd, path);
}

function builderOf(wanted: string | undefined, { env }: CommandIo): Builder {
  if (wanted === 'docker' || wanted === 'buildah') return wanted;
  if (wanted !== undefined) throw usageError('--builder is docker or buildah', 'image build');
  // buildah needs no daemon; a docker on PATH may lack its daemon, or the buildx that its client needs from version 23 on.
  const found = findProgram(['buildah', 'docker'], env.PATH);
  if (found === 'docker' || found === 'buildah') return found;
  throw new ServerError('ERR_START', 'neither docker nor buildah is here. Action: apt-get install buildah');
}

function lineOf({ program, args, env = {} }: Step): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...variables, program, ...args].join(' ');
}

async function runStep({ program, args, env }: Step, io: CommandIo): Promise<void> {
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const step = spawn(program, args, { cwd: programFolder, env: { ...io.env, ...env }, stdio: [...stdio] });
  const [code] = (await once(step, 'close')) as [number | null];
  if (code !== 0) throw new ServerError('ERR_START', `${program} ${args[0]} ended with ${code}; see above`);
}
