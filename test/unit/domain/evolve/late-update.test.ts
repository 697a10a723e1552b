import { describe, expect, test } from 'vitest';
import { withLateArrival } from '../../../../src/domain/base/in-doubt-writes.ts';
import { afterLateVendorWrite } from '../../../../src/domain/evolve/after-vendor-write.ts';
import { agreedBase, decideTo, linkSample, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

const usual = usualRecord();
const update = decideTo('update-at-vendor', { opportunity: { Name: 'Old' }, vendor: vendorReading(usual) });
const create = decideTo('create-at-vendor', { link: { vendorId: null, base: null } });
const base = agreedBase({ ...usual, name: 'New' });
const link = linkSample({ base });
const AT = '2026-03-10T12:00:00.000Z';
const planned = { plan: update, generation: 1 };
const failed = { type: 'vendor-write-failed', what: 'timeout', ...planned } as const;
const answered = { type: 'refused-for-now', side: 'vendor', waits: 'unknown', code: 'HTTP 418', fields: [] } as const;
const refused = { ...answered, ...planned, said: null } as const;
const updated = { type: 'updated', traceId: null, answeredAt: null, ...planned } as const;

describe('the outcome of an update that comes after another writer has planned', () => {
  test.each([
    ['answered', updated],
    ['not answered', { ...failed, applied: 'unknown' } as const],
    ['answered with an error that says nothing of it', { ...refused, applied: 'unknown' } as const],
  ])('and that was %s may have gone over what was sent since', (_, outcome) => {
    const change = { base: withLateArrival(base, update, AT), plansNothing: true };
    expect(afterLateVendorWrite(link, outcome, AT)).toEqual(change);
  });

  test.each([
    ['was not sent', { ...failed, applied: 'no' } as const],
    ['was refused', { ...refused, applied: 'no' } as const],
    ['is of a creation', { ...failed, plan: create, applied: 'unknown' } as const],
    ['was reported', { type: 'vendor-id-reported', taken: false } as const],
  ])('changes nothing where it %s', (_, outcome) => {
    expect(afterLateVendorWrite(link, outcome, AT)).toBeNull();
  });

  test('changes nothing where the two sides agree on nothing', () => {
    expect(afterLateVendorWrite({ ...link, base: null }, updated, AT)).toBeNull();
  });
});
