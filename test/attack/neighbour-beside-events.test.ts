import avro from 'avsc';
import { afterAll, beforeAll, test } from 'vitest';
import { createDecoder, decodeInTurn } from '../../src/salesforce/pubsub/event-decoder.ts';
import { createSession, type Session } from '../../src/salesforce/session.ts';
import { crmOptions, grant, isSignIn } from '../support/hostile/hostile-salesforce.ts';
import { type HostileServer, startHostileServer } from '../support/hostile/hostile-server.ts';
import { type HostileVendor, startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';
import { type Attack, expectFlatHeap, expectUnhurt, timedBeside } from '../support/hostile/neighbour.ts';

/**
 * One tenant's stream of change events brings answers that are as costly to decode as the limits let them. A neighbour's calls in the same
 * process take at most twice the processor's time in the median.
 */

const texts = { type: 'array', items: 'string' };
const HEADER = {
  ...{ entityName: 'Contact', recordIds: [] as readonly string[], changeType: 'UPDATE', changeOrigin: '' },
  ...{ transactionKey: '', commitUser: '', changedFields: [] as readonly string[] },
};
const headerFields = Object.entries(HEADER).map(([name, value]) => ({
  name,
  type: Array.isArray(value) ? texts : 'string',
}));
const nothings = Array.from({ length: 800 }, (_, n) => ({ name: `f${n}`, type: 'null' }));
const SCHEMA = {
  ...{ name: 'ContactChangeEvent', type: 'record' },
  fields: [
    { name: 'ChangeEventHeader', type: { name: 'H', type: 'record', fields: headerFields } },
    { name: 'f', type: texts },
    ...nothings,
  ],
};
const type = avro.Type.forSchema(SCHEMA as avro.Schema);
const written = (header: object, f: readonly string[] = []): Buffer =>
  type.toBuffer({
    ...{ ChangeEventHeader: { ...HEADER, ...header }, f },
    ...Object.fromEntries(nothings.map(({ name }) => [name, null])),
  });

const EVENTS: readonly (readonly [string, number, () => Buffer])[] = [
  ['texts', 40, () => written({}, Array(100_000).fill('12345678'))],
  ['empty texts', 40, () => written({}, Array(900_000).fill(''))],
  ['ids', 40, () => written({ recordIds: Array(50_000).fill('003000000000001AAA') })],
  ['bitmaps', 40, () => written({ changedFields: Array(200_000).fill('0xF') })],
  ['long bitmaps', 40, () => written({ changedFields: Array(200).fill(`0x${'F'.repeat(4_096)}`) })],
  ['bytes that are none', 100, () => Buffer.alloc(1024 * 1024, 0xff)],
];

let vendor: HostileVendor;
let org: HostileServer;
let neighbour: Session;
beforeAll(async () => {
  vendor = await startHostileVendor(() => ({ body: vendorBody({ leadOpportunity: { dsLeadOpportunityId: 'DS-1' } }) }));
  const rows = JSON.stringify({ totalSize: 0, done: true, records: [] });
  org = await startHostileServer((request) => (isSignIn(request) ? grant(request) : { body: rows }));
  neighbour = createSession(crmOptions(org.url));
});
afterAll(async () => {
  await Promise.all([neighbour.close(), vendor.close(), org.close()]);
});

async function change(): Promise<void> {
  const api = vendor.connect();
  await api.readLeadOpportunity({ id: 'DS-1' });
  await api.updateLeadOpportunity({ id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X' } });
  await neighbour.request({ method: 'GET', path: '/query?q=x' }, { operation: 'query' });
}

/** Decodes answers of so many events, one event after the other. */
function following(payload: Buffer, events: number): Attack {
  const decoder = createDecoder(JSON.stringify(SCHEMA));
  let isOver = false;
  const answers: Promise<void>[] = [];
  const answer = async (): Promise<void> => {
    for (let n = 0; n < events && !isOver; n += 1) await decodeInTurn(decoder, payload).catch(() => undefined);
  };
  return {
    once: () => void answers.push(answers.length === 0 ? answer() : Promise.all(answers).then(answer)),
    end: async () => {
      isOver = true;
      await Promise.all(answers);
    },
  };
}

/** Other programs on the machine make a try longer, and none shorter. */
test.each(EVENTS)('%s', { retry: 3 }, async (_, events, made) => {
  const payload = made();
  expectUnhurt(await timedBeside(change, () => following(payload, events)));
  expectFlatHeap();
});
