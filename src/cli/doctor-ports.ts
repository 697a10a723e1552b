import { NARROWABLE } from '../domain/record/fields.ts';
import { crmFieldOf, directionOf, type MappingConfig } from '../domain/record/mapping-config.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import { NoticesFileError } from '../notices/read-notices-file.ts';
import { remoteFailure } from '../observe/remote-failure.ts';
import type { DoctorPorts, DoctorRemotes } from '../operator/doctor/checks.ts';
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
import type { OperatorTools } from './operator-tools.ts';
import { sendProbe } from './receiver-probe.ts';
import { readEndpoints } from './running/endpoints.ts';
import { fileTenants, ownTemporal } from './runtime.ts';
import { connectTemporal } from './temporal.ts';
import { temporalFacts } from './temporal-facts.ts';

/** A resource that is closed when `lockstep doctor` ends. */
export type Opened = { close(): Promise<unknown> };

/**
 * Makes the functions (ports) with which `lockstep doctor` examines the installation, from the tools of a command. `keep` is called with
 * every opened resource, so that the command closes it.
 */
export function doctorPorts(
  context: CliContext,
  tools: Pick<OperatorTools, 'ledger' | 'now'> & {
    /** The tenants to check, by name. The map is filled once the tenants are known. */
    readonly served: ReadonlyMap<string, Tenant>;
  },
  keep: (part: Opened) => void,
  receiverUrl?: string,
): DoctorPorts {
  const running = readEndpoints(context.settings().home)?.webhooks;
  const remotes = new Map<string, DoctorRemotes>();
  let temporal: ReturnType<typeof connectTemporal> | undefined;
  return {
    nodeVersion: process.versions.node,
    tenants: () => fileTenants(context).map(({ tenant }) => tenant),
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
      const of = tools.served.get(tenant);
      if (of === undefined) throw new TypeError('the doctor asks for a tenant that it does not look at');
      const known = remotes.get(tenant) ?? doctorRemotes(of, tools, keep);
      remotes.set(tenant, known);
      return known;
    },
    fieldNeeds,
    receiver: () => receiverReady(receiverUrl === undefined ? running?.ops : undefined, receiverUrl),
    roundTrip: (tenant) => sendProbe(receiverUrl ?? running?.baseUrl, tenant),
    now: tools.now,
  };
}

function doctorRemotes(
  tenant: Tenant,
  { ledger }: Pick<OperatorTools, 'ledger'>,
  keep: (part: Opened) => void,
): DoctorRemotes {
  let lastInfo: CrmLimitInfo | null = null;
  const { crm, vendor } = connectRemotes(tenant, {
    keys: ledgerKeys(tenant, ledger),
    onCrmRequest: ({ limitInfo }) => {
      lastInfo = limitInfo ?? lastInfo;
    },
  });
  keep(crm);
  const { probe, limits, schema, setup, changeEvents, eventAllowance } = crm;
  const { productsWithoutOffer, knownOffers, sharedLeadsWithout } = crm;
  const orgReads = { schema, productsWithoutOffer, knownOffers, sharedLeadsWithout };
  const { searchLeadOpportunities, readLeadOpportunity, searchOrders } = vendor;
  return {
    crm: { probe, limits, setup, changeEvents, eventAllowance, ...orgReads },
    vendor: { searchLeadOpportunities, readLeadOpportunity, searchOrders },
    apiRequests: () => lastInfo,
  };
}

/**
 * For each Salesforce object: the fields that Lockstep reads, the fields without which it cannot decide anything (`essential`), and the
 * fields that it writes.
 */
export function fieldNeeds({
  salesforce,
  mapping,
  orders,
}: Pick<Tenant, 'salesforce' | 'mapping' | 'orders'>): readonly FieldNeeds[] {
  const full = fullSelection(salesforce.multiCurrency, [mapping]);
  const selection = { ...full, Opportunity: [...full.Opportunity, ...[orders.poReference ?? []].flat()] };
  return GRAPH_OBJECTS.map((object) => ({
    object,
    // Leaves out fields of related records (such as `Campaign.Code__c`), because the check of the mapping covers them.
    reads: selection[object].filter((name) => !name.includes('.')),
    essential: ESSENTIAL_FIELDS[object],
    writes: object === 'Opportunity' ? [...writtenFields(mapping), ...OWN_WRITES] : (WRITES[object] ?? []),
  }));
}

/** The API names of the opportunity's fields into which Lockstep writes the vendor's changes. */
function writtenFields(mapping: MappingConfig): readonly string[] {
  return NARROWABLE.filter((field) => directionOf(field, mapping) !== 'to-vendor').map((field) =>
    crmFieldOf(field, mapping),
  );
}

const OWN_WRITES = ['Vendor_Id__c', 'Vendor_Status__c'];
const WRITES: Readonly<Record<string, readonly string[]>> = {
  Lockstep_Sync__c: ['Sync_State__c', 'Message__c'],
};

const RECEIVER_MS = 5_000;

/**
 * Whether the webhook receiver is ready; null if no address of the receiver is known. If the address of its port for operators (`ops`) is
 * known, the request goes to `/readyz` there. Otherwise it goes to `/healthz` at the public address, which only shows that the receiver
 * runs.
 */
async function receiverReady(ops: string | undefined, receiverUrl: string | undefined): Promise<boolean | null> {
  const address = ops === undefined ? receiverUrl && `${receiverUrl}/healthz` : `${ops}/readyz`;
  if (address === undefined) return null;
  const answer = await fetch(address, {
    redirect: 'manual',
    signal: AbortSignal.timeout(RECEIVER_MS),
  }).catch(() => null);
  return answer?.ok === true;
}

/** Classes of Lockstep's own errors. Their messages name the cause and contain no secret, so they can be shown. */
const EXPLAINED = [CliError, LedgerError, NoticesFileError, SealingError, SettingsError, TenantFileError];

/** Why a check of `lockstep doctor` failed, as text without values of records. */
export function reasonOf(error: unknown): string {
  const remote = remoteFailure(error);
  if (remote !== null) return remote;
  if (EXPLAINED.some((type) => error instanceof type)) return (error as Error).message;
  return error instanceof Error ? error.name : 'an unknown failure';
}
