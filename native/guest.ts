/** The face of what the addon does for the guest's side of attestation: TDX devices, NVIDIA's library, this process itself. */
import {
  binding,
  type NativeGpuEvidence,
  type NativeGpuState,
  type NativeNetworkFence,
  type NativeProcessGuard,
  type NativeSwitchEvidence,
} from './binding.ts';
import { requireInteger, requireString } from './options.ts';

export type GpuState = NativeGpuState;
export type NvmlEvidence = NativeGpuEvidence;
export type NscqEvidence = NativeSwitchEvidence;
export type ProcessGuardFacts = NativeProcessGuard;
export type NetworkFenceFacts = NativeNetworkFence;

/** Where the quote service of a TDX host listens unless its operator chose otherwise. */
export const quoteServiceDefault: QuoteServiceAddress = { contextId: 2, port: 4050 };

/** Found on the loader's path; the driver brings it. */
export const nvmlLibrary = 'libnvidia-ml.so.1';

/** The same, for the switches between GPUs. */
export const nscqLibrary = 'libnvidia-nscq.so.2';

/** A vsock address, or a UNIX socket. */
export type QuoteServiceAddress = { readonly contextId: number; readonly port: number } | { readonly unixPath: string };

/**
 * @param device the path of tdx_guest · @param reportData 64 bytes · @returns 1,024 bytes
 * @throws {Error} ERR_TDX_DEVICE_MISSING, ERR_TDX_PERMISSION, ERR_TDX_FAILED
 */
export async function readTdReport(device: string, reportData: Uint8Array): Promise<Uint8Array> {
  requireString('device', device);
  requireBytes('reportData', reportData, 64);
  return binding().readTdReport(device, reportData);
}

/**
 * One message to a quote service and its answer, at most 64 KiB.
 * @throws {Error} ERR_QUOTE_SERVICE_UNREACHABLE, ERR_QUOTE_TIMEOUT
 */
export async function exchangeQuoteMessage(
  message: Uint8Array,
  { address = quoteServiceDefault, timeoutMs }: { address?: QuoteServiceAddress; timeoutMs: number },
): Promise<Uint8Array> {
  requireInteger('timeoutMs', timeoutMs, 1, 600_000);
  if (!(message instanceof Uint8Array)) throw new TypeError('message must be a Uint8Array');
  requireInteger('length of the message', message.length, 1, 64 * 1024);
  const { exchangeQuoteMessage: exchange } = binding();
  if ('unixPath' in address) {
    requireString('unixPath', address.unixPath);
    return exchange(0, 0, address.unixPath, message, timeoutMs);
  }
  requireInteger('contextId', address.contextId, 0, 2 ** 32 - 1);
  requireInteger('port', address.port, 0, 2 ** 32 - 1);
  return exchange(address.contextId, address.port, '', message, timeoutMs);
}

/** @throws {Error} ERR_NVML_MISSING, ERR_NVML_FAILED */
export async function readGpuState(library: string = nvmlLibrary): Promise<GpuState> {
  requireString('library', library);
  return binding().readGpuState(library);
}

/**
 * @param index of the GPU, from 0 · @param nonce 32 bytes that the report will carry
 * @throws {Error} ERR_NVML_MISSING, ERR_NVML_FAILED
 */
export async function readGpuEvidence(
  index: number,
  nonce: Uint8Array,
  library: string = nvmlLibrary,
): Promise<NvmlEvidence> {
  requireInteger('index', index, 0, 63);
  requireBytes('nonce', nonce, 32);
  requireString('library', library);
  return binding().readGpuEvidence(library, index, nonce);
}

/**
 * Has the GPUs run programs from now on; the driver takes it from a process with CAP_SYS_ADMIN only.
 * @throws {Error} ERR_NVML_MISSING, ERR_NVML_FAILED
 */
export async function setGpusReady(library: string = nvmlLibrary): Promise<void> {
  requireString('library', library);
  return binding().setGpusReady(library);
}

/**
 * A report of every switch of this machine.
 * @param nonce 32 bytes that the reports will carry
 * @throws {Error} ERR_NSCQ_MISSING, ERR_NSCQ_FAILED
 */
export async function readSwitchEvidence(
  nonce: Uint8Array,
  library: string = nscqLibrary,
): Promise<readonly NscqEvidence[]> {
  requireBytes('nonce', nonce, 32);
  requireString('library', library);
  return binding().readSwitchEvidence(library, nonce);
}

/**
 * Forbids core dumps and tracing of this process, and has OpenSSL keep private keys in locked memory, for good and as far as the
 * kernel lets it; tells what then holds.
 */
export function guardProcess(): ProcessGuardFacts {
  return binding().guardProcess();
}

/** What holds for this process now. */
export function readProcessGuard(): ProcessGuardFacts {
  return binding().readProcessGuard();
}

/** Zeroes the part of this thread's stack that no call uses now. */
export function wipeUnusedStack(): void {
  binding().wipeUnusedStack();
}

/**
 * Takes from this thread, and from all that it starts, the making of sockets that lead out of this machine, for good and as far
 * as the kernel lets it. Threads of libuv's pool are not among them.
 */
export function fenceNetwork(): void {
  binding().fenceNetwork();
}

/** How many threads of this process asked for that, and how many of them got it. */
export function readNetworkFence(): NetworkFenceFacts {
  return binding().readNetworkFence();
}

function requireBytes(name: string, value: Uint8Array, length: number): void {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name} must be a Uint8Array`);
  if (value.length !== length) throw new RangeError(`${name} must be ${length} bytes, got ${value.length}`);
}
