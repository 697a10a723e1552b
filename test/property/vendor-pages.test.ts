import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, it } from 'vitest';
import { periodsOf } from '../../activities/streams/vendor-periods.ts';
import type { PeriodCursor } from '../../src/domain/streams/period-cursor.ts';
import { createPagedVendor, type PagedVendorOptions, type VendorRow } from '../support/paged-vendor.ts';
import fc from '../support/properties.ts';

/** Whatever the pages of the vendor's search hold, and whatever moves between two of them, each row is taken in. */

const START_MS = Date.parse('2027-01-04T08:00:00.000Z');
const OVERLAP_MS = 300_000;
const LONGEST_MS = 3 * 86_400_000;
/** Before the start: where the first period is cut, once and twice, so that rows lie on the bounds of periods. */
const FIRST_CUTS_MS = [43_260_000, 64_830_000];

/** Rows in heaps of one instant, one second or apart, since the day before the first poll; some show themselves late. */
const rows = fc
  .array(
    fc.record({
      agoMs: fc.oneof(
        fc.constantFrom(0, 60_000, ...FIRST_CUTS_MS),
        fc.integer({ min: -300_000, max: 1_000 }),
        fc.integer({ min: 0, max: 80_000_000 }),
      ),
      size: fc.integer({ min: 1, max: 12 }),
      stepMs: fc.constantFrom(0, 0, 1, 400),
      lagMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90_000 })),
    }),
    { maxLength: 6 },
  )
  .map((heaps) =>
    heaps
      .flatMap(({ agoMs, size, stepMs, lagMs }) =>
        Array.from({ length: size }, (_, n) => ({ stampMs: START_MS - agoMs + n * stepMs, lagMs })),
      )
      .map(({ stampMs, lagMs }, n): VendorRow => ({ id: `${n}`, stampMs, visibleMs: stampMs + lagMs })),
  );

const options: fc.Arbitrary<PagedVendorOptions> = fc.record({
  rows,
  moves: fc.array(fc.array(fc.record({ place: fc.nat(80), goes: fc.boolean() }), { maxLength: 4 }), {
    maxLength: 30,
  }),
  top: fc.integer({ min: 2, max: 9 }),
  order: fc.constantFrom('oldest first', 'newest first', 'by id'),
  withBounds: fc.boolean(),
  tellsCount: fc.boolean(),
});

const clocks = fc.record({
  /** What the vendor's clock is ahead of ours, and set back by between two polls. */
  aheadMs: fc.constantFrom(0, -90_000, 90_000),
  setBackMs: fc.constantFrom(0, 0, 5_000, 200_000),
  requestMs: fc.constantFrom(0, 100, 40_000),
});
type Clocks = typeof clocks extends fc.Arbitrary<infer Given> ? Given : never;

/** Polls every minute until all is past for the overlap twice; gives the keys of all rows that were taken in. */
async function takenFrom(given: PagedVendorOptions, { aheadMs, setBackMs, requestMs }: Clocks) {
  const clock = { ms: START_MS, aheadMs };
  const vendor = createPagedVendor(given, () => clock.ms + clock.aheadMs);
  const { first, readPage } = periodsOf<VendorRow>({
    name: 'rows',
    now: () => new Date(clock.ms).toISOString(),
    rules: { longestMs: LONGEST_MS, overlapMs: OVERLAP_MS, sharedMs: given.withBounds ? 0 : 1_000 },
    ask: async (period, skip) => {
      clock.ms += requestMs;
      return vendor.search(period, skip);
    },
  });
  const taken = new Set<string>();
  let cursor: PeriodCursor = first(new Date(clock.ms).toISOString());
  await new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(async () => {
    for (let poll = 0; poll < 45; poll += 1) {
      for (let more = true, pages = 0; more; pages += 1) {
        if (pages > 500) throw new Error('the poll does not end');
        const page = await readPage(JSON.parse(JSON.stringify(cursor)));
        for (const row of page.items) taken.add(vendor.keyOf(row));
        ({ cursor, more } = page);
      }
      clock.ms += 60_000;
      if (poll === 4) clock.aheadMs -= setBackMs;
    }
  });
  return { taken, vendor };
}

it('is taken in, by periods that end after they begin and not after the vendor’s present', async () => {
  await fc.assert(
    fc.asyncProperty(options, clocks, async (given, time) => {
      const ahead = given.rows.map((row) => ({
        ...row,
        stampMs: row.stampMs + time.aheadMs,
        visibleMs: row.visibleMs + time.aheadMs,
      }));
      const { taken, vendor } = await takenFrom({ ...given, rows: ahead }, time);
      expect(vendor.rows().filter((row) => !taken.has(vendor.keyOf(row)))).toEqual([]);
      for (const { fromMs, toMs, vendorMs } of vendor.asked) {
        expect(toMs).toBeGreaterThan(fromMs);
        expect(toMs - fromMs).toBeLessThanOrEqual(LONGEST_MS);
        if (time.setBackMs === 0) expect(toMs).toBeLessThanOrEqual(vendorMs);
      }
    }),
    { numRuns: 200 },
  );
}, 60_000);
