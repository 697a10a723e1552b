import { Metadata } from '@grpc/grpc-js';
import avro from 'avsc';
import { describe, expect, it } from 'vitest';
import { namesOf } from '../../src/salesforce/pubsub/bitmaps.ts';
import { createDecoder } from '../../src/salesforce/pubsub/event-decoder.ts';
import { pubSubError } from '../../src/salesforce/pubsub/failure.ts';
import { trustedEndpoint } from '../../src/salesforce/trusted-origins.ts';

/** A schema as real orgs show them: the header, single fields, and compound fields by reference to a type named before. */
const FIELDS = [
  { name: 'ChangeEventHeader', parts: [] },
  { name: 'Name', parts: ['Salutation', 'FirstName', 'LastName'] },
  ...Array.from({ length: 30 }, (_, n) => ({ name: `F${n + 2}`, parts: [] })),
].map((field, place) => (place === 4 || place === 7 ? { ...field, parts: ['A', 'B', 'C', 'D', 'E'] } : field));

describe('bitmaps of fields', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    // Pub/Sub API guide, Event Deserialization Considerations: the first example, and the one with compound fields.
    ['of single fields', ['0x650004E0'], ['F5', 'F6', 'F7', 'F10', 'F24', 'F26', 'F29', 'F30']],
    [
      'of compound fields besides',
      ['0x650004E0', '4-0x10', '7-0x06'],
      ['F5', 'F6', 'F7', 'F10', 'F24', 'F26', 'F29', 'F30', 'F4.E', 'F7.B', 'F7.C'],
    ],
    // As the same page says of `nulledFields`: the first bitmap may be missing.
    ['of a compound field alone', ['1-0x04'], ['Name.LastName']],
    ['of more fields than the schema has', ['0xFFFFFFFFFF00000000'], []],
    ['of a compound field that the schema lacks', ['99-0x01', '2-0x01'], []],
    ['that are none', ['', '0x', 'x', '1-', '0xZZ', 'LastName'], []],
    ['without an entry', [], []],
  ])('%s', (_, bitmaps, expected) => {
    expect(namesOf(FIELDS, bitmaps)).toEqual(expected);
  });
});

const HEADER = {
  name: 'ChangeEventHeader',
  type: 'record',
  fields: [
    { name: 'entityName', type: 'string' },
    { name: 'recordIds', type: { type: 'array', items: 'string' } },
    { name: 'changeType', type: { type: 'enum', name: 'ChangeType', symbols: ['CREATE', 'UPDATE', 'DELETE'] } },
    { name: 'changeOrigin', type: 'string' },
    { name: 'transactionKey', type: 'string' },
    { name: 'commitUser', type: 'string' },
    { name: 'nulledFields', type: { type: 'array', items: 'string' } },
    { name: 'changedFields', type: { type: 'array', items: 'string' } },
  ],
};
const ADDRESS = {
  type: 'record',
  name: 'Address',
  fields: [{ name: 'Street', type: ['null', 'string'], default: null }],
};
const SCHEMA = {
  ...{ name: 'ContactChangeEvent', namespace: 'com.sforce.eventbus', type: 'record' },
  fields: [
    { name: 'ChangeEventHeader', type: HEADER },
    { name: 'Phone', type: ['null', 'string'], doc: 'Data:Phone', default: null },
    { name: 'MailingAddress', type: ['null', ADDRESS], default: null },
    { name: 'OtherAddress', type: ['null', 'Address'], default: null },
  ],
};
const header = {
  ...{ entityName: 'Contact', recordIds: ['003000000000001AAA'], changeType: 'UPDATE', changeOrigin: '' },
  ...{ transactionKey: 'key', commitUser: '005000000000001AAA' },
};

describe('an event', () => {
  const decoder = createDecoder(JSON.stringify(SCHEMA));
  const written = (more: object, body: object = {}) =>
    decoder.decode(
      avro.Type.forSchema(SCHEMA as avro.Schema).toBuffer({
        ChangeEventHeader: { ...header, nulledFields: [], changedFields: [], ...more },
        ...{ Phone: null, MailingAddress: null, OtherAddress: null },
        ...body,
      }),
    );

  it('whose only cleared field is part of an address names it among the changed ones', () => {
    // What the simulated org sends, and what salesforce-pubsub-api-client 5.5.2 reads as no cleared field at all.
    expect(written({ changedFields: ['2-0x01'], nulledFields: ['2-0x01'] })).toMatchObject({
      changed: ['MailingAddress.Street'],
      values: { MailingAddress: null },
    });
  });

  it('of a compound field whose type was declared before names its parts', () => {
    const body = { Phone: '+49', OtherAddress: { Street: 'Am Markt' } };
    expect(written({ changedFields: ['0x02', '3-0x01'] }, body)).toMatchObject({
      ...{ object: 'Contact', ids: ['003000000000001AAA'], type: 'UPDATE', transaction: 'key' },
      ...{ changed: ['Phone', 'OtherAddress.Street'], values: body },
    });
  });

  it('of a deletion has no values', () => {
    expect(written({ changeType: 'DELETE' })).toMatchObject({ type: 'DELETE', changed: [], values: { Phone: null } });
  });

  it('whose header is not as documented cannot be read, rather than be taken for another', () => {
    const odd = {
      ...SCHEMA,
      fields: [{ name: 'ChangeEventHeader', type: { ...HEADER, fields: HEADER.fields.slice(2) } }],
    };
    const { entityName: _, recordIds: __, ...rest } = header;
    const payload = avro.Type.forSchema(odd as avro.Schema).toBuffer({
      ChangeEventHeader: { ...rest, nulledFields: [], changedFields: [] },
    });
    expect(() => createDecoder(JSON.stringify(odd)).decode(payload)).toThrow(TypeError);
  });

  it.each([
    ['no JSON', '{'],
    ['a schema of something else', JSON.stringify(HEADER)],
    ['no record', '"string"'],
  ])('cannot be read by %s', (_, schema) => {
    expect(() => createDecoder(schema)).toThrow();
  });
});

describe('a refusal', () => {
  const PREFIX = 'sfdc.platform.eventbus.grpc.';
  it.each([
    [16, null, 'systemic', 'INVALID_SESSION_ID'],
    [14, `${PREFIX}service.auth.error`, 'systemic', 'INVALID_SESSION_ID'],
    [3, `${PREFIX}subscription.fetch.replayid.corrupted`, 'permanent', 'REPLAY_EXPIRED'],
    [3, `${PREFIX}subscription.fetch.replayid.validation.failed`, 'permanent', 'REPLAY_EXPIRED'],
    [14, `${PREFIX}schema.meta.permission`, 'schema-mismatch', 'schema.meta.permission'],
    [5, `${PREFIX}topic.not.found`, 'schema-mismatch', 'topic.not.found'],
    [7, `${PREFIX}subscription.topic.cannot.subscribe`, 'schema-mismatch', 'subscription.topic.cannot.subscribe'],
    [8, `${PREFIX}subscription.limit.exceeded`, 'throttled', 'subscription.limit.exceeded'],
    [14, `${PREFIX}service.unavailable`, 'transient', 'service.unavailable'],
    [14, null, 'transient', 'GRPC_UNAVAILABLE'],
    [13, `${PREFIX}what was never <documented>`, 'transient', 'whatwasneverdocumented'],
    [99, 'words of a gateway', 'transient', 'GRPC_UNKNOWN'],
  ])('of status %i with %s is %s: %s', (code, errorCode, kind, expected) => {
    const metadata = new Metadata();
    if (errorCode !== null) metadata.set('error-code', errorCode);
    expect(pubSubError({ code, metadata })).toMatchObject({ kind, code: expected });
  });
});

describe('an endpoint', () => {
  const [CLOUD, HERE] = ['https://acme.my.salesforce.com', 'http://127.0.0.1:4020'];
  it.each([
    [CLOUD, 'api.pubsub.salesforce.com:7443', 'api.pubsub.salesforce.com:7443'],
    [CLOUD, 'api.deu.pubsub.salesforce.com:443', 'api.deu.pubsub.salesforce.com:443'],
    [HERE, '127.0.0.1:7443', '127.0.0.1:7443'],
    [HERE, 'localhost:7443', 'localhost:7443'],
    ['https://127.0.0.1:4020', '127.0.0.1:7443', '127.0.0.1:7443'],
  ])('of %s may be %s', (login, endpoint, expected) => {
    expect(trustedEndpoint(login, endpoint)).toBe(expected);
  });

  it.each([
    [CLOUD, '127.0.0.1:7443'],
    [CLOUD, 'pubsub.example.com:7443'],
    [CLOUD, 'salesforce.com.example.com:7443'],
    [CLOUD, 'salesforce.com:7443'],
    [HERE, '10.0.0.1:7443'],
    [CLOUD, 'user@api.pubsub.salesforce.com:7443'],
    [CLOUD, 'api.pubsub.salesforce.com:7443/path'],
    [CLOUD, ''],
  ])('of %s may not be %s', (login, endpoint) => {
    expect(() => trustedEndpoint(login, endpoint)).toThrow(
      expect.objectContaining({ code: 'UNSAFE_PUB_SUB_ENDPOINT' }),
    );
  });
});
