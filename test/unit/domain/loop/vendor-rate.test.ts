import { expect, it } from 'vitest';
import { vendorRate } from '../../../../src/domain/loop/vendor-rate.ts';

const QUOTA = { limit: 1_000, seconds: 60 };

it.each([
  {
    what: 'the even pace of the quota',
    given: { ratePerSecond: 5, rateByQuota: true },
    quota: QUOTA,
    rate: 1_000 / 60,
  },
  { what: 'the rate of the tenant file', given: { ratePerSecond: 8 }, quota: QUOTA, rate: 8 },
  {
    what: 'the default before the first answer',
    given: { ratePerSecond: 5, rateByQuota: true },
    quota: undefined,
    rate: 5,
  },
  {
    what: 'the default without a limit',
    given: { ratePerSecond: 5, rateByQuota: true },
    quota: { ...QUOTA, limit: null },
    rate: 5,
  },
  {
    what: 'no less than the default',
    given: { ratePerSecond: 5, rateByQuota: true },
    quota: { ...QUOTA, limit: 60 },
    rate: 5,
  },
  {
    what: 'no more than 25',
    given: { ratePerSecond: 5, rateByQuota: true },
    quota: { ...QUOTA, seconds: 0 },
    rate: 25,
  },
] as const)('many requests leave at $what', ({ given, quota, rate }) => expect(vendorRate(given, quota)).toBe(rate));
