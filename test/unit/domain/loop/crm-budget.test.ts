import { describe, expect, it } from 'vitest';
import {
  BUDGET_RETRY_MS,
  type BudgetVerdict,
  budgetVerdict,
  budgetWaitMs,
  CALL_PURPOSE_NAMES,
  type CrmUse,
  SLOW_EVERY_MS,
} from '../../../../src/domain/loop/crm-budget.ts';

const LIMIT = 10_000;
const SHARE = 0.25;
const use = (own: number, used = Math.max(own, 5_000), limit = LIMIT): CrmUse => ({
  own,
  orgUse: { used, limit },
});
const verdicts = (of: CrmUse) => CALL_PURPOSE_NAMES.map((purpose) => budgetVerdict(of, SHARE, purpose)).join(' ');

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
});
