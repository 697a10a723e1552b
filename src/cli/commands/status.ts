import { setTimeout as pause } from 'node:timers/promises';
import { WAIT_REASONS } from '../../domain/record/wait-reason.ts';
import { STOP_REPAIR } from '../../domain/streams/stream-stop.ts';
import { UNREADABLE } from '../../domain/streams/streams.ts';
import { counted } from '../../domain/values/counted.ts';
import { durationWords } from '../../domain/values/duration.ts';
import { unopenedText } from '../../operator/mapping/unopened-text.ts';
import { undeliveredLine } from '../../operator/notices/undelivered-line.ts';
import type { OrdersProgress } from '../../operator/runs/orders-progress.ts';
import { type CrmCallsToday, heldPurposes } from '../../operator/status/crm-calls.ts';
import type { Flow } from '../../operator/status/flow.ts';
import { changesLines } from '../../operator/status/followed-changes.ts';
import { noticeLine } from '../../operator/status/owner-notices.ts';
import { needsAttention, readStatus, type Status, type TenantStatus } from '../../operator/status/status.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { Roster } from '../../platform/tenant-roster.ts';
import { chooseTenant } from '../choose-tenant.ts';
import { crmIdsOf, type DealNames, NO_NAMES } from '../deal-names.ts';
import { readSeconds } from '../flags.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

/** `lockstep status`: counts records by sync state, and lists those that wait until a user or operator acts. */
export const addStatus = operatorVerb({
  name: 'status',
  example: `Example:
  lockstep status --json
  lockstep status --watch            shows the status again every two seconds, until Ctrl-C

Exits with 2 when a record is parked, in conflict or missing at the vendor; when a tenant is paused or a process cannot serve it;
when the org prevents a mapped field from being synced (lockstep mapping check); when Salesforce refuses a notice to an owner; when a channel does
not take operators' notices; and
when a stream is stopped, is overdue, or has rows that belong to no record or that Salesforce refuses.`,
  takes: (command) =>
    tenantOption(command).option(
      '--watch [seconds]',
      `show the status again at this interval, until Ctrl-C; ${WATCH_SECONDS} seconds by default`,
      readSeconds,
    ),
  run: async (tools, { tenant, watch }: Options) => {
    const look = async (roster: Roster): Promise<Status> => {
      const tenants = tenantsOf(roster, tenant);
      const { unavailable, ...rest } = await readStatus(await tools.ledger(), tenants, tools.now());
      return {
        ...rest,
        unavailable: unavailable.filter((one) => tenant === undefined || one.tenant === tenant),
      };
    };
    if (watch === undefined) return look(await tools.roster());
    const followed = await tools.followed();
    const shutdown = watchShutdown();
    for (;;) {
      const status = await look(followed.roster());
      await pauseUntil(shutdown.signal, 1_000 * (watch === true ? WATCH_SECONDS : watch), () =>
        tools.show(status, allLines(status)),
      );
      if (shutdown.signal.aborted) return status;
    }
  },
  deals: ({ tenants }) => tenants.map(({ tenant, attention }) => ({ tenant, crmIds: crmIdsOf(attention) })),
  effect: 'reads',
  lines: allLines,
  needsAttention,
});

type Options = { readonly tenant?: string; readonly watch?: number | true };

const WATCH_SECONDS = 2;

/** The tenant with this name; without a name, all tenants that this process serves. Throws CliError if there is no tenant with this name. */
function tenantsOf(roster: Roster, name: string | undefined): readonly Tenant[] {
  return name === undefined ? [...roster.served.values()].map(({ tenant }) => tenant) : [chooseTenant(roster, name)];
}

/**
 * Calls `show`, which prints the status, then waits `ms` milliseconds or until the signal aborts. Does nothing if the signal has already
 * aborted.
 */
async function pauseUntil(signal: AbortSignal, ms: number, show: () => void): Promise<void> {
  if (signal.aborted) return;
  show();
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * How fast changes are synced, as lines of text: time since the last reads, number of records with a change to sync, issues for which
 * records wait, and the vendor's quota.
 */
function flowLines({ lag, backlog, causes, quotas }: Flow, tenant: string): readonly string[] {
  const ages = lag.map(({ stream, seconds }) => `${stream} ${seconds} s`);
  const left = quotas.map(
    ({ quota, remaining, limit, until }) =>
      `${quota} ${remaining ?? 'unknown'} of ${limit ?? 'unknown'} until ${until}`,
  );
  return [
    ...(ages.length === 0 ? [] : [`  read: ${ages.join(', ')} ago`]),
    ...(backlog === null
      ? []
      : [
          `  backlog: ${counted(backlog.records, 'record')} on the way, the oldest since ${backlog.since}; done in about ${durationWords(backlog.seconds)}, limited by the vendor's ${backlog.boundBy}`,
        ]),
    ...(causes.length === 0
      ? []
      : [
          `  causes: ${causes.map(({ code, records }) => `${records} ${code}`).join(', ')} (lockstep inbox --tenant ${tenant})`,
        ]),
    ...(left.length === 0 ? [] : [`  quota: ${left.join('; ')}`]),
  ];
}

/** The org's API calls of the last day, as a line of text: the calls of Lockstep and those of all clients, each with the limit. */
function callsLines(calls: CrmCallsToday | null): readonly string[] {
  if (calls === null) return [];
  const { own, allowed, used, limit } = calls;
  const held = heldPurposes(calls);
  const rest = held.length === 0 ? '' : `; ${held.join(', ')}`;
  return [
    `  salesforce: Lockstep made ${own} of its ${allowed} daily API calls, all clients ${used} of ${limit}${rest}`,
  ];
}

function ordersLines(orders: OrdersProgress | null, tenant: string): readonly string[] {
  if (orders === null) return [];
  const { shown, toRead, toLoad, toWrite, load, pausedSince } = orders;
  const left = toRead + toWrite === 0 ? '' : `, ${toRead} to be read, ${counted(toWrite, 'row')} to be written`;
  const searched =
    load === null || load.percent === 100
      ? ''
      : `; searched from ${load.since} to ${load.searchedUntil} (${load.percent} %)`;
  const paused = `  paused: an operator paused the first load of orders at ${pausedSince}, with ${counted(toLoad, 'order')} to be read; to resume: lockstep load-orders resume ${tenant}`;
  return [`  orders: ${shown} shown${left}${searched}`, ...(pausedSince === null ? [] : [paused])];
}

function driftLines({ drift, tenant }: TenantStatus): readonly string[] {
  if (drift === null) return [];
  const { records, repaired, at } = drift;
  const rest =
    records === 0 ? '' : `, ${repaired} of them on their way since (lockstep audit --last --tenant ${tenant})`;
  return [`  drift: ${counted(records, 'record differs', 'records differ')} by the audit of ${at}${rest}`];
}

/** The maximum number of changes of the org, and of changes of the vendor's catalog, that the text shows; `--json` shows all. */
const MOST_CHANGES = 5;

/** Problems that keep mapped fields from being synced, and changes of the org, as lines of text. */
function orgLines(org: TenantStatus['org']): readonly string[] {
  const { problems = [], changes = [] } = org ?? {};
  return [
    ...problems.filter(({ verdict }) => verdict === 'fails').map(({ what, repair }) => `  org: ${what}; ${repair}`),
    ...changes.slice(0, MOST_CHANGES).map(({ at, what }) => `  org: ${what}, seen ${at}`),
  ];
}

/** Lines of text: codes that neither the vendor's documents nor the tenant's mapping contain, and changes of the vendor's catalog. */
function vendorLines({ codes, changes }: TenantStatus['vendor']): readonly string[] {
  return [
    ...codes.map(
      ({ field, code, readings, since, repair }) =>
        `  vendor: ${field} has the unknown code ${code} in ${counted(readings, 'reading')} since ${since}; ${repair}`,
    ),
    ...changes.slice(0, MOST_CHANGES).map(({ at, what }) => `  vendor: ${what}, seen ${at}`),
  ];
}

/** The status of all tenants as lines of text, for `lockstep status`. */
export function allLines({ tenants, unavailable }: Status, names: DealNames = NO_NAMES): readonly string[] {
  return [
    ...tenants.flatMap((tenant) => linesOf(tenant, names)),
    ...unavailable.map(
      ({ tenant, process, reason }) => `${tenant}: unavailable, ${process} cannot serve it: ${reason}`,
    ),
  ];
}

/** Streams (sources of changes) that cannot be read because the vendor or Salesforce fails: one line of text for each. */
function failingLines(failing: TenantStatus['failing']): readonly string[] {
  return failing.map(
    ({ stream, remote, code, at, readAt }) =>
      `  failing: ${stream}, ${remote === 'vendor' ? 'the vendor' : 'Salesforce'} failed (${code}) at ${at}, read last at ${readAt}; Lockstep tries again`,
  );
}

/**
 * Lines of text about rows of streams (sources of changes) that Lockstep could not sync: rows without a usable id, rows that Salesforce
 * refuses, and rows whose details the vendor does not return.
 */
function rowLines(status: TenantStatus): readonly string[] {
  return [
    ...Object.entries(status.parkedRows).map(
      ([stream, count]) => `  parked: ${counted(count, 'row')} of ${stream} without a usable id`,
    ),
    ...Object.entries(status.refusedRows).flatMap(([stream, reasons]) =>
      Object.entries(reasons).map(([reason, rows]) =>
        reason === UNREADABLE
          ? `  parked: the vendor lists ${counted(rows, 'row')} of ${stream} without details; Lockstep tries again within a day, or now: lockstep resume ${status.tenant}`
          : `  parked: Salesforce refuses ${counted(rows, 'row')} of ${stream} (${reason}); correct the rule or the field, then: lockstep resume ${status.tenant}`,
      ),
    ),
  ];
}

function unopenedLines({ unopenedMapping, tenant }: TenantStatus): readonly string[] {
  return unopenedMapping === null ? [] : [`  mapping: ${unopenedText(unopenedMapping, tenant)}`];
}

function linesOf(status: TenantStatus, { named }: DealNames): readonly string[] {
  const counts = Object.entries(status.records)
    .filter(([state]) => state !== 'superseded')
    .map(([state, count]) => `${count} ${state}`);
  return [
    `${status.tenant}: ${counts.length === 0 ? 'no records yet' : counts.join(', ')}`,
    ...driftLines(status),
    ...flowLines(status.flow, status.tenant),
    ...callsLines(status.crmCalls),
    ...ordersLines(status.orders, status.tenant),
    ...orgLines(status.org),
    ...vendorLines(status.vendor),
    ...unopenedLines(status),
    ...status.paused.map(
      ({ group, reason, since, opens }) => `  paused: ${group} since ${since} (${reason}); ${opens}`,
    ),
    ...failingLines(status.failing),
    ...changesLines(status.changes),
    ...status.overdue.map(({ stream, readAt }) => `  overdue: ${stream} was read last at ${readAt}`),
    ...status.stopped.map(
      ({ stream, code, blames, since, retryAt }) =>
        `  stopped: ${stream} since ${since}, Salesforce refuses ${blames.join(', ') || 'it'} (${code}); ${STOP_REPAIR}; tried again at ${retryAt}`,
    ),
    ...rowLines(status),
    ...status.undelivered.map((one) => `  notices: ${undeliveredLine(one)}`),
    ...status.ownerNotices.map((notices) => `  owners: ${noticeLine(notices, status.tenant)}`),
    ...status.waiting.map(
      ({ records, since, waitsFor, longest }) =>
        `  pending: ${counted(records, 'record waits', 'records wait')} for ${WAIT_REASONS[waitsFor ?? 'turn']}, the first since ${since} (lockstep explain ${longest} --tenant ${status.tenant})`,
    ),
    ...status.attention.flatMap((record) => [
      `  ${record.state}: ${record.crmId === null ? (record.vendorId ?? record.key) : named(record.crmId)}`,
      ...record.issues.map((issue) => `    ${issue.message}`),
    ]),
  ];
}
