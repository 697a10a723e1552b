import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { CHANGES_DIR, LEADS_CHANGES_DIR, LEADS_DIR, PACKAGE_DIR } from '../support/crm-package.ts';
import { openSubscriber, type Subscriber } from '../support/pub-sub-client.ts';
import { rawPubSub } from '../support/raw-pub-sub.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

const CHANGES = '/data/ChangeEvents';
const DEALS = '/data/OpportunityChangeEvent';
const deal = { Name: 'Turbine', StageName: 'Prospecting', CloseDate: '2026-12-31' };

let simulator: SalesforceSimulator;
let rest: Rest;
let subscriber: Subscriber;
let folder: string;

const start = (more: object = {}) =>
  startSalesforceSimulator({ seed: 'empty', changeEvents: ['Opportunity', 'Account', 'Contact'], ...more });

async function create(type: string, fields: object, headers?: Record<string, string>): Promise<string> {
  const { status, body } = await rest('POST', `/sobjects/${type}`, fields, headers);
  expect([status, body]).toEqual([201, expect.anything()]);
  return (body as { id: string }).id;
}

const advance = (advanceMs: number) => admin(simulator, 'PUT', 'clock', { advanceMs });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'change-events-'));
  simulator = await start();
  rest = restClient(simulator);
  subscriber = await openSubscriber(simulator);
});

afterEach(async () => {
  subscriber.close();
  await simulator.close();
  rmSync(folder, { recursive: true });
});

describe('change events over the Pub/Sub API, read by salesforce-pubsub-api-client', () => {
  it('tells a create with all its fields, and an update with what it changed', async () => {
    const feed = await subscriber.follow(DEALS);
    const options = { 'sforce-call-options': 'client=lockstep' };
    const id = await create('Opportunity', { ...deal, Amount: 12.5 }, options);
    await rest('PATCH', `/sobjects/Opportunity/${id}`, {
      Amount: 20,
      CloseDate: '2027-01-31',
      NextStep: 'Call',
    });
    await rest('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: null });
    const [created, updated, nulled] = await feed.events(3);
    expect(created).toMatchObject({
      Name: 'Turbine',
      Amount: 12.5,
      CloseDate: Date.parse('2026-12-31'),
      IsClosed: false,
      OwnerId: expect.stringMatching(/^005/),
      ChangeEventHeader: {
        entityName: 'Opportunity',
        recordIds: [id],
        changeType: 'CREATE',
        changeOrigin: 'com/salesforce/api/rest/67.0;client=lockstep',
        sequenceNumber: 1,
        changedFields: [],
        nulledFields: [],
        diffFields: [],
        commitUser: created?.['OwnerId'],
      },
    });
    expect(created).not.toHaveProperty('SystemModstamp');
    expect(updated).toMatchObject({
      Name: null,
      Amount: 20,
      CloseDate: Date.parse('2027-01-31'),
      NextStep: 'Call',
    });
    expect(updated?.ChangeEventHeader).toMatchObject({
      changeType: 'UPDATE',
      changedFields: expect.arrayContaining(['Amount', 'CloseDate', 'NextStep', 'LastModifiedDate']),
      nulledFields: [],
      changeOrigin: 'com/salesforce/api/rest/67.0',
    });
    expect(updated?.ChangeEventHeader.changedFields).not.toContain('Name');
    expect(nulled?.ChangeEventHeader).toMatchObject({
      changedFields: ['NextStep', 'LastModifiedDate'].sort(bySchema(updated)),
      nulledFields: ['NextStep'],
    });
    const keys = [created, updated, nulled].map((each) => each?.ChangeEventHeader.transactionKey);
    expect(new Set(keys).size).toBe(3);
  });

  it('tells compound fields by their parts', async () => {
    const feed = await subscriber.follow(CHANGES);
    const AccountId = await create('Account', { Name: 'Acme', BillingCity: 'Delft' });
    const id = await create('Contact', { FirstName: 'Jo', LastName: 'Vos', AccountId });
    await rest('PATCH', `/sobjects/Contact/${id}`, { LastName: 'Bos', MailingCity: 'Gent' });
    const [account, contact, changed] = await feed.events(3);
    expect(account).toMatchObject({ Name: 'Acme', BillingAddress: { City: 'Delft', Street: null } });
    expect(contact).toMatchObject({ Name: { FirstName: 'Jo', LastName: 'Vos' }, AccountId });
    expect(changed?.ChangeEventHeader.changedFields).toEqual(
      expect.arrayContaining(['LastModifiedDate', 'Name.LastName', 'MailingAddress.City']),
    );
    expect(changed?.ChangeEventHeader.changedFields).not.toContain('Name.FirstName');
  });

  it('merges the same change of several records of a transaction, and tells the rest in its order', async () => {
    const account = await create('Account', { Name: 'Acme' });
    for (const LastName of ['Vos', 'Bos']) await create('Contact', { LastName, AccountId: account });
    const feed = await subscriber.follow(CHANGES);
    await rest('DELETE', `/sobjects/Account/${account}`);
    await admin(simulator, 'POST', `records/${account}/undelete`);
    const events = await feed.events(5);
    const heads = events.map(({ ChangeEventHeader: head }) => [
      head.entityName,
      head.changeType,
      head.recordIds.length,
      head.sequenceNumber,
    ]);
    expect(heads).toEqual([
      ['Account', 'DELETE', 1, 1],
      ['Contact', 'DELETE', 2, 2],
      ['Account', 'UNDELETE', 1, 1],
      ['Contact', 'UNDELETE', 1, 2],
      ['Contact', 'UNDELETE', 1, 3],
    ]);
    expect(events[0]).toMatchObject({ Name: null });
    expect(events[2]).toMatchObject({ Name: 'Acme' });
    const [first, second] = events.map(({ ChangeEventHeader: head }) => head.transactionKey);
    expect(first).toBe(second);
  });

  it('tells nothing of what is refused, of what is not selected, and of a purge', async () => {
    const feed = await subscriber.follow(CHANGES);
    await rest('POST', '/sobjects/Opportunity', { Name: 'No stage' });
    await create('Lead', { LastName: 'Vos', Company: 'Acme' });
    const id = await create('Account', { Name: 'Acme' });
    await rest('DELETE', `/sobjects/Account/${id}`);
    await admin(simulator, 'POST', `records/${id}/purge`);
    await create('Account', { Name: 'Last' });
    const types = (await feed.events(3)).map(({ ChangeEventHeader: head }) => head.changeType);
    expect(types).toEqual(['CREATE', 'DELETE', 'CREATE']);
  });

  it('makes gap events where it is asked to, with a header alone', async () => {
    const feed = await subscriber.follow(DEALS);
    await admin(simulator, 'POST', 'change-events/gaps', { events: 1 });
    const id = await create('Opportunity', deal);
    await rest('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'Call' });
    const [gap, update] = await feed.events(2);
    expect(gap?.ChangeEventHeader).toMatchObject({
      changeType: 'GAP_CREATE',
      recordIds: [id],
      changedFields: [],
    });
    expect(gap).toMatchObject({ Name: null, LastModifiedDate: null });
    expect(update?.ChangeEventHeader.changeType).toBe('UPDATE');
  });
});

describe('replay', () => {
  it('goes on after a replay id, over a restart of the org', async () => {
    const more = { state: join(folder, 'org.json') };
    subscriber.close();
    await simulator.close();
    simulator = await start(more);
    rest = restClient(simulator);
    subscriber = await openSubscriber(simulator);
    const feed = await subscriber.follow(DEALS);
    await create('Opportunity', { ...deal, Name: 'First' });
    await feed.events(1);
    await create('Opportunity', { ...deal, Name: 'Second' });
    const [from] = feed.replayIds();
    subscriber.close();
    await simulator.close();
    simulator = await start(more);
    rest = restClient(simulator);
    subscriber = await openSubscriber(simulator);
    const again = subscriber.resume(DEALS, from ?? 0);
    expect((await again.events(1)).map((event) => event['Name'])).toEqual(['Second']);
    await create('Opportunity', { ...deal, Name: 'Third' });
    expect((await again.events(2)).map((event) => event['Name'])).toEqual(['Second', 'Third']);
  });

  it('refuses ids that were never given, and those of a stream that began again', async () => {
    const feed = await subscriber.follow(DEALS);
    await create('Opportunity', deal);
    await feed.events(1);
    const [known = 0] = feed.replayIds();
    for (const replayId of [known + 1_000, 0]) {
      const other = await openSubscriber(simulator);
      expect(await other.resume(DEALS, replayId).refusal()).toMatchObject({ code: 3 });
      other.close();
    }
    await admin(simulator, 'DELETE', 'change-events');
    const other = await openSubscriber(simulator);
    expect(await other.resume(DEALS, known).refusal()).toMatchObject({ code: 3 });
    other.close();
  });
});

describe('streams and refusals', () => {
  it('sends no more than was asked for, and a keepalive with a replay id that can be resumed', async () => {
    const feed = subscriber.fromEarliest(DEALS, 1);
    await create('Opportunity', { ...deal, Name: 'One' });
    await create('Opportunity', { ...deal, Name: 'Two' });
    await feed.events(1);
    const watching = await openSubscriber(simulator);
    const idle = await watching.follow(DEALS);
    await advance(270_000);
    const alive = await idle.keepalive();
    expect(feed.count()).toBe(1);
    const later = await openSubscriber(simulator);
    const resumed = later.resume(DEALS, alive);
    await create('Opportunity', { ...deal, Name: 'Three' });
    expect((await resumed.events(1)).map((event) => event['Name'])).toEqual(['Three']);
    for (const each of [watching, later]) each.close();
  });

  it('ends a stream that has all it asked for and asks for no more within 60 seconds', async () => {
    const feed = subscriber.fromEarliest(DEALS, 1);
    await create('Opportunity', deal);
    await feed.events(1);
    await advance(60_000);
    await feed.ended();
  });

  it.each([
    ['a topic that is not there', '/data/NoSuchChangeEvent', 5, 'topic.not.found'],
    ['an object that is not selected', '/data/LeadChangeEvent', 5, 'topic.not.found'],
    ['a topic in other case', '/data/opportunitychangeevent', 5, 'topic.not.found'],
  ])('refuses %s', async (_, topic, code, errorCode) => {
    expect(await subscriber.fromEarliest(topic).refusal()).toMatchObject({
      code,
      errorCode: `sfdc.platform.eventbus.grpc.${errorCode}`,
    });
  });

  it('refuses a token that is not valid, and one of another org', async () => {
    const strangers = [{ accessToken: 'wrong' }, { organizationId: '00D000000000001AAA' }];
    for (const stranger of strangers) {
      const other = await openSubscriber(simulator, stranger);
      expect(await other.fromEarliest(DEALS).refusal()).toMatchObject({
        code: 16,
        errorCode: 'sfdc.platform.eventbus.grpc.service.auth.error',
      });
      other.close();
    }
  });

  it.each([
    ['a blank topic', 'GetTopic', {}, {}, 3, 'topic.validation.empty'],
    ['a blank schema id', 'GetSchema', {}, {}, 3, 'schema.validation.failed'],
    ['a schema id that was never given', 'GetSchema', { schemaId: 'x' }, {}, 7, 'schema.meta.permission'],
    ['a blank token', 'GetTopic', { topicName: DEALS }, { accesstoken: '' }, 3, 'service.auth.headers.invalid'],
    ['to publish a change event', 'Publish', { topicName: DEALS }, {}, 7, 'publish.topic.cannot.publish'],
  ])('refuses %s', async (_, method, request, headers, code, errorCode) => {
    const raw = rawPubSub(simulator);
    const refused = { code, errorCode: `sfdc.platform.eventbus.grpc.${errorCode}` };
    expect(await raw.call(method, request, headers)).toEqual(refused);
    raw.close();
  });

  it.each([
    ['no events at all', [{ topicName: DEALS, numRequested: 0 }], 'requested.events.invalid'],
    ['another topic later on', [{ topicName: DEALS, numRequested: 1 }, { topicName: CHANGES }], 'topic.mismatch'],
    ['a custom place that is not told', [{ topicName: DEALS, replayPreset: 2 }], 'replayid.validation.failed'],
    [
      'a place of three bytes',
      [{ topicName: DEALS, replayPreset: 2, replayId: Buffer.from('abc') }],
      'replayid.corrupted',
    ],
  ])('refuses a subscriber that wants %s', async (_, requests, errorCode) => {
    const raw = rawPubSub(simulator);
    const refused = { code: 3, errorCode: `sfdc.platform.eventbus.grpc.subscription.fetch.${errorCode}` };
    expect(await raw.stream('Subscribe', requests)).toEqual(refused);
    raw.close();
  });

  it('tells a topic and its schema, which the channel of all changes has not', async () => {
    const raw = rawPubSub(simulator);
    const topic = await raw.call('GetTopic', { topicName: DEALS });
    expect(topic).toMatchObject({ topicName: DEALS, canPublish: false, canSubscribe: true });
    const { schemaId } = topic as { schemaId: string };
    const schema = (await raw.call('GetSchema', { schemaId })) as { schemaJson: string };
    expect(JSON.parse(schema.schemaJson)).toMatchObject({ name: 'OpportunityChangeEvent', type: 'record' });
    expect(await raw.call('GetTopic', { topicName: CHANGES })).toMatchObject({ schemaId: '' });
    raw.close();
  });

  it('disturbs a call by a planned fault', async () => {
    await admin(simulator, 'POST', 'faults', { operation: 'pubSub.Subscribe', status: 503, times: 1 });
    expect(await subscriber.fromEarliest(DEALS).refusal()).toMatchObject({
      code: 14,
      errorCode: 'sfdc.platform.eventbus.grpc.service.unavailable',
    });
  });
});

describe('what a user receives', () => {
  it('is without the fields that are hidden from the user', async () => {
    await admin(simulator, 'PUT', 'access', { user: 'user', field: 'Opportunity.NextStep', access: 'none' });
    const feed = await subscriber.follow(DEALS);
    const id = await create('Opportunity', deal);
    await admin(simulator, 'PATCH', `records/${id}`, { set: { NextStep: 'Call', Name: 'Blades' } });
    const [, update] = await feed.events(2);
    expect(update).toMatchObject({ Name: 'Blades', NextStep: null });
    expect(update?.ChangeEventHeader.changedFields).toContain('Name');
    expect(update?.ChangeEventHeader.changedFields).not.toContain('NextStep');
  });

  it('is only of objects whose rows the user may all see, on the channel of all changes', async () => {
    await admin(simulator, 'PUT', 'access', { user: 'user', object: 'Contact', access: 'none' });
    const feed = await subscriber.follow(CHANGES);
    const whole = restClient(simulator, simulator.integration.accessToken);
    const { status } = await whole('POST', '/sobjects/Contact', { LastName: 'Vos' });
    expect(status).toBe(201);
    await create('Account', { Name: 'Acme' });
    expect((await feed.events(1)).map((event) => event['Name'])).toEqual(['Acme']);
    const other = await openSubscriber(simulator);
    expect(await other.fromEarliest('/data/ContactChangeEvent').refusal()).toMatchObject({
      code: 7,
      errorCode: 'sfdc.platform.eventbus.grpc.subscription.topic.cannot.subscribe',
    });
    other.close();
  });
});

describe('the selection', () => {
  it.each([
    [['Nothing'], 'There is no object Nothing to select for change events.'],
    [['PricebookEntry'], 'The object PricebookEntry has no change events.'],
    [
      ['Account', 'Contact', 'Lead', 'Case', 'Task', 'Opportunity'],
      'An org selects at most 5 objects for change events, not 6.',
    ],
  ])('refuses %j', async (changeEvents, sentence) => {
    await expect(start({ changeEvents })).rejects.toThrow(sentence);
  });

  it('takes leads as a sixth object with the add-on, enriched by whether they are shared', async () => {
    const packageDirs = [PACKAGE_DIR, CHANGES_DIR, LEADS_DIR, LEADS_CHANGES_DIR];
    await expect(start({ changeEvents: [], packageDirs })).rejects.toThrow('An org selects at most 5 objects');
    const org = await start({ changeEvents: [], packageDirs, eventAddOn: true });
    expect((await admin(org, 'GET', 'change-events')).body).toMatchObject({
      selected: expect.arrayContaining(['Lead', 'Opportunity']),
    });
    await org.close();
  });

  it('serves no Pub/Sub API where nothing is selected', async () => {
    const plain = await start({ changeEvents: [] });
    expect([plain.pubSubEndpoint, plain.certificate]).toEqual([null, null]);
    await plain.close();
  });
});

/** Sorts names as the fields of an event come. */
function bySchema(event: object | undefined): (a: string, b: string) => number {
  const names = Object.keys(event ?? {});
  return (a, b) => names.indexOf(a) - names.indexOf(b);
}

describe('a custom channel', () => {
  const OWN = '/data/Lockstep_Changes__chn';

  it('tells of its members alone, and adds the fields that enrich their updates and deletions', async () => {
    const org = await startSalesforceSimulator({
      ...{ seed: 'demo', packageDirs: [PACKAGE_DIR, CHANGES_DIR] },
    });
    const mine = await openSubscriber(org);
    const call = restClient(org);
    const made = async (type: string, fields: object) =>
      ((await call('POST', `/sobjects/${type}`, fields)).body as { id: string }).id;
    const [OpportunityId, ContactId] = [await made('Opportunity', deal), await made('Contact', { LastName: 'Vos' })];
    const role = await made('OpportunityContactRole', { OpportunityId, ContactId });
    const feed = await mine.follow(OWN);
    await made('Lead', { LastName: 'Vos', Company: 'Acme' });
    await call('PATCH', `/sobjects/OpportunityContactRole/${role}`, { Role: 'Evaluator' });
    await call('DELETE', `/sobjects/OpportunityContactRole/${role}`);
    const [update, deletion] = await feed.events(2);
    expect([update, deletion].map((event) => [event?.ChangeEventHeader.changeType, event?.['OpportunityId']])).toEqual([
      ['UPDATE', OpportunityId],
      ['DELETE', OpportunityId],
    ]);
    expect(update?.ChangeEventHeader.changedFields).not.toContain('OpportunityId');
    mine.close();
    await org.close();
  });
});
