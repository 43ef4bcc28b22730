/** The engine's events of this instance's containers. */
import type { EngineEvent } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { instanceLabel, podLabel } from '../pod-name.ts';
import type { DockerApi } from './docker-api.ts';

/** @returns undefined once connected, then every event until the connection ends or the call's signal aborts */
export async function* containerEvents(
  api: DockerApi,
  instance: string,
  call: EngineCall,
): AsyncGenerator<EngineEvent | undefined> {
  const filters = { type: ['container'], label: [`${instanceLabel}=${instance}`] };
  const query = { filters: JSON.stringify(filters) };
  // Podman sends no response before the first event, so a separate request proves the connection.
  await api.send(call, { method: 'GET', path: '/version' });
  yield undefined;
  for await (const line of api.lines({ method: 'GET', path: '/events', query }, call.signal)) {
    const event = toEvent(line as DockerEvent | undefined);
    if (event !== undefined) yield event;
  }
}

interface DockerEvent {
  readonly Action?: string;
  readonly status?: string;
  readonly time?: number;
  readonly Actor?: { readonly Attributes?: Readonly<Record<string, string>> };
}

/** Docker's actions are `die` and `destroy`, podman's `died` and `remove`. */
const kinds: Readonly<Record<string, 'started' | 'died' | 'removed'>> = {
  start: 'started',
  die: 'died',
  died: 'died',
  destroy: 'removed',
  remove: 'removed',
};

function toEvent(event: DockerEvent | undefined): EngineEvent | undefined {
  const podId = event?.Actor?.Attributes?.[podLabel];
  const kind = kinds[event?.Action ?? event?.status ?? ''];
  if (podId === undefined || kind === undefined) return undefined;
  return { kind, podId, at: new Date((event?.time ?? 0) * 1000) };
}
