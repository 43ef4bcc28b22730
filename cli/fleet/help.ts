/** The help of `cloister fleet`, and the defaults that it states. */
import { nodesMax } from './balancer.ts';

/** Together with the time that the old release needs to serve again, less than a minute. */
export const rollTimeoutS = 30;
export const startTimeoutS = 120;

export const help = `Usage: cloister fleet up [--nodes <count>] [options] [-- <options of serve>]
       cloister fleet status [options]
       cloister fleet kill <node> [options]
       cloister fleet roll [--policy <file>] [--program <file>] [options] [-- <options of serve>]
       cloister fleet scale <count> [options]
       cloister fleet scale --auto [--min <count>] [--max <count>] [options]
       cloister fleet down [options]
       cloister fleet roll|scale --swarm <service or stack> --policy <file> [options]

Runs a fleet on this machine, for development and to rehearse operations: nodes on simulated TDX machines (cloister serve
--simulate-tdx) that share a PostgreSQL, behind a HAProxy that forwards TCP. PostgreSQL and HAProxy come from the
distribution's packages; no container runs. Its evidence proves nothing.

up starts everything and prints one base URL, the file of an API key and a curl line. The processes outlive the command.
status lists the nodes.
kill ends one node at once, as a crash would.
roll replaces the nodes one by one. A new node gets requests only when its evidence satisfies the policy; then the old
one drains and stops. If a new node does not prove itself in time, the fleet goes back to the old release on its own.
scale adds nodes, or drains the ones with the highest numbers. It also replaces nodes that were killed. With --auto it
runs until Ctrl-C, and adds or drains one node at a time by the queue time and the use of the KV cache.
down ends everything at once, and removes the database, the logs and the key.
Ctrl-C ends up as down does; during roll and scale it ends the node that is starting, and the others go on.

With --swarm, roll and scale change a service of a Docker Swarm, through DOCKER_HOST [unix:///var/run/docker.sock]. Its
nodes must be reachable at the addresses that they announce. Swarm drains an old node when the new one is healthy, which
is before the evidence of the new one is verified. Ctrl-C during roll gives all nodes the old release again.

  --nodes <count>             number of nodes, 1 to ${nodesMax} [3]
  --port <port>               port of the shared address on loopback [8443]
  --policy <file>             policy that nodes must satisfy; during a roll, with the old and the new set [any simulated machine]
  --program <file>            cloister.mjs of the version that the new nodes run [this one]
  --evidence-timeout-s <time> time for a new node to serve with evidence that satisfies the policy, seconds [${rollTimeoutS} for roll, else ${startTimeoutS}]
  --state-dir <folder>        folder of the fleet: ports, processes, key, certificate, logs [.cloister-fleet]
  --json                      print JSON

With --swarm:
  --image <image>             image of the new nodes [the same]
  --simulated                 accept nodes on simulated machines, whose evidence proves nothing
  --metrics-port <port>       port of the nodes' metrics [9443]

With --auto:
  --min <count>               fewest nodes [1]
  --max <count>               most nodes [${nodesMax}]
  --up-above-s <time>         add a node while the 95th percentile of the queue time is above this, seconds [1.5]
  --up-above-tokens <count>   or while more prompt tokens than this wait on each node, on average [no limit]
  --down-below-s <time>       drain a node while it is below this, seconds [0.2]
  --interval-s <time>         time between two readings of the metrics, seconds [15]
  --cooldown-s <time>         time without a change after each change, and of low load before a node drains, seconds [120]
  --once                      decide once and exit
  --dry-run                   print what would be done
`;
