import { expect, it } from 'vitest';
import fc from '../support/properties.ts';
import { createVendorStream, type VendorEdit, type VendorStreamOptions } from '../support/vendor-stream.ts';

/** Whatever becomes visible late at the vendor, within the overlap, is read in the end. */

const START_MS = Date.parse('2027-01-04T08:00:00.000Z');
const OVERLAP_MS = 300_000;

/** Edits of a record one after the other: the next one begins when the last one is there. */
const editsOf = (record: string): fc.Arbitrary<readonly VendorEdit[]> =>
  fc
    .array(
      fc.record({
        pauseMs: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 400_000 })),
        lagMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: OVERLAP_MS - 1_000 })),
      }),
      { maxLength: 5 },
    )
    .map((rows) => {
      let atMs = START_MS;
      return rows.map(({ pauseMs, lagMs }) => {
        const stampMs = atMs + pauseMs;
        atMs = stampMs + lagMs;
        return { record, stampMs, visibleMs: atMs };
      });
    });

const options: fc.Arbitrary<VendorStreamOptions> = fc.record({
  edits: fc.tuple(editsOf('A'), editsOf('B')).map((lists) => lists.flat()),
  aheadMs: fc.constantFrom(0, -90_000, 90_000),
  overlapMs: fc.constant(OVERLAP_MS),
  lateCommits: fc.boolean(),
  tellsTime: fc.constantFrom(true, true, false),
  readAfterMs: fc.constantFrom(200, 20_000, 200_000),
  startMs: fc.constant(START_MS),
});

const pauses = fc.oneof(fc.constant(60_000), fc.integer({ min: 20_000, max: 200_000 }), fc.constant(7_200_000));

it('is read with its last edit, twice an edit at most, by periods that end in the present', async () => {
  await fc.assert(
    fc.asyncProperty(options, fc.array(pauses, { minLength: 30, maxLength: 40 }), async (given, waits) => {
      const edits = given.edits.map((edit) => ({
        ...edit,
        stampMs: edit.stampMs + given.aheadMs,
        visibleMs: edit.visibleMs + given.aheadMs,
      }));
      const stream = createVendorStream({ ...given, edits });
      const lastMs = Math.max(0, ...edits.map(({ visibleMs }) => visibleMs)) - given.aheadMs;
      for (let turn = 0; turn < waits.length || stream.nowMs() < lastMs + 4 * OVERLAP_MS; turn += 1) {
        await stream.poll();
        stream.pass(waits[turn % waits.length] ?? 60_000);
      }
      for (const record of ['A', 'B']) {
        const own = edits.filter((edit) => edit.record === record);
        if (own.length > 0) expect(stream.shown.get(record)).toEqual(own);
      }
      expect(stream.reads()).toBeLessThanOrEqual(2 * edits.length);
      for (const { toDate, vendorMs } of stream.periods) expect(Date.parse(toDate)).toBeLessThanOrEqual(vendorMs);
    }),
    { numRuns: 300 },
  );
}, 60_000);

/** What no clock tells, what it might, and now and then the truth. */
const lie = fc.oneof(
  fc.constantFrom('+275760-09-13T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z', ''),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.integer({ min: 1, max: 30 }).map((days) => new Date(START_MS + days * 86_400_000).toISOString()),
  fc.integer({ min: 1, max: 30 }).map((days) => new Date(START_MS - days * 86_400_000).toISOString()),
  fc.constant(null),
);

const QUIET: VendorStreamOptions = {
  edits: [],
  aheadMs: 0,
  overlapMs: OVERLAP_MS,
  lateCommits: false,
  tellsTime: true,
  readAfterMs: 200,
  startMs: START_MS,
};
/** A day ahead, then a day behind: the search for what came late could follow a present before its end, step by step. */
const FOLLOWED = [
  '2027-01-05T08:00:00.000Z',
  '2027-01-05T08:00:00.000Z',
  '2027-01-03T08:00:00.000Z',
  null,
  '1969-12-31T23:59:59.999Z',
  '2027-01-03T08:00:00.000Z',
];

it('is read once the vendor gives the true time again, whatever time it gave before', async () => {
  const lies = fc.array(lie, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(options, lies, async (given, result) => {
      const edits = given.edits.map((edit) => ({
        ...edit,
        stampMs: edit.stampMs + given.aheadMs,
        visibleMs: edit.visibleMs + given.aheadMs,
      }));
      const stream = createVendorStream({ ...given, edits, tellsTime: true, lies: result });
      const lastMs = Math.max(0, ...edits.map(({ visibleMs }) => visibleMs)) - given.aheadMs;
      for (let turn = 0; turn < 40 || stream.nowMs() < lastMs + 4 * OVERLAP_MS; turn += 1) {
        await stream.poll();
        stream.pass(60_000);
      }
      for (const record of ['A', 'B']) {
        const own = edits.filter((edit) => edit.record === record);
        if (own.length > 0) expect(stream.shown.get(record)).toEqual(own);
      }
    }),
    { numRuns: 2_000, examples: [[QUIET, FOLLOWED]] },
  );
}, 60_000);
