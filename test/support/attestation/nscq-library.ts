/**
 * A library with the few functions of NVIDIA's NSCQ that attestation calls, built from C with g++ for one test. Its structures
 * are written from the public nscq_attestation.h, independently of ours, so that a wrong offset is detected.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface NscqChoices {
  /** One entry per switch; the reports are valid only for `nonce`. */
  readonly switches?: readonly { readonly report: Uint8Array; readonly chainPem: string }[];
  readonly nonce?: Uint8Array;
  /** Return codes of nscq_session_create and of observing a report: negative codes are errors, positive ones warnings. */
  readonly sessionResult?: number;
  readonly reportResult?: number;
  /** The size that the driver reports, regardless of what it wrote. */
  readonly reportSize?: number;
  /** How often each switch and each report is returned. Default 1. */
  readonly told?: number;
  readonly shown?: number;
  /** Functions that the library lacks. */
  readonly without?: readonly string[];
}

/** @returns the path of the library, in `folder` */
export async function buildNscqLibrary(folder: string, choices: NscqChoices = {}): Promise<string> {
  const source = join(folder, 'nscq.c');
  const library = join(folder, 'libnvidia-nscq.so.2');
  await writeFile(source, sourceOf(choices));
  await promisify(execFile)('g++', ['-x', 'c', '-shared', '-fPIC', '-Wall', '-Werror', '-o', library, source]);
  return library;
}

const list = (bytes: Uint8Array) => (bytes.length === 0 ? '0' : bytes.join());

function sourceOf(choices: NscqChoices): string {
  const { switches = [], nonce = new Uint8Array(32), without = [], told = 1, shown = 1 } = choices;
  const arrays = switches.map(
    ({ report, chainPem }, index) => `
      static const unsigned char report_${index}[] = { ${list(report)} };
      static const unsigned char chain_${index}[] = { ${list(new TextEncoder().encode(chainPem))} };`,
  );
  const tables = switches.map(
    (_, index) => `{ report_${index}, sizeof report_${index}, chain_${index}, sizeof chain_${index} },`,
  );
  const functions: Record<string, string> = {
    nscq_session_create: `
      Result nscq_session_create(uint32_t flags) {
        Result result = { ${choices.sessionResult ?? 0}, session_nonce };
        if (flags != 1) result.rc = -5;
        return result;
      }`,
    nscq_session_destroy: 'void nscq_session_destroy(void *session) { memset(session, 0, 32); }',
    nscq_session_set_input: `
      int8_t nscq_session_set_input(void *session, uint32_t flags, void *input, uint32_t size) {
        if (flags != 0 || size != 32) return -5;
        memcpy(session, input, size);
        return 0;
      }`,
    nscq_uuid_to_label: `
      int8_t nscq_uuid_to_label(const Uuid *uuid, Label *label, uint32_t flags) {
        snprintf(label->data, sizeof label->data, "SWX-%u", uuid->bytes[0]);
        return flags == 0 ? 0 : -5;
      }`,
    nscq_session_path_observe: `
      int8_t nscq_session_path_observe(void *session, const char *path, void (*callback)(void), void *data, uint32_t flags) {
        Uuid uuid = { { 0 } };
        if (strcmp(path, "/drv/nvswitch/{device}/uuid") == 0) {
          for (unsigned i = 0; i < ${switches.length * told}; i++) {
            uuid.bytes[0] = (uint8_t)i;
            ((void (*)(const Uuid *, int8_t, const Uuid *, void *))callback)(&uuid, 0, &uuid, data);
          }
          return 0;
        }
        unsigned index;
        char what[32];
        if (sscanf(path, "/SWX-%u/config/%31s", &index, what) != 2 || index >= ${switches.length}) return -2;
        static Report report;
        static Certificate certificate;
        for (unsigned i = 0; i < ${shown}; i++) {
          if (strcmp(what, "attestation_report") == 0) {
            if (memcmp(session, expected_nonce, 32) != 0) return -7;
            memcpy(report.report, devices[index].report, devices[index].report_size);
            report.report_size = ${choices.reportSize ?? 'devices[index].report_size'};
            ((void (*)(const Uuid *, int8_t, Report, void *))callback)(&uuid, ${choices.reportResult ?? 0}, report, data);
          } else if (strcmp(what, "certificate") == 0) {
            memcpy(certificate.cert_chain, devices[index].chain, devices[index].chain_size);
            certificate.cert_chain_size = devices[index].chain_size;
            ((void (*)(const Uuid *, int8_t, Certificate, void *))callback)(&uuid, 0, certificate, data);
          } else {
            return -1;
          }
        }
        return 0;
      }`,
  };
  for (const name of without) delete functions[name];
  const head = `
    #include <stdint.h>
    #include <stdio.h>
    #include <string.h>
    typedef struct { int8_t rc; void *session; } Result;
    typedef struct { uint8_t bytes[16]; } Uuid;
    typedef struct { char data[64]; } Label;
    typedef struct { uint32_t report_size; uint8_t report[0x2000]; } Report;
    typedef struct { uint8_t cert_chain[0x1400]; uint32_t cert_chain_size; } Certificate;
    ${arrays.join('')}
    struct Device { const unsigned char *report; uint32_t report_size; const unsigned char *chain; uint32_t chain_size; };
    static const struct Device devices[] __attribute__((unused)) = { ${tables.join(' ')} { 0, 0, 0, 0 } };
    static const unsigned char expected_nonce[] __attribute__((unused)) = { ${list(nonce)} };
    static unsigned char session_nonce[32] __attribute__((unused));`;
  return [head, ...Object.values(functions), ''].join('\n');
}
