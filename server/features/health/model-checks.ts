/** Checks that every model is loaded and that its engine completes steps. */
import type { ServedModel } from '../../serving/served-model.ts';
import type { Check } from './readiness.ts';

/** @param stepMsMax time without a completed step or an answered probe after which the check fails */
export function modelChecks(models: () => Iterable<ServedModel>, { stepMsMax }: { stepMsMax: number }): Check[] {
  const all = () => [...models()];
  const idsOf = (kind: 'draining' | 'failed' | 'loading') =>
    all().flatMap(({ id, engine }) => (engine.state.kind === kind ? [id] : []));
  return [
    { name: 'draining', failure: () => (idsOf('draining').length > 0 ? 'the server is stopping' : undefined) },
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
