import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { crmUser, type LoggedRequest, simulatorAdmin } from 'lockstep-simulators/testing';
import { STREAM_NAMES } from '../../src/domain/streams/streams.ts';
import { createIntake } from '../../src/intake/intake.ts';
import { LANE } from '../../src/intake/lane.ts';
import { processEnvironment } from '../../src/platform/settings.ts';
import { until } from '../../test/support/stack/stack.ts';
import { notification, outboundMessage } from '../../test/support/stack/webhooks.ts';
import type { VendorRecord } from '../../test/support/stack/with-stack.ts';
import type { FleetTenant } from './orgs.ts';
import type { Fleet } from './world.ts';

/** A deal on both sides of a tenant that a simulated user edits. */
export type Desk = { readonly tenant: FleetTenant; readonly crmId: string };

const SYNCED_MS = 120_000;

/** Creates a deal at each tenant and waits until the vendor has it. Returns the time of each, ms. */
export async function openDesks(
  tenants: readonly FleetTenant[],
): Promise<{ readonly desks: readonly Desk[]; readonly ms: readonly number[] }> {
  const opened = await Promise.all(
    tenants.map(async (tenant) => {
      const crmId = await userOf(tenant).deal('Alpha');
      const beganMs = performance.now();
      await until(
        `the deal of ${tenant.name} is at the vendor`,
        async () => {
          const all = await simulatorAdmin(tenant.org.vendor.adminUrl).records<VendorRecord>('leadOpportunity');
          return all.find(({ fields }) => fields['partnerLeadOpportunityId'] === crmId);
        },
        SYNCED_MS,
      );
      return { desk: { tenant, crmId }, ms: performance.now() - beganMs };
    }),
  );
  return { desks: opened.map(({ desk }) => desk), ms: opened.map(({ ms }) => ms) };
}

function userOf({ org }: FleetTenant) {
  return crmUser(org.salesforce.url, org.salesforce.user.accessToken);
}

/**
 * Edits each desk's deal evenly during a period. Returns the time of each edit until the vendor has it, ms, and how many did not arrive
 * within two minutes.
 */
export async function edit(
  desks: readonly Desk[],
  edits: number,
  withinMs: number,
): Promise<{ readonly ms: readonly number[]; readonly lost: number }> {
  const everyMs = withinMs / edits;
  const took = await Promise.all(
    desks.map(async (desk, place) => {
      await delay((everyMs * place) / desks.length);
      const own: number[] = [];
      for (let n = 0; n < edits; n += 1) {
        const beganMs = performance.now();
        edited += 1;
        own.push(await editOnce(desk, `Alpha ${edited} of ${desk.tenant.name}`));
        await delay(Math.max(0, everyMs - (performance.now() - beganMs)));
      }
      return own;
    }),
  );
  const all = took.flat();
  return { ms: all.filter(Number.isFinite), lost: all.filter((ms) => !Number.isFinite(ms)).length };
}

/** Makes each edit's value unique, because an unchanged value would count as arrived at once. */
let edited = 0;

/** The polling interval, long enough that polling costs less than the measured work. */
const POLL_MS = 100;

async function editOnce({ tenant, crmId }: Desk, name: string): Promise<number> {
  const { vendor } = tenant.org;
  const began = Date.now();
  const updates = new URLSearchParams({
    since: new Date(began).toISOString(),
    operation: 'updateLeadOpportunity',
  });
  await userOf(tenant).update('Opportunity', crmId, { Name: name });
  while (Date.now() - began < SYNCED_MS) {
    await delay(POLL_MS);
    const answer = await vendor.fetch(new Request(`${vendor.adminUrl}/requests?${updates}`));
    const { requests } = (await answer.json()) as { readonly requests: readonly LoggedRequest[] };
    const update = requests.find(({ status, body }) => status === 200 && JSON.stringify(body).includes(`"${name}"`));
    // The arrival time comes from the simulator's log, because the time of discovery depends on the polling interval.
    if (update !== undefined) return Date.parse(update.time) - began;
  }
  return Number.POSITIVE_INFINITY;
}

/** How long the receiver works before the replays begin. */
const AT_WORK_MS = 5_000;

/** Records per message, as Salesforce sends them. */
const IN_A_MESSAGE = 100;

/**
 * The orgs of some tenants send messages for all their records again, while others send single messages. Returns for both how long each
 * message took to be acknowledged, ms, and how many were deferred.
 */
export async function replay({ stack, replaying }: Fleet, others: readonly Desk[], forMs: number) {
  const over = performance.now() + forMs;
  const acked = { replayed: [] as number[], single: [] as number[], putOff: 0 };
  const send = async (tenant: FleetTenant, ids: readonly string[], into: number[]): Promise<void> => {
    const notifications = ids.map((id) => {
      number += 1;
      return notification(number, { id });
    });
    const { organizationId, outboundActionId: actionId } = tenant.org.salesforce;
    const body = outboundMessage({ notifications, organizationId, actionId });
    const headers = { 'content-type': 'text/xml; charset=utf-8', SOAPAction: '""' };
    const beganMs = performance.now();
    const url = `${stack.hooks}/hooks/salesforce/${tenant.hookPath}`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.text();
    if (answer.ok) into.push(performance.now() - beganMs);
    else acked.putOff += 1;
  };
  let number = 0;
  const replays = replaying.map(async ({ tenant, pairs }) => {
    const crmIds = pairs.map(({ crmId }) => crmId);
    await delay(AT_WORK_MS);
    for (let start = 0; start < crmIds.length; start += IN_A_MESSAGE)
      await send(tenant, crmIds.slice(start, start + IN_A_MESSAGE), acked.replayed);
  });
  const singles = others.map(async ({ tenant, crmId }, place) => {
    await delay((1_000 * place) / others.length);
    while (performance.now() < over) {
      await send(tenant, [crmId], acked.single);
      await delay(1_000);
    }
  });
  await Promise.all([...replays, ...singles]);
  return acked;
}

/** Makes all of a tenant's records due and wakes them, as after a mass change. */
export async function queueAll(fleet: Fleet): Promise<number> {
  const { stack, full } = fleet;
  if (full === null) return 0;
  const lane = processEnvironment()['LOCKSTEP_LANE'] === 'off' ? null : LANE;
  const at = new Date().toISOString();
  const keys = await stack.ledger.markDue(full.tenant.name, full.pairs, at);
  await createIntake(stack.client, stack.ledger, { lane }).wake(full.tenant.name, keys, 'any');
  return keys.length;
}

const REST_MS = 600_000;

/** Waits until none of these tenants' records is due. Returns the time, ms. */
export async function atRest({ stack }: Fleet, tenants: readonly FleetTenant[]): Promise<number> {
  const names = tenants.map(({ name }) => `'${name}'`).join(', ');
  const beganMs = performance.now();
  await until(
    'what was reported again is worked off',
    async () => {
      const [left] = await stack.ledgerQuery(
        `select count(*) as n from links where tenant in (${names}) and (due_since is not null or lane is not null)`,
      );
      return Number(left?.['n']) === 0;
    },
    REST_MS,
  );
  return performance.now() - beganMs;
}

/** Waits until no stream of any tenant has a workflow, so that the first loads of a new fleet are over. Returns the time, ms. */
export async function loaded({ stack }: Fleet): Promise<number> {
  const types = STREAM_NAMES.map((name) => `'${name}'`).join(', ');
  const query = `ExecutionStatus = 'Running' AND WorkflowType IN (${types})`;
  const beganMs = performance.now();
  let quiet = 0;
  await until(
    'what is new to the fleet is loaded',
    async () => {
      const { count } = await stack.client.workflow.count(query);
      quiet = count === 0 ? quiet + 1 : 0;
      return quiet >= QUIET_POLLS;
    },
    REST_MS,
  );
  return performance.now() - beganMs;
}

/** How many polls in a row must find no workflow, because a tenant's next stream may start between two pages. */
const QUIET_POLLS = 10;
