import { expect, test } from 'vitest';
import { isBulk, needsOf, purposeOf, STREAMS, type StreamName } from '../../../../src/domain/streams/streams.ts';

test.each<[StreamName, boolean, ReturnType<typeof purposeOf>, readonly string[]]>([
  ['pollVendor', false, null, ['vendor-sales']],
  ['sweepSalesforce', false, 'sweep', ['salesforce']],
  ['checkVendorRecords', false, null, ['vendor-sales']],
  ['pullOrders', true, 'bulk', ['vendor-order', 'salesforce']],
  ['loadOrders', true, null, ['vendor-order']],
  ['findOrders', false, 'sweep', ['vendor-order', 'salesforce']],
  ['followRenewals', false, 'sweep', ['salesforce']],
  ['checkMirror', false, 'sweep', ['salesforce']],
  ['refreshPortfolio', true, 'bulk', ['vendor-sales', 'salesforce']],
])('%s: in bulk %s, calls of the CRM in %s, needs %o', (stream, bulk, lane, needs) => {
  expect(isBulk(stream)).toBe(bulk);
  expect(purposeOf(STREAMS[stream])).toBe(lane);
  expect(needsOf(STREAMS[stream])).toEqual(needs);
});
