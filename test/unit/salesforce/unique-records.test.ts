import { expect, it } from 'vitest';
import type { Session } from '../../../src/salesforce/session.ts';
import { createUniqueRecords } from '../../../src/salesforce/unique-records.ts';

const BY = { object: 'Contact', by: 'Email' } as const;
const CALL = { operation: 'find', isFresh: false };
/** The most values whose ids are cached. */
const MOST = 50_000;

const ids = new Map<string, string>();
function idOf(address: string): string {
  const id = ids.get(address) ?? `003${String(ids.size).padStart(12, '0')}AAA`;
  ids.set(address, id);
  return id;
}

/** An org in which each email address has one contact; an address in capital letters has none. Counts the requests. */
function openContacts() {
  let requests = 0;
  const session = {
    request: async ({ path }: { readonly path: string }) => {
      requests += 1;
      const soql = decodeURIComponent(path);
      const addresses = [...soql.matchAll(/'([a-z0-9@.]+)'/g)].map(([, address]) => String(address));
      const records = addresses.map((Email) => ({ Id: idOf(Email), Email }));
      return { body: { totalSize: records.length, done: true, records }, date: null, userId: null };
    },
  } as unknown as Session;
  const contacts = createUniqueRecords(
    session,
    () => 0,
    async () => false,
  );
  return { find: (values: readonly string[]) => contacts.find(BY, values, CALL), requests: () => requests };
}

it('finds what it has cached without a request', async () => {
  const { find, requests } = openContacts();
  const first = await find(['a@x.de', 'B@X.DE']);
  expect([...first.keys()]).toEqual(['a@x.de']);
  expect(await find(['a@x.de', 'B@X.DE'])).toEqual(first);
  expect(requests()).toBe(1);
});

it('finds cached values although the search for others empties the full cache', async () => {
  const { find } = openContacts();
  const known = Array.from({ length: MOST }, (_, n) => `${n}@x.de`);
  await find(known);
  const found = await find([...known.slice(0, 2), 'new@x.de']);
  expect([...found.keys()]).toEqual(['0@x.de', '1@x.de', 'new@x.de']);
});
