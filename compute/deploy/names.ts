/** Fields that both kinds of deploy share. */
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

/** A host's name cannot end in a hyphen; a pod's may. */
export function hostnameOf(name: string): string {
  return name.replace(/-+$/, '');
}

/** For a pod whose tenant named none. */
export function deployPodName(): string {
  return `instance-${randomBytes(4).toString('hex')}`;
}
