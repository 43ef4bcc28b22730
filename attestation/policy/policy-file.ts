/** Parses policies: JSON of `Policy`, strictly, so that a misspelled or malformed requirement is never ignored. Pure. */
import { anyObjectOf, parseStrictJson } from '../aci/strict-json.ts';
import { AttestationError } from '../base/errors.ts';
import { tcbStatuses } from '../collateral/tcb-info.ts';
import { measurements, optionalAttributes, type Policy } from './policy.ts';

/** Above any real policy, even one that lists hundreds of images. */
const policyCharactersMax = 4 * 1024 * 1024;

/**
 * Parses a policy file: JSON of `Policy`. Unknown members are refused.
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function parsePolicy(text: string): Policy {
  return policyOf(parsePolicyObject(text));
}

/** @throws {AttestationError} ERR_POLICY_MALFORMED */
export function parsePolicyObject(text: string): Readonly<Record<string, unknown>> {
  try {
    // Strict JSON refuses duplicate members: two parsers could read two policies from one file.
    return anyObjectOf(parseStrictJson(text, { what: 'the policy', charactersMax: policyCharactersMax }), 'the policy');
  } catch (cause) {
    throw new AttestationError('ERR_POLICY_MALFORMED', (cause as Error).message, { cause });
  }
}

/** Validates every member and returns the same object. @throws {AttestationError} ERR_POLICY_MALFORMED */
export function policyOf(members: Readonly<Record<string, unknown>>): Policy {
  for (const name of Object.keys(members)) {
    if (!Object.hasOwn(policyMembers, name)) throw malformed(`a policy has no member ${name}`);
    const { is, expected } = policyMembers[name as keyof Policy];
    if (!is(members[name])) throw malformed(`${name} must be ${expected}`);
  }
  if (members.measurements === undefined)
    throw malformed('measurements is missing: it must be a list of sets, or "any"');
  if (members.tdAttributes !== undefined && members.perfmonAllowed !== undefined) {
    throw malformed('perfmonAllowed cannot be combined with tdAttributes, which includes performance counters');
  }
  return members as unknown as Policy;
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isHex = (digits: number) => (value: unknown) =>
  typeof value === 'string' && value.length === digits && /^[0-9a-fA-F]+$/.test(value);
const isHexList = (digits: number) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(isHex(digits));
const isFlag = (value: unknown) => typeof value === 'boolean';

const policyMembers: Readonly<Record<keyof Policy, { is: (value: unknown) => boolean; expected: string }>> = {
  measurements: {
    is: (value) => value === 'any' || (Array.isArray(value) && value.length > 0 && value.every(isMeasurementSet)),
    expected: `"any" or a list of sets of ${measurements.join(', ')} with 96 hexadecimal digits each`,
  },
  tcbStatuses: {
    is: (value) => isTextList(value) && value.every((one) => one !== 'Revoked' && tcbStatuses.some((s) => s === one)),
    expected: `a list of ${tcbStatuses.filter((status) => status !== 'Revoked').join(', ')}`,
  },
  advisories: { is: (value) => value === 'any' || isTextList(value), expected: '"any" or a list of INTEL-SA numbers' },
  rtmr3: { is: (value) => value === 'any' || value === 'zero', expected: '"any" or "zero"' },
  tcbEvaluationMin: { is: (value) => Number.isInteger(value) && (value as number) >= 0, expected: 'an integer' },
  collateralAgeDaysMax: {
    is: (value) => typeof value === 'number' && value > 0 && value <= 366,
    expected: 'a number of days above 0, up to 366',
  },
  teeTcbSvnMin: { is: isHex(32), expected: '32 hexadecimal digits' },
  fmspcs: { is: isHexList(12), expected: 'a list of FMSPCs with 12 hexadecimal digits each' },
  platformIds: { is: isHexList(32), expected: 'a list of platform ids with 32 hexadecimal digits each' },
  xfam: { is: isHexList(16), expected: 'a list of values with 16 hexadecimal digits each' },
  tdAttributes: {
    is: (value) =>
      isTextList(value) &&
      new Set(value).size === value.length &&
      value.every((one) => optionalAttributes.some((name) => name === one)),
    expected: `a list of ${optionalAttributes.join(', ')}, each once at most`,
  },
  perfmonAllowed: { is: isFlag, expected: 'true or false' },
  debugAllowed: { is: isFlag, expected: 'true or false' },
};

function isMeasurementSet(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(([name, digits]) => measurements.some((known) => known === name) && isHex(96)(digits))
  );
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_POLICY_MALFORMED', message);
}
