/**
 * The guest's DHCP client with a real server, dnsmasq, in two network namespaces that a virtual cable connects: it leases an address,
 * configures the interface and renews the lease from inside its sandbox.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram } from '../../../image/host.ts';
import { scratch } from './support/given.ts';

const init = join(import.meta.dirname, '../../../image/init');
const { PATH } = process.env;
const missing = ['ip', 'dnsmasq', 'unshare', 'g++'].filter((name) => findProgram([name], PATH) === undefined);
const isPossible = missing.length === 0 && process.getuid?.() === 0;
if (!isPossible)
  console.log(`The DHCP client is not tested with a server: it needs root; missing: ${missing.join(', ')}.`);

/** Leases last two minutes, dnsmasq's shortest time, and are renewed after one. */
const network = `
exec 3<&0
ip link set lo up
ip link add srv type veth peer name eth0
ip address add 10.7.0.1/24 dev srv
ip link set srv up
dnsmasq --keep-in-foreground --log-facility=- --conf-file=/dev/null --pid-file= --user=root --interface=srv --bind-interfaces \\
  --port=0 --dhcp-authoritative --dhcp-leasefile="$3" --dhcp-range=10.7.0.50,10.7.0.60,255.255.255.0,2m \\
  --dhcp-option=option:mtu,1400 --dhcp-option=option:dns-server,10.7.0.9 &
server=$!
unshare -n "$1" "$2" <&3 &
client=$!
sleep 0.5
ip link set eth0 netns $client
wait $client
code=$?
kill $server
exit $code
`;

function compile(program: string): void {
  const names = ['lease_process', 'network_interface', 'resolver_file', 'dhcp_message', 'dhcp_client', 'sandbox'];
  const sources = [join(import.meta.dirname, 'lease.cc'), ...names.map((name) => join(init, `${name}.cc`))];
  execFileSync('g++', ['-std=c++20', '-O1', '-Wall', '-Wextra', '-Werror', '-o', program, ...sources]);
}

it.skipIf(!isPossible)('leases an address from dnsmasq, configures the interface and renews the lease', async () => {
  const [program, resolver, leases, script] = ['lease', 'resolv.conf', 'leases', 'network.sh'].map((name) =>
    join(scratch, name),
  );
  compile(program!);
  writeFileSync(script!, network);
  const machine = spawn('unshare', ['-n', 'sh', script!, program!, resolver!, leases!]);
  let output = '';
  const seen = Promise.withResolvers<void>();
  for (const stream of [machine.stdout, machine.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if ((output.match(/DHCPACK/g) ?? []).length === 2) seen.resolve();
    });
  }
  const ended = once(machine, 'close');
  await Promise.race([seen.promise, ended]);
  machine.stdin.end();
  const [code] = (await ended) as [number];
  expect([code, output], output).toEqual([0, expect.stringMatching(/DHCPDISCOVER[\s\S]+DHCPOFFER[\s\S]+DHCPREQUEST/)]);
  const [before, after] = output.split('shown');
  for (const state of [before, after]) {
    expect(state).toMatch(/inet 10\.7\.0\.(5\d|60)\/24/);
    expect(state).toMatch(/mtu 1400/);
    expect(state).toMatch(/default via 10\.7\.0\.1 dev eth0/);
  }
  expect(after!.match(/DHCP[A-Z]+/g)).toEqual(['DHCPREQUEST', 'DHCPACK']);
  expect(readFileSync(resolver!, 'utf8')).toBe('nameserver 10.7.0.9\n');
});
