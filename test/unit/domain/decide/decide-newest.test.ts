import { describe, expect, test } from 'vitest';
import type { Base } from '../../../../src/domain/record/base.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { baseWith, decideOn, type Given, rowOf, theirs, V1, V2 } from '../../../support/value-engine/samples.ts';

/** Both sides changed the description since V1; who was the later one, as far as stamps and histories tell. */

const config = mappingConfig({ prefer: 'later' });
const LATER = '2026-03-01T12:00:00.000Z';
const OURS = '005000000000001AAA';
const USER = '005000000000002AAA';

function winner(given: Given, by = USER, stamp = LATER): unknown {
  const opportunity = { Description: 'ours', SystemModstamp: stamp, LastModifiedById: by };
  const plan = decideOn({
    config,
    opportunity,
    vendor: theirs({ description: 'theirs' }),
    ...given,
    graph: { readBy: OURS, ...given.graph },
  });
  return rowOf(plan, 'description')?.verdict;
}

describe('our own write to the CRM does not make its users’ edit the later one', () => {
  test.each([
    ['saved by a user', USER, {}, 'conflict-crm'],
    ['saved by us', OURS, {}, 'conflict-vendor'],
    ['saved by us, by the id in its short form', OURS.slice(0, 15), {}, 'conflict-vendor'],
    ['saved by somebody, where we are not known', OURS, { readBy: null }, 'conflict-crm'],
  ])('%s', (_, by, graph, expected) => {
    expect(winner({ graph }, by)).toBe(expected);
  });
});

describe('our own update does not make the vendor’s users’ edit the later one', () => {
  const sent = (basedOn: Base['basedOn']): Given => ({
    link: baseWith({ ...(basedOn && { basedOn }), awaitingEcho: ['name'] }),
  });
  const EARLIER = '2026-03-01T10:00:00.000Z';
  test.each([
    ['no update of ours', {}, 'conflict-vendor'],
    ['its stamp is that of our update', { version: V1, previousValues: {}, answeredAt: V2 }, 'conflict-crm'],
    ['it was saved after our update', { version: V1, previousValues: {}, answeredAt: EARLIER }, 'conflict-vendor'],
    ['it was read before our update', { version: V2, previousValues: {}, answeredAt: LATER }, 'conflict-vendor'],
  ])('%s', (_, basedOn, expected) => {
    expect(winner(sent('version' in basedOn ? basedOn : undefined), USER, EARLIER)).toBe(expected);
  });

  test.each([
    ['was told to be ours by an earlier reading', V2, 'conflict-crm'],
    ['is another than that', V1, 'conflict-vendor'],
  ])('where its stamp %s', (_, versionOfOwnWrite, expected) => {
    expect(winner({ link: baseWith({ versionOfOwnWrite }) }, USER, EARLIER)).toBe(expected);
  });
});

describe('the CRM’s field history', () => {
  const changed = (at: string) => ({ crmHistory: [{ field: 'Description', at }] });
  test('makes another field, saved later, no edit of this one', () => {
    expect(winner({})).toBe('conflict-crm');
    expect(winner(changed('2026-03-01T10:00:00.000Z'))).toBe('conflict-vendor');
    expect(winner(changed('2026-03-01T11:30:00.000Z'))).toBe('conflict-crm');
  });
});
