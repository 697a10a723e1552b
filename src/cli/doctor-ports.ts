import type { Client, Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { readEndpoints } from '../dev/home/endpoints.ts';
import { FIELDS } from '../domain/record/fields.ts';
import { STREAM_NAMES } from '../domain/streams/streams.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import { remoteFailure } from '../observe/remote-failure.ts';
import type { DoctorPorts, DoctorRemotes } from '../operator/doctor/checks.ts';
import type { TemporalFacts } from '../operator/doctor/judge-installation.ts';
import type { FieldNeeds } from '../operator/doctor/judge-remotes.ts';
import { TenantFileError } from '../platform/problems.ts';
import { SealingError } from '../platform/sealing.ts';
import { loadSealingKeys } from '../platform/sealing-key.ts';
import { SettingsError } from '../platform/settings.ts';
import type { Tenant } from '../platform/tenant.ts';
import { ESSENTIAL_FIELDS, fullSelection, GRAPH_OBJECTS } from '../salesforce/graph-fields.ts';
import type { CrmLimitInfo } from '../salesforce/options.ts';
import { connectRemotes } from '../worker/remotes.ts';
import type { CliContext } from './context.ts';
import { CliError } from './exit.ts';
import { ledgerKeys } from './ledger-keys.ts';
import type { OperatorTools } from './operator-verb.ts';
import { connectTemporal, ownTemporal } from './runtime.ts';

/** What is closed when the doctor has done. */
export type Opened = { close(): Promise<unknown> };

/** The doctor's ports over the tools of a verb; what is opened is handed to `keep`. */
export function doctorPorts(
  context: CliContext,
  tools: OperatorTools,
  keep: (part: Opened) => void,
): DoctorPorts {
  const remotes = new Map<string, DoctorRemotes>();
  let temporal: ReturnType<typeof connectTemporal> | undefined;
  return {
    nodeVersion: process.versions.node,
    tenants: tools.tenants,
    sealingKeys: async () => (await loadSealingKeys(context.settings().sealingKeyFile)).length,
    ledger: tools.ledger,
    temporal: async (tenant) => {
      temporal ??= connectTemporal(context).then((opened) => {
        keep(opened.connection);
        return opened;
      });
      const { client, connection } = await temporal;
      return temporalFacts(client, connection, { ...ownTemporal(context), tenant });
    },
    remotes: (tenant) => {
      const known = remotes.get(tenant) ?? doctorRemotes(tools.tenant(tenant), tools, keep);
      remotes.set(tenant, known);
      return known;
    },
    fieldNeeds,
    receiver: () => receiverReady(context),
    now: tools.now,
  };
}

function doctorRemotes(
  tenant: Tenant,
  { ledger }: Pick<OperatorTools, 'ledger'>,
  keep: (part: Opened) => void,
): DoctorRemotes {
  let told: CrmLimitInfo | null = null;
  const { crm, vendor } = connectRemotes(tenant, {
    keys: ledgerKeys(tenant, ledger),
    onCrmRequest: ({ limitInfo }) => {
      told = limitInfo ?? told;
    },
  });
  keep(crm);
  const { probe, limits } = crm;
  const { searchLeadOpportunities, readLeadOpportunity, searchOrders } = vendor;
  return {
    crm: { probe, limits },
    vendor: { searchLeadOpportunities, readLeadOpportunity, searchOrders },
    apiRequests: () => told,
  };
}

async function temporalFacts(
  client: Client,
  connection: Connection,
  {
    address,
    namespace,
    tenant,
  }: { readonly address: string; readonly namespace: string; readonly tenant: string },
): Promise<TemporalFacts> {
  const known = await connection.operatorService.listSearchAttributes({ namespace });
  const names = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);
  const schedules = await Promise.all(
    STREAM_NAMES.map(async (stream) => {
      const id = workflowIds.scheduled(tenant, stream);
      const described = await client.schedule
        .getHandle(id)
        .describe()
        .catch(() => null);
      return { id, isMissing: described === null, isPaused: described?.state.paused === true };
    }),
  );
  const queues = Object.values(TASK_QUEUES).map(
    async (name) => [name, await pollersOf(connection, namespace, name)] as const,
  );
  return {
    address,
    namespace,
    missingAttributes: names.filter((name) => known.customAttributes?.[name] === undefined),
    missingSchedules: schedules.filter(({ isMissing }) => isMissing).map(({ id }) => id),
    pausedSchedules: schedules.filter(({ isPaused }) => isPaused).map(({ id }) => id),
    pollers: Object.fromEntries(await Promise.all(queues)),
  };
}

/** `TASK_QUEUE_TYPE_ACTIVITY` of Temporal's API: both queues have activities. */
const ACTIVITY = 2;

async function pollersOf(connection: Connection, namespace: string, name: string): Promise<number> {
  const taskQueue = { name };
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue,
    taskQueueType: ACTIVITY,
  });
  return pollers?.length ?? 0;
}

/** What is read of each object, and written where a change of the vendor's goes to the CRM. */
export function fieldNeeds({ salesforce }: Pick<Tenant, 'salesforce'>): readonly FieldNeeds[] {
  const selection = fullSelection(salesforce.multiCurrency);
  return GRAPH_OBJECTS.map((object) => ({
    object,
    reads: selection[object],
    essential: ESSENTIAL_FIELDS[object],
    writes: WRITES[object] ?? [],
  }));
}

const OWN_FIELDS: readonly string[] = Object.values(FIELDS)
  .filter(({ direction, kind, fillsCrm }) => direction === 'both' && kind !== 'lines' && !fillsCrm)
  .map(({ crm }) => crm);
const WRITES: Readonly<Record<string, readonly string[]>> = {
  Opportunity: [...OWN_FIELDS, 'Vendor_Id__c', 'Vendor_Status__c'],
  Lockstep_Sync__c: ['Sync_State__c', 'Message__c'],
};

const RECEIVER_MS = 5_000;

/** Of a running `npm start` the address is known; elsewhere the receiver is behind what ends TLS. */
async function receiverReady(context: CliContext): Promise<boolean | null> {
  const ops = readEndpoints(context.settings().home)?.webhooks.ops;
  if (ops === undefined) return null;
  const answer = await fetch(`${ops}/readyz`, { signal: AbortSignal.timeout(RECEIVER_MS) }).catch(() => null);
  return answer?.ok === true;
}

/** Errors whose message is ours, explains fully and holds no secret. */
const EXPLAINED = [CliError, LedgerError, SealingError, SettingsError, TenantFileError];

/** Why something could not be looked at, in words without a value. */
export function reasonOf(error: unknown): string {
  const remote = remoteFailure(error);
  if (remote !== null) return remote;
  if (EXPLAINED.some((type) => error instanceof type)) return (error as Error).message;
  return error instanceof Error ? error.name : 'an unknown failure';
}
