/** The checks that establish that the report of a GPU or a switch is authentic, in display order. */
import type { CheckText } from '../verify/checks.ts';

const distrust = 'Do not trust this server: the evidence was changed or is not genuine.';

const textsFor = (device: string) =>
  ({
    'report-format': {
      title: `The ${device} report is an SPDM 1.1 measurement report`,
      action: 'Fetch the evidence again.',
    },
    certificates: { title: `The ${device}'s certificate chain is well-formed`, action: 'Fetch the evidence again.' },
    chain: { title: `The ${device}'s certificate chains to a trusted root`, action: distrust },
    'chain-dates': {
      title: `The ${device}'s certificates are valid now`,
      action: 'Check the clock, or verify at the time when the evidence was collected.',
    },
    device: { title: `NVIDIA issued the certificate to a ${device}`, action: distrust },
    'report-signature': { title: `The ${device} report is signed by the ${device}`, action: distrust },
    nonce: {
      title: `The ${device} report was made for this nonce`,
      action: 'Fetch fresh evidence; if it recurs, do not trust this server: its report is old, or of another device.',
    },
    firmware: {
      title: `The ${device} report names the firmware that the ${device}'s certificate was issued to`,
      action: distrust,
    },
  }) as const satisfies Record<string, CheckText>;

export type DeviceCheck = keyof ReturnType<typeof textsFor>;
export type DeviceCheckId<Kind extends string> = `${Kind}-${DeviceCheck}`;
export type GpuCheckId = DeviceCheckId<'gpu'>;
export type SwitchCheckId = DeviceCheckId<'switch'>;

/** The same checks with a prefix: `<prefix>-<name>`. */
export function prefixed<Prefix extends string, Name extends string>(
  prefix: Prefix,
  texts: Readonly<Record<Name, CheckText>>,
): Readonly<Record<`${Prefix}-${Name}`, CheckText>> {
  const entries = Object.entries(texts).map(([name, text]) => [`${prefix}-${name}`, text]);
  return Object.fromEntries(entries) as Record<`${Prefix}-${Name}`, CheckText>;
}

export const gpuChecks = prefixed('gpu', textsFor('GPU'));
export const switchChecks = prefixed('switch', textsFor('NVSwitch'));
