/** Stable names of the checks, which operators' tools match. */
export const checkNames = ['draining', 'models', 'engines', 'start', 'accounts', 'evidence', 'memory'] as const;
export type CheckName = (typeof checkNames)[number];
