import { Connection } from 'jsforce';
import { DEFAULT_QUOTA } from 'lockstep-simulators/testing';
import { createPartnerApi } from '../../src/partner-api/index.ts';
import { until } from '../../test/support/until.ts';
import { type Deal, inParts, linked } from './bulk.ts';
import { type PlainScript, pullInBatches, pullOneByOne, pushInBatches, pushOneByOne } from './plain-scripts.ts';
import type { Measured } from './table.ts';
import type { VendorRecord, World } from './world.ts';

const LIMIT_MS = 3_600_000;
/** The simulated time of a request to a remote system in another data centre. */
const REMOTE_MS = 100;
const FEW = 100;

/** A direction of sync: how to make a change, the field that shows it on each side, and what carries it to the other side. */
type Direction = {
  readonly name: string;
  edit(world: World, deal: Deal, value: string): Promise<unknown>;
  /** How many deals do not have the value on their other side. */
  wrong(world: World, deals: readonly Deal[], value: string): Promise<number>;
  readonly scripts: readonly Script[];
};

/**
 * A script: the run for this direction, the run for the opposite one, and optionally the most deals to measure if each takes equally long.
 */
type Script = { readonly name: string; readonly there: Run; readonly back: Run; readonly most?: number };
type Run = (script: PlainScript, since: string) => Promise<void>;

const PULL: Direction = {
  name: 'vendor changes',
  edit: (world, { vendorId }, value) => world.vendor.edit(vendorId, { gtmTacticId: value }),
  wrong: ({ crm }, deals, value) =>
    wrongAt(
      crm,
      'Opportunity',
      deals.map(({ crmId }) => crmId),
      ['Vendor_GTM_Tactic__c', value],
    ),
  scripts: [
    { name: 'one by one', there: pullOneByOne, back: pushOneByOne, most: FEW },
    { name: 'in batches', there: pullInBatches, back: pushInBatches },
  ],
};

const PUSH: Direction = {
  name: 'CRM edits',
  edit: (world, { crmId }, value) => world.crm.edit(crmId, { Vendor_Campaign_Code__c: value }),
  wrong: ({ vendor }, deals, value) =>
    wrongAt(
      vendor,
      'leadOpportunity',
      deals.map(({ vendorId }) => vendorId),
      ['cometCampaignCode', value],
    ),
  scripts: [
    { name: 'one by one', there: pushOneByOne, back: pullOneByOne, most: FEW },
    { name: 'in batches', there: pushInBatches, back: pullInBatches },
  ],
};

/**
 * Changes as many records as `bulk` does on one side, carried to the other by Lockstep and by plain scripts, in one run against the same
 * simulators with realistic response times and the sandbox's quota. All requests that a change causes count, including one more run in each
 * direction afterwards. Stops worker and receiver, so it must be the last scenario.
 */
export async function scripts(world: World): Promise<readonly Measured[]> {
  const deals = await linked(world);
  await world.poll();
  await world.quiet(LIMIT_MS);
  await Promise.all([world.vendor, world.crm].map((remote) => remote.fault({ delayMs: REMOTE_MS })));
  const pulled = await byLockstep(world, deals, PULL);
  const own = [pulled, await byLockstep(world, deals, PUSH)];
  await Promise.all([world.worker.end(), world.receiver.end()]);
  const plain = await plainScript(world);
  const others: Measured[] = [];
  for (const [at, direction] of [PULL, PUSH].entries())
    for (const script of direction.scripts)
      others.push(...compared(own[at] as Taken, await byScript(world, deals, { direction, script, plain })));
  await Promise.all([world.vendor.clearFaults(), world.crm.clearFaults()]);
  return [...own.flatMap((taken) => rowsOf(taken)), ...others];
}

/** The costs until the changes arrived, and the costs including later work. */
type Taken = {
  readonly scenario: string;
  readonly there: Cost;
  readonly whole: Cost;
  readonly wrong: number;
};

/** The cost of one change. */
type Cost = { readonly seconds: number; readonly vendorCalls: number; readonly crmCalls: number };

async function byLockstep(world: World, deals: readonly Deal[], direction: Direction): Promise<Taken> {
  return taken(world, deals, { direction, who: 'by Lockstep' }, ({ value }) => ({
    bring: async () => {
      if (direction === PULL) await world.poll();
      const hasArrived = async () => ((await direction.wrong(world, deals, value)) === 0 ? true : null);
      await until('the other side shows all of it', hasArrived, LIMIT_MS);
    },
    pollAgain: async () => {
      await world.sweep();
      await world.poll();
      await world.quiet(LIMIT_MS);
    },
  }));
}

type ByScript = { readonly direction: Direction; readonly script: Script; readonly plain: PlainScript };

async function byScript(world: World, deals: readonly Deal[], { direction, script, plain }: ByScript): Promise<Taken> {
  const who = `by a script, ${script.name}`;
  return taken(world, deals.slice(0, script.most), { direction, who }, ({ since }) => {
    let lookedAt = since;
    return {
      bring: async () => {
        lookedAt = new Date().toISOString();
        await script.there(plain, since);
      },
      pollAgain: async () => {
        await script.back(plain, since);
        await script.there(plain, lookedAt);
      },
    };
  });
}

type Course = { bring(): Promise<void>; pollAgain(): Promise<void> };

async function taken(
  world: World,
  deals: readonly Deal[],
  { direction, who }: { readonly direction: Direction; readonly who: string },
  courseOf: (edits: { readonly since: string; readonly value: string }) => Course,
): Promise<Taken> {
  // Starts a new quota window, so that earlier requests do not count.
  await world.vendor.quota(DEFAULT_QUOTA.limit, DEFAULT_QUOTA.windowSeconds);
  const before = await lastSeqs(world);
  const [beganMs, since] = [performance.now(), new Date().toISOString()];
  const cost = async (): Promise<Cost> => ({
    seconds: (performance.now() - beganMs) / 1_000 / deals.length,
    ...(await callsSince(world, before, deals.length)),
  });
  const value = who.toUpperCase().replaceAll(/\W+/g, '-');
  await inParts(deals, (deal) => direction.edit(world, deal, value));
  const course = courseOf({ since, value });
  await course.bring();
  const there = await cost();
  await course.pollAgain();
  return {
    scenario: `${deals.length} ${direction.name} ${who}`,
    there,
    whole: await cost(),
    wrong: await direction.wrong(world, deals, value),
  };
}

type Seqs = { readonly vendor: number; readonly crm: number };

export async function lastSeqs({ vendor, crm }: World): Promise<Seqs> {
  const [atVendor, inCrm] = await Promise.all([vendor.allRequests(), crm.allRequests()]);
  return { vendor: atVendor.at(-1)?.seq ?? 0, crm: inCrm.at(-1)?.seq ?? 0 };
}

/** A request that was answered with 429 counts too. */
export async function callsSince(world: World, before: Seqs, changes: number): Promise<Omit<Cost, 'seconds'>> {
  const now = await lastSeqs(world);
  return { vendorCalls: (now.vendor - before.vendor) / changes, crmCalls: (now.crm - before.crm) / changes };
}

function rowsOf({ scenario, there, whole, wrong }: Taken): readonly Measured[] {
  const free = { scenario, limit: null };
  return [
    { ...free, what: 'milliseconds a change until all are there', measured: there.seconds * 1_000 },
    { ...free, what: 'vendor calls a change until then', measured: there.vendorCalls },
    { ...free, what: 'CRM calls a change until then', measured: there.crmCalls },
    { ...free, what: 'milliseconds a change with what follows', measured: whole.seconds * 1_000 },
    { ...free, what: 'vendor calls a change with what follows', measured: whole.vendorCalls },
    { ...free, what: 'CRM calls a change with what follows', measured: whole.crmCalls },
    { scenario, what: 'wrong final states', measured: wrong, limit: 0 },
  ];
}

function compared(own: Taken, other: Taken): readonly Measured[] {
  const { scenario } = other;
  const rows = (what: string, mine: Cost, theirs: Cost, limit: number | null): readonly Measured[] => [
    { scenario, what: `time ${what}, Lockstep by script`, measured: mine.seconds / theirs.seconds, limit },
    { scenario, what: `calls ${what}, Lockstep by script`, measured: calls(mine) / calls(theirs), limit },
  ];
  return [
    ...rowsOf(other),
    ...rows('until all are there', own.there, other.there, null),
    ...rows('with what follows', own.whole, other.whole, 1),
  ];
}

function calls({ vendorCalls, crmCalls }: Cost): number {
  return vendorCalls + crmCalls;
}

/** The script's connections to the simulators. */
export async function plainScript({ stack }: World): Promise<PlainScript> {
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
  ids: readonly string[],
  [field, value]: readonly [string, string],
): Promise<number> {
  const records = new Map((await remote.records<VendorRecord>(type)).map((record) => [record.id, record]));
  return ids.filter((id) => records.get(id)?.fields[field] !== value).length;
}
