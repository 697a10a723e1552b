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

/** A deal that both of a tenant's sides have, in which somebody works. */
export type Desk = { readonly tenant: FleetTenant; readonly crmId: string };

const SYNCED_MS = 120_000;

/** Has somebody enter a deal at each tenant, and waits until the vendor has it; how long each took, ms. */
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

/** Edits of each desk, evenly within a time; how long each took to the vendor, ms, and how many did not come within two minutes. */
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

/** No two edits are alike: what a field has already, the vendor has at once. */
let edited = 0;

/** Polled for seldom, so that looking costs less than what is looked for. */
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
    // By when it came there: when it is found depends on how often one looks.
    if (update !== undefined) return Date.parse(update.time) - began;
  }
  return Number.POSITIVE_INFINITY;
}

/** The receiver has been at work for a while when the replays come. */
const AT_WORK_MS = 5_000;

/** Told in one message, as Salesforce does. */
const IN_A_MESSAGE = 100;

/**
 * Some tenants' orgs tell of all their records again, while others send single messages; how long each of those, and of these, took to be
 * acknowledged, ms, and how many were put off.
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

/** Has all of a tenant's records be due and woken, as after a mass change. */
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

/** Waits until nothing of these tenants is due any more; how long that took, ms. */
export async function atRest({ stack }: Fleet, tenants: readonly FleetTenant[]): Promise<number> {
  const names = tenants.map(({ name }) => `'${name}'`).join(', ');
  const beganMs = performance.now();
  await until(
    'what was told of again is worked off',
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

/** Waits until no stream of any tenant has a run of its own: what is new to a fleet is loaded; how long that took, ms. */
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

/** Between two pages of a tenant's, a run of the next stream may be about to begin. */
const QUIET_POLLS = 10;
