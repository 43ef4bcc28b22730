/**
 * A virsh that records commands instead of calling a host, for trust domains, which no test machine can run. It simulates
 * volumes and one machine, and can drop parts of the machine's XML, like a libvirt version that does not support them.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScriptedVirsh {
  readonly program: string;
  /** The commands it was given, with their arguments, oldest first. */
  calls(): string[];
  /** Volumes that exist now. */
  volumes(): string[];
  /** The machine that runs now. */
  domain(): string | undefined;
  remove(): void;
}

const script = `#!/bin/sh
here=$(dirname "$0")
shift 3
echo "$*" >> "$here/calls"
case "$1" in
  domcapabilities) cat "$here/capabilities";;
  vol-path) echo "/images/$4";;
  vol-info) echo "Capacity:       1073741824 bytes";;
  vol-list) sed 's/$/  path/' "$here/volumes";;
  vol-create) sed -n 's/.*<name>\\(.*\\)<\\/name>.*/\\1/p' "$4" >> "$here/volumes";;
  vol-create-as) echo "$5" >> "$here/volumes";;
  vol-wipe) sleep "$(cat "$here/wipe-seconds")";;
  vol-delete) grep -vx "$4" "$here/volumes" > "$here/left"; mv "$here/left" "$here/volumes";;
  vol-dumpxml) grep -qx "$4" "$here/volumes" || { echo "error: failed to get vol" >&2; exit 1; }; echo "<mtime>0</mtime>";;
  create) sed -f "$here/forgets" "$3" > "$here/domain";;
  dumpxml) [ -f "$here/domain" ] || { echo "error: failed to get domain" >&2; exit 1; }; cat "$here/domain";;
  destroy) [ -f "$here/domain" ] || { echo "error: failed to get domain" >&2; exit 1; }; rm "$here/domain";;
  undefine) echo "error: failed to get domain" >&2; exit 1;;
esac
`;

/**
 * @param tdx what the host reports about trust domains · @param forgets sed commands that drop parts of the machine's XML ·
 *   @param wipeSeconds duration of overwriting a disk
 */
export function scriptVirsh({
  tdx = 'yes',
  forgets = '',
  wipeSeconds = 0,
}: {
  tdx?: string;
  forgets?: string;
  wipeSeconds?: number;
} = {}): ScriptedVirsh {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-virsh-'));
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('virsh'), script);
  chmodSync(at('virsh'), 0o755);
  const features = `<features><tdx supported='${tdx}'/></features>`;
  writeFileSync(at('capabilities'), `<domainCapabilities><domain>kvm</domain>${features}</domainCapabilities>`);
  writeFileSync(at('forgets'), forgets);
  writeFileSync(at('wipe-seconds'), String(wipeSeconds));
  for (const name of ['calls', 'volumes']) writeFileSync(at(name), '');
  const lines = (name: string): string[] => readFileSync(at(name), 'utf8').split('\n').filter(Boolean);
  return {
    program: at('virsh'),
    calls: () => lines('calls'),
    volumes: () => lines('volumes'),
    domain: () => (existsSync(at('domain')) ? readFileSync(at('domain'), 'utf8') : undefined),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
