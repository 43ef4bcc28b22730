/**
 * Sets the GPUs ready to accept work, which the driver allows to administrators only. In the guest image, init does it, over a socket;
 * elsewhere this process does it and must run as root.
 */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { nvmlLibrary, readGpuState, setGpusReady as setReadyThroughDriver } from '@cloister/native/guest';
import { AttestationError } from '../base/errors.ts';
import { nvmlError } from './gpu-evidence.ts';

/** See image/init/gpu.h. */
const gpuGate = '/run/gpu-gate';
/** NVIDIA's tool starts the driver, which takes seconds. */
const gateTimeoutMs = 60_000;
const done = '1';

export interface GpuReadyOptions {
  readonly gate?: string;
  readonly library?: string;
}

/** @throws {AttestationError} ERR_NVML_MISSING, ERR_NVML_FAILED if the driver refuses, or the GPUs then still accept no work */
export async function setGpusReady({ gate = gpuGate, library = nvmlLibrary }: GpuReadyOptions = {}): Promise<void> {
  try {
    await (existsSync(gate) ? passGate(gate) : setReadyThroughDriver(library));
    const { acceptsWork } = await readGpuState(library);
    if (acceptsWork === false) throw failed('the GPUs accept no work after they were set ready');
  } catch (error) {
    throw nvmlError(error);
  }
}

async function passGate(gate: string): Promise<void> {
  const socket = connect(gate);
  socket.setTimeout(gateTimeoutMs, () => socket.destroy(failed('init did not respond in time')));
  let answer: string | undefined;
  try {
    // The first chunk is the whole response; without one, the socket just closes.
    for await (const piece of socket.setEncoding('latin1') as AsyncIterable<string>) {
      answer = piece;
      break;
    }
  } catch (error) {
    throw error instanceof AttestationError ? error : failed(`init could not be reached: ${(error as Error).message}`);
  }
  if (answer !== done) throw failed('the driver refused to set the GPUs ready');
}

function failed(message: string): AttestationError {
  return new AttestationError('ERR_NVML_FAILED', message);
}
