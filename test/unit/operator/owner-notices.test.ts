import { expect, it } from 'vitest';
import { noticeLine, withRepair } from '../../../src/operator/status/owner-notices.ts';
import { needsAttention } from '../../../src/operator/status/status.ts';

const REFUSED = {
  reason: 'INACTIVE_OWNER_OR_USER OwnerId',
  notices: 2,
  since: '2026-03-01T12:00:00.000Z',
  retryAt: '2026-03-01T13:00:00.000Z',
};

it.each([
  [
    REFUSED,
    /^Salesforce refuses 2 notices to owners \(INACTIVE_OWNER_OR_USER OwnerId\).* another owner, then: lockstep resume acme/,
  ],
  [{ ...REFUSED, reason: 'INSUFFICIENT_ACCESS_OR_READONLY' }, /permission set Lockstep_Tell_Owners/],
  [{ ...REFUSED, reason: 'FIELD_CUSTOM_VALIDATION_EXCEPTION' }, /except the integration user from the rule/],
  [{ ...REFUSED, reason: null, notices: 1 }, /^Salesforce refuses 1 notice to an owner .*lockstep doctor/],
])('how many, why and what to do is reported: %j', (refused, words) => {
  expect(noticeLine(withRepair(refused), 'acme')).toMatch(words);
});

it('an owner who cannot be notified asks for somebody', () => {
  const quiet = {
    attention: [],
    paused: [],
    overdue: [],
    stopped: [],
    changes: null,
    undelivered: [],
    parkedRows: {},
    refusedRows: {},
    org: null,
    unopenedMapping: null,
  };
  const statusWith = (ownerNotices: readonly object[]) =>
    ({ tenants: [{ ...quiet, ownerNotices }], unavailable: [] }) as never;
  expect(needsAttention(statusWith([]))).toBe(false);
  expect(needsAttention(statusWith([withRepair(REFUSED)]))).toBe(true);
});
