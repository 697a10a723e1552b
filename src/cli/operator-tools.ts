import type { Client } from '@temporalio/client';
import type { Run } from '../console/ports.ts';
import type { CrmNames } from '../domain/record/mapping-config.ts';
import type { Audits } from '../intake/audits.ts';
import type { Backfills } from '../intake/backfill.ts';
import type { Guards } from '../intake/guard.ts';
import type { Intake } from '../intake/intake.ts';
import type { Rotation } from '../intake/rotation.ts';
import type { StreamStarts } from '../intake/stream-starts.ts';
import type { TenantWorkflows } from '../intake/tenant-workflows.ts';
import type { Undos } from '../intake/undo.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Addresses } from '../operator/explain/explain-record.ts';
import type { RemoteRecords } from '../operator/records/remote-records.ts';
import type { ResolvePorts } from '../operator/records/resolve-conflict.ts';
import type { LiveRoster } from '../platform/live-roster.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Roster } from '../platform/tenant-roster.ts';
import { chooseTenant } from './choose-tenant.ts';
import type { CliContext } from './context.ts';
import { ledgerKeys } from './ledger-keys.ts';
import type { ReadableRemotes } from './readable-remotes.ts';
import { addressesOf } from './record-addresses.ts';
import { openOwnLedger, operatorRoster, ownRoster } from './runtime.ts';

export { runRecorded } from './recorded-run.ts';

/**
 * The resources and functions for an operator's command. Each resource is opened when it is first used, and closed when the command ends.
 */
export type OperatorTools = {
  /** The command's process context: output, settings, exit code. */
  readonly context: CliContext;
  /**
   * All tenants of tenant files and of the registry (the list of tenants in Lockstep's database), including those that this process cannot
   * serve.
   */
  roster(): Promise<Roster>;
  /**
   * The tenants as a command that runs for long needs them: while the command runs, the list follows the changes of the registry (the list
   * of tenants in Lockstep's database). Tenant files are read once.
   */
  followed(): Promise<LiveRoster>;
  /** The tenants that this process serves: their settings and secrets are usable here. */
  tenants(): Promise<readonly Tenant[]>;
  /**
   * The tenant with this name; without a name, the only tenant. Throws CliError if there is no such tenant, or if no name is given and
   * there are several.
   */
  tenant(name: string | undefined): Promise<Tenant>;
  ledger(): Promise<Ledger>;
  /**
   * Requests the sync of records: stores in the ledger (Lockstep's database) that their links (stored pairs of CRM record and vendor
   * record) have a change to sync, and signals their workflows.
   */
  intake(): Promise<Intake>;
  /** Starts and observes audits in Temporal. */
  audits(): Promise<Audits>;
  /** Starts and controls backfills in Temporal. */
  backfills(): Promise<Backfills>;
  /** Starts and controls undos in Temporal. */
  undos(): Promise<Undos>;
  /**
   * Sends signals that end the waits of workflows. One kind of workflow tests from time to time whether a paused operation group (requests
   * to a remote that fail together) works again. The signal makes it test now. The other kind syncs records, and waits before a retry or
   * for a rate limit. The signal makes it try now.
   */
  guards(): Promise<Guards>;
  /** Starts and controls rotations of API keys in Temporal. */
  rotation(): Promise<Rotation>;
  /** Counts, searches and deletes the workflows of one tenant in Temporal. */
  tenantWorkflows(): Promise<TenantWorkflows>;
  /** Starts the read of a stream (source of changes) when an operator asks for it. */
  streamStarts(): Promise<StreamStarts>;
  /** Reads records in the CRM and at the vendor, and sets fields in the CRM, for the tenant `name` (without a name, the only tenant). */
  remote(name: string | undefined): Promise<RemoteRecords & Pick<ResolvePorts, 'setInCrm'>>;
  /**
   * Reads records in the CRM and at the vendor, for the tenant `name` (without a name, the only tenant). Cannot write. `alsoMapped`:
   * further mappings whose CRM fields are read too.
   */
  readable(name: string | undefined, ...alsoMapped: readonly CrmNames[]): Promise<ReadableRemotes>;
  /**
   * The Temporal workflow runs that worked on a record, newest first. `key`: the key of the record's link. `at`: when Lockstep worked on
   * the record, ISO. Empty if Temporal does not answer.
   */
  runs(tenant: Tenant, key: string, at: readonly string[]): Promise<readonly Run[]>;
  /** Web addresses at which an operator can view a tenant's records. */
  addresses(tenant: Tenant): Addresses;
  /** The present instant, ISO. */
  now(): string;
  /** Prints a partial result before the command ends: with `--json` one line of JSON, otherwise `lines`. */
  emit(event: object, lines: readonly string[]): void;
  /** Prints a result that is updated again and again. On a terminal, it replaces the result that was printed before. */
  show(event: object, lines: readonly string[]): void;
  /** Shows progress on stderr: as one changing line on a terminal, elsewhere at intervals. */
  progress(text: string): void;
};

/** The operator's tools that need a Temporal client. */
function temporalTools(
  context: CliContext,
  temporal: () => Promise<Client>,
  ledger: () => Promise<Ledger>,
): Pick<
  OperatorTools,
  'intake' | 'audits' | 'backfills' | 'undos' | 'guards' | 'rotation' | 'runs' | 'streamStarts' | 'tenantWorkflows'
> {
  return {
    runs: async (tenant, key, at) => {
      const { runsOf } = await import('./temporal-runs.ts');
      const { temporal: ui } = addressesOf(context, tenant);
      return temporal()
        .then((client) => runsOf(client, ui, { tenant: tenant.tenant, key, at }))
        .catch(() => []);
    },
    intake: async () => {
      const { createIntake } = await import('../intake/intake.ts');
      const own = await ledger();
      return createIntake(await temporal(), own);
    },
    audits: async () => {
      const { createAudits } = await import('../intake/audits.ts');
      return createAudits(await temporal());
    },
    backfills: async () => {
      const { createBackfills } = await import('../intake/backfill.ts');
      return createBackfills(await temporal());
    },
    undos: async () => {
      const { createUndos } = await import('../intake/undo.ts');
      return createUndos(await temporal());
    },
    guards: async () => {
      const { createGuards } = await import('../intake/guard.ts');
      return createGuards(await temporal());
    },
    rotation: async () => {
      const { createRotation } = await import('../intake/rotation.ts');
      return createRotation(await temporal());
    },
    tenantWorkflows: async () => {
      const { createTenantWorkflows } = await import('../intake/tenant-workflows.ts');
      return createTenantWorkflows(await temporal());
    },
    streamStarts: async () => {
      const { createStreamStarts } = await import('../intake/stream-starts.ts');
      return createStreamStarts(await temporal());
    },
  };
}

/**
 * Makes a function that opens a resource at its first call. Later calls return the opened resource. After a failure, the next call tries to
 * open it again. The command `migrate` needs this, because the ledger can be opened only after the migration.
 */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/** Lets the list of tenants follow the registry until `close`. */
function watched(roster: LiveRoster): { readonly close: () => Promise<void> } {
  const ended = new AbortController();
  const watching = roster.watch(ended.signal);
  return {
    close: async () => {
      ended.abort();
      await watching;
    },
  };
}

export async function withTools<T>(
  context: CliContext,
  { json }: { readonly json: boolean },
  use: (tools: OperatorTools) => Promise<T>,
): Promise<T> {
  const opened: { close(): Promise<unknown> }[] = [];
  const keep = <R extends { close(): Promise<unknown> }>(part: R): R => {
    opened.push(part);
    return part;
  };
  const temporal = async (): Promise<Client> => {
    const { connectTemporal } = await import('./temporal.ts');
    const { client, connection } = await connectTemporal(context);
    keep(connection);
    return client;
  };
  const tools: OperatorTools = {
    context,
    roster: once(() => ownRoster(context, () => tools.ledger())),
    followed: once(async () => {
      const roster = await operatorRoster(context, () => tools.ledger());
      keep(watched(roster));
      return roster;
    }),
    tenants: async () => [...(await tools.roster()).served.values()].map(({ tenant }) => tenant),
    tenant: async (name) => chooseTenant(await tools.roster(), name),
    ledger: once(() => openOwnLedger(context.settings(), { isWalled: true }).then(keep)),
    ...temporalTools(context, temporal, () => tools.ledger()),
    remote: async (name) => {
      const tenant = await tools.tenant(name);
      const { remoteRecords } = await import('./remote-records.ts');
      return keep(remoteRecords(tenant, ledgerKeys(tenant, tools.ledger), tools.ledger));
    },
    readable: async (name, ...alsoMapped) => {
      const tenant = await tools.tenant(name);
      const { readableRemotes } = await import('./readable-remotes.ts');
      return keep(readableRemotes(tenant, ledgerKeys(tenant, tools.ledger), alsoMapped));
    },
    addresses: (tenant) => addressesOf(context, tenant),
    now: () => new Date().toISOString(),
    emit: (event, lines) => {
      if (json) context.print(JSON.stringify(event));
      else for (const line of lines) context.say(line);
    },
    show: (event, lines) => {
      if (!json) context.clear();
      tools.emit(event, lines);
    },
    progress: (text) => context.progress(text),
  };
  try {
    return await use(tools);
  } finally {
    for (const part of opened.reverse()) await part.close();
  }
}
