/**
 * A fleet on the real stack: many tenants and links in one ledger; first all idle, then some busy, then some that replay, then one with a
 * long queue. Measures memory, statements, delays of streams, statement plans, acknowledgement of webhooks and the neighbours' latency.
 * Exit code 2 if a check fails. `npm run bench:fleet -- --help`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { scriptOptions } from '../scripts/setup/script-options.mjs';
import { isHeld, type Measured, table } from './engine/table.ts';
import { heaviest, intakeTimes, lookOn, quantile, readWhole } from './fleet/measures.ts';
import { TELL_NO_PLANS, TELL_PLANS } from './fleet/statements.ts';
import { atRest, type Desk, edit, loaded, openDesks, queueAll, replay } from './fleet/work.ts';
import { type Fleet, openFleet } from './fleet/world.ts';

const asked = scriptOptions('bench:fleet');
const { tenants, links, busy, queued, seconds } = asked;
const wants = (scenario: (typeof asked.only)[number]): boolean =>
  asked.only.length === 0 || asked.only.includes(scenario);
const WINDOW_MS = seconds * 1000;
const REPLAYING = 20;
/** The number of records whose messages each replaying tenant sends again. */
const REPLAYED = 200;
const NEIGHBOURS = 5;

const rows: Measured[] = [];
const beganMs = performance.now();
const tell = (line: string): void =>
  void process.stderr.write(`${((performance.now() - beganMs) / 1000).toFixed(0).padStart(6)} s  ${line}\n`);

const replaying = { tenants: wants('replay') ? REPLAYING : 0, links: REPLAYED };
const neighbours = wants('queue') || wants('replay') ? NEIGHBOURS : 0;
const desksWanted = Math.max(wants('busy') ? busy : 0, replaying.tenants + neighbours);
const size = { tenants, links, busy: desksWanted, replaying, queued: wants('queue') ? queued : 0 };
const fleet = await openFleet(size, tell);
try {
  if (wants('idle')) await whileIdle(fleet);
  const { desks, ms } = await openDesks(fleet.busy);
  tell(`${desks.length} tenants have a deal, each within ${Math.round(Math.max(0, ...ms))} ms`);
  tell(`what is new to the fleet is loaded, after ${Math.round((await loaded(fleet)) / 1_000)} s`);
  if (wants('busy')) await whileBusy(fleet, desks);
  if (wants('replay')) await whileReplaying(fleet, desks.slice(0, NEIGHBOURS));
  if (wants('queue')) await whileQueued(fleet, desks.slice(0, NEIGHBOURS));
  for (const line of await heaviest(fleet)) tell(line);
  for (const line of await readWhole(fleet)) tell(`read whole: ${line}`);
  process.stdout.write(table(rows));
  process.exitCode = rows.every(isHeld) ? 0 : 2;
  process.stdout.write(rows.every(isHeld) ? 'all of it held\n' : 'NOT all of it held\n');
} finally {
  await fleet.stop();
}

function found(scenario: string, what: string, measured: number, limit: number | null = null): void {
  rows.push({ scenario, what, measured, limit });
  tell(`${scenario}: ${what}: ${Number.isInteger(measured) ? measured : measured.toFixed(3)}`);
}

/** First a period with logged statement plans, which costs time; then two equal windows. */
async function whileIdle(fleet: Fleet): Promise<void> {
  await watchPlans(fleet, 'idle', () => lookOn(fleet, tenants, WINDOW_MS));
  const first = await lookOn(fleet, tenants, WINDOW_MS);
  const last = await lookOn(fleet, tenants, WINDOW_MS);
  found('idle', 'memory of the worker at first, MB', first.workerMb);
  found('idle', 'memory later, by that at first', last.workerMb / first.workerMb, 1.1);
  found('idle', 'statements a tenant-minute', first.statementsPerTenantMinute);
  const change = last.statementsPerTenantMinute / first.statementsPerTenantMinute;
  found('idle', 'statements later, by those at first', change, 1.25);
  found('idle', 'streams that were looked at', last.streams);
  found('idle', 'of them late by a quarter of their cadence', last.late, 0);
  found('idle', 'longest time since a look, by its cadence', last.worstAge);
  found('idle', 'a scrape of all metrics, ms', last.scrapeMs, 1_000);
  const beganMs = performance.now();
  const { code, output } = await fleet.stack.run(['status', '--json']);
  found('idle', 'lockstep status of all tenants, ms', Math.round(performance.now() - beganMs), 30_000);
  // One of a hundred records waits for a person.
  if (code !== 2) tell(output.slice(-500));
  found('idle', 'and it did not tell them', code === 2 ? 0 : 1, 0);
}

async function whileBusy(fleet: Fleet, desks: readonly Desk[]): Promise<void> {
  const edits = Math.max(2, Math.round(WINDOW_MS / 20_000));
  const [window, edited] = await Promise.all([
    lookOn(fleet, tenants, WINDOW_MS),
    watchPlans(fleet, 'busy', () => edit(desks, edits, WINDOW_MS)),
  ]);
  found('busy', 'edits that came to the vendor', edited.ms.length);
  found('busy', 'edits that did not', edited.lost, 0);
  found('busy', 'an edit to the vendor, ms: median', quantile(edited.ms, 0.5));
  found('busy', 'the same, of a hundred the slowest five', quantile(edited.ms, 0.95));
  found('busy', 'memory of the worker, MB', window.workerMb);
  found('busy', 'statements a tenant-minute', window.statementsPerTenantMinute);
  found('busy', 'streams of idle tenants late by a quarter', window.late, 0);
}

/** Measures the neighbours of a tenant with a long queue, and the same neighbours before it has one. */
async function whileQueued(fleet: Fleet, desks: readonly Desk[]): Promise<void> {
  const edits = Math.max(3, Math.round(WINDOW_MS / 4_000));
  const alone = await edit(desks, edits, WINDOW_MS);
  const records = await queueAll(fleet);
  tell(`${records} records of one tenant are queued`);
  const beside = await edit(desks, edits, WINDOW_MS);
  const [left] = await fleet.stack.ledgerQuery(
    "select count(*) as n from links where tenant = 'full' and due_since is not null",
  );
  found('queue', 'records queued', records);
  found('queue', 'of them due at the end', Number(left?.['n']));
  for (const [which, part] of [
    ['median', 0.5],
    ['of a hundred the slowest five', 0.95],
  ] as const) {
    const [aloneMs, besideMs] = [quantile(alone.ms, part), quantile(beside.ms, part)];
    found('queue', `a neighbour's edit alone, ms: ${which}`, aloneMs);
    found('queue', `beside them, by alone: ${which}`, besideMs / aloneMs, 2);
  }
  // One edit each, with a value that is unique in the run.
  found('queue', 'the slowest alone, ms', quantile(alone.ms, 1));
  found('queue', 'the slowest beside them, ms', quantile(beside.ms, 1));
  found('queue', 'edits that did not come', alone.lost + beside.lost, 0);
}

/** Ends when all replayed records were handled. */
async function whileReplaying(fleet: Fleet, others: readonly Desk[]): Promise<void> {
  const own = monitorEventLoopDelay({ resolution: 5 });
  own.enable();
  const acked = await watchPlans(fleet, 'replay', () => replay(fleet, others, WINDOW_MS));
  own.disable();
  // Both orgs answer in this process too, so its own delay must not count as the receiver's.
  found('replay', 'this process by itself, late at most by ms', own.max / 1e6);
  for (const line of await intakeTimes(fleet)) tell(line);
  found('replay', 'messages of many records, acknowledged', acked.replayed.length);
  found('replay', 'the slowest of them, ms', Math.max(0, ...acked.replayed), 1_000);
  found('replay', 'messages of one record, acknowledged', acked.single.length);
  found('replay', 'their median, ms', quantile(acked.single, 0.5));
  found('replay', 'the slowest of them, ms', Math.max(0, ...acked.single), 1_000);
  found('replay', 'put off by the rate of a sender', acked.putOff, 0);
  const restMs = await atRest(
    fleet,
    fleet.replaying.map(({ tenant }) => tenant),
  );
  found('replay', 'and worked off, s after that', Math.round(restMs / 1_000));
}

/** Makes PostgreSQL log its statement plans during `work`, and reports plans whose cost grows with other tenants. */
async function watchPlans<T>(fleet: Fleet, scenario: string, work: () => Promise<T>): Promise<T> {
  const { stack, plans } = fleet;
  const before = new Set(plans.found().faults.map(({ statement, fault }) => `${fault} ${statement}`));
  for (const statement of TELL_PLANS) await stack.ledgerQuery(statement);
  const answer = await work();
  for (const statement of TELL_NO_PLANS) await stack.ledgerQuery(statement);
  plans.flush();
  const { statements, faults } = plans.found();
  const fresh = faults.filter(({ statement, fault }) => !before.has(`${fault} ${statement}`));
  for (const { statement, fault, times } of fresh)
    tell(`${scenario}: ${fault} (${times} times): ${statement.slice(0, 400)}`);
  found(scenario, `plans that grow with others, of ${statements} statements`, fresh.length, 0);
  return answer;
}
