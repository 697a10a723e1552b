import { expect, it } from 'vitest';
import { READING_FRESH_MS, reusableSnapshot } from '../../../../src/domain/decide/vendor-snapshot.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import {
  agreedBase,
  linkSample,
  theirs,
  usualRecord,
  V1,
  V2,
} from '../../../support/value-engine/samples.ts';

const reading = theirs({}, { version: V1 });
const NOW = new Date(Date.parse(reading.readAt) + 1_000).toISOString();
const LONG_AGO = new Date(Date.parse(reading.readAt) - READING_FRESH_MS - 1_001).toISOString();

function link(change: Partial<Link> = {}, ofBase: Partial<Base> = {}): Link {
  const base = agreedBase(usualRecord(), { vendorVersion: V1, ...ofBase });
  return linkSample({ state: 'in-sync', vendorObservation: reading, base, ...change });
}

it('is decided on without another, agreed on or met for the first time', () => {
  const kept = { ...reading, source: 'kept' };
  expect(reusableSnapshot(link(), NOW, false)).toEqual(kept);
  expect(reusableSnapshot(link({ base: null, state: 'new' }), NOW, false)).toEqual(kept);
});

it.each([
  { what: 'a change that was marked since', of: link({ vendorDue: true }) },
  { what: 'a write whose outcome is not known', of: link({ vendorInDoubt: 'update' }) },
  { what: 'a create that is looked for', of: link({ adoptingSince: NOW }) },
  { what: 'a ledger that was brought back', of: link({ restoredAt: NOW }) },
  { what: 'no reading', of: link({ vendorObservation: null }) },
  { what: 'one of long ago', of: link({ vendorObservation: { ...reading, readAt: LONG_AGO } }) },
  { what: 'our own write over it', of: link({ vendorObservation: { ...reading, optimistic: ['name'] } }) },
  { what: 'an echo to come', of: link({}, { awaitingEcho: ['name'] }) },
  { what: 'lost updates', of: link({}, { inDoubtVendorWrites: { basedOnVersion: V1, sent: [] } }) },
  { what: 'lost writes to the CRM', of: link({}, { inDoubtCrmWrites: { basedOnVersion: V1, sent: [] } }) },
  { what: 'a later version', of: link({}, { highestSeenVersion: V2 }) },
  { what: 'no version', of: link({ vendorObservation: { ...reading, version: null } }) },
  { what: 'another record', of: link({ vendorId: 'another' }) },
])('is not as good as a new one beside $what', ({ of }) =>
  expect(reusableSnapshot(of, NOW, true)).toBeNull(),
);
