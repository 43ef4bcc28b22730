/** A platform for machines without TDX: registers in memory, quotes of a hierarchy generated at the start. It proves nothing. */
import { sha384Bytes } from '../eventlog/event-log.ts';
import { extendRegister, type StartEvent } from '../eventlog/start-log.ts';
import { createSimulatedPlatform, simulatedBoot } from '../simulate/platform.ts';
import type { AttestedPlatform } from './platform.ts';
import { QuoteLine } from './quote-line.ts';
import { quoteLimits } from './tdx-platform.ts';

/** MRCONFIGID of simulated quotes, which other tools display. */
export const simulationLabel = 'CLOISTER SIMULATION, NOT A TD';

/** @param nowMs milliseconds since 1970 */
export async function openSimulatedPlatform(nowMs: number): Promise<AttestedPlatform> {
  const { rootCa, collateral, quote } = await createSimulatedPlatform(nowMs);
  const events: StartEvent[] = [];
  let rtmr3: Uint8Array = new Uint8Array(sha384Bytes);
  let tail: Promise<unknown> = Promise.resolve();
  const extend = async (event: StartEvent) => {
    rtmr3 = await extendRegister(rtmr3, event);
    events.push(Object.freeze({ ...event }));
  };
  const mrConfigId = new TextEncoder().encode(simulationLabel);
  const line = new QuoteLine((reportData) => quote(reportData, { mrConfigId, ...simulatedBoot(rtmr3) }), {
    ...quoteLimits,
  });
  return {
    kind: 'simulated',
    quote: (reportData, options) => line.quote(reportData, options),
    measure(event) {
      const done = tail.then(() => extend(event));
      tail = done.catch(() => undefined);
      return done;
    },
    get startLog() {
      return [...events];
    },
    bootLog: undefined,
    simulation: { rootCa, collateral },
  };
}
