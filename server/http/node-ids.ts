/**
 * Ids that name the node of a fleet whose memory holds what they identify, so that any node can tell which one to ask. Without a
 * fleet, ids name no node.
 */
import type { FastifyInstance } from 'fastify';
import { randomId } from './random-id.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by `nameNodeInIds`. */
    nodeOfIds?: () => string | undefined;
  }
}

/** Lengths of the random part: 18 and 32 bytes as base64url. */
const namedId = /(?:^|[-_])([0-9a-f]{16})-(?:[\w-]{24}|[\w-]{43})$/;

/** From now on, the ids of the app name its node. @param node undefined until the server has an identity */
export function nameNodeInIds(app: FastifyInstance, node: () => string | undefined): void {
  app.decorate('nodeOfIds', node);
}

/** The part of an id that names this node, with its dash; empty without a fleet. */
export function nodePart({ nodeOfIds }: FastifyInstance): string {
  const node = nodeOfIds?.();
  return node === undefined ? '' : `${node}-`;
}

/** @param prefix `rcpt-` for example · @returns `<prefix><random>`, in a fleet `<prefix><node>-<random>` */
export function newId(app: FastifyInstance, prefix: string): string {
  return `${prefix}${nodePart(app)}${randomId(18)}`;
}

/** The node that an id of a request names; undefined if it names none. */
export function nodeOfId(id: string): string | undefined {
  return id.length > 256 ? undefined : namedId.exec(id)?.[1];
}
