/**
 * The registers that determine the software, and what a policy permits that leaves one of them open. Pure.
 * MRTD, RTMR1 and RTMR2 together identify an image: anyone can compute them from its files (`measure/`).
 */

const decisive = [
  ['mrTd', 'MRTD', 'any firmware, which can extend RTMR0 to RTMR3 with arbitrary values'],
  ['rtmr1', 'RTMR1', 'any kernel'],
  ['rtmr2', 'RTMR2', 'any kernel command line and initial RAM disk, and so any root file system'],
] as const;

/** What an open RTMR0 permits. It describes the machine and not its software, so a policy may leave it open. */
export const openHardware = 'RTMR0 is not pinned: any processors, memory, ACPI tables and firmware settings';

/** What an RTMR3 permits that is not compared. */
export const openStart = 'RTMR3 is not compared: any settings, models and agents, unless the start log is replayed';

/** What a policy without a matching set permits. */
export const openSoftware = `the policy accepts any software: ${decisive.map(([, register]) => register).join(', ')} are open`;

type Pins = Readonly<Partial<Record<string, string>>>;

/**
 * @param set hexadecimal digits by the member names of a policy
 * @returns one sentence per open register; empty if the set pins the software
 */
export function openRegisters(set: Pins): string[] {
  return decisive.flatMap(([member, register, permits]) => {
    const digits = set[member];
    if (digits === undefined) return [`${register} is not pinned, which permits ${permits}`];
    // A register of zeros was never extended, so it says nothing about the software.
    return /^0+$/.test(digits) ? [`${register} is pinned to zeros, which permits ${permits}`] : [];
  });
}
