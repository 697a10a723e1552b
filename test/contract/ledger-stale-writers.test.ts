/** What one statement looks at and changes is as it is once it has the link, though another writer had that first. */

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contested, NOTHING_KNOWN, withWait } from '../../src/domain/decide/reported.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { at, leaving, savePlan, sees } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { until } from '../support/until.ts';

const { ledger, query, url } = await withLedger();
const TENANT = 'acme';
const other = new pg.Client({ connectionString: url });
beforeAll(() => other.connect());
afterAll(() => other.end());

let deals = 0;
async function newLink(): Promise<string> {
  deals += 1;
  return (await ledger.resolveLink(TENANT, { crmId: `C${deals}` }, at(0))).link.key;
}

/** Does `late` while another writer has the link, which changes it by `change` before it lets go. */
async function behind<T>(
  key: string,
  change: { readonly set: string; readonly values?: readonly unknown[] },
  late: () => Promise<T>,
): Promise<T> {
  await other.query('begin');
  const where = 'where tenant = $1 and key = $2';
  await other.query(`select from links ${where} for update`, [TENANT, key]);
  const answer = late();
  // It may be refused before the other hand has heard that it committed.
  answer.catch(() => undefined);
  await until('it waits for the link', async () => {
    const waiting = await query("select from pg_stat_activity where wait_event_type = 'Lock'");
    return waiting.length > 0 ? true : null;
  });
  await other.query(`update links set ${change.set} ${where}`, [TENANT, key, ...(change.values ?? [])]);
  await other.query('commit');
  return answer;
}

/** A change by a stale writer: nobody knows whose report users see. */
const ifStale = ({ reported }: Link) => ({ reported: contested(reported) });

it.each([
  ['another has planned', "newest_plan = 'a newer one'"],
  ['another has decided that nothing is written', 'newest_plan = null'],
  ['another took the link over', "state = 'superseded', crm_id = null, vendor_id = null"],
])('sends no update where %s meanwhile', async (_, set) => {
  const key = await newLink();
  const id = await savePlan(ledger, TENANT, key);
  expect(await behind(key, { set }, () => ledger.markSent(TENANT, id, leaving(1, 'update')))).toBe(false);
  expect(await ledger.loadPlan(TENANT, id)).toMatchObject({ sentAt: null });
  expect(await ledger.findLink(TENANT, key)).toMatchObject({ vendorInDoubt: 'no' });
});

it.each(['update', 'create'] as const)('sends no %s where another has settled something meanwhile', async (kind) => {
  const key = await newLink();
  const id = await savePlan(ledger, TENANT, key);
  const late = () => ledger.markSent(TENANT, id, { ...leaving(1, kind), version: 0 });
  expect(await behind(key, { set: 'version = version + 1' }, late)).toBe(false);
  expect(await ledger.findLink(TENANT, key)).toMatchObject({ vendorInDoubt: 'no', version: 1 });
  expect(await ledger.markSent(TENANT, id, { ...leaving(1, kind), version: 1 })).toBe(true);
});

it('sends an update that waited for a hand which has changed nothing of it, and keeps what that writer has written', async () => {
  const key = await newLink();
  const id = await savePlan(ledger, TENANT, key);
  const change = { set: 'reported = $3', values: [JSON.stringify(sees('r9'))] };
  expect(await behind(key, change, () => ledger.markSent(TENANT, id, leaving(1, 'update')))).toBe(true);
  expect(await ledger.findLink(TENANT, key)).toMatchObject({ vendorInDoubt: 'update', reported: sees('r9') });
});

it('plans nothing where another has settled meanwhile what the decision rests on', async () => {
  const key = await newLink();
  const expected = { version: 0 };
  const change = { set: 'updated_at = $3, version = version + 1', values: [at(5)] };
  const late = behind(key, change, () => savePlan(ledger, TENANT, key, 0, expected));
  await expect(late).rejects.toMatchObject({ code: 'CHANGED' });
  expect((await ledger.findLink(TENANT, key))?.newestPlan).toBeUndefined();
  const fresh = { version: 1 };
  const id = await savePlan(ledger, TENANT, key, 0, fresh);
  expect(await ledger.findLink(TENANT, key)).toMatchObject({ newestPlan: id });
  await expect(savePlan(ledger, TENANT, key, 0, fresh)).rejects.toMatchObject({ code: 'CHANGED' });
});

it.each([
  ['settled, perhaps in the same millisecond,', 'version = version + 1'],
  ['planned', "newest_plan = 'a newer one'"],
  ['told users of a wait', `reported = '${JSON.stringify(withWait(null, 'turn'))}'`],
])('notes nothing of what a hand was about to do where another has %s meanwhile', async (_, set) => {
  const key = await newLink();
  const link = await ledger.settle(TENANT, key, { at: at(1), reported: sees('before') });
  const line = { at: at(2), kind: 'state', summary: {}, decisions: [] } as const;
  const note = {
    at: at(2),
    reported: sees('now'),
    journal: [line],
    expected: link,
    reportedBefore: sees('before'),
  };
  const late = behind(key, { set }, () => ledger.settle(TENANT, key, note));
  await expect(late).rejects.toMatchObject({ code: 'CHANGED' });
  expect(await ledger.journal(TENANT, key, 10)).toEqual([]);
  expect((await ledger.findLink(TENANT, key))?.reported).not.toEqual(sees('now'));
});

it('notes nothing on a link that another took over meanwhile', async () => {
  const key = await newLink();
  const link = (await ledger.findLink(TENANT, key)) as Link;
  const set = "state = 'superseded', crm_id = null, vendor_id = null";
  const note = { at: at(2), reported: sees('now'), expected: link, reportedBefore: null };
  await behind(key, { set }, () => ledger.settle(TENANT, key, note));
  expect(await query('select reported from links where key = $1', [key])).toEqual([{ reported: null }]);
});

it('notes it where another has only marked the link meanwhile, which stays due', async () => {
  const key = await newLink();
  const link = (await ledger.findLink(TENANT, key)) as Link;
  const change = { set: 'generation = generation + 1, due_since = $3', values: [at(1)] };
  const note = { at: at(2), base: null, reported: sees('now'), expected: link, reportedBefore: null };
  const settled = await behind(key, change, () => ledger.settle(TENANT, key, note));
  expect(settled).toMatchObject({
    reported: sees('now'),
    generation: 1,
    observedGeneration: 0,
    updatedAt: at(2),
  });
});

it('keeps the room of a plan only as long as its outcome is not known', async () => {
  const key = await newLink();
  const id = await savePlan(ledger, TENANT, key);
  const bytes = async () =>
    Number(
      (await query('select length(plan) + coalesce(length(graph), 0) as n from plans where id = $1', [id]))[0]?.['n'],
    );
  expect(await bytes()).toBeGreaterThan(300);
  await ledger.settle(TENANT, key, { at: at(1), planId: id, outcome: 'updated' });
  expect(await bytes()).toBeLessThan(120);
  expect(await ledger.loadPlan(TENANT, id)).toMatchObject({ plan: { next: 'settled' }, graph: null });
});

it('keeps what a stale writer says nevertheless, where another has settled meanwhile, and has the CRM looked at', async () => {
  const key = await newLink();
  const known = await ledger.findLink(TENANT, key);
  const report = {
    at: at(1),
    reported: sees('late'),
    expected: { version: Number(known?.version) },
  };
  await ledger.settle(TENANT, key, { at: at(2), state: 'parked', reported: sees('since') });
  const late = { ...report, at: at(3), ifStale };
  const settled = await ledger.settle(TENANT, key, late);
  expect(settled).toMatchObject({ state: 'parked', reported: contested(sees('since')), updatedAt: at(3) });
  expect([settled.generation, settled.observedGeneration, settled.vendorDue]).toEqual([1, 0, false]);

  const inTime = { ...late, expected: settled };
  expect(await ledger.settle(TENANT, key, inTime)).toMatchObject({
    reported: sees('late'),
    generation: 1,
  });
});

it('notes no report over what users were notified of a wait meanwhile, which changes nothing of the link itself', async () => {
  const key = await newLink();
  const link = await ledger.settle(TENANT, key, { at: at(1), reported: sees('before') });
  await ledger.noteReported(TENANT, [{ key, reported: withWait(link.reported, 'turn') }], at(2));
  const report = { at: at(3), reported: sees('now'), expected: link, reportedBefore: link.reported };
  await expect(ledger.settle(TENANT, key, report)).rejects.toMatchObject({ code: 'CHANGED' });
  const late = { ...report, ifStale };
  expect(await ledger.settle(TENANT, key, late)).toMatchObject({ reported: NOTHING_KNOWN });
});

// A row that another writer is only adding under a link, such as an alias, keeps nobody from the link itself.
it('a link whose alias is being added becomes due when its time has come', async () => {
  const key = await newLink();
  await ledger.settle(TENANT, key, { at: at(0), retryAt: at(10) });
  await other.query('begin');
  const alias = "insert into link_aliases (tenant, alias, key, at) values ($1, 'A1', $2, now())";
  await other.query(alias, [TENANT, key]);
  const marked = await ledger.markRetries(TENANT, at(20), 10);
  await other.query('rollback');
  expect(marked).toEqual([key]);
});
