/** Every endpoint, by name. */
import type { ComputeOptions } from '../service.ts';
import type { Operation } from './operation.ts';
import { accountOperations } from './routes/account.ts';
import { apiKeyOperations } from './routes/api-keys.ts';
import { dockerCredentialOperations } from './routes/docker-credentials.ts';
import { machineOperations } from './routes/machines.ts';
import { podOperations } from './routes/pods.ts';
import { sessionOperations } from './routes/sessions.ts';
import { sshKeyOperations } from './routes/ssh-keys.ts';
import { templateOperations } from './routes/templates.ts';
import { vmOperations } from './routes/vms.ts';
import { webhookOperations } from './routes/webhooks.ts';

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
