/** Reads what one node of a fleet asks another: to open the state of a conversation that the other has sealed. On either thread. */
import type { CallReader } from '../../bodies/call-reader.ts';
import { ServerError } from '../../http/errors.ts';

export interface OpenStateCall {
  readonly token: string;
  /** The models that the state must be bound to. */
  readonly models: string;
}

export const openStateReader: CallReader<OpenStateCall, object> = {
  name: 'response-state',
  read(body) {
    const { token, models } = (body ?? {}) as { readonly token?: unknown; readonly models?: unknown };
    if (typeof token === 'string' && typeof models === 'string') return { token, models };
    throw new ServerError('ERR_REQUEST_INVALID', '`token` and `models` must be texts');
  },
};
