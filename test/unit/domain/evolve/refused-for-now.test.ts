import { expect, test } from 'vitest';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import type { RefusedForNowOutcome } from '../../../../src/domain/evolve/outcome.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { agreedBase, decideTo, linkSample, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

const AT = '2026-03-10T12:00:00.000Z';
const LAST_WEEK = '2026-03-03T12:00:00.000Z';
const usual = usualRecord();
const update = decideTo('update-at-vendor', { opportunity: { Name: 'Old' }, vendor: vendorReading(usual) });
/** Before the update was sent. */
const before = { base: agreedBase(usual), vendorInDoubt: 'no' } as const;
const tried = ISSUES.triedAgain('vendor', 'unknown', { code: 'HTTP 418', since: LAST_WEEK, retryAt: AT });

const refused = (more: Pick<RefusedForNowOutcome, 'waits' | 'applied'>): RefusedForNowOutcome => ({
  ...{ type: 'refused-for-now', side: 'vendor', code: 'HTTP 418', fields: [], said: null },
  ...{ plan: update, generation: 1 },
  ...more,
});

test.each([
  ['stays in doubt if the vendor may have applied it', 'unknown', []],
  ['is not in doubt if the vendor has not applied it', 'no', ['base', 'vendorInDoubt']],
] as const)('the last try of an undocumented answer parks the record, and its update %s', (_, applied, changed) => {
  const link = linkSample({ ...before, issues: [tried] });
  const change = evolve(link, refused({ waits: 'unknown', applied }), AT);
  expect(change).toMatchObject({ state: 'parked', outcome: 'refused HTTP 418' });
  expect(Object.keys(change)).toEqual(expect.arrayContaining([...changed]));
  expect(['base', 'vendorInDoubt'].filter((name) => name in change)).toEqual(changed);
});

test.each([
  ['an undocumented answer are counted from the answer', 'unknown', '2026-03-10T12:01:00.000Z'],
  ['a temporary refusal are counted from the first failure', 'passing', '2026-03-10T12:06:00.000Z'],
] as const)('the tries after %s, also of a record that has failed before', (_, waits, retryAt) => {
  const link = linkSample({ ...before, failingSince: LAST_WEEK });
  expect(evolve(link, refused({ waits, applied: 'no' }), AT)).toMatchObject({ retryAt });
});
