import { describe, expect, test } from 'vitest';
import { withVendorWritesResolved } from '../../../../src/domain/base/in-doubt-writes.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, usualRecord, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const config = mappingConfig();
const usual = usualRecord();
const LATER = '2026-03-01T15:00:00.000Z';
const LEFT_AT = '2026-03-01T11:00:00.000Z';
/** Five minutes and a millisecond later, and one less. */
const [OVER_AT, LAST_AT] = ['2026-03-01T11:05:00.001Z', '2026-03-01T11:05:00.000Z'];

describe('an update uncertain', () => {
  describe('that a later reading does not show', () => {
    const [old, other] = ['Old', 'Other'].map((name) => ({
      crm: { name: `${name} in the CRM` },
      vendor: { name },
      leftAt: LEFT_AT,
    }));
    const sent = [old, other].filter((one) => one !== undefined);
    const late = sent.map((one) => ({ ...one, isLateArrival: true }));
    const uncertain: Base = { ...agreedBase(usual), inDoubtVendorWrites: { basedOnVersion: V1, sent } };
    const read = (base: Base, record: Observed, version: string, readAt = LEFT_AT) =>
      withVendorWritesResolved(base, vendorReading({ ...usual, ...record }, { version, readAt }), config);

    test.each([
      ['is over', OVER_AT, undefined],
      ['is not', LAST_AT, { basedOnVersion: V2, sent: late }],
    ])('%s at %s', (_, readAt, left) => {
      expect(read(uncertain, {}, V2, readAt).inDoubtVendorWrites).toEqual(left);
    });

    test('is shown once of two that sent the same: the other may come after a newer update', () => {
      const same = sent.slice(0, 1).flatMap((one) => [one, { ...one, leftAt: LAST_AT }]);
      const known = read(
        { ...uncertain, inDoubtVendorWrites: { basedOnVersion: V1, sent: same } },
        { name: 'Old' },
        V2,
      );
      expect(known).toMatchObject({ vendor: { name: 'Old' } });
      expect(known.inDoubtVendorWrites?.sent).toEqual([{ ...same[1], isLateArrival: true }]);
      const after = read({ ...known, vendor: { ...known.vendor, name: 'New' } }, { name: 'Old' }, LATER);
      expect(after).toMatchObject({ crm: { name: 'Old in the CRM' }, vendor: { name: 'Old' } });
      expect(after.inDoubtVendorWrites).toBeUndefined();
    });

    test('is over where the vendor retains what a list that it sent had before', () => {
      const list = { crm: { reasonWon: ['NEW'] }, vendor: { reasonWon: ['NEW'] }, leftAt: LEFT_AT };
      const before = { ...agreedBase({ ...usual, reasonWon: ['OLD'] }) };
      const one = { ...before, inDoubtVendorWrites: { basedOnVersion: V1, sent: [list] } };
      expect(read(one, { reasonWon: ['OLD', 'NEW'] }, V2).inDoubtVendorWrites).toBeUndefined();
      expect(read(one, { reasonWon: ['OLD'] }, V2).inDoubtVendorWrites?.sent).toEqual([
        { ...list, isLateArrival: true },
      ]);
    });
  });

  describe('that comes late, at a vendor that lays lists over its own', () => {
    const [late] = ['OLD'].map((code) => ({
      crm: { reasonWon: [code] },
      vendor: { reasonWon: [code] },
      leftAt: LEFT_AT,
      isLateArrival: true as const,
    }));
    const uncertain: Base = {
      ...agreedBase({ ...usual, reasonWon: ['NEW'] }),
      inDoubtVendorWrites: { basedOnVersion: V1, sent: late === undefined ? [] : [late] },
    };
    const read = (base: Base, reasonWon: readonly string[]) =>
      withVendorWritesResolved(base, vendorReading({ ...usual, reasonWon }, { version: V2 }), config);

    test.each([
      ['is not told by a row that the vendor retains', [['NEW', 'OLD']], undefined, true],
      ['is told by one that is there though the list was cleared', [['NEW', 'OLD']], ['reasonWon'], false],
      ['is told by one that nothing before it had', [['NEW']], undefined, false],
    ] as const)('%s', (_, previousValues, cleared, stays) => {
      const basedOn = {
        version: V1,
        previousValues: { reasonWon: previousValues },
        ...(cleared && { cleared }),
      };
      const awaiting: Base = { ...uncertain, awaitingEcho: ['reasonWon'], basedOn };
      const known = read(awaiting, ['NEW', 'OLD']);
      expect(known.inDoubtVendorWrites !== undefined).toBe(stays);
      expect(known.awaitingEcho).toEqual(stays ? ['reasonWon'] : []);
    });
  });
});
