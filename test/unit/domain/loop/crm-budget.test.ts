import { describe, expect, it } from 'vitest';
import {
  BUDGET_RETRY_MS,
  type BudgetVerdict,
  budgetVerdict,
  budgetWaitMs,
  CALL_PURPOSE_NAMES,
  type CallPurpose,
  type CrmUse,
  SLOW_EVERY_MS,
} from '../../../../src/domain/loop/crm-budget.ts';
import fc from '../../../support/properties.ts';

const LIMIT = 10_000;
const SHARE = 0.25;
const use = (own: number, used = Math.max(own, 5_000), limit = LIMIT): CrmUse => ({
  own,
  orgUse: { used, limit },
});
const verdicts = (of: CrmUse) =>
  CALL_PURPOSE_NAMES.map((purpose) => budgetVerdict(of, SHARE, purpose)).join(' ');

describe('the share of an org’s calls', () => {
  it.each<[what: string, of: CrmUse, interactiveSweepBulk: string]>([
    ['nothing was told yet', { own: 1e6, orgUse: null }, 'goes goes goes'],
    ['little is used', use(10), 'goes goes goes'],
    ['bulk work yields first', use(1_500), 'goes goes waits'],
    ['just before', use(1_499), 'goes goes goes'],
    ['then sweeps come seldom', use(1_875), 'goes slows waits'],
    ['then they wait', use(2_375), 'goes waits waits'],
    ['what somebody waits for comes to the end of the share', use(2_499), 'goes waits waits'],
    ['and no further', use(2_500), 'waits waits waits'],
    ['others use the org up: bulk work yields', use(10, 9_000), 'goes goes waits'],
    ['others use nearly all of it', use(10, 9_500), 'goes slows waits'],
    ['others use all of it: Salesforce itself says so', use(10, 10_000), 'goes slows waits'],
    ['Salesforce counts anew: no more is ours than everybody’s', use(9_999, 12), 'goes goes goes'],
  ])('%s', (_, of, expected) => expect(verdicts(of)).toBe(expected));

  it.each<[verdict: BudgetVerdict, lastAt: string | null, waitMs: number]>([
    ['goes', '2026-03-01T12:00:00.000Z', 0],
    ['waits', null, BUDGET_RETRY_MS],
    ['slows', null, 0],
    ['slows', '2026-03-01T12:00:00.000Z', SLOW_EVERY_MS - 60_000],
    ['slows', '2026-03-01T11:00:00.000Z', 0],
  ])('%s after %s waits %d ms', (verdict, lastAt, waitMs) =>
    expect(budgetWaitMs(verdict, lastAt, '2026-03-01T12:01:00.000Z')).toBe(waitMs),
  );

  const RANK: Readonly<Record<BudgetVerdict, number>> = { goes: 0, slows: 1, waits: 2 };
  const count = fc.integer({ min: 0, max: 200_000 });
  const rank = (of: CrmUse, share: number, purpose: CallPurpose) => RANK[budgetVerdict(of, share, purpose)];

  it('never lets bulk work go before sweeps, nor sweeps before what somebody waits for, nor more be done by more use', () => {
    const limits = fc.integer({ min: 1, max: 200_000 });
    const shares = fc.double({ min: 0.01, max: 1, noNaN: true });
    const law = fc.property(count, count, limits, shares, (own, used, limit, share) => {
      const of = use(own, used, limit);
      const [interactive, sweep, bulk] = CALL_PURPOSE_NAMES.map((purpose) => rank(of, share, purpose));
      expect(interactive).toBeLessThanOrEqual(Number(sweep));
      expect(sweep).toBeLessThanOrEqual(Number(bulk));
      for (const purpose of CALL_PURPOSE_NAMES)
        expect(rank(use(own + 1, used + 1, limit), share, purpose)).toBeGreaterThanOrEqual(
          rank(of, share, purpose),
        );
    });
    fc.assert(law);
  });
});
