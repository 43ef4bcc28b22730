/**
 * State that another node of the fleet has sealed: that node opens it. Each of the two verifies the other against its policy, and the
 * caller's own key decides at both.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import type { Forwarder } from '../../fleet/forward.ts';
import { ServerError } from '../../http/errors.ts';
import { nodePart } from '../../http/node-ids.ts';
import { requireCallerScope } from '../../serving/admission.ts';
import { type OpenStateCall, openStateReader } from './open-state-reader.ts';
import { nodeOfState, notOpened, ResponseStates, type SealedConversation, type StateOwner } from './state.ts';

export interface FleetStateOptions {
  /** Undefined without a fleet. */
  readonly forwarder?: Forwarder | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const path = '/responses/state';

export class FleetStates {
  readonly #states: ResponseStates;
  readonly #forwarder: Forwarder | undefined;

  constructor(app: FastifyInstance, { forwarder, now }: FleetStateOptions) {
    this.#states = new ResponseStates(now, () => nodePart(app));
    this.#forwarder = forwarder;
    app.post(path, async (request, reply) => {
      const { accountId: account } = requireCallerScope(request, 'inference');
      if ((await forwarder?.isFromNode(request)) !== true) {
        throw new ServerError('ERR_ROUTE_UNKNOWN', 'this route is for the other nodes of the fleet');
      }
      const { token, models } = await callOf(openStateReader, { request, reply }, {});
      return this.#states.open(token, { account, models });
    });
  }

  /** As `ResponseStates.seal`. */
  seal(conversation: SealedConversation, owner: StateOwner): string | undefined {
    return this.#states.seal(conversation, owner);
  }

  /** @throws {ServerError} ERR_STATE_INVALID, ERR_OTHER_NODE with the address of the node that sealed it */
  async open(token: string, owner: StateOwner, exchange: Exchange): Promise<SealedConversation> {
    const json: OpenStateCall = { token, models: owner.models };
    const answer = await this.#forwarder?.post(nodeOfState(token), exchange, { path: `/v1${path}`, json });
    if (answer === undefined) return this.#states.open(token, owner);
    if (answer.status !== 200) throw notOpened();
    const { messages, images } = answer.json as SealedConversation;
    return { messages, images };
  }
}
