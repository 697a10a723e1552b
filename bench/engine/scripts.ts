import { Connection } from 'jsforce';
import { createPartnerApi } from '../../src/partner-api/index.ts';
import { until } from '../../test/support/until.ts';
import { type Deal, inParts, linked } from './bulk.ts';
import {
  type PlainScript,
  pullInBatches,
  pullOneByOne,
  pushInBatches,
  pushOneByOne,
} from './plain-scripts.ts';
import type { Measured } from './table.ts';
import type { VendorRecord, World } from './world.ts';

const LIMIT_MS = 3_600_000;
/** What a request takes on its way to a remote system in another house, and there. */
const REMOTE_MS = 100;

/** Where a change is made, the fields by which either side knows it, and what brings it to the other side. */
type Direction = {
  readonly name: string;
  edit(world: World, deal: Deal, value: string): Promise<unknown>;
  /** Deals whose other side does not show the value. */
  wrong(world: World, value: string): Promise<number>;
  readonly scripts: readonly (readonly [name: string, run: typeof pullOneByOne])[];
};

const PULL: Direction = {
  name: 'vendor changes',
  edit: (world, { vendorId }, value) => world.vendor.edit(vendorId, { gtmTacticId: value }),
  wrong: (world, value) => wrongAt(world.crm, 'Opportunity', ['Name', 'Vendor_GTM_Tactic__c'], value),
  scripts: [
    ['one by one', pullOneByOne],
    ['in batches', pullInBatches],
  ],
};

const PUSH: Direction = {
  name: 'CRM edits',
  edit: (world, { crmId }, value) => world.crm.edit(crmId, { Vendor_Campaign_Code__c: value }),
  wrong: (world, value) => wrongAt(world.vendor, 'leadOpportunity', ['name', 'cometCampaignCode'], value),
  scripts: [
    ['one by one', pushOneByOne],
    ['in batches', pushInBatches],
  ],
};

/**
 * As many records as `bulk` has, changed on one side and brought to the other by Lockstep and by the scripts that integrators write, in one
 * run against the same simulators, whose answers take as long as those of remote systems do. Ends worker and receiver: it goes last.
 */
export async function scripts(world: World): Promise<readonly Measured[]> {
  const deals = await linked(world);
  await world.poll();
  await world.quiet(LIMIT_MS);
  await Promise.all([world.vendor, world.crm].map((remote) => remote.fault({ delayMs: REMOTE_MS })));
  const pulled = await byLockstep(world, deals, PULL);
  // As polls go on, each minute or so: what changed at the vendor a moment before the last one has to be read before it is written.
  await world.poll();
  await world.quiet(LIMIT_MS);
  const own = [pulled, await byLockstep(world, deals, PUSH)];
  await Promise.all([world.worker.end(), world.receiver.end()]);
  const script = await plainScript(world);
  const others: Measured[] = [];
  for (const [at, direction] of [PULL, PUSH].entries())
    for (const [name, run] of direction.scripts)
      others.push(
        ...compared(own[at] as Taken, await byScript(world, deals, { direction, name, run, script })),
      );
  await Promise.all([world.vendor.clearFaults(), world.crm.clearFaults()]);
  return [...own.flatMap((taken) => rowsOf(taken)), ...others];
}

type Taken = {
  readonly scenario: string;
  readonly seconds: number;
  readonly vendorCalls: number;
  readonly crmCalls: number;
  readonly wrong: number;
};

/** Of a change; seconds of all of them. */
async function byLockstep(world: World, deals: readonly Deal[], direction: Direction): Promise<Taken> {
  return taken(world, deals, { direction, who: 'by Lockstep' }, async ({ value }) => {
    if (direction === PULL) await world.poll();
    const hasArrived = async () => ((await direction.wrong(world, value)) === 0 ? true : null);
    await until('the other side shows all of it', hasArrived, LIMIT_MS);
  });
}

type Script = {
  readonly direction: Direction;
  readonly name: string;
  readonly run: typeof pullOneByOne;
  readonly script: PlainScript;
};

async function byScript(
  world: World,
  deals: readonly Deal[],
  { direction, name, run, script }: Script,
): Promise<Taken> {
  return taken(world, deals, { direction, who: `by a script, ${name}` }, ({ since }) => run(script, since));
}

async function taken(
  world: World,
  deals: readonly Deal[],
  { direction, who }: { readonly direction: Direction; readonly who: string },
  bring: (edits: { readonly since: string; readonly value: string }) => Promise<void>,
): Promise<Taken> {
  const before = await lastSeqs(world);
  const [beganMs, since] = [performance.now(), new Date().toISOString()];
  const value = who.toUpperCase().replaceAll(/\W+/g, '-');
  await inParts(deals, (deal) => direction.edit(world, deal, value));
  await bring({ since, value });
  const seconds = (performance.now() - beganMs) / 1_000;
  const [vendor, crm] = await Promise.all([world.vendor.allRequests(), world.crm.allRequests()]);
  const callsAfter = (requests: readonly { readonly seq: number }[], last: number): number =>
    requests.filter(({ seq }) => seq > last).length / deals.length;
  return {
    scenario: `${world.records} ${direction.name} ${who}`,
    seconds,
    vendorCalls: callsAfter(vendor, before.vendor),
    crmCalls: callsAfter(crm, before.crm),
    wrong: await direction.wrong(world, value),
  };
}

async function lastSeqs({ vendor, crm }: World): Promise<{ readonly vendor: number; readonly crm: number }> {
  const [atVendor, inCrm] = await Promise.all([vendor.allRequests(), crm.allRequests()]);
  return { vendor: atVendor.at(-1)?.seq ?? 0, crm: inCrm.at(-1)?.seq ?? 0 };
}

function rowsOf({ scenario, seconds, vendorCalls, crmCalls, wrong }: Taken): readonly Measured[] {
  return [
    { scenario, what: 'seconds', measured: seconds, limit: null },
    { scenario, what: 'vendor calls a change', measured: vendorCalls, limit: null },
    { scenario, what: 'CRM calls a change', measured: crmCalls, limit: null },
    { scenario, what: 'wrong final states', measured: wrong, limit: 0 },
  ];
}

function compared(own: Taken, other: Taken): readonly Measured[] {
  const calls = ({ vendorCalls, crmCalls }: Taken): number => vendorCalls + crmCalls;
  const { scenario } = other;
  return [
    ...rowsOf(other),
    { scenario, what: 'time, Lockstep by script', measured: own.seconds / other.seconds, limit: null },
    { scenario, what: 'calls, Lockstep by script', measured: calls(own) / calls(other), limit: null },
  ];
}

async function plainScript({ stack }: World): Promise<PlainScript> {
  const { vendor, salesforce } = stack;
  const { accessToken } = salesforce.user;
  return {
    vendor: createPartnerApi({ salesBaseUrl: vendor.url, apiKey: () => vendor.apiKey }),
    crm: new Connection({ instanceUrl: salesforce.url, accessToken, version: '67.0' }),
    partnerId: vendor.partnerId,
  };
}

async function wrongAt(
  remote: World['vendor'],
  type: string,
  [name, field]: readonly [string, string],
  value: string,
): Promise<number> {
  const records = await remote.records<VendorRecord>(type);
  return records.filter(({ fields }) => String(fields[name]).startsWith('Bulk ') && fields[field] !== value)
    .length;
}
