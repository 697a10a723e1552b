import { expect, test } from 'vitest';
import { isUndecided } from '../../../../src/domain/decide/vendor-snapshot.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import { agreedBase, linkSample, theirs, usualRecord, V1, V2 } from '../../../support/value-engine/samples.ts';

const reading = theirs({}, { version: V2 });

function link(ofBase: Partial<Base>, change: Partial<Link> = {}): Link {
  const base = agreedBase(usualRecord(), { vendorVersion: V1, ...ofBase });
  return linkSample({ state: 'in-sync', vendorObservation: reading, base, ...change });
}

test.each([
  ['is later than what was agreed on', link({})],
  ['is later than what was decided on', link({ vendorVersion: null, highestSeenVersion: V1 })],
  ['is the first of a record that we made', link({ vendorVersion: null })],
])('a reading was not decided on where it %s', (_, of) => expect(isUndecided(of)).toBe(true));

test.each([
  ['it was agreed on', link({ vendorVersion: V2 })],
  ['something of it is open', link({ highestSeenVersion: V2 })],
  ['it is late', link({}, { vendorObservation: { ...reading, version: V1 } })],
  ['it tells no version', link({}, { vendorObservation: { ...reading, version: null } })],
  ['nor does the base', link({ vendorVersion: null }, { vendorObservation: { ...reading, version: null } })],
  ['there is none', link({}, { vendorObservation: null })],
  ['it is of another record', link({}, { vendorId: 'another' })],
  ['neither is of a record', link({}, { vendorId: null, vendorObservation: null })],
  ['nothing was agreed on yet', link({}, { base: null })],
])('none waits to be decided on where %s', (_, of) => expect(isUndecided(of)).toBe(false));
