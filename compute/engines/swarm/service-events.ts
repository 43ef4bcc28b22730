/** A manager's events of services. Tasks send no events to the manager, so their end is found only by listing. */
import type { DockerApi } from '../docker/docker-api.ts';
import type { EngineEvent } from '../engine.ts';
import type { EngineCall } from '../engine-call.ts';
import { parsePodName } from '../pod-name.ts';

interface ServiceEvent {
  readonly Action?: string;
  readonly time?: number;
  readonly Actor?: { readonly Attributes?: Readonly<Record<string, string>> };
}

/** @returns undefined once connected, then every removal until the connection ends or the call's signal aborts */
export async function* serviceEvents(
  api: DockerApi,
  instance: string,
  call: EngineCall,
): AsyncGenerator<EngineEvent | undefined> {
  const query = { filters: JSON.stringify({ type: ['service'], event: ['remove'] }) };
  for await (const line of api.lines({ method: 'GET', path: '/events', query }, call.signal)) {
    const event = line as ServiceEvent | undefined;
    const podId = parsePodName(instance, event?.Actor?.Attributes?.name ?? '');
    if (event === undefined) yield undefined;
    else if (podId !== undefined) yield { kind: 'removed', podId, at: new Date((event.time ?? 0) * 1000) };
  }
}
