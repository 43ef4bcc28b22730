/** The list of all endpoints. */
import type { Operation } from '../http/operation.ts';
import type { ComputeOptions } from '../service/service.ts';
import { accountOperations } from './account.ts';
import { apiKeyOperations } from './api-keys.ts';
import { dockerCredentialOperations } from './docker-credentials.ts';
import { machineOperations } from './machines.ts';
import { podOperations } from './pods.ts';
import { sessionOperations } from './sessions.ts';
import { sshKeyOperations } from './ssh-keys.ts';
import { templateOperations } from './templates.ts';
import { vmOperations } from './vms.ts';
import { webhookOperations } from './webhooks.ts';

export function operationsOf({ svc }: Pick<ComputeOptions, 'svc'>): readonly Operation[] {
  const base = `/api/${svc}`;
  return [
    ...podOperations(base),
    ...vmOperations(),
    ...machineOperations(base),
    ...templateOperations(base),
    ...sshKeyOperations(base),
    ...dockerCredentialOperations(base),
    ...accountOperations(base),
    ...webhookOperations(base),
    ...apiKeyOperations(base),
    ...sessionOperations(base),
  ];
}
