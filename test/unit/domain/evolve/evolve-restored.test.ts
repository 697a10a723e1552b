import { describe, expect, test } from 'vitest';
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
