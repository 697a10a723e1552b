import type { VendorGroup } from '../../domain/loop/operation-groups.ts';
import type { CrmLimits } from '../../domain/record/crm-limits.ts';
import { DEFAULT_CHANNEL } from '../../domain/streams/change-events.ts';
import { earlier, FIRST_LOOK_BACK_MS } from '../../domain/streams/look-back.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { judgeMapping, schemaFor } from '../../observe/mapping/judge-mapping.ts';
import { judgeOffers } from '../../observe/mapping/judge-offers.ts';
import { judgeSharedLeads } from '../../observe/mapping/judge-shared-leads.ts';
import type { Misfit } from '../../observe/mapping/problem.ts';
import { throughGate } from '../../observe/quota-gate.ts';
import { isAnswerAboutNoRecord } from '../../observe/remote-failure.ts';
import type { OrderApi, RateLimit, SalesApi } from '../../partner-api/index.ts';
import type { ChangesBy, Tenant } from '../../platform/tenant.ts';
import type { Crm } from '../../salesforce/crm.ts';
import type { OrgReads } from '../mapping/org-reads.ts';
import { crmCallsToday } from '../status/crm-calls.ts';
import { readVendorWatch } from '../status/vendor-watch.ts';
import { type Check, type Judgment, ok } from './finding.ts';
import { flowsOf } from './judge-flows.ts';
import { judgeKey, judgeLedgerSize, judgeNode, judgeTemporal, type TemporalFacts } from './judge-installation.ts';
import { judgePoReference } from './judge-orders.ts';
import { judgeOwnerNotices, objectsOfNotices } from './judge-owner-notices.ts';
import { judgeReceiver, judgeRoundTrip, type RoundTrip } from './judge-receiver.ts';
import {
  type Allowance,
  type FieldNeeds,
  judgeAllowance,
  judgeCalls,
  judgeChanges,
  judgeClock,
  judgeFields,
} from './judge-remotes.ts';
import { judgeRenewals } from './judge-renewals.ts';
import { judgeSetup } from './judge-setup.ts';
import { judgeVendor } from './judge-vendor.ts';

/** The requests that `lockstep doctor` sends to a tenant's CRM and vendor. All of them only read. */
export type DoctorRemotes = {
  readonly crm: OrgReads & Pick<Crm, 'probe' | 'limits' | 'setup' | 'changeEvents' | 'eventAllowance'>;
  readonly vendor: Pick<SalesApi, 'searchLeadOpportunities' | 'readLeadOpportunity'> & Pick<OrderApi, 'searchOrders'>;
  /** The org's daily API requests, according to the last response; null before the first response. */
  readonly apiRequests: () => { readonly used: number; readonly limit: number } | null;
};

export type DoctorPorts = {
  readonly nodeVersion: string;
  readonly tenants: () => readonly Tenant[];
  /** Reads the file of sealing keys (encryption keys of the installation) and returns their number. Throws if the file cannot be used. */
  readonly sealingKeys: () => Promise<number>;
  readonly ledger: () => Promise<
    Pick<
      Ledger,
      | 'listLinks'
      | 'findLink'
      | 'sizeBytes'
      | 'reserveRequest'
      | 'reportQuota'
      | 'quotas'
      | 'cursor'
      | 'notedCodes'
      | 'crmUse'
    >
  >;
  readonly temporal: (tenant: string) => Promise<TemporalFacts>;
  readonly remotes: (tenant: string) => DoctorRemotes;
  readonly fieldNeeds: (tenant: Tenant) => readonly FieldNeeds[];
  /** Whether the webhook receiver is ready; null if the receiver's address is not known. */
  readonly receiver: () => Promise<boolean | null>;
  /** Sends the receiver a test message (an outbound message that names no opportunity) on the tenant's webhook path, as the org would. */
  readonly roundTrip: (tenant: Tenant) => Promise<RoundTrip>;
  readonly now: () => string;
};

/** The checks that need no request: of Node, tenant files and the sealing key (encryption key). */
export function offlineChecks({ nodeVersion, tenants, sealingKeys }: DoctorPorts): readonly Check[] {
  return [
    {
      check: 'node',
      tenant: null,
      repair: 'use the Node of this installation',
      run: async () => judgeNode(nodeVersion),
    },
    {
      check: 'tenant-files',
      tenant: null,
      repair: 'correct the lines that are named',
      run: async () => [ok(`${tenants().length} tenants`)],
    },
    {
      check: 'sealing-key',
      tenant: null,
      repair:
        'give this process the key file of the fleet (LOCKSTEP_SEALING_KEY=file:PATH), readable by its user alone',
      run: async () => [ok(`${await sealingKeys()} sealing keys`)],
    },
  ];
}

/** The checks of one tenant that send requests. Systems that several tenants share, such as Temporal, are checked again for each tenant. */
export function onlineChecks(ports: DoctorPorts, tenant: Tenant): readonly Check[] {
  const name = tenant.tenant;
  const check = (what: string, repair: string, run: Check['run']): Check => ({
    check: what,
    tenant: name,
    repair,
    run,
  });
  return [
    check('ledger', 'start PostgreSQL, set DATABASE_URL, or run lockstep migrate', async () =>
      judgeLedgerSize(await (await ports.ledger()).sizeBytes()),
    ),
    check('ledger.key', 'give this process the sealing key of the fleet (LOCKSTEP_SEALING_KEY)', async () =>
      judgeKey(await ports.ledger(), name),
    ),
    check('temporal', 'start Temporal, or set TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE', async () =>
      judgeTemporal(await ports.temporal(name), tenant.vendor.ratePerSecond),
    ),
    ...(changesBy(tenant) === 'pubsub' ? [] : receiverChecks(ports, tenant, check)),
    ...salesforceChecks(ports, tenant, check),
    ...vendorChecks(ports, name, check),
    check('vendor.codes', 'start PostgreSQL, set DATABASE_URL, or run lockstep migrate', async () =>
      judgeVendor(await readVendorWatch(await ports.ledger(), name, tenant.mapping)),
    ),
  ];
}

/** The checks of the webhook receiver, which gets Salesforce's outbound messages. */
function receiverChecks(ports: DoctorPorts, tenant: Tenant, check: MakeCheck): readonly Check[] {
  return [
    check('receiver', 'start it: lockstep serve', async () => judgeReceiver(await ports.receiver())),
    check('receiver.message', 'make the secrets of webhooks.paths readable here', async () =>
      judgeRoundTrip(await ports.roundTrip(tenant)),
    ),
  ];
}

type MakeCheck = (what: string, repair: string, run: Check['run']) => Check;

const SIGN_IN = 'check the sign-in of the tenant file and the External Client App of the org';

function salesforceChecks(ports: DoctorPorts, tenant: Tenant, check: MakeCheck): readonly Check[] {
  const remotes = () => ports.remotes(tenant.tenant);
  return [
    check('salesforce.sign-in', SIGN_IN, async () => {
      const { organizationId, now } = await remotes().crm.probe();
      return [
        {
          verdict: 'ok',
          what: `signed in to the org ${organizationId}${tenant.salesforce.organizationId === null ? ' (not declared in salesforce.organizationId)' : ''}, API ${tenant.salesforce.apiVersion}`,
          repair: null,
        },
        ...judgeClock('Salesforce', now, ports.now()),
      ];
    }),
    check('salesforce.fields', SIGN_IN, async () => {
      const needs = ports.fieldNeeds(tenant);
      const objects = needs.map(({ object }) => object);
      const described: CrmLimits = await remotes().crm.limits(objects, { maxAgeMs: 0 });
      return judgeFields(needs, described);
    }),
    ...mappingChecks(remotes, tenant, check),
    check('salesforce.setup', SIGN_IN, async () =>
      judgeSetup(await remotes().crm.setup(flowsOf(tenant).map(({ name }) => name)), {
        objects: ports.fieldNeeds(tenant).map(({ object }) => object),
        allowDuplicates: tenant.salesforce.allowDuplicates,
        flows: flowsOf(tenant),
      }),
    ),
    ...changesChecks(remotes, tenant, check),
    ...ownerChecks(remotes, tenant, check),
    ...orderChecks(remotes, tenant, check),
    check('salesforce.requests', SIGN_IN, async () => judgeAllowance('API requests of the day', left(remotes()))),
    check('salesforce.share', 'start PostgreSQL, set DATABASE_URL, or run lockstep migrate', async () => {
      const uses = await (await ports.ledger()).crmUse([tenant.tenant], ports.now());
      return judgeCalls(crmCallsToday(uses.get(tenant.tenant), tenant.salesforce.apiShare));
    }),
  ];
}

/** The checks whether the tenant's mapping fits the org's fields, picklist values, products and leads. */
function mappingChecks(remotes: () => DoctorRemotes, tenant: Tenant, check: MakeCheck): readonly Check[] {
  const { mapping } = tenant;
  const judged = (misfits: readonly Misfit[], fine: string): readonly Judgment[] =>
    misfits.length > 0 ? misfits.map(({ at: _, ...rest }) => rest) : [ok(fine)];
  return [
    check('salesforce.mapping', SIGN_IN, async () => {
      const { crm } = remotes();
      const ofSchema = judgeMapping(tenant, await schemaFor(crm, mapping));
      return judged([...ofSchema, ...(await judgeSharedLeads(crm, mapping))], 'the org goes with the mapping');
    }),
    check('salesforce.offers', SIGN_IN, async () =>
      judged(await judgeOffers(remotes().crm, mapping), 'each product with prices has an offer'),
    ),
  ];
}

const CHANNEL_REPAIR = 'deploy crm-package/changes to the org: lockstep looks for the channel that it brings';

function changesBy({ salesforce }: Tenant): ChangesBy {
  return salesforce.changes ?? 'outbound';
}

/** The check of the Salesforce channel from which Lockstep reads change events. No check if the tenant uses only outbound messages. */
function changesChecks(remotes: () => DoctorRemotes, tenant: Tenant, check: MakeCheck): readonly Check[] {
  if (changesBy(tenant) === 'outbound') return [];
  return [
    check('salesforce.changes', CHANNEL_REPAIR, async () => {
      const { crm } = remotes();
      const channel = tenant.salesforce.pubSub?.channel ?? DEFAULT_CHANNEL;
      return judgeChanges(channel, await crm.changeEvents.maySubscribe(), await crm.eventAllowance());
    }),
  ];
}

/**
 * The checks whether the integration user may create notices for the owners of deals and orders. No check if the tenant file turns off both
 * kinds of notices.
 */
function ownerChecks(
  remotes: () => DoctorRemotes,
  { notify, orders, mapping }: Tenant,
  check: MakeCheck,
): readonly Check[] {
  const ways = [...new Set([notify.owner, orders.notifyOwner])].filter((by) => by !== 'none');
  if (ways.length === 0) return [];
  return [
    check('salesforce.owners', SIGN_IN, async () => {
      const objects = [...new Set(ways.flatMap(objectsOfNotices))];
      const described = await remotes().crm.limits(objects, { maxAgeMs: 0 });
      return ways.flatMap((by) => judgeOwnerNotices(by, described, mapping.leads !== undefined));
    }),
  ];
}

/**
 * Checks about orders: whether an order can find its deal by the purchase order number, and whether Lockstep can create opportunities for
 * renewals. A check is left out if the tenant file does not turn its function on.
 */
function orderChecks(remotes: () => DoctorRemotes, { orders }: Tenant, check: MakeCheck): readonly Check[] {
  const { accounts, poReference = null, renewalOpportunities = null } = orders;
  const described = () => remotes().crm.limits(['Opportunity'], { maxAgeMs: 0 });
  return [
    ...(poReference === null
      ? []
      : [check('salesforce.orders', SIGN_IN, async () => judgePoReference(poReference, accounts, await described()))]),
    ...(renewalOpportunities === null
      ? []
      : [check('salesforce.renewals', SIGN_IN, async () => judgeRenewals(renewalOpportunities, await described()))]),
  ];
}

function left({ apiRequests }: DoctorRemotes): Allowance | null {
  const requests = apiRequests();
  return requests === null ? null : { limit: requests.limit, remaining: requests.limit - requests.used };
}

const keyRepair = (tenant: string): string =>
  `which key is in use says lockstep keys status ${tenant}; see whether the vendor allows it this operation; where it has ended: lockstep keys set ${tenant}`;
/** A vendor id that no record has. Reading it tests whether the key may read, without getting data of any record. */
const NO_RECORD = 'lockstep-probe';

function vendorChecks(ports: DoctorPorts, tenant: string, check: MakeCheck): readonly Check[] {
  const KEY = keyRepair(tenant);
  const vendor = () => ports.remotes(tenant).vendor;
  async function through<T extends { readonly rateLimit: RateLimit }>(
    group: VendorGroup,
    send: () => Promise<T>,
  ): Promise<T> {
    return throughGate({ ledger: await ports.ledger(), tenant, group, now: ports.now }, send);
  }
  return [
    check('vendor.search', KEY, async () => {
      const modifiedDate = shortPeriod(ports.now());
      const answer = await through('vendor-sales', () =>
        vendor().searchLeadOpportunities({ data: [{ modifiedDate }] }),
      );
      return [
        ok('the key may search lead-opportunities'),
        ...judgeClock('the vendor', answer.info.timestamp ?? answer.date, ports.now()),
        ...judgeAllowance('requests of this window', allowanceOf(answer.rateLimit)),
      ];
    }),
    check('vendor.read', KEY, async () => {
      await through('vendor-sales', () => vendor().readLeadOpportunity({ id: NO_RECORD })).catch((error: unknown) => {
        if (!isAnswerAboutNoRecord(error)) throw error;
      });
      return [ok('the key may read lead-opportunities')];
    }),
    check('vendor.orders', KEY, async () => {
      const { fromDate: from, toDate: to } = shortPeriod(ports.now());
      await through('vendor-order', () => vendor().searchOrders({ lastUpdateDateTime: { from, to }, top: 1 }));
      return [ok('the key may search orders')];
    }),
  ];
}

function allowanceOf({ limit, remaining }: RateLimit): Allowance | null {
  return limit === null || remaining === null ? null : { limit, remaining };
}

/**
 * A period of one second, for a search that only tests whether the key may search. The period is a day ago, so that it lies in the past by
 * the vendor's clock too.
 */
function shortPeriod(now: string): { readonly fromDate: string; readonly toDate: string } {
  const toDate = earlier(now, FIRST_LOOK_BACK_MS);
  return { fromDate: earlier(toDate, 1_000), toDate };
}
