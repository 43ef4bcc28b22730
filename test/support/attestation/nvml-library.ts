/**
 * A library with NVML's few confidential-computing functions, built from C with g++ for one test. Its structures are written
 * from NVIDIA's public nvml.h, independently of ours, so that a wrong offset is detected.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface NvmlChoices {
  readonly gpus?: number;
  /** 0 unavailable, 1 simulation, 2 production. */
  readonly environment?: number;
  readonly ccFeature?: number;
  readonly devToolsMode?: number;
  /** Undefined: the library does not support the query. */
  readonly multiGpuMode?: number;
  /** What nvmlSystemGetConfComputeState returns: 3 not supported, 999 unknown error. */
  readonly stateResult?: number;
  readonly initResult?: number;
  readonly reportResult?: number;
  /** What nvmlDeviceGetUtilizationRates returns: 3 not supported, as in some confidential modes. */
  readonly ratesResult?: number;
  /** Functions that the library lacks. */
  readonly without?: readonly string[];
  /** The GPU's answer; the report is valid only for `nonce`. */
  readonly evidence?: { readonly report: Uint8Array; readonly chainPem: string; readonly nonce: Uint8Array };
  /** The size that the driver reports, regardless of what it wrote. */
  readonly reportSize?: number;
  /** What nvmlSystemSetConfComputeGpusReadyState returns: 4 no permission. */
  readonly readyResult?: number;
}

/** A file that exists once the library's GPUs were set ready. */
export const readyFile = (folder: string): string => join(folder, 'ready');

/** @returns the path of the library, in `folder` */
export async function buildNvmlLibrary(folder: string, choices: NvmlChoices = {}): Promise<string> {
  const source = join(folder, 'nvml.c');
  const library = join(folder, 'libnvidia-ml.so.1');
  await writeFile(source, sourceOf(choices, readyFile(folder)));
  await promisify(execFile)('g++', ['-x', 'c', '-shared', '-fPIC', '-Wall', '-Werror', '-o', library, source]);
  return library;
}

function sourceOf(choices: NvmlChoices, ready: string): string {
  const { gpus = 1, environment = 2, ccFeature = 1, devToolsMode = 0, without = [], evidence, multiGpuMode } = choices;
  const report = evidence?.report ?? new TextEncoder().encode('a report');
  const chain = new TextEncoder().encode(evidence?.chainPem ?? 'a chain');
  const nonce = evidence?.nonce ?? new Uint8Array(32);
  const functions: Record<string, string> = {
    nvmlInit_v2: `int nvmlInit_v2(void) { return ${choices.initResult ?? 0}; }`,
    nvmlShutdown: 'int nvmlShutdown(void) { return 0; }',
    nvmlErrorString: 'const char *nvmlErrorString(int code) { return code == 999 ? "Unknown Error" : "Other Error"; }',
    nvmlSystemGetDriverVersion:
      'int nvmlSystemGetDriverVersion(char *text, unsigned length) { return copy("570.1.2", text, length); }',
    nvmlSystemGetConfComputeState: `
      typedef struct { unsigned environment, ccFeature, devToolsMode; } State;
      int nvmlSystemGetConfComputeState(State *state) {
        State answer = { ${environment}, ${ccFeature}, ${devToolsMode} };
        *state = answer;
        return ${choices.stateResult ?? 0};
      }`,
    nvmlSystemGetConfComputeSettings: `
      typedef struct { unsigned version, environment, ccFeature, devToolsMode, multiGpuMode; } Settings;
      int nvmlSystemGetConfComputeSettings(Settings *settings) {
        if (settings->version != 0x1000014) return 25;
        settings->multiGpuMode = ${multiGpuMode ?? 0};
        return ${multiGpuMode === undefined ? 3 : 0};
      }`,
    // A file, since the library is closed and opened again between two calls.
    nvmlSystemSetConfComputeGpusReadyState: `
      int nvmlSystemSetConfComputeGpusReadyState(unsigned accepting) {
        if (accepting != 1) return 2;
        if (${choices.readyResult ?? 0} == 0) fclose(fopen("${ready}", "w"));
        return ${choices.readyResult ?? 0};
      }`,
    nvmlSystemGetConfComputeGpusReadyState: `
      int nvmlSystemGetConfComputeGpusReadyState(unsigned *accepting) {
        *accepting = access("${ready}", F_OK) == 0;
        return 0;
      }`,
    nvmlDeviceGetCount_v2: `int nvmlDeviceGetCount_v2(unsigned *count) { *count = ${gpus}; return 0; }`,
    nvmlDeviceGetHandleByIndex_v2: `
      int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
        *device = (void *)(long)(index + 1);
        return index < ${gpus} ? 0 : 2;
      }`,
    nvmlDeviceGetUUID: `
      int nvmlDeviceGetUUID(void *device, char *text, unsigned length) {
        char uuid[] = "GPU-0";
        uuid[4] = (char)('0' + (long)device - 1);
        return copy(uuid, text, length);
      }`,
    nvmlDeviceGetName:
      'int nvmlDeviceGetName(void *device, char *text, unsigned length) { return copy("Test GPU", text, length); }',
    nvmlDeviceGetVbiosVersion:
      'int nvmlDeviceGetVbiosVersion(void *device, char *text, unsigned length) { return copy("96.00", text, length); }',
    nvmlDeviceGetMemoryInfo: `
      typedef struct { unsigned long long total, free, used; } Memory;
      int nvmlDeviceGetMemoryInfo(void *device, Memory *memory) {
        Memory answer = { 85899345920ull, 85899345920ull - 5000000000ull * (long)device, 5000000000ull * (long)device };
        *memory = answer;
        return 0;
      }`,
    nvmlDeviceGetUtilizationRates: `
      typedef struct { unsigned gpu, memory; } Utilization;
      int nvmlDeviceGetUtilizationRates(void *device, Utilization *rates) {
        rates->gpu = 40 + (unsigned)(long)device;
        rates->memory = 10 + (unsigned)(long)device;
        return ${choices.ratesResult ?? 0};
      }`,
    nvmlDeviceGetConfComputeGpuAttestationReport: `
      typedef struct {
        unsigned isCecAttestationReportPresent, attestationReportSize, cecAttestationReportSize;
        unsigned char nonce[0x20], attestationReport[0x2000], cecAttestationReport[0x1000];
      } Report;
      static const unsigned char report_bytes[] = { ${report.join()} };
      static const unsigned char expected_nonce[] = { ${nonce.join()} };
      int nvmlDeviceGetConfComputeGpuAttestationReport(void *device, Report *report) {
        if (memcmp(report->nonce, expected_nonce, 32) != 0) return 999;
        memcpy(report->attestationReport, report_bytes, sizeof report_bytes);
        report->attestationReportSize = ${choices.reportSize ?? report.length};
        return ${choices.reportResult ?? 0};
      }`,
    nvmlDeviceGetConfComputeGpuCertificate: `
      typedef struct {
        unsigned certChainSize, attestationCertChainSize;
        unsigned char certChain[0x1000], attestationCertChain[0x1400];
      } Certificate;
      static const unsigned char chain_bytes[] = { ${chain.join()} };
      int nvmlDeviceGetConfComputeGpuCertificate(void *device, Certificate *certificate) {
        memcpy(certificate->attestationCertChain, chain_bytes, sizeof chain_bytes);
        certificate->attestationCertChainSize = sizeof chain_bytes;
        return 0;
      }`,
  };
  for (const name of without) delete functions[name];
  const copy = `
    #include <stdio.h>
    #include <string.h>
    #include <unistd.h>
    static int copy(const char *from, char *to, unsigned length) {
      if (strlen(from) >= length) return 7;
      strcpy(to, from);
      return 0;
    }`;
  return [copy, ...Object.values(functions), ''].join('\n');
}
