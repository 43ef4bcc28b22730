/** RTMR3 of a real TD, and the log of the events of this start. */
import { isAllZero, sameBytes, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { sha384Bytes } from '../eventlog/event-log.ts';
import { digestStartEvent, extendRegister, type StartEvent } from '../eventlog/start-log.ts';
import type { GuestKernel } from './kernel.ts';
import { systemCodeOf, toAttestationError } from './kernel-error.ts';

export class MeasuredRegister {
  readonly events: StartEvent[] = [];
  readonly #kernel: GuestKernel;
  readonly #path: string;
  #expected: Uint8Array = new Uint8Array(sha384Bytes);
  #tail: Promise<unknown> = Promise.resolve();

  /** @param path the register's file: 48 bytes; a write of 48 bytes extends it */
  constructor(kernel: GuestKernel, path: string) {
    this.#kernel = kernel;
    this.#path = path;
  }

  /** Like `AttestedPlatform.measure`; events are added in call order. */
  measure(event: StartEvent): Promise<void> {
    const done = this.#tail.then(() => this.#extend(event));
    this.#tail = done.catch(() => undefined);
    return done;
  }

  async #extend(event: StartEvent): Promise<void> {
    const digest = await digestStartEvent(event);
    const before = await this.#read();
    if (!sameBytes(before, this.#expected)) throw notOurs(before, this.events.length);
    await this.#kernel.write(this.#path, digest).catch((error) => {
      throw toAttestationError(error, 'extend RTMR3');
    });
    const expected = await extendRegister(before, event);
    const after = await this.#read();
    if (!sameBytes(after, expected)) {
      throw new AttestationError(
        'ERR_TDX_FAILED',
        `RTMR3 has the unexpected value ${toHex(after)} after ${event.name}`,
      );
    }
    this.#expected = expected;
    this.events.push(Object.freeze({ ...event }));
  }

  async #read(): Promise<Uint8Array> {
    const value = await this.#kernel.read(this.#path).catch((error) => {
      if (systemCodeOf(error) === 'ENOENT') {
        const message = 'the kernel has no file for RTMR3: use Linux 6.16 or later';
        throw new AttestationError('ERR_RTMR_UNAVAILABLE', message, { cause: error });
      }
      throw toAttestationError(error, 'read RTMR3');
    });
    if (value.length === sha384Bytes) return value;
    throw new AttestationError('ERR_TDX_FAILED', `RTMR3 must have ${sha384Bytes} bytes, got ${value.length}`);
  }
}

/** A log explains RTMR3 only if the register was zero before. */
function notOurs(value: Uint8Array, events: number): AttestationError {
  if (events === 0 && !isAllZero(value)) {
    const message = 'RTMR3 was extended before this start, by an earlier start or another program';
    return new AttestationError('ERR_RTMR_NOT_FRESH', `${message}: restart the virtual machine`);
  }
  return new AttestationError('ERR_TDX_FAILED', `another program extended RTMR3 after ${events} of our events`);
}
