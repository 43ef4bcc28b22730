/** Response schemas of pods. */
import { Type } from '@cloister/server/schema/type';
import { closed } from '../base/schemas.ts';
import {
  attestationSchema,
  boolean,
  integer,
  integerOrNull,
  number,
  plainMarks,
  text,
  textOrNull,
  time,
  timeOrNull,
} from './basics.ts';

/** Separate from `ssh_ready`, which is true once the pod has an address (C-139). */
const sshBanner = Type.Boolean({ description: 'whether an SSH server has sent its banner at the address' });

const paid = {
  billed: Type.Number({
    description: 'US dollars charged so far; a running pod is charged at least once a minute after its first hour',
  }),
  held: Type.Number({ description: 'US dollars still held for the first hour' }),
};

export const listedPod = Type.Object(
  {
    id: text,
    name: text,
    status: text,
    provider_status: text,
    resource_name: text,
    gpu_type: text,
    gpu_count: integer,
    hourly_price: number,
    ...paid,
    created_at: time,
    updated_at: time,
    ssh_ready: boolean,
    ssh_banner: sshBanner,
    ssh_host: textOrNull,
    ssh_port: integerOrNull,
    ssh_user: text,
    ssh_command: textOrNull,
    provider: text,
    confidential_compute: boolean,
    ...plainMarks,
  },
  closed,
);

export const podList = Type.Array(listedPod);

const port = Type.Object({ port: integer, protocol: text, host: text, host_port: integer }, closed);

export const podDetails = Type.Object(
  {
    id: text,
    uid: Type.Optional(text),
    name: text,
    status: text,
    provider_status: text,
    resource_name: Type.Optional(text),
    image: Type.Optional(text),
    type: Type.Optional(text),
    gpu_type: Type.Optional(text),
    gpu_count: Type.Optional(integer),
    hourly_price: number,
    ...paid,
    created_at: time,
    ssh_ready: boolean,
    ssh_banner: sshBanner,
    ssh_command: textOrNull,
    ssh_host_key: Type.Union([Type.String(), Type.Null()], {
      description:
        "SHA-256 fingerprint of the pod's SSH host key; null if the engine cannot read it, as on confidential VMs",
    }),
    provider: text,
    confidential_compute: boolean,
    ports: Type.Array(port),
    reason: textOrNull,
    hard_stop_at: timeOrNull,
    ended_at: timeOrNull,
    ...plainMarks,
  },
  closed,
);

export const podLogs = Type.Object(
  {
    text: Type.String({ description: 'lines that begin with a time, oldest first; at most 64 KiB' }),
    truncated: Type.Boolean({ description: 'whether the output of these lines was longer' }),
  },
  closed,
);

/** One pod on the bill of the account. */
const charge = Type.Object(
  {
    pod_id: text,
    name: text,
    provider: text,
    resource_name: text,
    status: text,
    hourly_price: number,
    ...paid,
    created_at: time,
    ended_at: timeOrNull,
    reason: textOrNull,
  },
  closed,
);

export const chargeList = Type.Object({ charges: Type.Array(charge), next: textOrNull }, closed);

const vm = {
  success: boolean,
  podId: text,
  workloadUid: text,
  resourceName: text,
  hourlyPrice: number,
  sudoPassword: textOrNull,
  hardStopAt: timeOrNull,
  confidential_compute: boolean,
  message: text,
  ...plainMarks,
};

export const confidentialDeploy = Type.Object(vm, closed);

export const vmDeploy = Type.Object(
  {
    ...vm,
    hardStopRequested: boolean,
    ports: Type.Array(Type.Object({ port: integer, protocol: text }, closed)),
    attestation: attestationSchema,
  },
  closed,
);

export const standardDeploy = Type.Object(
  {
    success: boolean,
    pod: Type.Object(
      {
        id: text,
        name: text,
        machine_id: text,
        template_id: textOrNull,
        gpu_type: text,
        gpu_count: integer,
        hourly_price: number,
        prepaid_amount: number,
        status: text,
        provider: text,
        confidential_compute: boolean,
        ssh_command: textOrNull,
      },
      closed,
    ),
    message: text,
  },
  closed,
);

export const released = Type.Object({ success: boolean, prepaidRefund: number }, closed);
