import { existsSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { readEndpoints } from '../dev/home/endpoints.ts';
import { ensureSecrets } from '../dev/home/secrets.ts';
import { simulatorDefaults } from '../dev/home/simulator-defaults.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/open.ts';
import { createSealing } from '../platform/sealing.ts';
import { loadSealingKeys } from '../platform/sealing-key.ts';
import type { Settings } from '../platform/settings.ts';
import { loadTemporalConnection, type TemporalConnection } from '../platform/temporal-connection.ts';
import type { Tenant } from '../platform/tenant.ts';
import { loadTenants } from '../platform/tenant-file.ts';
import type { CliContext } from './context.ts';
import { CliError } from './exit.ts';

/** The ledger's address: DATABASE_URL, else the embedded server of a running `lockstep up`. */
export function databaseUrl(settings: Settings): string {
  const url = settings.databaseUrl?.reveal() ?? readEndpoints(settings.home)?.postgres.url;
  if (url !== undefined) return url;
  throw new CliError('There is no database: set DATABASE_URL, or run "npm start", which brings its own.');
}

/**
 * The ledger with this home's sealing key, which must be there: a process that made a key of its own would seal rows
 * that no other process can open. `connections`: at most, where the environment names no number. Throws `LedgerError` or
 * `SealingError`.
 */
export async function openOwnLedger(settings: Settings, connections?: number): Promise<Ledger> {
  const [key, ...oldKeys] = await loadSealingKeys(settings.sealingKeyFile);
  const poolSize = settings.databaseConnections ?? connections;
  return openLedger({
    url: databaseUrl(settings),
    sealing: createSealing(key, oldKeys),
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}

/**
 * The tenants: LOCKSTEP_TENANTS, else those of a running `lockstep up`, else the folder `tenants`. Throws `CliError`
 * where there is none of these, `TenantFileError` with every problem.
 */
export function ownTenants(context: CliContext): readonly Tenant[] {
  const settings = context.settings();
  const running = readEndpoints(settings.home);
  const isNamed = Boolean(context.env['LOCKSTEP_TENANTS']);
  if (!isNamed && running === null && !settings.tenants.some((path) => existsSync(path))) {
    throw new CliError(
      'Nothing is running here, and there is no folder "tenants": run "npm start", or name your tenant files with ' +
        'LOCKSTEP_TENANTS.',
    );
  }
  const paths = isNamed ? settings.tenants : (running?.tenants ?? settings.tenants);
  const simulators = running === null ? {} : simulatorDefaults(running, ensureSecrets(settings.home));
  return loadTenants(paths, { env: context.env, simulators, secrets: settings.tenantSecrets });
}

/** The tenant of that name, or the only one. */
export function chooseTenant(tenants: readonly Tenant[], name: string | undefined): Tenant {
  const names = tenants.map(({ tenant }) => tenant).join(', ');
  if (name === undefined && tenants.length > 1) {
    throw new CliError(`There are several tenants; name one with --tenant: ${names}.`);
  }
  const found = name === undefined ? tenants[0] : tenants.find(({ tenant }) => tenant === name);
  if (found === undefined) throw new CliError(`There is no tenant "${name ?? ''}"; known: ${names}.`);
  return found;
}

/** Where Temporal is: its own settings, else the server of a running `lockstep up`. */
export function ownTemporal(context: CliContext): TemporalConnection {
  const running = readEndpoints(context.settings().home)?.temporal.address;
  const fallback = running === undefined ? {} : { TEMPORAL_ADDRESS: running };
  return loadTemporalConnection({ ...fallback, ...context.env });
}

/** A client of that Temporal. Close the connection after use. */
export async function connectTemporal(
  context: CliContext,
): Promise<{ client: Client; connection: Connection }> {
  const { address, namespace, options } = ownTemporal(context);
  try {
    const connection = await Connection.connect({ ...options, connectTimeout: '5s' });
    return { client: new Client({ connection, namespace }), connection };
  } catch {
    throw new CliError(
      `Temporal does not answer at ${address}: run "npm start", or set TEMPORAL_ADDRESS to a running server.`,
    );
  }
}
