import { expect, test } from 'vitest';
import { withFilledIn } from '../../../../src/domain/merge/filled-in.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import type { VendorObservation } from '../../../../src/domain/record/observation.ts';
import { agreedBase, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const MANAGER = 'manager@vendor.example';
const owned = (dsOwnerEmail: string | null): Observed => ({ dsOwnerEmail });
const created: Base = { ...agreedBase({ name: 'a' }), awaitingEcho: FIELD_NAMES };
const reading = vendorReading({ ...owned('ann@vendor.example'), description: 'd' }, { version: V2 });
const first = vendorReading({ ...owned(MANAGER), description: 'c' }, { version: V1 });

test.each<[string, Base | null, VendorObservation | null, Observed | undefined]>([
  ['what the reading before showed of such a field', created, first, owned(MANAGER)],
  ['what the very first showed', created, { ...reading, filledIn: owned(MANAGER) }, owned(MANAGER)],
  ['the same where both show one version', created, { ...first, version: V2 }, owned(MANAGER)],
  ['nothing where it is the first', created, null, undefined],
  ['nothing of a field that was decided on', { ...created, vendor: owned(MANAGER) }, first, undefined],
  ['nothing of one that we await no more', { ...created, awaitingEcho: ['name'] }, first, undefined],
  ['nothing where the two sides never agreed', null, first, undefined],
  ['nothing of another record', created, { ...first, vendorId: 'DS-2' }, undefined],
  ['nothing that stands there since', created, { ...first, version: '2026-03-02T00:00:00.000Z' }, undefined],
  ['nothing where nothing was filled in', created, vendorReading({ ...owned(null), reasonWon: [] }), undefined],
  ['nothing that we have sent', created, { ...first, optimistic: ['dsOwnerEmail'] }, undefined],
])('a reading keeps beside itself %s', (_, base, vendorObservation, filledIn) => {
  expect(withFilledIn(reading, { base, vendorObservation }).filledIn).toEqual(filledIn);
});
