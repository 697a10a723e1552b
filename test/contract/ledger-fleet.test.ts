import { expect, it } from 'vitest';
import { withWait } from '../../src/domain/decide/reported.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { at, ISSUE } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** What is asked of many tenants at once. */
const { ledger, query, url } = await withLedger();

it('when streams were read and showed something is kept with their cursors, and a cursor that moves keeps it', async () => {
  for (const stream of ['pollVendor', 'sweepSalesforce:Account', 'sweepSalesforce:Contact'])
    await ledger.saveCursor('acme', stream, {}, at(1));
  await ledger.saveCursor('globex', 'pollVendor', {}, at(2));
  await ledger.noteStreamFound('acme', 'sweepSalesforce', at(3));
  await ledger.saveCursor('acme', 'sweepSalesforce:Account', { moved: true }, at(4));
  const statements = recordStatements(url);
  const times = await ledger.streamTimes(['acme', 'globex', 'nobody']);
  expect(statements()).toHaveLength(1);
  const result = times.map(({ tenant, stream, ...of }) => [`${tenant}/${stream}`, of]);
  expect(Object.fromEntries(result)).toEqual({
    'acme/pollVendor': { readAt: at(1), foundAt: null },
    'acme/sweepSalesforce:Account': { readAt: at(4), foundAt: at(3) },
    'acme/sweepSalesforce:Contact': { readAt: at(1), foundAt: at(3) },
    'globex/pollVendor': { readAt: at(2), foundAt: null },
  });
});

it('the tenants of which something is due for long, to be tried again, or unreported are found in one statement', async () => {
  const ids = [{ crmId: 'C1' }];
  for (const tenant of ['overdue', 'young', 'retry', 'untold', 'told', 'well'])
    await ledger.markDue(tenant, ids, at(tenant === 'young' ? 90 : 1));
  await ledger.markWoken('untold', ['C1'], at(95));
  await ledger.markWoken('told', ['C1'], at(95));
  await ledger.noteReported('told', [{ key: 'C1', reported: withWait(null, 'turn') }], at(96));
  for (const tenant of ['retry', 'well'])
    await ledger.settle(tenant, 'C1', { at: at(2), state: 'parked', issues: [ISSUE], observedGeneration: 1 });
  await query("update links set retry_at = $1 where tenant = 'retry'", [at(50)]);
  await query("update links set waiting_since = null where tenant in ('overdue', 'young')");
  const tenants = ['overdue', 'young', 'retry', 'untold', 'told', 'well', 'nobody'];
  const statements = recordStatements(url);
  const found = await ledger.tenantsToWake(tenants, {
    before: at(60),
    unreportedSince: at(60),
    reportingSince: at(60),
    at: at(99),
  });
  expect(statements()).toHaveLength(1);
  expect([...found].sort()).toEqual(['overdue', 'retry', 'untold']);
  expect(
    await ledger.tenantsToWake([], {
      before: at(60),
      unreportedSince: at(60),
      reportingSince: at(60),
      at: at(99),
    }),
  ).toEqual([]);
});
