import { describe, expect, test } from 'vitest';
import {
  withInDoubtCrmWrite,
  withInDoubtVendorWrite,
  withVendorWritesResolved,
} from '../../../../src/domain/base/in-doubt-writes.ts';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import type { Outcome } from '../../../../src/domain/evolve/outcome.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { baseWith, decideTo, type Given, linkSample, theirs, V2 } from '../../../support/value-engine/samples.ts';

/** What goes under by a write is known, though nobody ever hears what became of the write. */

const LATER = '2026-03-01T15:00:00.000Z';
const config = mappingConfig();
const both: Given = {
  opportunity: { Description: 'ours', SystemModstamp: V2 },
  vendor: theirs({ description: 'theirs' }),
};
const toCrm = decideTo('write-crm', { ...both, config: mappingConfig({ prefer: 'vendor' }) });
const toVendor = decideTo('update-at-vendor', { ...both, config: mappingConfig({ prefer: 'crm' }) });
const atCrm = withInDoubtCrmWrite(toCrm, config);
const atVendor = withInDoubtVendorWrite(toVendor, V2);

const shownByVendor = (description: string) => theirs({ description }, { version: LATER });
const overruled = (base: Base): unknown => base.overruled?.description;

function journalOf(outcome: Outcome): unknown {
  const { journal } = evolve(linkSample(), outcome, LATER);
  return journal?.flatMap(({ kind, decisions }) => decisions.map((item) => [kind, item.rule, item.crm, item.vendor]));
}

describe('the journal tells before it leaves', () => {
  test('of what a write to the CRM lets go under', () => {
    const rule = 'newest: cannot tell, prefer vendor';
    expect(journalOf({ type: 'crm-write-sending', base: atCrm, plan: toCrm })).toEqual([
      ['decision', rule, 'ours', 'theirs'],
    ]);
  });

  test('of what an update at the vendor lets go under', () => {
    const rule = 'newest: cannot tell, prefer crm';
    expect(journalOf({ type: 'update-sending', plan: toVendor, generation: 1 })).toEqual([
      ['decision', rule, 'ours', 'theirs'],
    ]);
  });
});

describe('once it is known to be applied, users are notified of what went under', () => {
  test('of the vendor’s', () => {
    expect(overruled(withVendorWritesResolved(atVendor, shownByVendor('ours'), config))).toMatchObject({
      winner: 'crm',
      vendor: 'theirs',
    });
    expect(overruled(withVendorWritesResolved(atVendor, shownByVendor('theirs'), config))).toBeUndefined();
  });

  test('and no more of what went under before', () => {
    const note = overruled(withVendorWritesResolved(atVendor, shownByVendor('ours'), config));
    const link = baseWith({ overruled: { description: note } as NonNullable<Base['overruled']> });
    const next = decideTo('update-at-vendor', {
      link,
      vendor: theirs({}),
      opportunity: { Description: 'new' },
    });
    const uncertain = withInDoubtVendorWrite(next, V2);
    expect(overruled(uncertain)).toBe(note);
    expect(overruled(withVendorWritesResolved(uncertain, shownByVendor('new'), config))).toBeUndefined();
  });
});
