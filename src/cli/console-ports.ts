import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Connection } from '@temporalio/client';
import { createOrgDescriptions } from '../console/live/org-descriptions.ts';
import type { ConsolePorts, ConsoleReads } from '../console/ports.ts';
import { createAudits } from '../intake/audits.ts';
import { createBackfills } from '../intake/backfill.ts';
import { createGuards } from '../intake/guard.ts';
import { createIntake } from '../intake/intake.ts';
import { createRotation } from '../intake/rotation.ts';
import { createStreamStarts } from '../intake/stream-starts.ts';
import { createUndos } from '../intake/undo.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readNoticesFile } from '../notices/read-notices-file.ts';
import { createPlanRuns } from '../operator/plan/plan-runs.ts';
import { UnknownTenant } from '../operator/tenants/tenant-state.ts';
import type { LiveRoster } from '../platform/live-roster.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Roster } from '../platform/tenant-roster.ts';
import { diagnose } from './console-diagnosis.ts';
import type { CliContext } from './context.ts';
import { ledgerKeys } from './ledger-keys.ts';
import { onceFound } from './once-found.ts';
import { readableRemotes } from './readable-remotes.ts';
import { addressesOf, temporalUi } from './record-addresses.ts';
import { remoteRecords } from './remote-records.ts';
import { loadOptions } from './runtime.ts';
import { connectTemporal } from './temporal.ts';
import { runsOf } from './temporal-runs.ts';

/**
 * The maximum number of tenants to whose CRM and vendor the console stays connected between requests. If there are more, the connections of
 * the tenant that was used longest ago are closed.
 */
const MOST_CONNECTED = 50;

type Connected<R> = { readonly tenant: Tenant; readonly remotes: R };

/**
 * Keeps connections to the CRM and the vendor of the most recently used tenants. If a tenant's declaration changes, its connections are
 * opened again. `drop` closes a tenant's connections and forgets their secrets.
 */
function connections<R extends { close(): Promise<unknown> }>(connect: (tenant: Tenant) => R) {
  const open = new Map<string, Connected<R>>();
  const drop = (name: string): void => {
    const found = open.get(name);
    open.delete(name);
    found?.remotes.close().catch(() => undefined);
  };
  return {
    of: (tenant: Tenant): R => {
      const known = open.get(tenant.tenant);
      if (known !== undefined && known.tenant !== tenant) drop(tenant.tenant);
      const remotes = open.get(tenant.tenant)?.remotes ?? connect(tenant);
      open.delete(tenant.tenant);
      open.set(tenant.tenant, { tenant, remotes });
      const [oldest] = open.keys();
      if (open.size > MOST_CONNECTED && oldest !== undefined) drop(oldest);
      return remotes;
    },
    drop,
    close: () => Promise.all([...open.values()].map(({ remotes }) => remotes.close())),
  };
}

/** The contents of the notices file, and the function that sends a message to one of its channels. Throws `NoticesFileError`. */
function noticesOf(context: CliContext): ConsolePorts['notices'] {
  const setup = readNoticesFile(context.settings().noticesFile);
  return { setup, send: async (...given) => (await import('../notices/send.ts')).sendMessage(...given) };
}

type OverTemporal = Pick<
  ConsolePorts,
  'intake' | 'guards' | 'rotation' | 'backfills' | 'undos' | 'audits' | 'streamStarts' | 'runsOf'
>;

/** The console's functions (ports) that start, signal and find workflows in Temporal. The first call connects to Temporal. */
function overTemporal(client: () => Promise<Client>, ledger: Ledger, context: CliContext): OverTemporal {
  return {
    intake: async () => createIntake(await client(), ledger),
    guards: async () => createGuards(await client()),
    rotation: async () => createRotation(await client()),
    backfills: async () => createBackfills(await client()),
    undos: async () => createUndos(await client()),
    audits: async () => createAudits(await client()),
    streamStarts: async () => createStreamStarts(await client()),
    runsOf: (tenant, key, at) =>
      client()
        .then((opened) => runsOf(opened, addressesOf(context, tenant).temporal, { tenant: tenant.tenant, key, at }))
        .catch(() => []),
  };
}

function servedTenant(roster: LiveRoster, name: string): Tenant {
  const found = roster.roster().served.get(name);
  if (found === undefined) throw new UnknownTenant(`The tenant ${name} is not served here.`);
  return found.tenant;
}

/** Stops plans in the background of changed tenants that are not served any more, and closes these tenants' connections. */
function forgetRemoved(
  changed: readonly string[],
  { served }: Pick<Roster, 'served'>,
  plans: ConsolePorts['plans'],
  connected: readonly { readonly drop: (name: string) => void }[],
): void {
  for (const name of changed.filter((one) => !served.has(one))) {
    if (plans.status(name).state === 'running') plans.cancel(name);
    for (const { drop } of connected) drop(name);
  }
}

/**
 * Makes the functions (ports) through which the console's requests reach the ledger (Lockstep's database), Temporal and the remote systems.
 * Connections are opened when they are first used. Close the ports after the last request. Throws `NoticesFileError`.
 */
export function consolePorts(
  context: CliContext,
  {
    ledger,
    roster,
    mappingsIn = 'ledger',
  }: { readonly ledger: Ledger; readonly roster: LiveRoster; readonly mappingsIn?: ConsolePorts['mappingsIn'] },
): { readonly ports: ConsolePorts; close(): Promise<void> } {
  let temporal: Promise<{ client: Client; connection: Connection }> | null = null;
  const client = async (): Promise<Client> => {
    temporal ??= connectTemporal(context).catch((error: unknown) => {
      temporal = null;
      throw error;
    });
    return (await temporal).client;
  };
  const keys = (tenant: Tenant) => ledgerKeys(tenant, async () => ledger);
  const readable = connections<ConsoleReads & { close(): Promise<void> }>((tenant) =>
    readableRemotes(tenant, keys(tenant)),
  );
  const remote = connections((tenant) => remoteRecords(tenant, keys(tenant), async () => ledger));
  const now = (): string => new Date().toISOString();
  const plans = createPlanRuns({ ledger, remotes: readable.of, now });
  const ui = onceFound(() => temporalUi(context));
  const descriptions = createOrgDescriptions(() => Date.now());
  const ports: ConsolePorts = {
    roster: () => roster.roster(),
    tenant: (name) => servedTenant(roster, name),
    ledger,
    ...overTemporal(client, ledger, context),
    plans,
    readable: readable.of,
    readableWith: (tenant, draft) => {
      const remotes = readableRemotes(tenant, keys(tenant), [draft]);
      return { remotes, close: () => remotes.close() };
    },
    diagnose: (tenant) => diagnose(context, ledger, tenant),
    load: () => loadOptions(context),
    org: (tenant) => descriptions.of(tenant.tenant, readable.of(tenant).crm),
    mappingsIn,
    refreshTenants: () => roster.refresh(),
    remote: remote.of,
    addresses: (tenant) => addressesOf(context, tenant, ui()),
    notices: noticesOf(context),
    now,
    pause: (ms) => pause(ms),
  };
  roster.onChange((names) => forgetRemoved(names, roster.roster(), plans, [readable, remote]));
  const close = async (): Promise<void> => {
    plans.close();
    await Promise.all([readable.close(), remote.close(), temporal?.then(({ connection }) => connection.close())]);
  };
  return { ports, close };
}
