/**
 * Resolves tenants' host names by querying name servers directly. getaddrinfo would occupy a thread of libuv's small pool while a
 * foreign name server does not answer, and would resolve names from this machine's hosts file.
 */
import { Resolver } from 'node:dns/promises';

export interface Address {
  readonly address: string;
  readonly family: number;
}

const answerMsMax = 5_000;

/**
 * @param servers addresses of name servers, with the port if it is not 53; by default the system's
 * @returns at least one address · @throws the resolver's error if there is none, or no answer in time
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
    // If one of the two lookups failed, only the addresses of the other are checked and used.
    return [addressesOf(four, 4), addressesOf(six, 6)].flat();
  } finally {
    clearTimeout(timeout);
  }
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
