/** `cloister image build`: builds Dockerfile.tdx with docker or buildah. */
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

Builds the confidential VM's image from this checkout. image/inputs and package-lock.json pin every input by its digest,
so two builds of the same sources give the same bytes.

  --output <folder>    folder for the image [.cloister/image]
  --builder <program>  docker or buildah [buildah if installed, else docker]
  --base <image>       Debian image to build in [docker.io/library/debian:trixie-slim]
  --make-base          create the Debian image locally with mmdebstrap instead of pulling it; buildah only
  --mirror <url>       mirror of Debian's archives [http://deb.debian.org]; %s stands for the archive's name, to use a
                       snapshot: http://snapshot.debian.org/archive/%s/20261121T000000Z
  --ca <pem>           CA certificates to trust for the npm registry [NODE_EXTRA_CA_CERTS]
  --gpu <kind>         none or nvidia [none]; nvidia has not been tested on NVIDIA hardware
  --repository <url>, --commit <hash>
                       origin of the sources, which the guest measures and reports
  --no-cache           rebuild every step
  --resolve <folder>   write new lists of inputs with the archives' current versions, and build no image; with
                       --gpu nvidia, the lists of NVIDIA's packages
  --print              print the commands without running them
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
  if (gpu !== 'none' && gpu !== 'nvidia') throw usageError(`--gpu must be none or nvidia, got ${gpu}`, 'image build');
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
    throw new ServerError(
      'ERR_START',
      'Dockerfile.tdx not found. Action: run the command from a checkout of the sources',
    );
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

function builderOf(requested: string | undefined, { env }: CommandIo): Builder {
  if (requested === 'docker' || requested === 'buildah') return requested;
  if (requested !== undefined) throw usageError(`--builder must be docker or buildah, got ${requested}`, 'image build');
  // Prefer buildah, which needs no daemon. A docker on PATH may lack its daemon, or buildx, which it needs since version 23.
  const found = findProgram(['buildah', 'docker'], env.PATH);
  if (found === 'docker' || found === 'buildah') return found;
  throw new ServerError('ERR_START', 'neither docker nor buildah is installed. Action: apt-get install buildah');
}

function lineOf({ program, args, env = {} }: Step): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...variables, program, ...args].join(' ');
}

async function runStep({ program, args, env }: Step, io: CommandIo): Promise<void> {
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const step = spawn(program, args, { cwd: programFolder, env: { ...io.env, ...env }, stdio: [...stdio] });
  const [code] = (await once(step, 'close')) as [number | null];
  if (code !== 0)
    throw new ServerError('ERR_START', `${program} ${args[0]} exited with ${code ?? 'a signal'}; its output is above`);
}
