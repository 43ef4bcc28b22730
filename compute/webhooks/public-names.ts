/**
 * Addresses of names that tenants write, asked of name servers directly. The system's own way would use one of a few threads
 * that all of this process shares for as long as a stranger's name server keeps silent, and would know names that only this
 * machine knows.
 */
import { Resolver } from 'node:dns/promises';

export interface Address {
  readonly address: string;
  readonly family: number;
}

const answerMsMax = 5_000;

/**
 * @param servers addresses of name servers, with ports where they are not 53; the system's, if left out
 * @returns at least one · @throws the resolver's error where there is none, or no answer in time
 */
export async function resolvePublicName(
  name: string,
  { servers, timeoutMs = answerMsMax }: { servers?: readonly string[]; timeoutMs?: number } = {},
): Promise<readonly Address[]> {
  const resolver = new Resolver({ tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const timeout = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    // A half that nobody answered is no address to check, and none to connect to.
    return [addressesOf(four, 4), addressesOf(six, 6)].flat();
  } finally {
    clearTimeout(timeout);
  }
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
