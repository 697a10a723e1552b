import type { Hono } from 'hono';
import { expectObject, readObject } from '../core/admin-body.ts';
import { refusal } from '../core/refusal.ts';
import { find, objectNamed, refusing } from './admin-records.ts';
import type { Org } from './org.ts';
import type { Author } from './store/dml.ts';
import { toApiInstant } from './store/instant.ts';

/**
 * Transactions that commit late. `POST transactions` `{writes, commitAfterMs}` saves rows now and shows them later, each write
 * `{create: {type, fields}}`, `{update: id, set}` or `{delete: id}`; answers the rows' ids. `GET transactions`,
 * `POST transactions/commit` (all that are open, at once).
 */
export function addTransactionRoutes(admin: Hono, org: Org, author: () => Author): void {
  const { transactions } = org;
  const report = () => ({
    transactions: transactions.list().map(({ startedAt, commitAtMs, changes }) => ({
      startedAt,
      commitsAt: toApiInstant(new Date(commitAtMs)),
      rows: [...new Set(changes.map(({ id }) => id))],
    })),
  });
  admin.get('/transactions', (c) => c.json(report()));
  admin.post('/transactions', async (c) => {
    const { writes, commitAfterMs } = await readObject(c, ['writes', 'commitAfterMs']);
    if (!Array.isArray(writes) || writes.length === 0) throw refusal(400, 'The writes must be a list.');
    if (typeof commitAfterMs !== 'number' || !(commitAfterMs >= 0)) {
      throw refusal(400, 'commitAfterMs must be a number of milliseconds.');
    }
    const ids = refusing(() =>
      transactions.begin(() => writes.map((each) => write(org, author(), each)), commitAfterMs),
    );
    return c.json({ ids }, 201);
  });
  admin.post('/transactions/commit', (c) => {
    transactions.commitAll();
    return c.json(report());
  });
}

/** Performs one write and returns the id of its row. */
function write(org: Org, by: Author, given: unknown): string {
  const { create, update, set, delete: gone } = expectObject(given, 'Each write');
  if (create !== undefined) {
    const { type, fields = {} } = expectObject(create, 'create');
    return org.dml.create(objectNamed(org, String(type)), expectObject(fields, 'fields'), by);
  }
  const id = String(update ?? gone);
  const found = find(org, id);
  if (found === undefined) throw refusal(404, 'There is no record with this id.');
  if (update === undefined) org.dml.remove(found.object, id, by);
  else org.dml.update(found.object, id, expectObject(set, 'set'), by);
  return id;
}
