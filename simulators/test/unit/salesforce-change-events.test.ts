import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { changeEvents } from '../../src/salesforce/change-events/change-event.ts';
import { originOf } from '../../src/salesforce/change-events/origin.ts';
import { PUB_SUB_DESCRIPTOR } from '../../src/salesforce/pub-sub/service.ts';
import type { Change, Row, SaveKind } from '../../src/salesforce/store/row.ts';
import { PROTO_FILE } from '../support/raw-pub-sub.ts';
import { orgWithData } from '../support/salesforce-simulator.ts';

const { schema } = orgWithData('2027-01-01T00:00:00Z').store;
const selected = ['Account', 'Contact'].flatMap((name) => schema.object(name) ?? []);
const commit = { changeOrigin: '', transactionKey: 'k', commitTimestamp: 1_000, commitNumber: 1 };
const stamps = { LastModifiedDate: '2027-01-01T00:00:00.000+0000', LastModifiedById: '005A' };

function saved(save: SaveKind | null, before: Row | undefined, after: Row, type = 'Account'): Change {
  return { type, id: String(after['Id']), save, before, after: { IsDeleted: false, ...stamps, ...after } };
}

const row = (Id: string, more: Row = {}): Row => ({ IsDeleted: false, ...stamps, Id, ...more });
const briefly = (changes: readonly Change[], overflowAfter?: number) =>
  changeEvents(selected, changes, commit, overflowAfter).map((event) => [
    event.entityName,
    event.changeType,
    event.recordIds.join(' '),
    event.sequenceNumber,
  ]);

describe('the change events of a transaction', () => {
  it.each<[string, readonly Change[], readonly unknown[]]>([
    [
      'a create that is changed at once is a create',
      [
        saved('insert', undefined, row('A', { Name: 'One' })),
        saved('update', row('A', { Name: 'One' }), row('A', { Name: 'Two' })),
      ],
      [['Account', 'CREATE', 'A', 1]],
    ],
    [
      'what came and went is nothing',
      [saved('insert', undefined, row('A')), saved('delete', row('A'), row('A', { IsDeleted: true }))],
      [],
    ],
    [
      'a change before a deletion is the deletion',
      [
        saved('update', row('A', { Name: 'One' }), row('A', { Name: 'Two' })),
        saved('delete', row('A', { Name: 'Two' }), row('A', { Name: 'Two', IsDeleted: true })),
      ],
      [['Account', 'DELETE', 'A', 1]],
    ],
    [
      'what comes back is an undelete',
      [saved('undelete', row('A', { IsDeleted: true }), row('A'))],
      [['Account', 'UNDELETE', 'A', 1]],
    ],
    ['what moved without a save is nothing', [saved(null, row('A'), row('A', { Name: 'Two' }))], []],
    ['what is not selected is nothing', [saved('update', row('L'), row('L', { Name: 'Two' }), 'Lead')], []],
    [
      'the same change of two is one',
      [
        saved('update', row('A', { Name: 'One' }), row('A', { Name: 'Same' })),
        saved('update', row('B', { Name: 'Two' }), row('B', { Name: 'Same' })),
        saved('update', row('C', { Name: 'Two' }), row('C', { Name: 'Other' })),
      ],
      [
        ['Account', 'UPDATE', 'A B', 1],
        ['Account', 'UPDATE', 'C', 2],
      ],
    ],
    [
      'two creates alike stay two',
      [saved('insert', undefined, row('A', { Name: 'Same' })), saved('insert', undefined, row('B', { Name: 'Same' }))],
      [
        ['Account', 'CREATE', 'A', 1],
        ['Account', 'CREATE', 'B', 2],
      ],
    ],
  ])('%s', (_, changes, expected) => {
    expect(briefly(changes)).toEqual(expected);
  });

  it('overflow once an object, each changed field counted', () => {
    const changes = [
      saved('update', row('A', { Name: 'One' }), row('A', { Name: 'Two' })),
      saved('delete', row('B'), row('B', { IsDeleted: true })),
      saved('delete', row('D'), row('D', { IsDeleted: true })),
      saved('insert', undefined, row('C'), 'Contact'),
    ];
    expect(briefly(changes, 2)).toEqual([
      ['Account', 'UPDATE', 'A', 1],
      ['Account', 'GAP_OVERFLOW', '000000000000000AAA', 2],
      ['Contact', 'GAP_OVERFLOW', '000000000000000AAA', 3],
    ]);
    expect(briefly(changes, 5)).not.toContainEqual(expect.arrayContaining(['GAP_OVERFLOW']));
  });
});

describe('the origin of a change', () => {
  it.each([
    ['/services/data/v61.0/sobjects/Account', 'client=lockstep', 'com/salesforce/api/rest/61.0;client=lockstep'],
    [
      '/services/data/v61.0/sobjects/Account',
      'defaultNamespace=x, client = Astro',
      'com/salesforce/api/rest/61.0;client=Astro',
    ],
    ['/services/data/v61.0/jobs/ingest/750/batches', undefined, 'com/salesforce/api/bulkapi/61.0'],
    ['/services/async/61.0/job', undefined, 'com/salesforce/api/bulkapi/61.0'],
    ['/services/Soap/u/61.0', undefined, 'com/salesforce/api/soap/61.0'],
    ['/__admin/records', 'client=lockstep', ''],
  ])('%s with %s', (path, options, origin) => {
    expect(originOf(path, options)).toBe(origin);
  });
});

describe('the messages of the Pub/Sub API', () => {
  const theirs = protobuf.loadSync(PROTO_FILE);
  const ours = protobuf.Root.fromJSON(PUB_SUB_DESCRIPTOR as never);

  it.each(['Subscribe', 'GetSchema', 'GetTopic', 'Publish', 'PublishStream'])(
    'of %s are those of its clients',
    (name) => {
      const [mine, other] = [ours, theirs].map((root) => root.lookupService('eventbus.v1.PubSub').methods[name]);
      expect(signature(mine)).toEqual(signature(other));
    },
  );

  it.each(Object.keys(ours.lookup('eventbus.v1')?.toJSON()['nested'] as object).filter((name) => name !== 'PubSub'))(
    '%s is read and written as its clients do',
    (name) => {
      const [mine, other] = [ours, theirs].map((root) => root.lookup(`eventbus.v1.${name}`));
      expect(wireOf(mine)).toEqual(wireOf(other));
    },
  );
});

function signature(method: protobuf.Method | undefined) {
  const { requestType, responseType, requestStream, responseStream } = method ?? {};
  return { requestType, responseType, streams: [requestStream === true, responseStream === true] };
}

/** What decides about the bytes of a message or enumeration. */
function wireOf(found: protobuf.ReflectionObject | null | undefined): unknown {
  if (found instanceof protobuf.Enum) return found.values;
  if (!(found instanceof protobuf.Type)) return found;
  return found.fieldsArray.map(({ name, id, type, repeated }) => ({ name, id, type, repeated }));
}
