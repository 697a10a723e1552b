import { describe, expect, it } from 'vitest';
import {
  READING_FRESH_MS,
  reusableSnapshot,
  snapshotConfirmedBySearch,
  sufficientSnapshot,
} from '../../../../src/domain/decide/vendor-snapshot.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, linkSample, theirs, usualRecord, V1, V2 } from '../../../support/value-engine/samples.ts';

/** When a reading of the vendor that the ledger has kept saves another one. */

const AS_OF = '2026-03-01T12:00:00.000Z';
const config = mappingConfig();
const reading = theirs({}, { version: V1 });
const NOW = new Date(Date.parse(reading.readAt) + 1_000).toISOString();
const LONG_AGO = new Date(Date.parse(reading.readAt) - READING_FRESH_MS - 1_001).toISOString();

function link(change: Partial<Link> = {}, ofBase: Partial<Base> = {}): Link {
  const base = agreedBase(usualRecord(), { vendorVersion: V1, ...ofBase });
  return linkSample({ state: 'in-sync', vendorObservation: reading, base, ...change });
}

/** What makes a kept reading less than a new one, whoever asks. */
const DOUBTS = [
  { beside: 'a change that was marked since', of: link({ vendorDue: true }) },
  { beside: 'a write whose outcome is not known', of: link({ vendorInDoubt: 'update' }) },
  { beside: 'a create that is looked for', of: link({ adoptingSince: NOW }) },
  { beside: 'no reading', of: link({ vendorObservation: null }) },
  { beside: 'our own write over it', of: link({ vendorObservation: { ...reading, optimistic: ['name'] } }) },
  { beside: 'an echo to come', of: link({}, { awaitingEcho: ['name'] }) },
  { beside: 'lost updates', of: link({}, { inDoubtVendorWrites: { basedOnVersion: V1, sent: [] } }) },
  { beside: 'lost writes to the CRM', of: link({}, { inDoubtCrmWrites: { basedOnVersion: V1, sent: [] } }) },
  { beside: 'a later version', of: link({}, { highestSeenVersion: V2 }) },
  { beside: 'no version', of: link({ vendorObservation: { ...reading, version: null } }) },
  { beside: 'another record', of: link({ vendorId: 'another' }) },
];

describe('a fresh reading', () => {
  it('is decided on without another, agreed on or met for the first time, and is one of its own in bulk work', () => {
    const kept = { ...reading, source: 'kept' };
    expect(reusableSnapshot(link(), NOW, false)).toEqual(kept);
    expect(reusableSnapshot(link({ base: null, state: 'new' }), NOW, false)).toEqual(kept);
    expect(reusableSnapshot(link(), NOW, true)).toEqual(reading);
  });

  it.each([
    ...DOUBTS,
    { beside: 'a ledger that was brought back', of: link({ restoredAt: NOW }) },
    { beside: 'a minute that has passed', of: link({ vendorObservation: { ...reading, readAt: LONG_AGO } }) },
  ])('is not as good as a new one beside $beside', ({ of }) => expect(reusableSnapshot(of, NOW, true)).toBeNull());
});

describe('the last reading of a record that a search found unmodified', () => {
  it('counts as one of the instant as of which the search answered', () => {
    const result = new Map([[String(link().vendorId), { holds: true, asOf: AS_OF }]]);
    expect(snapshotConfirmedBySearch(link(), result, config)).toEqual({
      ...reading,
      readAt: AS_OF,
      source: 'search',
    });
    expect(sufficientSnapshot(link(), config)).toEqual(reading);
  });

  it.each([
    { what: 'may have been modified', result: new Map([[reading.vendorId, { holds: false, asOf: AS_OF }]]) },
    { what: 'was not asked about', result: new Map() },
  ])('is not used where the record $what', ({ result }) =>
    expect(snapshotConfirmedBySearch(link(), result, config)).toBeNull(),
  );

  it.each([
    ...DOUBTS,
    { beside: 'something open', of: link({ issues: [ISSUES.vendorMissing()] }) },
    { beside: 'another state', of: link({ state: 'detached' }) },
    { beside: 'no agreement', of: link({ base: null }) },
  ])('is not all that is known beside $beside', ({ of }) => expect(sufficientSnapshot(of, config)).toBeNull());
});
