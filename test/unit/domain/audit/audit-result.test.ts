import { describe, expect, it } from 'vitest';
import {
  type AuditTotals,
  added,
  MOST_EXAMPLES,
  NOTHING_FOUND,
  partOf,
} from '../../../../src/domain/audit/audit-result.ts';
import type { Difference } from '../../../../src/domain/audit/causes.ts';

const difference = (crmId: string, cause: Difference['cause'], fields: readonly string[]): Difference => ({
  crmId,
  vendorId: null,
  cause,
  fields,
});

describe('what an audit has found so far', () => {
  const some: AuditTotals = {
    differing: 3,
    causes: { 'vendor-change-unseen': 2 },
    fields: { name: 3 },
    examples: [difference('a', 'vendor-change-unseen', ['name'])],
    underWay: 4,
    explained: 5,
    unlinked: { crm: 6, vendor: 7 },
    repaired: 8,
    left: 9,
    asked: { vendorSearches: 10, vendorReads: 11, crmReads: 12 },
  };

  it('is what it was where a step adds nothing, and a step where there was nothing', () => {
    expect(added(some, {})).toStrictEqual(some);
    expect(added(NOTHING_FOUND, some)).toStrictEqual(some);
  });

  it('counts differences by cause and by each of their fields', () => {
    const found = [
      difference('a', 'vendor-change-unseen', ['name', 'status']),
      difference('b', 'vendor-change-unseen', ['name']),
      difference('c', 'crm-change-unseen', []),
    ];
    expect(partOf(found)).toStrictEqual({
      differing: 3,
      causes: { 'vendor-change-unseen': 2, 'crm-change-unseen': 1 },
      fields: { name: 2, status: 1 },
      examples: found,
    });
  });

  it('names the first fifty and counts all', () => {
    const many = Array.from({ length: MOST_EXAMPLES + 1 }, (_, at) => difference(`${at}`, 'vendor-change-unseen', []));
    expect(partOf(many)).toMatchObject({ differing: 51, examples: many.slice(0, 50) });
    const last = added({ ...NOTHING_FOUND, examples: many.slice(0, 49) }, { examples: many.slice(49) });
    expect(last.examples).toStrictEqual(many.slice(0, 50));
  });
});
