import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Ledger } from '../ledger/ledger.ts';
import { type OpenLedgerOptions, openLedger } from '../ledger/open.ts';
import { type LiveRoster, openRoster, type Registry } from '../platform/live-roster.ts';
import { silentLogger } from '../platform/logger.ts';
import { createSealing } from '../platform/sealing.ts';
import { loadSealingKeys } from '../platform/sealing-key.ts';
import type { Settings } from '../platform/settings.ts';
import { loadTemporalConnection, type TemporalConnection } from '../platform/temporal-connection.ts';
import type { LoadedTenant } from '../platform/tenant-checks.ts';
import { type LoadOptions, loadTenantFiles, type UsableFiles, usableTenantFiles } from '../platform/tenant-file.ts';
import { type Roster, rosterOf, withMappings } from '../platform/tenant-roster.ts';
import type { CliContext } from './context.ts';
import { CliError } from './exit.ts';
import { readEndpoints } from './running/endpoints.ts';
import { ensureSecrets } from './running/secrets.ts';
import { simulatorDefaults } from './running/simulator-defaults.ts';

/**
 * The address of the ledger (Lockstep's PostgreSQL database): DATABASE_URL, else the embedded PostgreSQL server of a running `lockstep up`.
 */
export function databaseUrl(settings: Settings): string {
  const url = settings.databaseUrl?.reveal() ?? readEndpoints(settings.home)?.postgres.url;
  if (url !== undefined) return url;
  throw new CliError('There is no database: set DATABASE_URL, or run "npm start", which brings its own.');
}

/**
 * Opens the ledger (Lockstep's PostgreSQL database) with the sealing keys (encryption keys) of the key file. The file must exist, because
 * other processes could not decrypt values that a new key encrypts. `connections`: the maximum number of connections, unless the
 * environment sets one. `onSealFailure` is called for each value that cannot be decrypted. `isWalled`: whether each call sees only the rows
 * of its tenant, by row-level security. Throws `LedgerError` or `SealingError`.
 */
export async function openOwnLedger(
  settings: Settings,
  {
    connections,
    ...options
  }: { readonly connections?: number } & Pick<OpenLedgerOptions, 'onSealFailure' | 'isWalled'> = {},
): Promise<Ledger> {
  const sealing = async () => {
    const [key, ...oldKeys] = await loadSealingKeys(settings.sealingKeyFile);
    return createSealing(key, oldKeys);
  };
  const poolSize = settings.databaseConnections ?? connections;
  return openLedger({
    url: databaseUrl(settings),
    sealing: await sealing(),
    renewSealing: sealing,
    ...options,
    prepares: settings.databasePrepares,
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}

/** The options with which this process reads tenant files and the declarations of tenants in the ledger. */
export function loadOptions(context: CliContext): LoadOptions {
  const { home, tenantSecrets } = context.settings();
  const running = readEndpoints(home);
  const simulators = running === null ? {} : simulatorDefaults(running, ensureSecrets(home));
  return { env: context.env, simulators, secrets: tenantSecrets };
}

/**
 * Loads the tenant files: those in LOCKSTEP_TENANTS, else those of a running `lockstep up`, else those in the folder `tenants`. Empty if
 * there are no such files but a database is set. Throws `CliError` if there are neither files nor a database, and `TenantFileError` with
 * every problem of the files.
 */
export function fileTenants(context: CliContext): readonly LoadedTenant[] {
  const paths = tenantPaths(context);
  return paths === null ? [] : loadTenantFiles(paths, loadOptions(context));
}

/**
 * The paths of tenant files. Null if there are none but a database is set, because the ledger (Lockstep's database) may then list tenants.
 * Throws `CliError` if there are neither files nor a database.
 */
function tenantPaths(context: CliContext): readonly string[] | null {
  const settings = context.settings();
  const running = readEndpoints(settings.home);
  const isNamed = Boolean(context.env['LOCKSTEP_TENANTS']);
  if (!isNamed && running === null && !settings.tenants.some((path) => existsSync(path))) {
    if (settings.databaseUrl !== null) return null;
    throw new CliError(
      'Nothing is running here, and there is no folder "tenants": run "npm start", or name your tenant files with ' +
        'LOCKSTEP_TENANTS.',
    );
  }
  return isNamed ? settings.tenants : (running?.tenants ?? settings.tenants);
}

/**
 * Loads the usable tenant files and leaves out unusable ones. Throws `TenantFileError` if no file is usable, and `CliError` if there are
 * neither files nor a database.
 */
export function usableFiles(context: CliContext): UsableFiles {
  const paths = tenantPaths(context);
  return paths === null ? { loaded: [], broken: new Map() } : usableTenantFiles(paths, loadOptions(context));
}

/**
 * All tenants of tenant files and of the registry (the list of tenants in Lockstep's database): those that this process can serve, those
 * that it cannot serve, and removed ones. If the registry cannot be read, prints a warning and returns only the tenants of files; throws
 * the error if there are none. Throws `TenantFileError` if no file is usable, and `CliError` if there are neither files nor a database.
 */
export async function ownRoster(context: CliContext, ledger: () => Promise<Ledger>): Promise<Roster> {
  const { loaded: files, broken } = usableFiles(context);
  const { databaseUrl: url, home } = context.settings();
  const hasDatabase = url !== null || readEndpoints(home) !== null;
  try {
    const opened = hasDatabase ? await ledger() : null;
    const declared = (await opened?.tenantsSince(0)) ?? [];
    const roster = rosterOf(files, declared, loadOptions(context), new Map(), broken);
    return withMappings(roster, (await opened?.mappingsSince(0)) ?? []);
  } catch (error) {
    if (files.length === 0) throw error;
    context.tell('The registry cannot be read: only tenants of tenant files are known here, and no published mapping.');
    return rosterOf(files, [], loadOptions(context), new Map(), broken);
  }
}

/**
 * Opens a list of tenants that follows the changes of the registry (the list of tenants in Lockstep's database) while the process runs.
 * `component`: the kind of process, such as `worker`.
 */
export function followRoster(
  context: CliContext,
  component: string,
  { files, registry }: { readonly files: UsableFiles; readonly registry: Registry },
): Promise<LiveRoster> {
  return openRoster({
    ...{ files: files.loaded, broken: files.broken, registry },
    load: loadOptions(context),
    process: `${component} ${process.pid} on ${hostname()}`,
    log: context.log(component),
    now: () => new Date().toISOString(),
  });
}

/**
 * Opens a list of tenants that follows the changes of the registry (the list of tenants in Lockstep's database) while an operator's command
 * runs. Logs and reports nothing. Throws `TenantFileError` if no file is usable, `CliError` if there is no database, and the ledger's errors.
 */
export async function operatorRoster(context: CliContext, ledger: () => Promise<Ledger>): Promise<LiveRoster> {
  const { loaded: files, broken } = usableFiles(context);
  return openRoster({
    ...{ files, broken, registry: withoutReports(await ledger()), load: loadOptions(context) },
    ...{ process: 'command', log: silentLogger, now: () => new Date().toISOString() },
  });
}

/**
 * The registry (the list of tenants in Lockstep's database) for a process that must not report tenants that it cannot serve. Programs on an
 * operator's machine may lack the secrets of tenants. This stops no work of Lockstep, so it must not raise the alert for workers and
 * receivers.
 */
export function withoutReports({ tenantsSince, mappingsSince }: Registry): Registry {
  return { tenantsSince, mappingsSince, reportUnavailable: async () => undefined };
}

/** Settings of the connection to Temporal: Temporal's own environment variables, else the server of a running `lockstep up`. */
export function ownTemporal(context: CliContext): TemporalConnection {
  const running = readEndpoints(context.settings().home)?.temporal.address;
  const fallback = running === undefined ? {} : { TEMPORAL_ADDRESS: running };
  return loadTemporalConnection({ ...fallback, ...context.env });
}
