import { expect, it } from 'vitest';
import type { Raw } from '../support/engine/http.ts';
import { wentUnseen } from '../support/engine/unseen.ts';

const LEAD = { id: 'LO-1' };
const EDITED_MS = 10_000;
const CONTACTS = { customerContacts: [{ email: 'one@customer.example' }] };

function request(operation: string, atMs: number, hand: string, body: Raw | null = null) {
  const time = new Date(atMs).toISOString();
  return {
    seq: 1,
    operation,
    path: '/v0/leads-opportunities/LO-1',
    query: '',
    time,
    status: 200,
    fault: null,
    body,
    hand,
  };
}

const read = (atMs: number, hand = 'one') => request('readLeadOpportunity', atMs, hand);
const late = (leftMs: number, atMs: number, body: Raw = CONTACTS) => ({ ...update(atMs, body), leftMs });
const update = (atMs: number, body: Raw = CONTACTS) => request('updateLeadOpportunity', atMs, 'one', body);

it.each([
  ['between a reading and the update that rests on it', true, [read(9_000), update(11_000)]],
  ['as above, where the list was cleared first', true, [read(9_000), update(9_500), update(11_000)]],
  ['before the reading', false, [read(10_500), update(11_000)]],
  ['before a reading of another writer', false, [read(9_000), read(10_500, 'two'), update(11_000)]],
  ['after the reading of another writer alone', false, [read(9_000, 'two'), update(11_000)]],
  ['after a reading that another update has followed', false, [read(8_000), update(9_000, {}), update(11_000)]],
  ['after a reading that is older than a minute', false, [read(9_000), update(75_000)]],
  ['and nothing was sent whole', false, [read(9_000), update(11_000, {})]],
  ['between an update’s leaving and its late arrival, though it was read', true, [read(11_000), late(9_000, 12_000)]],
  ['after the reading that a late update rests on', true, [read(9_000), read(11_000), late(10_500, 12_000)]],
  ['before the reading that a late update rests on', false, [read(10_200), read(11_000), late(10_500, 12_000)]],
  ['after a late update arrived', false, [read(11_000), late(8_000, 9_000)]],
  ['before a late update that sends nothing whole', false, [read(11_000), late(9_000, 12_000, {})]],
])('what a vendor user enters %s is unseen: %s', (_, expected, requests) => {
  const entry = { part: 'customerContacts', atMs: EDITED_MS } as const;
  expect(wentUnseen(requests, LEAD, { ...entry, takes: () => true })).toBe(expected);
  expect(wentUnseen(requests, LEAD, { ...entry, takes: () => false })).toBe(false);
});
