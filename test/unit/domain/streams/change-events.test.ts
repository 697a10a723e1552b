import { describe, expect, it } from 'vitest';
import { toId18 } from '../../../../src/domain/record/salesforce-id.ts';
import {
  type ChangeEvent,
  type Concern,
  concernOf,
  gapOfEvent,
  isOwn,
  streamRequestedBy,
} from '../../../../src/domain/streams/change-events.ts';

const id = (text: string): string => toId18(text) ?? '';
const [DEAL, OTHER, CONTACT, LINE] = ['006000000000001', '006000000000002', '003000000000001', '00k000000000001'].map(
  id,
);
const US = { client: 'lockstep', user: id('005000000000001') };
const REST = 'com/salesforce/api/rest/67.0';

function event(given: Partial<ChangeEvent>): ChangeEvent {
  return {
    ...{ object: 'Contact', ids: [CONTACT ?? ''], type: 'UPDATE', origin: REST, user: id('005000000000002') },
    ...{ transaction: 'save', changed: ['Phone', 'LastModifiedDate'], values: { Phone: '+49' } },
    ...given,
  };
}

const deals = (...all: readonly (readonly [string | undefined, boolean])[]): Partial<Concern> => ({
  deals: all.map(([opportunityId = '', mayBeShared]) => ({ opportunityId, mayBeShared })),
  rows: { object: expect.any(String) as never, ids: [] },
});
const rows = (object: string, ...ids: readonly (string | undefined)[]): Partial<Concern> => ({
  deals: [],
  rows: { object, ids: ids as string[] },
});

describe('what an event concerns', () => {
  it.each<[string, Partial<ChangeEvent>, Partial<Concern> | null]>([
    ['a contact: deals to be looked up', {}, rows('Contact', CONTACT)],
    ['an id of 15 characters', { ids: ['003000000000001'] }, rows('Contact', CONTACT)],
    ['an id that is none', { ids: ['nobody'] }, rows('Contact')],
    ['a row saved without a change', { changed: ['LastModifiedDate', 'LastModifiedById'] }, null],
    ['an update that says of no field that it changed', { changed: [] }, rows('Contact', CONTACT)],
    ['a deletion', { type: 'DELETE', changed: [], values: {} }, rows('Contact', CONTACT)],
    ['a gap event', { type: 'GAP_UPDATE', changed: [], values: {} }, rows('Contact', CONTACT)],
    ['too many changes for events', { type: 'GAP_OVERFLOW', ids: ['000000000000000AAA'] }, null],
    [
      'opportunities, one event for all with the same change',
      { object: 'Opportunity', ids: [DEAL ?? '', OTHER ?? ''], changed: ['Amount'], values: { Amount: 1 } },
      deals([DEAL, false], [OTHER, false]),
    ],
    [
      'a touched opportunity',
      { object: 'Opportunity', ids: [DEAL ?? ''], changed: ['LastModifiedDate'] },
      deals([DEAL, false]),
    ],
    [
      'an opportunity that is shared now',
      { object: 'Opportunity', ids: [DEAL ?? ''], values: { Vendor_Share__c: true } },
      deals([DEAL, true]),
    ],
    [
      'an opportunity with a vendor id',
      { object: 'Opportunity', ids: [DEAL ?? ''], values: { Vendor_Share__c: false, Vendor_Id__c: 'DS1' } },
      deals([DEAL, true]),
    ],
    [
      'a line whose deal the channel adds',
      { object: 'OpportunityLineItem', ids: [LINE ?? ''], values: { OpportunityId: DEAL } },
      deals([DEAL, false]),
    ],
    [
      'a line whose deal it does not add',
      { object: 'OpportunityLineItem', ids: [LINE ?? ''], values: { OpportunityId: null } },
      rows('OpportunityLineItem', LINE),
    ],
    ['our own write', { origin: `${REST};client=lockstep`, user: US.user }, null],
  ])('%s', (_, given, expected) => {
    const found = concernOf(event(given), US);
    expect(found).toEqual(expected === null ? null : { transaction: 'save', ...expected });
  });
});

describe('who saved', () => {
  it.each<[string, Partial<ChangeEvent>, typeof US | { client: string; user: null }, boolean]>([
    ['we: client and user', { origin: `${REST};client=lockstep`, user: US.user }, US, true],
    ['we, with the slash that some origins end with', { origin: `${REST};client=lockstep/`, user: US.user }, US, true],
    ['another user by the same client', { origin: `${REST};client=lockstep` }, US, false],
    ['our user by another client', { origin: `${REST};client=lockstep2`, user: US.user }, US, false],
    ['our user in the pages of the org', { origin: '', user: US.user }, US, false],
    ['unknown where our user is', { origin: `${REST};client=lockstep`, user: US.user }, { ...US, user: null }, false],
  ])('%s', (_, given, ourselves, expected) => {
    expect(isOwn(event(given), ourselves)).toBe(expected);
  });
});

it.each([
  ['UPDATE', null],
  ['DELETE', null],
  ['GAP_CREATE', 'gap-event'],
  ['GAP_UNDELETE', 'gap-event'],
  ['GAP_OVERFLOW', 'overflow'],
])('an event of type %s reports the gap %s', (type, expected) => {
  expect(gapOfEvent(event({ type }))).toBe(expected);
});

it.each<[string, Partial<ChangeEvent>, string | null]>([
  ['a search', { object: 'Lockstep_Order_Search__c', type: 'CREATE' }, 'findOrders'],
  ['a tick on a found order', { object: 'Lockstep_Found_Order__c' }, 'findOrders'],
  ['a gap event of a search', { object: 'Lockstep_Order_Search__c', type: 'GAP_CREATE' }, 'findOrders'],
  ['our own answer', { object: 'Lockstep_Order_Search__c', origin: `${REST};client=lockstep`, user: US.user }, null],
  ['a contact', {}, null],
])('an event of %s: %o requests the stream %s', (_, given, stream) => {
  expect(streamRequestedBy(event(given), US)).toBe(stream);
  if (stream !== null) expect(concernOf(event(given), US)).toBeNull();
});
