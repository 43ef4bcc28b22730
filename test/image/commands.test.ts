/** `cloister measure` and `cloister image` on the command line. */
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { digestTdHob } from '../../attestation/measure/td-hob.ts';
import { parseEvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { startAttestedServer } from '../support/attestation/attested-server.ts';
import { writeBootLog } from '../support/attestation/boot-log.ts';
import { writePe } from '../support/attestation/pe-writer.ts';
import { writeFirmware } from '../support/attestation/tdvf-writer.ts';
import { runCloister } from '../support/cloister.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-image-commands-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const root = `cloister.root=${'a'.repeat(64)}:10:${'b'.repeat(64)}`;
mkdirSync(join(cwd, 'image'));
const code = {
  fileOffset: 0x2000,
  fileBytes: 0x2000,
  address: 0xfffc2000n,
  memoryBytes: 0x2000,
  type: 0,
  attributes: 1,
};
for (const [name, content] of Object.entries({
  'OVMF.fd': writeFirmware({ sections: [code] }),
  vmlinuz: writePe(),
  'initrd.img': Buffer.from('initrd'),
  'rootfs.img': Buffer.alloc(4096),
  cmdline: Buffer.from(`console=ttyS0 ${root}`),
  'models.img': Buffer.alloc(4096),
  'models.img.words': Buffer.from(`cloister.model=${'c'.repeat(64)}:20:${'d'.repeat(64)}\n`),
})) {
  writeFileSync(join(cwd, 'image', name), content);
}
writeFileSync(join(cwd, 'settings.json'), '{"startKey":"off"}');

const cloister = (line: string) => runCloister(line, { cwd, env: { PATH: process.env.PATH } });

describe('cloister measure', () => {
  it('prints the registers, and that RTMR0 depends on the machine', async () => {
    const { code, stdout } = await cloister('measure image');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^MRTD {3}[0-9a-f]{96}\nRTMR0 {2}not computed: .*\nRTMR1 {2}[0-9a-f]{96}\nRTMR2 {2}[0-9a-f]{96}\n$/,
    );
  });

  it('prints the same JSON each time, and a different RTMR2 with disks', async () => {
    const plain = await cloister('measure image --json');
    expect(await cloister('measure image --json')).toEqual(plain);
    await cloister('image config-disk config.img --settings settings.json');
    const disks = await cloister('measure image --json --config config.img --model-disk image/models.img');
    const [a, b] = [plain, disks].map(({ stdout }) => JSON.parse(stdout) as Record<string, string>);
    expect([b!.mrTd, b!.rtmr1]).toEqual([a!.mrTd, a!.rtmr1]);
    expect(b!.rtmr2).not.toBe(a!.rtmr2);
    expect(b!.cmdline).toMatch(
      new RegExp(`^console=ttyS0 ${root} cloister.config=[0-9a-f]{64} cloister.model=c{64}:20:d{64}$`),
    );
  });

  it('writes a policy for cloister verify, and warns that it accepts any RTMR0', async () => {
    const { code, stdout, stderr } = await cloister('measure image --json --policy policy.json');
    const policy = parseEvidencePolicy(readFileSync(join(cwd, 'policy.json'), 'utf8'));
    expect(policy).toMatchObject({ rtmr3: 'any' });
    expect(Object.keys((policy.measurements as object[])[0]!)).toEqual(['mrTd', 'rtmr1', 'rtmr2']);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ rtmr0: null, rtmr0From: 'not-measured' }),
    ]);
    expect(stderr).toMatch(
      /^cloister: policy.json accepts any RTMR0, .* verify --save first.json, .* --event-log 64G:/s,
    );
  });

  it('computes the registers of a boot disk, and writes a policy that accepts either way to boot', async () => {
    mkdirSync(join(cwd, 'bootable'));
    for (const name of ['OVMF.fd', 'vmlinuz', 'initrd.img', 'rootfs.img', 'cmdline']) {
      copyFileSync(join(cwd, 'image', name), join(cwd, 'bootable', name));
    }
    expect((await cloister('measure bootable --boot uefi')).stderr).toMatch(/the image has no stub.efi/);
    writeFileSync(join(cwd, 'bootable/stub.efi'), writePe({ sections: ['.text', '.sbat'], isKernel: false }));
    const [direct, uefi, json] = await Promise.all(
      ['--boot direct', '--boot uefi', '--json'].map((more) => cloister(`measure bootable ${more}`)),
    );
    const { uefi: measured, ...file } = JSON.parse(json!.stdout) as Record<string, string> & {
      uefi: Record<string, string>;
    };
    expect(direct!.stdout).toContain(`RTMR1  ${file.rtmr1}\nRTMR2  ${file.rtmr2}\n`);
    expect(uefi!.stdout).toContain(`RTMR1  ${measured.rtmr1}\nRTMR2  ${measured.rtmr2}\n`);
    expect(measured.cmdline).toBe(`${file.cmdline} cloister.disks=partitions`);
    const both = await cloister('measure bootable --boot direct --boot uefi --policy either.json');
    expect(both.stdout).toBe(`direct\n${direct!.stdout}\nuefi\n${uefi!.stdout}`);
    const { measurements } = parseEvidencePolicy(readFileSync(join(cwd, 'either.json'), 'utf8'));
    const set = ({ rtmr1, rtmr2 }: Record<string, string>) => ({ mrTd: file.mrTd, rtmr1, rtmr2 });
    expect(measurements).toEqual([set(file), set(measured)]);
  });

  it('computes MRTD of the firmware that --firmware names', async () => {
    writeFileSync(join(cwd, 'cloud.fd'), writeFirmware({ sections: [{ ...code, address: 0xfff00000n }] }));
    const [own, other] = await Promise.all(
      ['', '--firmware cloud.fd'].map((more) => cloister(`measure image --json ${more}`)),
    );
    const [a, b] = [own, other].map((one) => JSON.parse(one!.stdout) as Record<string, string>);
    expect(b!.mrTd).not.toBe(a!.mrTd);
    expect([b!.rtmr1, b!.rtmr2]).toEqual([a!.rtmr1, a!.rtmr2]);
  });

  it.each([
    ['measure', 64, /takes one image folder/],
    ['measure nowhere', 1, /there is no .*OVMF.fd: build the image/],
    ['measure image --patched-for much', 64, /a size such as 8G, got much/],
    ['measure image --boot disk', 64, /--boot must be direct or uefi, got disk/],
    ['measure image --boot direct --boot uefi --event-log image/cmdline', 64, /--event-log belongs to one boot method/],
    ['image boot-disk disk.img', 64, /takes a disk and an image folder/],
    ['image boot-disk disk.img image', 1, /there is no .*stub.efi: build the image/],
    ['image run image --boot-disk disk.img --config config.img', 64, /--boot-disk contains the other disks/],
    ['measure image --page-order odd', 64, /--page-order must be/],
    ['measure image --colour', 64, /--colour is not an option/],
    ['measure image --event-log nowhere.bin', 64, /--event-log: cannot read nowhere.bin: ENOENT/],
    ['measure image --event-log 64:image/cmdline', 64, /<file> or <memory>:<file>, for example 64G:first.json/],
    ['image', 64, /Usage: cloister image/],
    ['image fly', 64, /unknown command image fly/],
    ['image run image --accel kvm', 64, /tdx or tcg/],
    ['image run image --vcpus 0', 64, /from 1 to 1024/],
    ['image run image --forward 1', 64, /--forward must be a rule such as/],
    ['image run image --quote-service qgs', 64, /unix:<path> or vsock/],
    ['image config-disk x.img', 64, /--settings/],
    ['image config-disk x.img --settings nowhere.json', 64, /--settings: cannot read nowhere.json/],
    [
      'image config-disk x.img --settings settings.json --operator-key image/cmdline --secret databaseUrl',
      78,
      /--operator-key must be an Ed25519 key/,
    ],
    ['image model-disk x.img', 64, /takes a disk and at least one model ID/],
    ['image model-disk x.img nobody-TEE', 1, /nobody-TEE/],
    ['image provision https://localhost', 64, /--policy, --key and --secrets/],
    ['image provision https://localhost --policy p --key k --secrets s', 64, /--secrets: cannot read s/],
  ])('exits %s with code %i and a reason', async (line, code, message) => {
    const result = await cloister(line);
    expect([result.code, message.test(result.stderr)], result.stderr).toEqual([code, true]);
  });
});

describe('cloister measure --event-log', () => {
  const variables = { fileOffset: 0, fileBytes: 0x1000, address: 0xfffc0000n, memoryBytes: 0x1000, type: 1 };
  const hob = { address: 0x809000n, memoryBytes: 0x2000, type: 2 };
  const firmware = writeFirmware({ sections: [code, variables, hob] });
  mkdirSync(join(cwd, 'shaped'));
  for (const name of ['vmlinuz', 'initrd.img', 'cmdline'])
    copyFileSync(join(cwd, 'image', name), join(cwd, 'shaped', name));
  writeFileSync(join(cwd, 'shaped/OVMF.fd'), firmware);
  const logFor = async (memoryBytes: number) =>
    writeBootLog({ variables: firmware.subarray(0, 0x1000), memory: await digestTdHob(firmware, memoryBytes) });

  it('computes RTMR0 from the log of each shape and compares its memory', async () => {
    writeFileSync(join(cwd, 'small.bin'), await logFor(2 ** 31));
    writeFileSync(join(cwd, 'large.bin'), await logFor(2 ** 36));
    const both = await cloister(
      'measure shaped --event-log 2G:small.bin --event-log 64G:large.bin --policy shapes.json',
    );
    expect(both.stdout.match(/RTMR0 {2}[0-9a-f]{96} .*(2|64)G: memory and firmware compared, ACPI/g)).toHaveLength(2);
    expect(both.stderr).toBe('');
    const { measurements } = parseEvidencePolicy(readFileSync(join(cwd, 'shapes.json'), 'utf8'));
    expect(new Set((measurements as { rtmr0: string }[]).map(({ rtmr0 }) => rtmr0)).size).toBe(2);
    const unnamed = await cloister('measure shaped --event-log small.bin');
    expect(unnamed.stdout).toMatch(
      /RTMR0 {2}[0-9a-f]{96} .*firmware compared, memory and ACPI tables as logged; to compare/,
    );
    const wrong = await cloister('measure shaped --event-log 4G:small.bin');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/different value for the memory list/)]);
  });

  it('reads the log from a bundle of cloister verify', async () => {
    const bootLog = Buffer.from(await logFor(2 ** 31)).toString('base64');
    const server = await startAttestedServer({ evidence: (evidence) => ({ ...evidence, boot_log: bootLog }) });
    writeFileSync(join(cwd, 'root.pem'), server.rootPem);
    await cloister(`verify ${server.origin} --root root.pem --policy any --save first.json`);
    await server.close();
    writeFileSync(join(cwd, 'small.bin'), await logFor(2 ** 31));
    const fromBundle = await cloister('measure shaped --event-log 2G:first.json');
    expect(fromBundle).toMatchObject({ code: 0 });
    expect(fromBundle).toEqual(await cloister('measure shaped --event-log 2G:small.bin'));
  });
});

describe('cloister image', () => {
  it('prints the QEMU command', async () => {
    const { stdout } = await cloister('image run image --print --accel tdx --memory 64G --vcpus 16 --gpu 0000:41:00.0');
    expect(stdout).toMatch(/^qemu-system-x86_64 -accel kvm .* -smp 16 -m 64G .*vfio-pci,host=0000:41:00.0/);
  });

  it('prints the build commands', async () => {
    const { stdout } = await cloister('image build --print --builder buildah --make-base --output out');
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
      ...['mkdir', 'mmdebstrap', 'buildah', 'buildah', 'buildah', 'buildah', 'rm', 'buildah', ''],
    ]);
    const docker = await cloister('image build --print --builder docker --output out');
    expect(docker.stdout).toMatch(
      /^DOCKER_BUILDKIT=1 docker build -f Dockerfile.tdx .*--output type=local,dest=\S+\/out \.\n$/,
    );
  });

  it('rejects settings that the image fixes, and secrets, on a configuration disk', async () => {
    writeFileSync(join(cwd, 'wrong.json'), '{"databaseUrl":"postgres://x/y","host":"::"}');
    const refused = await cloister('image config-disk x.img --settings wrong.json');
    expect([refused.code, refused.stderr]).toEqual([
      78,
      expect.stringMatching(/databaseUrl, host: not allowed on the configuration disk/),
    ]);
    writeFileSync(join(cwd, 'misspelt.json'), '{"prot":1}');
    expect((await cloister('image config-disk x.img --settings misspelt.json')).stderr).toMatch(/did you mean port/);
  });

  it.each([
    ['address 10.0.0.2', 1],
    ['address 10.0.0.2/33', 1],
    ['gateway 10.0.0.1\nnameserver 10.0.0', 2],
    ['gateway 10.0.0.1/24', 1],
    ['dns 10.0.0.1', 1],
    ['address dhcp6', 1],
    ['nameserver dhcp', 1],
  ])('rejects a network file that the guest would reject: %j', async (text, line) => {
    writeFileSync(join(cwd, 'network'), text);
    const refused = await cloister('image config-disk x.img --settings settings.json --network network');
    expect([refused.code, refused.stderr]).toEqual([78, expect.stringMatching(`--network, line ${line}: `)]);
  });

  it('rejects a gateway without a fixed address, which the guest would reject', async () => {
    writeFileSync(join(cwd, 'network'), 'address dhcp\ngateway 10.0.0.1\n');
    const refused = await cloister('image config-disk x.img --settings settings.json --network network');
    expect([refused.code, refused.stderr]).toEqual([78, expect.stringMatching('gateway but no fixed address')]);
  });

  it('accepts DHCP with a nameserver of the operator', async () => {
    writeFileSync(join(cwd, 'network'), 'address dhcp\nnameserver 9.9.9.9\n');
    const made = await cloister('image config-disk dhcp.img --settings settings.json --network network');
    expect(made, made.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'dhcp.img'), 'latin1')).toContain('address dhcp\nnameserver 9.9.9.9\n');
  });

  it('writes the network file to the configuration disk', async () => {
    writeFileSync(join(cwd, 'network'), 'address 10.0.0.2/16\ngateway 10.0.0.1\n\nnameserver 10.0.0.3\n');
    const made = await cloister('image config-disk network.img --settings settings.json --network network');
    expect(made, made.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'network.img'), 'latin1')).toContain('address 10.0.0.2/16\n');
  });

  it('writes the policy of a fleet to the configuration disk of a node that joins it', async () => {
    const settings = { fleetAddress: 'https://node-2:8443', join: 'https://node-1:8443', fleetSecrets: true };
    writeFileSync(join(cwd, 'joining.json'), JSON.stringify(settings));
    const line = 'image config-disk joining.img --settings joining.json';
    expect((await cloister(line)).stderr).toMatch(/--fleet-policy is missing/);
    writeFileSync(join(cwd, 'fleet-policy.json'), '{"measurements":"some"}');
    expect((await cloister(`${line} --fleet-policy fleet-policy.json`)).code).not.toBe(0);
    const policy = '{"measurements":"any","sources":"any"}';
    writeFileSync(join(cwd, 'fleet-policy.json'), policy);
    const made = await cloister(`${line} --fleet-policy fleet-policy.json`);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'joining.img'), 'latin1')).toContain(policy);
  });

  it('writes the operator’s key and the names of the secrets to a configuration disk', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(join(cwd, 'operator.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await cloister(
      'image config-disk secret.img --settings settings.json --operator-key operator.pem --secret databaseUrl',
    );
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
    const disk = readFileSync(join(cwd, 'secret.img'), 'latin1');
    expect(disk).toContain(`{"operatorKey":"${raw}","secrets":["databaseUrl"]}`);
    expect(disk).not.toContain('PRIVATE');
    const lonely = await cloister('image config-disk x.img --settings settings.json --secret databaseUrl');
    expect([lonely.code, lonely.stderr]).toEqual([64, expect.stringMatching(/must be given together/)]);
  });
});
