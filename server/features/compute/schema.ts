/** The body of `POST /v1/compute/instances`. The compute service reads it; this server forwards and publishes it. */
import { Type } from '../../schema/type.ts';

export const instanceBody = Type.Object(
  {
    gpu_type: Type.String({ minLength: 1, maxLength: 128, description: 'Name of the GPU.', examples: ['RTX 4090'] }),
    gpu_count: Type.Integer({
      minimum: 0,
      maximum: 64,
      description: 'Number of GPUs; 0 for a machine without one.',
      examples: [1],
    }),
    region: Type.String({
      minLength: 1,
      maxLength: 128,
      description: "A machine's city, country or country code.",
      examples: ['Norway'],
    }),
    image: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'A public linux/amd64 image.',
      examples: ['docker.io/library/debian:13'],
    }),
    ssh_key_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Required if the account has several SSH keys.',
        examples: ['key_1'],
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ gpu_type: 'RTX 4090', gpu_count: 1, region: 'Norway', image: 'docker.io/library/debian:13' }],
  },
);
