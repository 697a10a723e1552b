import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import type { PauseLedger } from '../../ledger/quota/quota-ledger.ts';
import type { TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { reportedSince } from '../../platform/live-roster.ts';
import type { DeclaredTenant } from '../../platform/tenant-declaration.ts';
import type { Roster } from '../../platform/tenant-roster.ts';

/**
 * The name under which the ledger (Lockstep's database) stores an operator's pause of a whole tenant. The ledger stores each pause for an
 * operation group (requests that fail together). So an operator's pause has a group of its own, which stops all work of the tenant.
 */
const GROUP = 'by-hand';
const REASON = 'a person paused it';

export type TenantState = 'active' | 'paused' | 'unavailable' | 'removed';

/** A tenant's state. Instants are ISO. */
export type TenantShown = {
  readonly tenant: string;
  readonly state: TenantState;
  readonly declaredBy: 'registry' | 'file';
  /**
   * The version of the tenant's declaration in the registry (the list of tenants in Lockstep's database); null if a tenant file applies
   * instead.
   */
  readonly version: number | null;
  readonly changedAt: string | null;
  /** Since when an operator has paused the tenant, ISO; null if no operator has. */
  readonly pausedSince: string | null;
  /** Processes that cannot serve the tenant, each with the reason and the time of its report (ISO). */
  readonly unavailable: readonly { readonly process: string; readonly reason: string; readonly at: string }[];
};

export type TenantsListed = { readonly shape: 'tenants/1'; readonly tenants: readonly TenantShown[] };

export class UnknownTenant extends Error {
  override readonly name = 'UnknownTenant';
}

type ListLedger = Pick<TenantLedger, 'tenantsSince' | 'unavailableTenants'> & Pick<PauseLedger, 'pausedTenants'>;
type Files = Pick<Roster, 'served' | 'unavailable'>;
/** The name that this process gets in the list of processes that cannot serve a tenant. */
const THIS_PROCESS = 'this process';

/**
 * Lists the tenants in the registry (the list of tenants in Lockstep's database) and in tenant files, sorted by name. `all`: whether to
 * include removed tenants. Sends a fixed number of SQL statements.
 */
export async function listTenants(
  ledger: ListLedger,
  files: Files,
  order: { readonly all: boolean; readonly now: string },
): Promise<TenantsListed> {
  const [rows, paused, reports] = [
    await ledger.tenantsSince(0),
    await ledger.pausedTenants(GROUP),
    await ledger.unavailableTenants(reportedSince(order.now)),
  ];
  const shown = [...reports, ...ownReports(files, rows, reports, order.now)];
  const names = new Set(rows.map(({ tenant }) => tenant));
  const ofFiles = shown.filter(({ tenant, process }) => process === THIS_PROCESS || !names.has(tenant));
  const known = new Map<string, DeclaredTenant | null>([
    ...rows.filter(({ state }) => order.all || state === 'active').map((row) => [row.tenant, row] as const),
    ...[...namesByFile(files), ...ofFiles.map(({ tenant }) => tenant)].map((name) => [name, null] as const),
  ]);
  const tenants = [...known].map(([tenant, row]): TenantShown => {
    const unavailable = shown
      .filter((report) => report.tenant === tenant)
      .map(({ process, reason, at }) => ({ process, reason, at }));
    const pausedSince = paused.find((one) => one.tenant === tenant)?.since ?? null;
    const { version = null, changedAt = null } = row ?? {};
    const declaredBy = row === null ? 'file' : 'registry';
    const state = stateOf(row, unavailable.length > 0, pausedSince !== null);
    return { tenant, state, declaredBy, version, changedAt, pausedSince, unavailable };
  });
  return {
    shape: 'tenants/1',
    tenants: tenants.sort((one, other) => one.tenant.localeCompare(other.tenant)),
  };
}

function namesByFile({ served }: Files): readonly string[] {
  return [...served.values()].flatMap(({ tenant, version }) => (version === null ? [tenant.tenant] : []));
}

type Report = {
  readonly tenant: string;
  readonly process: string;
  readonly reason: string;
  readonly at: string;
};

/**
 * Makes reports about tenant files that this process cannot use, unless another process has reported the tenant already. Tenants in the
 * registry are left out, because this process may only lack the keys for their secrets.
 */
function ownReports(
  { served, unavailable }: Files,
  rows: readonly DeclaredTenant[],
  reports: readonly Report[],
  now: string,
): readonly Report[] {
  const declared = rows.filter(({ state }) => state === 'active');
  const isKnown = (name: string) => [...declared, ...reports].some(({ tenant }) => tenant === name);
  return [...unavailable]
    .filter(([tenant]) => !served.has(tenant) && !isKnown(tenant))
    .map(([tenant, reason]) => ({ tenant, process: THIS_PROCESS, reason, at: now }));
}

function stateOf(row: DeclaredTenant | null, isUnavailable: boolean, isPaused: boolean): TenantState {
  if (row?.state === 'removed') return 'removed';
  if (isUnavailable) return 'unavailable';
  return isPaused ? 'paused' : 'active';
}

/**
 * Returns one tenant with its declaration in the registry. `declaration` is null if a tenant file applies instead. Throws `UnknownTenant`.
 */
export async function showTenant(
  ledger: ListLedger,
  files: Files,
  name: string,
  now: string,
): Promise<TenantShown & { readonly declaration: Readonly<Record<string, unknown>> | null }> {
  const { tenants } = await listTenants(ledger, files, { all: true, now });
  const found = tenants.find(({ tenant }) => tenant === name);
  if (found === undefined) throw unknown(name, tenants);
  const row = (await ledger.tenantsSince(0)).find(({ tenant }) => tenant === name);
  const isByFile = found.declaredBy === 'file';
  return { ...found, declaration: isByFile ? null : (row?.declaration?.content ?? null) };
}

export type TenantTurned = {
  readonly shape: 'tenant-turned/1';
  readonly tenant: string;
  /** Whether the command changed the tenant's state; false if the tenant had this state already. */
  readonly changed: boolean;
  readonly state: TenantState;
};

/**
 * Pauses a tenant's work until an operator resumes it. Lockstep stores changes of the CRM and the vendor meanwhile, and syncs them after
 * the pause. Throws `UnknownTenant`.
 */
export async function pauseTenant(
  ledger: ListLedger & Pick<PauseLedger, 'pause'>,
  files: Files,
  name: string,
  now: string,
): Promise<TenantTurned> {
  await requireInService(ledger, files, name, now);
  const changed = await ledger.pause(name, GROUP, REASON, now);
  return { shape: 'tenant-turned/1', tenant: name, changed, state: 'paused' };
}

/** Ends the pause that an operator set for the whole tenant (`lockstep tenants pause`), and no other pause. Throws `UnknownTenant`. */
export async function resumePaused(
  ledger: ListLedger & Pick<PauseLedger, 'resume'>,
  files: Files,
  name: string,
  now: string,
): Promise<TenantTurned> {
  const { pausedSince } = await requireInService(ledger, files, name, now);
  await ledger.resume(name, GROUP, now);
  return { shape: 'tenant-turned/1', tenant: name, changed: pausedSince !== null, state: 'active' };
}

export type TenantRemoved = {
  readonly shape: 'tenant-removed/1';
  readonly tenant: string;
  /** Whether the command removed the tenant; false if it had been removed before. */
  readonly changed: boolean;
  /** The number of the tenant's records that stay in the ledger. */
  readonly records: number;
  /** Whether only the declaration in the registry was removed, because the tenant also has a tenant file and so is still served. */
  readonly byFile: boolean;
};

/**
 * Removes a tenant from service: marks its declaration in the registry (the list of tenants in Lockstep's database) as removed, deletes its
 * secrets there, and ends an operator's pause of it. The tenant's other rows in the database stay. A tenant may have both a declaration in
 * the registry and a tenant file on disk. Then only the declaration is removed, and the tenant is still served from the file. `erases`:
 * whether the caller erases the tenant's data afterwards; a tenant with a tenant file is then refused. Throws `UnknownTenant`.
 */
export async function takeTenantOut(
  ledger: ListLedger &
    Pick<TenantLedger, 'removeTenant'> &
    Pick<LinkLedger, 'countByState'> &
    Pick<PauseLedger, 'resume'>,
  files: Files,
  name: string,
  now: string,
  { erases = false }: { readonly erases?: boolean } = {},
): Promise<TenantRemoved> {
  const { tenants } = await listTenants(ledger, files, { all: true, now });
  const found = tenants.find(({ tenant }) => tenant === name);
  if (found === undefined) throw unknown(name, tenants);
  const byFile = found.declaredBy === 'file';
  const version = byFile ? await declaredBeside(ledger, name) : found.version;
  if (byFile && erases) throw notErasable(name);
  if (byFile && version === null)
    throw new UnknownTenant(`${name} has a tenant file: take the file away and restart what reads it.`);
  const changed = found.state !== 'removed';
  if (changed && !(await ledger.removeTenant(name, version ?? 0, now)))
    throw new UnknownTenant(
      `Another operator has changed ${name} meanwhile, so nothing was changed: run lockstep tenants show ${name}, then try again.`,
    );
  if (!byFile) await ledger.resume(name, GROUP, now);
  const counts = Object.values(await ledger.countByState(name));
  const records = counts.reduce((sum, count) => sum + count, 0);
  return { shape: 'tenant-removed/1', tenant: name, changed, records, byFile };
}

/**
 * Throws `UnknownTenant` if there is no such tenant, or if it has a tenant file. The data of a tenant with a file must not be counted or
 * erased, because processes that read the file would write new rows.
 */
export async function requireErasable(ledger: ListLedger, files: Files, name: string, now: string): Promise<void> {
  const { tenants } = await listTenants(ledger, files, { all: true, now });
  const found = tenants.find(({ tenant }) => tenant === name);
  if (found === undefined) throw unknown(name, tenants);
  if (found.declaredBy === 'file') throw notErasable(name);
}

function notErasable(name: string): UnknownTenant {
  return new UnknownTenant(
    `${name} has a tenant file, so --erase cannot erase it: the processes that read the file go on writing its rows. Take the file away and restart them, declare the tenant with lockstep tenants add, then run this again.`,
  );
}

/**
 * The version of a tenant's active declaration in the registry, for a tenant that also has a tenant file. Null if the registry has no
 * active declaration of the tenant.
 */
async function declaredBeside(ledger: Pick<TenantLedger, 'tenantsSince'>, name: string): Promise<number | null> {
  const rows = await ledger.tenantsSince(0);
  return rows.find(({ tenant, state }) => tenant === name && state === 'active')?.version ?? null;
}

async function requireInService(ledger: ListLedger, files: Files, name: string, now: string): Promise<TenantShown> {
  const { tenants } = await listTenants(ledger, files, { all: false, now });
  const found = tenants.find(({ tenant }) => tenant === name);
  if (found === undefined) throw unknown(name, tenants);
  return found;
}

function unknown(name: string, tenants: readonly TenantShown[]): UnknownTenant {
  const names = namesShown(tenants.map(({ tenant }) => tenant)) || 'none';
  return new UnknownTenant(`There is no tenant ${name}; known: ${names}.`);
}

/** The maximum number of tenant names that one sentence lists. Of further tenants, it gives only the number. */
const NAMES_SHOWN = 10;

/** Tenant names for a sentence: the first ten, then the number of the others. Empty if there are none. */
export function namesShown(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return more > 0 ? `${shown} and ${more} more that lockstep tenants lists` : shown;
}
