/**
 * Which registers decide what software runs, and what a policy that leaves one of them open lets a host run. Pure.
 * MRTD, RTMR1 and RTMR2 together mean a program: anyone who has the files of an image computes them (`measure/`).
 */

const decisive = [
  ['mrTd', 'MRTD', 'any firmware, which can extend RTMR0 to 3 with whatever it likes'],
  ['rtmr1', 'RTMR1', 'any kernel'],
  ['rtmr2', 'RTMR2', 'any kernel command line and initial RAM disk, and so any root file system'],
] as const;

/** What an open RTMR0 permits. It describes the machine, not its software, so a policy may leave it open. */
export const openHardware = 'RTMR0 is not pinned: any processors, memory, ACPI tables and firmware settings';

/** What an RTMR3 that nobody compares permits. */
export const openStart = 'RTMR3 is not compared: any settings, models and agents, unless the start log is replayed';

/** What a policy permits that names no set of registers. */
export const openSoftware = `the policy accepts any software: ${decisive.map(([, register]) => register).join(', ')} are open`;

type Pins = Readonly<Partial<Record<string, string>>>;

/**
 * @param set hexadecimal digits by the member names of a policy
 * @returns one sentence for each register that is left open; none where the set means one program
 */
export function openRegisters(set: Pins): string[] {
  return decisive.flatMap(([member, register, permits]) => {
    const digits = set[member];
    if (digits === undefined) return [`${register} is not pinned, which permits ${permits}`];
    // A register of zeros was never extended, whatever ran.
    return /^0+$/.test(digits)
      ? [`${register} is pinned to zeros, as if nothing was measured, which permits ${permits}`]
      : [];
  });
}
