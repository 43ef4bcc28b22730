/** Answers about pods. */
import { objectOf } from '../base/json-schema.ts';
import {
  attestationSchema,
  boolean,
  integer,
  integerOrNull,
  listOf,
  number,
  plainMarks,
  text,
  textOrNull,
  time,
  timeOrNull,
} from './basics.ts';

const marks = { optional: Object.keys(plainMarks) };

/** Beside `ssh_ready`, which turns true with the address (C-139). */
const sshBanner = { ...boolean, description: 'whether an SSH server has introduced itself at the address' };

export const podList = listOf(
  objectOf(
    {
      id: text,
      name: text,
      status: text,
      provider_status: text,
      resource_name: text,
      gpu_type: text,
      gpu_count: integer,
      hourly_price: number,
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
    marks,
  ),
);

const port = objectOf({ port: integer, protocol: text, host: text, host_port: integer });

export const podDetails = objectOf(
  {
    id: text,
    uid: text,
    name: text,
    status: text,
    provider_status: text,
    resource_name: text,
    image: text,
    type: text,
    gpu_type: text,
    gpu_count: integer,
    hourly_price: number,
    created_at: time,
    ssh_ready: boolean,
    ssh_banner: sshBanner,
    ssh_command: textOrNull,
    ssh_host_key: {
      ...textOrNull,
      description: "SHA-256 of the key that the pod's SSH server shows; null where only the machine itself knows it",
    },
    provider: text,
    confidential_compute: boolean,
    ports: listOf(port),
    reason: textOrNull,
    hard_stop_at: timeOrNull,
    ended_at: timeOrNull,
    ...plainMarks,
  },
  { optional: [...marks.optional, 'uid', 'resource_name', 'image', 'type', 'gpu_type', 'gpu_count'] },
);

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
} as const;

export const confidentialDeploy = objectOf(vm, marks);

export const vmDeploy = objectOf(
  {
    ...vm,
    hardStopRequested: boolean,
    ports: listOf(objectOf({ port: integer, protocol: text })),
    attestation: attestationSchema,
  },
  marks,
);

export const standardDeploy = objectOf({
  success: boolean,
  pod: objectOf({
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
  }),
  message: text,
});

export const released = objectOf({ success: boolean, prepaidRefund: number });
