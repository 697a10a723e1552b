import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrmUser, crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { startEmbeddedPostgres } from '../../playground/postgres/start.ts';
import type { Cause } from '../../src/domain/loop/step.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import { wakeRecords } from '../../src/intake/wake.ts';
import { TASK_QUEUES } from '../../temporal.config.ts';
import { type Child, type Stack, startStack, until } from '../../test/support/stack/stack.ts';

export type VendorRecord = { readonly id: string; readonly fields: Readonly<Record<string, unknown>> };

/** The stack that all scenarios share. Polls and sweeps only run when a scenario starts them. */
export type World = {
  readonly stack: Stack;
  readonly worker: Child;
  readonly receiver: Child;
  readonly postgresPid: number;
  readonly user: CrmUser;
  readonly vendor: ReturnType<typeof simulatorAdmin>;
  readonly crm: ReturnType<typeof simulatorAdmin>;
  /** The number of records in the bulk scenarios. */
  readonly records: number;
  poll(): Promise<void>;
  sweep(): Promise<void>;
  wake(keys: readonly string[], cause: Cause): Promise<void>;
  /** The vendor's record of an opportunity. */
  atVendor(crmId: string): Promise<VendorRecord | undefined>;
  /** Waits until no workflow of a record or of the lane runs and no record is due. */
  quiet(limitMs?: number): Promise<void>;
  /** Makes a deal on both sides and waits until its echoes were handled. */
  settledDeal(name: string): Promise<{ readonly crmId: string; readonly vendorId: string }>;
  /** Makes a lead on both sides, in a world with leads, and waits until its echoes were handled. */
  settledLead(name: string): Promise<{ readonly crmId: string; readonly vendorId: string }>;
  stop(): Promise<void>;
};

/** Fields of the bench's tenant with the conflict rule `crm`. */
const RULES = { nextMilestone: 'crm' };
const OVERLAP_MS = 1_000;
/** Settings with which a measurement does not wait for a poll, the request rate or the quota. */
const FAST = { ratePerSecond: 1000, poll: { every: '24h', overlap: `${OVERLAP_MS / 1000}s` } };
/** A tenant file that sets neither, so that the defaults apply. */
const SHIPPED = { ratePerSecond: undefined, poll: undefined };
/** The overlap as a tenant has it that sets none. Polls run only when a scenario starts them. */
const SHIPPED_OVERLAP = { ...FAST, poll: { every: '24h' } };
/**
 * PostgreSQL settings that make the server count statements, and that keep it from a checkpoint during a measurement: after a checkpoint,
 * the write-ahead log gets a full image of each page that changes.
 */
const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  checkpoint_timeout: '1h',
  max_wal_size: '8GB',
};

/**
 * `inspected`: enables the inspector of worker and receiver. `program`: their program, if not the checkout's. `env`: additional environment
 * variables. `leads`: the tenant syncs leads. `shipped`: polls, overlap, request rate and quota as a tenant has them that sets none.
 * `shippedOverlap`: only the overlap of polls is as shipped.
 */
export async function openWorld(options: {
  readonly records: number;
  readonly inspected?: boolean;
  readonly program?: string;
  readonly leads?: true;
  readonly shipped?: true;
  readonly shippedOverlap?: true;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<World> {
  const home = await mkdtemp(join(tmpdir(), 'lockstep-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'data'), settings: COUNTING });
  const stack = await startStack({
    databaseUrl: postgres.url,
    inspected: options.inspected === true,
    ...(options.program !== undefined && { program: options.program }),
    env: options.env ?? {},
    pollEvery: '24h',
    sweepEvery: '24h',
    mapping: { rules: RULES },
    ...(options.leads && { leads: options.leads }),
    adapt: (file) => ({
      ...file,
      ...(options.leads && { leads: {} }),
      vendor: { ...file.vendor, ...settingsOf(options) },
    }),
  });
  await stack.ledgerQuery('create extension if not exists pg_stat_statements');
  const vendor = simulatorAdmin(stack.vendor.adminUrl);
  if (!options.shipped) await vendor.quota(1_000_000, 60);
  const [worker, receiver] = await Promise.all([stack.startWorker(), stack.startReceiver()]);
  await firstReads(stack);
  const world = worldOf(stack, vendor, options);
  return {
    ...world,
    worker,
    receiver,
    postgresPid: postgres.pid,
    stop: async () => {
      await stack.stop();
      await postgres.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function settingsOf({ shipped, shippedOverlap }: { readonly shipped?: true; readonly shippedOverlap?: true }) {
  if (shipped) return SHIPPED;
  return shippedOverlap ? SHIPPED_OVERLAP : FAST;
}

/**
 * Waits until each stream of a new tenant was read once automatically, which happens within half a minute and not again during the bench.
 * Otherwise a sweep could find a scenario's edit and wake its record in addition to the counted message.
 */
async function firstReads({ tenant, ledgerQuery }: Stack): Promise<void> {
  const last = [cursorOf('pollVendor'), cursorOf('sweepSalesforce', 'Lockstep_Sync__c')];
  await until("the tenant's streams have been read", async () => {
    const rows = await ledgerQuery(`select stream from cursors where tenant = '${tenant}'`);
    const read = new Set(rows.map(({ stream }) => stream));
    return last.every((name) => read.has(name));
  });
}

type Processes = 'worker' | 'receiver' | 'postgresPid' | 'stop';

function worldOf(
  stack: Stack,
  vendor: World['vendor'],
  { records, shippedOverlap }: { readonly records: number; readonly shippedOverlap?: true },
): Omit<World, Processes> {
  const { client, tenant } = stack;
  const user = crmUser(stack.salesforce.url, stack.salesforce.user.accessToken);
  let runs = 0;
  async function run(type: string): Promise<void> {
    runs += 1;
    const workflowId = `bench/${type}/${runs}`;
    await client.workflow.execute(type, { taskQueue: TASK_QUEUES.sync, workflowId, args: [{ tenant }] });
  }
  async function atVendor(crmId: string): Promise<VendorRecord | undefined> {
    const all = await vendor.records<VendorRecord>('leadOpportunity');
    return all.find((record) => record.fields['partnerLeadOpportunityId'] === crmId);
  }
  /** Moves the clock past a short overlap first, so that the poll also repeats the earlier search. */
  async function poll(): Promise<void> {
    if (!shippedOverlap) await new Promise((settle) => setTimeout(settle, OVERLAP_MS + 100));
    await run('pollVendor');
  }
  async function quiet(limitMs = 60_000): Promise<void> {
    await until('all is quiet', async () => (await isQuiet(stack)) && (await isQuiet(stack)), limitMs);
  }
  async function settled(crmId: string, name: string): Promise<{ readonly crmId: string; readonly vendorId: string }> {
    const record = await until(`${name} is at the vendor`, () => atVendor(crmId));
    for (const look of [poll, () => run('sweepSalesforce'), poll]) {
      await quiet();
      await look();
    }
    await quiet();
    return { crmId, vendorId: record.id };
  }
  return {
    stack,
    user,
    vendor,
    crm: simulatorAdmin(stack.salesforce.adminUrl),
    records,
    poll,
    sweep: () => run('sweepSalesforce'),
    wake: (keys, cause) => wakeRecords(client, tenant, keys, cause),
    atVendor,
    quiet,
    settledDeal: async (name) => settled(await user.deal(name), name),
    settledLead: async (name) => settled(await makeLead(user, name), name),
  };
}

/** Makes a shared lead with what the vendor needs. */
async function makeLead(user: CrmUser, name: string): Promise<string> {
  const [offer] = await user.query<{ readonly Id: string }>(
    'SELECT Id FROM Product2 WHERE Vendor_Offer_Id__c != null ORDER BY Vendor_Offer_Id__c LIMIT 1',
  );
  return user.create('Lead', {
    ...{ FirstName: 'Ida', LastName: 'Berg', Company: name, Email: 'ida@berg.example' },
    ...{ Street: 'Marktstr. 1', City: 'Goslar', Country: 'DE', Status: 'Open - Not Contacted' },
    ...{ Vendor_Share__c: true, Vendor_Close_Date__c: '2027-05-31', Vendor_Offer__c: offer?.Id },
  });
}

async function isQuiet({ client, ledgerQuery }: Stack): Promise<boolean> {
  const [due] = await ledgerQuery('select key from links where due_since is not null limit 1');
  if (due !== undefined) return false;
  // A record that the lane carried is no longer due although its status report is still open; no scenario may start meanwhile.
  const query = "WorkflowType IN ('syncOpportunity', 'syncOpportunities') AND ExecutionStatus = 'Running'";
  return (await client.workflow.count(query)).count === 0;
}
