import { describe, expect, it, test } from 'vitest';
import { LOAD_PAUSE } from '../../../../src/domain/streams/orders-load.ts';
import { expectedReadOf, readOf } from '../../../../src/domain/streams/read-at.ts';

const at = (stream: string, minute: number) => ({ stream, readAt: `2027-01-04T08:0${minute}:00.000Z` });

describe('when a stream was read', () => {
  it('is the earliest of its own cursors, whatever their order', () => {
    const parts = [
      at('sweepSalesforce:Opportunity', 3),
      at('sweepSalesforce:Contact', 2),
      at('sweepSalesforce:Account', 4),
    ];
    expect(readOf('sweepSalesforce', parts)).toBe(at('', 2).readAt);
    expect(readOf('sweepSalesforce', parts.toReversed())).toBe(at('', 2).readAt);
    expect(readOf('sweepSalesforce', [at('sweepSalesforce', 5)])).toBe(at('', 5).readAt);
  });

  it('is that of no other stream', () => {
    expect(readOf('pollVendor', [at('sweepSalesforce', 1), at('pollVendor', 2), at('pullOrders', 1)])).toBe(
      at('', 2).readAt,
    );
    expect(readOf('pollVendor', [at('of pollVendor:', 1), at('pollVendors', 1)])).toBeUndefined();
    expect(readOf('pollVendor', [])).toBeUndefined();
  });
});

test.each([
  ['loadOrders', [at('loadOrders', 1)], at('', 1).readAt],
  ['loadOrders', [at('loadOrders', 1), at(LOAD_PAUSE, 1)], undefined],
  ['pullOrders', [at('pullOrders', 1), at(LOAD_PAUSE, 1)], at('', 1).readAt],
] as const)('what is to be read is not what a person has paused: %s of %o', (stream, reads, expected) => {
  expect(expectedReadOf(stream, reads)).toBe(expected);
});
