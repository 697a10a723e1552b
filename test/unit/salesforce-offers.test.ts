import { expect, it } from 'vitest';
import { crmError } from '../../src/salesforce/classify.ts';
import { createOffers } from '../../src/salesforce/offers.ts';
import type { RestAnswer, Session } from '../../src/salesforce/session.ts';

const CALL = { operation: 'knownOffers' };
const SCOPE = { pricebookId: null, currency: null };
const MINUTES_MS = 60_000;

const entryOf = (offer: string) => ({
  Id: '01u000000000001AAA',
  Pricebook2Id: '01s000000000001AAA',
  Pricebook2: { IsStandard: true },
  Product2: { Vendor_Offer_Id__c: offer },
});

/** An org that sells the offers named O… in some price books, and the ids of each query; the first queries fail. */
function org({ failures = 0, books = 1 } = {}) {
  const queries: string[][] = [];
  const clock = { ms: 0 };
  const session: Session = {
    ...{ root: '/v', writeHeaders: {} },
    async request({ path }): Promise<RestAnswer> {
      const ids = [...decodeURIComponent(path.replaceAll('+', ' ')).matchAll(/'(\w+)'/g)].map(([, id]) => id ?? '');
      queries.push(ids);
      await new Promise(setImmediate);
      if (queries.length <= failures) throw crmError('transient', 'HTTP_503');
      const offered = ids.filter((id) => id.startsWith('O'));
      const records = offered.flatMap((id) => Array.from({ length: books }, () => entryOf(id)));
      return { body: { totalSize: records.length, done: true, records }, date: null, userId: null };
    },
    userId: async () => null,
    signIns: () => 1,
    close: async () => undefined,
  };
  return { queries, clock, offers: createOffers(session, { multiCurrency: false, now: () => clock.ms }) };
}

const many = <T>(ask: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 100 }, (_, n) => ask(n)));

it('asks for an offer once, however many records are to have it, and again after five minutes', async () => {
  const { queries, clock, offers } = org();
  const found = await many(() => offers.find(['O1', 'O2'], SCOPE, CALL));
  expect(found.every((one) => one.size === 2)).toBe(true);
  expect(queries).toEqual([['O1', 'O2']]);
  clock.ms = 5 * MINUTES_MS;
  await many(() => offers.find(['O1'], SCOPE, CALL));
  expect(queries).toEqual([['O1', 'O2'], ['O1']]);
});

it('asks for what comes meanwhile by few queries, and for what was not found every time', async () => {
  const { queries, offers } = org();
  const found = await many(async (n) => {
    for (let turn = 0; turn < n % 5; turn += 1) await new Promise(setImmediate);
    return offers.find(['O1', 'X1'], SCOPE, CALL);
  });
  expect(found.every((one) => [...one.keys()].join() === 'O1')).toBe(true);
  expect(queries.length).toBeLessThanOrEqual(5);
  expect(queries.filter((ids) => ids.includes('O1'))).toHaveLength(1);
});

it('a failure is remembered for nobody', async () => {
  const { offers } = org({ failures: 1 });
  await expect(offers.find(['O1'], SCOPE, CALL)).rejects.toThrow();
  expect((await offers.find(['O1'], SCOPE, CALL)).size).toBe(1);
});

it('asks for fewer offers at once in an org with many price books', async () => {
  const { queries, offers } = org({ books: 250 });
  const asked = Array.from({ length: 100 }, (_, n) => `O${n}`);
  expect((await offers.find(asked, SCOPE, CALL)).size).toBe(100);
  expect(queries.map((ids) => ids.length)).toEqual([100, 50, 50]);
});
