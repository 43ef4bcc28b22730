/** The public names of version 0.1 that later versions have renamed. */
import { describe, expect, it } from 'vitest';
import {
  blockingCheck,
  GPU_CHECKS,
  GPU_FIELD,
  gpuChecks,
  gpuField,
  QUOTE_CHECKS,
  quoteChecks,
  RECEIPT_CHECKS,
  receiptChecks,
  type SourceRequirement,
  type SourceWish,
  SWITCH_CHECKS,
  switchChecks,
  TD_ATTRIBUTE,
  tdAttribute,
  whyNotVerified,
} from '../../attestation/index.ts';

describe('deprecated names of @cloister/attestation', () => {
  it.each<[string, unknown, unknown]>([
    ['GPU_CHECKS', GPU_CHECKS, gpuChecks],
    ['GPU_FIELD', GPU_FIELD, gpuField],
    ['QUOTE_CHECKS', QUOTE_CHECKS, quoteChecks],
    ['RECEIPT_CHECKS', RECEIPT_CHECKS, receiptChecks],
    ['SWITCH_CHECKS', SWITCH_CHECKS, switchChecks],
    ['TD_ATTRIBUTE', TD_ATTRIBUTE, tdAttribute],
    ['whyNotVerified', whyNotVerified, blockingCheck],
  ])('exports %s as an alias', (_, deprecated, current) => {
    expect(deprecated).toBeDefined();
    expect(deprecated).toBe(current);
  });

  it('exports the type SourceWish as an alias of SourceRequirement', () => {
    const source: SourceWish = { repoCommit: 'c0ffee' };
    const requirement: SourceRequirement = source;
    expect(requirement).toBe(source);
  });
});
