import { expect, it } from 'vitest';
import { Refusal } from '../../../compute/engines/answers.ts';
import { engineRefusal } from '../../../compute/engines/docker/refusals.ts';

/** Words of Docker 28, podman 4.3, runc and crun. */
it.each([
  [
    'container create: container-init binary not found on the host: stat /usr/libexec/podman/catatonit: no such file or directory',
    'engine_refused',
  ],
  [
    'runc: runc create failed: unable to start container process: exec: "nothing": executable file not found in $PATH',
    'settings_refused',
  ],
  ['crun: open executable: No such file or directory: OCI runtime attempted to invoke a command', 'settings_refused'],
  ['driver failed programming external connectivity: address already in use', 'resources_missing'],
  ['could not select device driver "nvidia" with capabilities: [[gpu]]', 'devices_missing'],
])('maps "%s" to %s', (words, reason) => {
  expect(engineRefusal(new Refusal('the engine answered 500', words, { status: 500 }))).toMatchObject({ reason });
});
