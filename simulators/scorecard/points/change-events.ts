import assert from 'node:assert/strict';
import { ask, changes, replayRefusal } from './change-stream.ts';
import { answers, DEAL, type Point } from './point.ts';

const CDC = 'Change Data Capture Developer Guide';
const PUB_SUB = 'Pub/Sub API Developer Guide';
const DEALS = '/data/OpportunityChangeEvent';
const HOUR_MS = 3_600_000;

/** Change Data Capture, as a subscriber of the Pub/Sub API reads it. */
export const CHANGE_EVENT_POINTS: readonly Point[] = [
  {
    claim:
      'A create event has all fields; an update event has the changed ones, named by changedFields, and leaves the rest empty.',
    source: `${CDC}, "Change Event Body Fields", "ChangeEventHeader Fields"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.call('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'Call' });
      const [created, updated] = await changes(org, DEALS, 2);
      assert.partialDeepStrictEqual(created, { Name: 'Deal', StageName: 'Prospecting' });
      assert.partialDeepStrictEqual(updated, { Name: null, NextStep: 'Call' });
      const heads = [created, updated].map((event) => event?.ChangeEventHeader);
      assert.partialDeepStrictEqual(heads, [
        { changeType: 'CREATE', recordIds: [id], changedFields: [] },
        { changeType: 'UPDATE', recordIds: [id] },
      ]);
      assert.deepEqual(heads[1]?.changedFields.toSorted(), ['LastModifiedDate', 'NextStep']);
    },
  },
  {
    claim: 'What an update empties is in nulledFields as well.',
    source: `${CDC}, "Change Event Body Fields"; ${PUB_SUB}, "Event Deserialization Considerations"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', { ...DEAL, NextStep: 'Call' });
      await org.call('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: null });
      const [, updated] = await changes(org, DEALS, 2);
      assert.deepEqual(updated?.ChangeEventHeader.nulledFields, ['NextStep']);
    },
  },
  {
    claim: 'A deletion event has no fields, an undelete event has all; emptying the recycle bin causes no event.',
    source: `${CDC}, "Change Event Body Fields", "General Considerations"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.call('DELETE', `/sobjects/Opportunity/${id}`);
      await org.admin('POST', `records/${id}/undelete`);
      await org.call('DELETE', `/sobjects/Opportunity/${id}`);
      await org.admin('POST', `records/${id}/purge`);
      await org.make('Opportunity', DEAL);
      const listed = (await changes(org, DEALS, 5)).map((event) => [event.ChangeEventHeader.changeType, event['Name']]);
      const [deal, nothing] = ['Deal', null];
      assert.deepEqual(listed, [
        ['CREATE', deal],
        ['DELETE', nothing],
        ['UNDELETE', deal],
        ['DELETE', nothing],
        ['CREATE', deal],
      ]);
    },
  },
  {
    claim: 'The same change of several records in one transaction is one event with all their ids.',
    source: `${CDC}, "Merged Change Events"`,
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A' });
      for (const LastName of ['B', 'C']) await org.make('Contact', { LastName, AccountId });
      await org.call('DELETE', `/sobjects/Account/${AccountId}`);
      const events = await changes(org, '/data/ContactChangeEvent', 3);
      const { changeType, recordIds, sequenceNumber } = events[2]?.ChangeEventHeader ?? {};
      assert.deepEqual([changeType, recordIds?.length, sequenceNumber], ['DELETE', 2, 2]);
    },
  },
  {
    claim: 'An event names the API and its version, and the client of the call options, that made the change.',
    source: `${CDC}, "ChangeEventHeader Fields": changeOrigin`,
    sure: 'documented',
    holds: async (org) => {
      const headers = { 'sforce-call-options': 'client=astro' };
      answers(await org.call('POST', '/sobjects/Opportunity', DEAL, headers), 201);
      const [event] = await changes(org, DEALS, 1);
      assert.equal(event?.ChangeEventHeader.changeOrigin, 'com/salesforce/api/rest/67.0;client=astro');
    },
  },
  {
    claim: 'SystemModstamp, IsDeleted and formula fields are no fields of a change event; addresses are nested.',
    source: `${CDC}, "Change Event Message Structure", "Get Compound Fields in Change Events"`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Account', { Name: 'A', BillingCity: 'Delft' });
      const [event] = await changes(org, '/data/AccountChangeEvent', 1);
      assert.partialDeepStrictEqual(event, { BillingAddress: { City: 'Delft' } });
      for (const name of ['SystemModstamp', 'IsDeleted', 'Id', 'BillingCity'])
        assert.ok(!(name in (event ?? {})), name);
    },
  },
  {
    claim: 'Events are kept for 72 hours; the replay id of an older one is INVALID_ARGUMENT, replayid.corrupted.',
    source: `${PUB_SUB}, "Event Message Durability", "Handle Errors"`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Opportunity', { ...DEAL, Name: 'Old' });
      const [old] = await changes(org, DEALS, 1);
      await org.pass(73 * HOUR_MS);
      await org.make('Opportunity', { ...DEAL, Name: 'New' });
      assert.deepEqual(
        (await changes(org, DEALS, 1)).map((event) => event['Name']),
        ['New'],
      );
      assert.deepEqual(await replayRefusal(org, DEALS, old?.replayId ?? 0), {
        code: 3,
        errorCode: 'sfdc.platform.eventbus.grpc.subscription.fetch.replayid.corrupted',
      });
    },
  },
  {
    claim: 'A topic that is not there is NOT_FOUND, topic.not.found; a blank schema id is INVALID_ARGUMENT.',
    source: `${PUB_SUB}, "Handle Errors", for the error codes; published answers for the blank schema id; nothing was found on the status of the topic`,
    sure: 'assumed',
    holds: async (org) => {
      const prefix = 'sfdc.platform.eventbus.grpc';
      assert.deepEqual(await ask(org, 'GetTopic', { topicName: '/data/NoSuchChangeEvent' }), {
        code: 5,
        errorCode: `${prefix}.topic.not.found`,
      });
      assert.deepEqual(await ask(org, 'GetSchema', { schemaId: '' }), {
        code: 3,
        errorCode: `${prefix}.schema.validation.failed`,
      });
    },
  },
];
