import { expect, it } from 'vitest';
import { summarise } from '../../activities/opportunity/summary.ts';
import type { Link } from '../../src/domain/record/link.ts';

function issuesOf(count: number): readonly string[] {
  const issues = Array.from({ length: count }, (_, place) => ({
    code: 'offer-unknown',
    field: `line ${place}`,
  }));
  const link = { crmId: null, vendorId: null, state: 'parked', issues } as unknown as Link;
  return summarise(link, { next: 'read-vendor', reportedMissing: false } as never, 'a test').issues;
}

it('a history gets the names of a hundred issues, and the number of the others', () => {
  expect(issuesOf(0)).toEqual([]);
  expect(issuesOf(100)).toHaveLength(100);
  expect(issuesOf(30_000).slice(98)).toEqual(['offer-unknown line 98', 'offer-unknown line 99', '29900 more']);
});
