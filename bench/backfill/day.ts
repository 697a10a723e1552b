import { crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { createBackfills } from '../../src/intake/backfill.ts';
import type { PlanSummary } from '../../src/operator/plan/make-plan.ts';
import { workflowIds } from '../../temporal.config.ts';
import type { Stack } from '../../test/support/stack/stack.ts';
import { actionsSince, ofRecords } from '../engine/actions.ts';
import type { Measured } from '../engine/table.ts';
import { median, timeEdits, vendorIdOf } from './edits.ts';
import { kindsOf, makePast } from './past.ts';
import { type Collected, collectRequests, type SeenRequest } from './requests.ts';
import { type Sample, watchBackfill } from './watch.ts';

export type DayOptions = {
  readonly records: number;
  readonly kills: number;
  /** The vendor's rate limit in a window; the backfill may use half of it. A lower limit makes it the bottleneck. */
  readonly quota: number;
  readonly tell: (line: string) => void;
};

const WINDOW_SECONDS = 20;
const SHARE = 0.5;
const LIMIT_MS = 6 * 3_600_000;

type Counts = { readonly leads: number; readonly opportunities: number };
type Row = { readonly fields: Readonly<Record<string, unknown>> };

/** Connects a tenant with years of deals: runs the plan, then the backfill while its worker is killed, and measures the result. */
export async function runDay(stack: Stack, { records, kills, quota, tell }: DayOptions): Promise<readonly Measured[]> {
  const { tenant, salesforce } = stack;
  const vendor = simulatorAdmin(stack.vendor.adminUrl);
  const user = crmUser(salesforce.url, salesforce.user.accessToken);
  tell(`makes ${JSON.stringify(kindsOf(records))}`);
  const since = await makePast(stack, records);
  await vendor.quota(quota, WINDOW_SECONDS);
  tell('plans');
  const { totals } = await planOf(stack, since);
  tell(JSON.stringify(totals.actions));
  const [worker] = await Promise.all([stack.startWorker(), stack.startReceiver()]);
  const edited = await user.deal('Edited meanwhile');
  await vendorIdOf(vendor, edited);
  tell('edits alone');
  const alone = await timeEdits(user, stack.vendor.adminUrl, edited, { edits: 10, everyMs: 5_000 });
  const before = await countsOf(stack);
  const ledgerBefore = await linksBy(stack);
  const asked = collectRequests(stack.vendor.adminUrl);
  const began = new Date().toISOString();
  await createBackfills(stack.client).start(tenant, { since, from: 'both', share: SHARE });
  let isOver = false;
  const wanted = { edits: 1_000, everyMs: 10_000, isOver: () => isOver, tell };
  const editing = timeEdits(user, stack.vendor.adminUrl, edited, wanted);
  // The rejection is reported when the promise is awaited; here it must not end the process.
  editing.catch(() => undefined);
  const { samples, state } = await watchBackfill(stack, worker, { kills, limitMs: LIMIT_MS, tell });
  isOver = true;
  const meanwhile = await editing;
  const collected = await asked.end();
  const after = await countsOf(stack);
  tell(`${state}; edits alone ${shown(alone)}; meanwhile ${shown(meanwhile)}`);
  return [
    ...(await differences(stack, totals, { before, after, ledgerBefore })),
    ...requestRows(collected, samples, quota),
    await actionsRow(stack, records, { since: began, but: edited, tell }),
    row('backfill not done', state === 'done' ? 0 : 1, 0),
    row('a user’s edit, meanwhile by alone', median(meanwhile) / median(alone), 1.5),
    row('remaining time after a tenth, wrong by %', 100 * wrongBy(samples), 20),
    row('memory of the last worker, late by early', growth(samples), 1.25),
    row('seconds', (samples.at(-1)?.atMs ?? 0) / 1_000, null),
  ];
}

type Counted = { readonly since: string; readonly but: string; readonly tell: (line: string) => void };

/** Actions that Temporal counted, without those of a user's edits during the backfill. */
async function actionsRow(stack: Stack, records: number, { since, but, tell }: Counted): Promise<Measured> {
  const counts = await actionsSince(stack, since, workflowIds.syncOpportunity(stack.tenant, but));
  tell(`actions by workflow and kind: ${JSON.stringify(Object.fromEntries(counts))}`);
  return row('Temporal actions a record', ofRecords(counts) / records, 0.5);
}

function requestRows({ requests, unseen }: Collected, samples: readonly Sample[], quota: number): readonly Measured[] {
  return [
    row('requests to the vendor', requests.length, null),
    row('requests that were not seen', unseen, 0),
    row('requests with 429', requests.filter(({ status }) => status === 429).length, 0),
    row('share of its quota not used, %', 100 * (1 - usedShare(requests, samples, quota)), 5),
  ];
}

function row(what: string, measured: number, limit: number | null): Measured {
  return { scenario: 'backfill', what, measured, limit };
}

async function planOf(stack: Stack, since: string): Promise<PlanSummary> {
  const { output } = await stack.run(['plan', '--since', since, '--json']);
  const last = output
    .trim()
    .split('\n')
    .findLast((line) => line.includes('"plan/1"'));
  if (last === undefined) throw new Error(`no plan: ${output.slice(-500)}`);
  return JSON.parse(last) as PlanSummary;
}

async function countsOf(stack: Stack): Promise<Counts> {
  const leads = await simulatorAdmin(stack.vendor.adminUrl).records<Row>('leadOpportunity');
  const opportunities = await simulatorAdmin(stack.salesforce.adminUrl).records<Row>('Opportunity');
  return { leads: leads.length, opportunities: opportunities.length };
}

async function linksBy(stack: Stack): Promise<{ readonly pairs: number; readonly parked: number }> {
  const [found] = await stack.ledgerQuery(
    "select count(*) filter (where crm_id is not null and vendor_id is not null) as pairs, count(*) filter (where state = 'parked') as parked from links",
  );
  return { pairs: Number(found?.['pairs']), parked: Number(found?.['parked']) };
}

type Ends = {
  readonly before: Counts;
  readonly after: Counts;
  readonly ledgerBefore: { readonly pairs: number; readonly parked: number };
};

/** For each kind of result, the difference between plan and backfill. */
async function differences(
  stack: Stack,
  { actions, linkBy }: PlanSummary['totals'],
  { before, after, ledgerBefore }: Ends,
): Promise<readonly Measured[]> {
  const made = after.leads - before.leads;
  const imported = after.opportunities - before.opportunities;
  const now = await linksBy(stack);
  const matched = Object.values(linkBy).reduce((sum, count) => sum + count, 0);
  const pairs = now.pairs - ledgerBefore.pairs - made - imported;
  const [twice] = await stack.ledgerQuery(
    "select count(*) as twice from (select key from plans where next = 'create-at-vendor' and outcome = 'created' group by tenant, key having count(*) > 1) doubled",
  );
  const off = (is: number, planned: number | undefined): number => Math.abs(is - (planned ?? 0));
  return [
    row('made at the vendor', made, null),
    row('made at the vendor, off the plan', off(made, actions['create-at-vendor']), 0),
    row('made in the CRM', imported, null),
    row('made in the CRM, off the plan', off(imported, actions['create-in-crm']), 0),
    row('linked', pairs, null),
    row('linked, off the plan', off(pairs, matched), 0),
    row('parked', now.parked - ledgerBefore.parked, null),
    row('parked, off the plan', off(now.parked - ledgerBefore.parked, actions.park), 0),
    row('made twice', Number(twice?.['twice']), 0),
  ];
}

/** The used part of the backfill's share of the quota while it matches and imports. Requests belong to the backfill by their content. */
function usedShare(requests: readonly SeenRequest[], samples: readonly Sample[], quota: number): number {
  const busy = samples.filter(({ phase, fraction }) => phase !== 'find-vendor' && fraction < 0.95);
  const [first, last] = [busy[0]?.atMs ?? 0, busy.at(-1)?.atMs ?? 0];
  const beganMs = Date.parse(requests[0]?.time ?? '');
  const within = requests.filter(({ time, operation }) => {
    const atMs = Date.parse(time) - beganMs;
    return operation !== 'searchLeadOpportunities' && atMs >= first && atMs <= last;
  });
  const allowed = (quota * SHARE * (last - first)) / (WINDOW_SECONDS * 1_000);
  return Math.min(1, within.length / allowed);
}

/** The error of the remaining time that was shown after the first tenth, as a part of the real remaining time. */
function wrongBy(samples: readonly Sample[]): number {
  const tenth = samples.find(({ fraction, remainingSeconds }) => fraction >= 0.1 && remainingSeconds !== null);
  const end = samples.at(-1);
  if (tenth?.remainingSeconds == null || end === undefined) return 1;
  const took = (end.atMs - tenth.atMs) / 1_000;
  return Math.abs(tenth.remainingSeconds - took) / took;
}

/** The last worker's memory late in the run, divided by its memory early in the run. */
function growth(samples: readonly Sample[]): number {
  const life = samples.at(-1)?.life;
  const held = samples.filter((sample) => sample.life === life && sample.heldMb > 0).map(({ heldMb }) => heldMb);
  const third = Math.ceil(held.length / 3);
  return median(held.slice(-third)) / median(held.slice(third, 2 * third));
}

function shown(all: readonly number[]): string {
  return `${Math.round(median(all))} ms (${all.length})`;
}
