/** The body of `POST /v1/compute/instances`. The compute service reads it; this server forwards and publishes it. */
import { Type } from '../../schema/type.ts';

export const instanceBody = Type.Object(
  {
    gpu_type: Type.String({ minLength: 1, maxLength: 128 }),
    gpu_count: Type.Integer({ minimum: 0, maximum: 64 }),
    region: Type.String({ minLength: 1, maxLength: 128, description: "A machine's city, country or country code." }),
    image: Type.String({ minLength: 1, maxLength: 512, description: 'A public linux/amd64 image.' }),
    ssh_key_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Required if the account has several SSH keys.' }),
    ),
  },
  { additionalProperties: false },
);
