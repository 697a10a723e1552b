import { describe, expect, it } from 'vitest';
import {
  snapshotConfirmedBySearch,
  sufficientSnapshot,
} from '../../../../src/domain/decide/vendor-snapshot.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  agreedBase,
  linkSample,
  theirs,
  usualRecord,
  V1,
  V2,
} from '../../../support/value-engine/samples.ts';

const AS_OF = '2026-03-01T12:00:00.000Z';
const config = mappingConfig();
const reading = theirs({}, { version: V1 });

function link(change: Partial<Link> = {}, ofBase: Partial<Base> = {}): Link {
  const base = agreedBase(usualRecord(), { vendorVersion: V1, ...ofBase });
  return linkSample({ state: 'in-sync', vendorObservation: reading, base, ...change });
}

describe('the last reading of a record that a search tells of', () => {
  it('counts as one of the instant as of which the search tells', () => {
    const result = new Map([[String(link().vendorId), { holds: true, asOf: AS_OF }]]);
    expect(snapshotConfirmedBySearch(link(), result, config)).toEqual({
      ...reading,
      readAt: AS_OF,
      source: 'search',
    });
  });

  it.each([
    { what: 'may have been modified', result: new Map([[reading.vendorId, { holds: false, asOf: AS_OF }]]) },
    { what: 'was not asked about', result: new Map() },
  ])('is not used where the record $what', ({ result }) =>
    expect(snapshotConfirmedBySearch(link(), result, config)).toBeNull(),
  );

  it.each([
    { what: 'a change that was marked', of: link({ vendorDue: true }) },
    { what: 'an update that may have been applied', of: link({ vendorInDoubt: 'update' }) },
    { what: 'a create that is looked for', of: link({ adoptingSince: AS_OF }) },
    { what: 'something open', of: link({ issues: [ISSUES.vendorMissing()] }) },
    { what: 'another state', of: link({ state: 'detached' }) },
    { what: 'no agreement', of: link({ base: null }) },
    { what: 'no reading', of: link({ vendorObservation: null }) },
    { what: 'our own write over it', of: link({ vendorObservation: { ...reading, optimistic: ['name'] } }) },
    { what: 'an echo to come', of: link({}, { awaitingEcho: ['name'] }) },
    { what: 'lost updates', of: link({}, { inDoubtVendorWrites: { basedOnVersion: V1, sent: [] } }) },
    { what: 'lost writes to the CRM', of: link({}, { inDoubtCrmWrites: { basedOnVersion: V1, sent: [] } }) },
    { what: 'a later version', of: link({}, { highestSeenVersion: V2 }) },
    { what: 'no version', of: link({ vendorObservation: { ...reading, version: null } }) },
    { what: 'another record', of: link({ vendorId: 'another' }) },
  ])('is not all that is known beside $what', ({ of }) => expect(sufficientSnapshot(of, config)).toBeNull());
});
