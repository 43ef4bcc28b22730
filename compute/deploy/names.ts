/** Schemas of the fields shared by both kinds of deploy, and pod names. */
import { randomBytes } from 'node:crypto';
import { Type } from '@cloister/server/schema/type';

export const nameSchema = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'lower-case letters, digits and hyphens, at most 40, the first a letter or digit',
});

export const hoursSchema = Type.Integer({
  minimum: 1,
  maximum: 720,
  description: 'hours after which the pod is destroyed',
});

export const idSchema = Type.String({ minLength: 1, maxLength: 128 });

export const portSchema = Type.Integer({ minimum: 1, maximum: 65_535 });

/** Removes trailing hyphens, which a pod name may have and a hostname may not. */
export function hostnameOf(name: string): string {
  return name.replace(/-+$/, '');
}

/** Generates the name of a pod that was deployed without one. */
export function deployPodName(): string {
  return `instance-${randomBytes(4).toString('hex')}`;
}
