import { ApplicationFailure } from '@temporalio/common';
import { STREAM_NAMES, type StreamName } from '../../../src/domain/streams/streams.ts';
import { workflowIds } from '../../../temporal.config.ts';
import type { LoggedRequest, Raw } from './http.ts';
import { ALL_VERSIONS } from './remote-faults.ts';
import type { World } from './world.ts';

/** Longer than the time after which a lost due record is woken again. */
const ROUND_MS = 150_000;
/** Enough rounds for the ten minutes after which an adoption gives up, and for the slowest probe. */
const MOST_ROUNDS = 14;
const QUIET_ROUNDS = 2;
/** Enough rounds for the search for late changes, which covers a period once the overlap has passed after it. */
const LATE_ROUNDS = 6;

/**
 * Ends all faults and lets time pass with reads of all streams until nothing is left to do, and then two more rounds. Returns the broken
 * rules: LIV if work never ends, QUI if work continues without an edit. `catchUp`: takes the change events before each round.
 */
export async function settle(world: World, catchUp = async (): Promise<void> => {}): Promise<readonly string[]> {
  await endFaults(world);
  await catchUp();
  if (await anyTriedLater(world)) {
    // Streams are read throughout, so that none starts a day after the changes that it must find.
    await playRound(world, OF_DEALS);
    await world.scheduler.leap(A_DAY_MS);
  }
  // A stream that replaces a lost one reads as far as the lost one would have.
  const isBehind = world.interruptions.losses() > 0;
  const lateRounds = world.mostLagMs() === 0 ? 0 : LATE_ROUNDS;
  let writes: readonly string[] = [];
  // A late search finds our own writes too, and may lead to another write.
  let allVisible = lateRounds;
  for (let round = 0; round < MOST_ROUNDS + 2 * lateRounds; round += 1) {
    await catchUp();
    const before = await lastRequests(world);
    const found = await playRound(world, round === 0 ? OF_RECORDS : OF_DEALS);
    // Writes after the round's poll are found by the next poll.
    writes = await writesSince(world, before);
    if (writes.length > 0) allVisible = round + lateRounds;
    if (round < allVisible || (round === 0 && isBehind)) continue;
    const isQuiet = found + writes.length + world.lateUpdatesOnTheWay() === 0;
    const isDone = isQuiet && (await open(world)).length === 0;
    if (isDone) return [...crashes(world), ...(await quiet(world, catchUp))];
  }
  const unfinished = [...writes, ...(await open(world))];
  return [...crashes(world), ...unfinished.map((what) => `LIV: ${what}`)];
}

/** For several worlds with a common clock: no world is read for the first time after another world's time jump. */
export async function readBeforeLeaps(worlds: readonly World[]): Promise<void> {
  const leaps = await Promise.all(worlds.map(anyTriedLater));
  if (worlds.length < 2 || !leaps.includes(true)) return;
  for (const world of worlds) await playRound(world, OF_DEALS);
}

export async function endFaults({ interruptions, vendor, crm }: World): Promise<void> {
  interruptions.clear();
  const cleared = [vendor.clearFaults(), crm.clearFaults(), crm.clearLimits(), crm.apiVersions(ALL_VERSIONS)];
  await Promise.all(cleared);
}

/** Whether a record waits for its next retry because it was refused or not answered. */
async function anyTriedLater({ ledger, tenant }: World): Promise<boolean> {
  const links = await ledger.listLinks(tenant, { limit: 100 });
  return links.some(({ issues }) => issues.some(({ code }) => TRIED_LATER.has(code)));
}

const TRIED_LATER: ReadonlySet<string> = new Set([
  'no-answer',
  'vendor-refused',
  'crm-refused',
  'tried-again',
  'refused-alone',
  'left-on-lead',
]);
const A_DAY_MS = 24 * 3_600_000;

/** Runs that ended with an error. While a group is paused, streams are refused, and the next read continues. */
function crashes(world: World): readonly string[] {
  return world.scheduler.failures
    .filter(({ id }) => id.startsWith(`${world.tenant}/`))
    .filter(({ id, error }) => !(isStream(world, id) && typeOf(error) === 'SYSTEMIC'))
    .map(({ id, error }) => `BUG: ${id} failed: ${String(error)}: ${causeOf(error)}`);
}

function isStream({ tenant }: World, id: string): boolean {
  return STREAM_NAMES.some((stream) => workflowIds.scheduled(tenant, stream) === id);
}

function typeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? cause.type : undefined;
}

async function quiet(world: World, catchUp: () => Promise<void>): Promise<readonly string[]> {
  const before = await lastRequests(world);
  for (let round = 0; round < QUIET_ROUNDS; round += 1) {
    await catchUp();
    await playRound(world, OF_DEALS);
  }
  const writes = await writesSince(world, before);
  return writes.map((write) => `QUI: ${write}`);
}

const SELDOM: ReadonlySet<StreamName> = new Set([
  'pullOrders',
  'loadOrders',
  'findOrders',
  'followRenewals',
  'checkMirror',
  'refreshCatalog',
  'refreshPortfolio',
]);
/** The stream that watches the org is about no record. */
const OF_RECORDS = STREAM_NAMES.filter((stream) => stream !== 'watchOrg');

/** Orders and the catalog are read rarely: once while deals settle; in production several rounds apart. */
const OF_DEALS = OF_RECORDS.filter((stream) => !SELDOM.has(stream));

/** Reads each stream once and gives time for the resulting work. Returns how many records they found; an interrupted read counts as one. */
async function playRound(world: World, streams: readonly StreamName[]): Promise<number> {
  const { scheduler, clock } = world;
  scheduler.takeResults();
  const started = streams.map(world.startStream);
  const untilMs = clock.readMs() + ROUND_MS;
  while (await scheduler.step(untilMs)) {}
  clock.advanceTo(untilMs);
  const results = [...scheduler.takeResults()].filter(([id]) => isStream(world, id));
  const found = results.reduce((sum, [, result]) => sum + Number((result as Raw | null)?.['found'] ?? 1), 0);
  // A read that started before the round may have been too early.
  return found + started.filter((isFresh) => !isFresh).length;
}

/** Work that is still open. */
async function open(world: World): Promise<readonly string[]> {
  const { scheduler, ledger, tenant } = world;
  const pauses = await ledger.pauses(tenant);
  return [
    ...scheduler.running().map((id) => `${id} still runs`),
    ...(await ledger.dueKeys(tenant, 100)).map((key) => `${key} is still due`),
    ...pauses.map(({ group }) => `${group} is still paused`),
  ];
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${cause.message} ${cause.stack ?? ''}` : '';
}

/** The last request of each side at an instant, by its place in the log. */
type Marks = { readonly at: string; readonly vendor: number; readonly crm: number };

async function lastRequests({ clock, vendor, crm }: World): Promise<Marks> {
  const at = clock.now();
  const last = (requests: readonly LoggedRequest[]): number => requests.at(-1)?.seq ?? 0;
  return { at, vendor: last(await vendor.requests(at)), crm: last(await crm.requests(at)) };
}

async function writesSince(world: World, { at, ...marks }: Marks): Promise<readonly string[]> {
  const vendor = (await world.vendor.requests(at)).filter(({ seq }) => seq > marks.vendor);
  const crm = (await world.crm.requests(at)).filter(({ seq }) => seq > marks.crm);
  return [
    ...vendor
      .filter(({ operation }) => operation === 'createLeadOpportunity' || operation === 'updateLeadOpportunity')
      .map((request) => `vendor ${request.operation} ${JSON.stringify(request.body)}`),
    ...crm.filter(isCrmWrite).map((request) => `crm ${request.operation} ${JSON.stringify(request.body)}`),
  ];
}

function isCrmWrite({ operation, body }: LoggedRequest): boolean {
  if (/(create|update|upsert|delete|tree)/i.test(operation)) return true;
  const parts = (body as { readonly compositeRequest?: readonly { readonly method: string }[] } | null)
    ?.compositeRequest;
  return operation.startsWith('composite') && (parts ?? []).some(({ method }) => method !== 'GET');
}
