import { describe, expect, test } from 'vitest';
import { isLedgerRestored } from '../../../../src/domain/base/after-ledger-restore.ts';
import { TO_EMPTY } from '../../../../src/domain/decide/reported.ts';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import { stateLine } from '../../../../src/domain/evolve/journal-lines.ts';
import type { Outcome } from '../../../../src/domain/evolve/outcome.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import {
  agreedBase,
  decideTo,
  linkSample,
  usualRecord,
  V2,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const AT = '2026-03-01T12:00:00.000Z';
const usual = usualRecord();
const base = agreedBase(usual);
const changeBy = (outcome: Outcome, of: Partial<Link> = {}) => evolve(linkSample(of), outcome, AT);

describe('a vendor record that was brought back to an older state', () => {
  test('shows from then on what counts, whatever was sent over it', () => {
    const basedOn = { version: V2, previousValues: {} };
    const of = { base: { ...base, awaitingEcho: ['name' as const], basedOn } };
    expect(changeBy({ type: 'restored-at-vendor' }, of)).toEqual({
      base: { ...base, awaitingEcho: [], vendorVersion: null },
      plansNothing: true,
      journal: [stateLine('in-sync', 'restored-at-vendor', AT)],
    });
  });

  test('is nothing to a link that has agreed on nothing', () => {
    expect(changeBy({ type: 'restored-at-vendor' }, { base: null })).toEqual({});
  });
});

test('an opportunity that still shows the record from which it was separated is to be emptied of it', () => {
  expect(changeBy({ type: 'separated-id-shown' })).toEqual({ reported: TO_EMPTY });
});

test('a decision without a write moves the base only where it has one, and after a search leaves nothing to look for', () => {
  const nothing = decideTo('nothing', { vendor: vendorReading(usual) });
  const parked = decideTo('parked', { vendor: 'missing' });
  const decided = (plan: typeof nothing | typeof parked, searched?: true) =>
    changeBy({ type: 'decided', plan, generation: 4, trigger: 'crm', ...(searched && { searched }) });
  expect(decided(parked)).not.toHaveProperty('base');
  expect(decided(nothing)).not.toHaveProperty('adoptingSince');
  expect(decided(nothing, true)).toMatchObject({ adoptingSince: null, vendorReadGeneration: 4 });
});

describe('a record that was created after the ledger was brought back', () => {
  const restoredAt = '2026-02-27T12:00:00.000Z';
  const create = decideTo('create-at-vendor', { link: { vendorId: null, base: null, restoredAt } });
  const created: Outcome = { type: 'created', plan: create, generation: 1, traceId: null, answeredAt: null };
  const sending: Outcome = { type: 'create-sending', plan: create, generation: 1 };

  test('at the vendor is not compared with the backup again', () => {
    const { base: agreed } = changeBy(created, { vendorId: null, base: null, restoredAt });
    expect(agreed).toMatchObject({ restoredAt, awaitingEcho: create.baseAfter.awaitingEcho });
    expect(isLedgerRestored({ restoredAt, base: agreed ?? null })).toBe(false);
  });

  test('is compared while the answer is not known', () => {
    const { base: sent } = changeBy(sending, { vendorId: null, base: null, restoredAt });
    expect(isLedgerRestored({ restoredAt, base: sent ?? null })).toBe(true);
  });

  test('in the CRM is not compared with the backup again', () => {
    const plan = decideTo('create-in-crm', { crm: 'unlinked', vendor: { ...vendorReading(usual), reference: null } });
    const imported: Outcome = { type: 'imported', plan, generation: 1, base: plan.baseAfter, isFollowed: false };
    expect(changeBy(imported, { base: null, restoredAt }).base).toMatchObject({ restoredAt });
  });
});
