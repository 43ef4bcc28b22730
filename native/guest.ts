/** The TypeScript interface of the addon for attestation in the guest: TDX devices, NVIDIA's libraries, hardening of this process. */
import {
  binding,
  type NativeGpuEvidence,
  type NativeGpuLoad,
  type NativeGpuState,
  type NativeNetworkFence,
  type NativeProcessGuard,
  type NativeSwitchEvidence,
} from './binding.ts';
import { requireInteger, requireString } from './options.ts';

export type GpuState = NativeGpuState;
/** What a GPU does at the moment; members that the driver does not report are absent. Percents cover its last sampling period. */
export type GpuLoad = NativeGpuLoad;
export type NvmlEvidence = NativeGpuEvidence;
export type NscqEvidence = NativeSwitchEvidence;
export type ProcessGuardFacts = NativeProcessGuard;
export type NetworkFenceFacts = NativeNetworkFence;

/** Default address of the quote service of a TDX host. */
export const quoteServiceDefault: QuoteServiceAddress = { contextId: 2, port: 4050 };

/** NVIDIA's management library; the driver installs it on the loader's path. */
export const nvmlLibrary = 'libnvidia-ml.so.1';

/** NVIDIA's library for NVSwitches, on the loader's path. */
export const nscqLibrary = 'libnvidia-nscq.so.2';

/** A vsock address, or a UNIX socket. */
export type QuoteServiceAddress = { readonly contextId: number; readonly port: number } | { readonly unixPath: string };

/**
 * Reads a TD report.
 * @param device path of the tdx_guest device · @param reportData 64 bytes · @returns 1,024 bytes
 * @throws {Error} ERR_TDX_DEVICE_MISSING, ERR_TDX_PERMISSION, ERR_TDX_FAILED
 */
export async function readTdReport(device: string, reportData: Uint8Array): Promise<Uint8Array> {
  requireString('device', device);
  requireBytes('reportData', reportData, 64);
  return binding().readTdReport(device, reportData);
}

/**
 * Sends one message of at most 64 KiB to a quote service and returns its reply.
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

/** Reads the load of every GPU, in the driver's order. @throws {Error} ERR_NVML_MISSING, ERR_NVML_FAILED */
export async function readGpuLoads(library: string = nvmlLibrary): Promise<readonly GpuLoad[]> {
  requireString('library', library);
  return binding().readGpuLoads(library);
}

/**
 * Reads the attestation report of a GPU.
 * @param index index of the GPU, from 0 · @param nonce 32 bytes that the report contains
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
 * Sets the GPUs ready, so that they accept work. The driver requires CAP_SYS_ADMIN.
 * @throws {Error} ERR_NVML_MISSING, ERR_NVML_FAILED
 */
export async function setGpusReady(library: string = nvmlLibrary): Promise<void> {
  requireString('library', library);
  return binding().setGpusReady(library);
}

/**
 * Reads the attestation reports of all switches of this machine.
 * @param nonce 32 bytes that the reports contain
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
 * Permanently disables core dumps and tracing of this process, and makes OpenSSL store private keys in locked memory, as far as
 * the kernel allows. Returns the resulting state.
 */
export function guardProcess(): ProcessGuardFacts {
  return binding().guardProcess();
}

/** Returns the current hardening of this process. */
export function readProcessGuard(): ProcessGuardFacts {
  return binding().readProcessGuard();
}

/** Zeroes the unused part of this thread's stack. */
export function wipeUnusedStack(): void {
  binding().wipeUnusedStack();
}

/**
 * Permanently prevents this thread, and all threads that it starts, from creating sockets that reach outside this machine, as
 * far as the kernel allows. Does not affect the threads of libuv's pool.
 */
export function fenceNetwork(): void {
  binding().fenceNetwork();
}

/** Returns how many threads of this process called `fenceNetwork`, and for how many of them it took effect. */
export function readNetworkFence(): NetworkFenceFacts {
  return binding().readNetworkFence();
}

function requireBytes(name: string, value: Uint8Array, length: number): void {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name} must be a Uint8Array`);
  if (value.length !== length) throw new RangeError(`${name} must be ${length} bytes, got ${value.length}`);
}
