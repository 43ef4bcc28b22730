/** Checks that the server is not about to stop, that every model is loaded, and that its engine completes steps. */
import type { ServedModel } from '../../serving/served-model.ts';
import type { Check } from './readiness.ts';

export interface ModelCheckOptions {
  /** Time without a completed step or an answered probe after which the check fails. */
  readonly stepMsMax: number;
  /** Whether the server is about to stop, although its engines still accept requests. Default: never. */
  readonly isDraining?: (() => boolean) | undefined;
}

export function modelChecks(
  models: () => Iterable<ServedModel>,
  { stepMsMax, isDraining = () => false }: ModelCheckOptions,
): Check[] {
  const all = () => [...models()];
  const idsOf = (kind: 'draining' | 'failed' | 'loading') =>
    all().flatMap(({ id, engine }) => (engine.state.kind === kind ? [id] : []));
  return [
    {
      name: 'draining',
      failure: () => (isDraining() || idsOf('draining').length > 0 ? 'the server is stopping' : undefined),
    },
    {
      name: 'models',
      failure() {
        const failed = idsOf('failed');
        if (failed.length > 0) return `a model could not be loaded: ${failed.join(', ')}`;
        const loading = idsOf('loading');
        return loading.length > 0 ? `a model is still loading: ${loading.join(', ')}` : undefined;
      },
    },
    {
      name: 'engines',
      failure() {
        const stalled = all().filter(({ engine }) => engine.health.stalledMs > stepMsMax);
        if (stalled.length === 0) return undefined;
        const listed = stalled.map(({ id, engine }) => `${id} for ${Math.floor(engine.health.stalledMs / 1000)} s`);
        return `no step has completed: ${listed.join(', ')}`;
      },
    },
  ];
}
