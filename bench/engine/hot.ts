import { until } from '../../test/support/until.ts';
import { counted, runsOf } from './count.ts';
import type { Measured } from './table.ts';
import type { World } from './world.ts';

const EDITS = 100;
const EDITS_MS = 10_000;
const SIGNALS = 12_000;
/** Temporal's limits for one run. */
const MAX_EVENTS = 51_200;
const MAX_SIGNALS = 10_000;

/** Edits one record a hundred times in ten seconds. */
export async function hotEdits(world: World): Promise<readonly Measured[]> {
  const scenario = `${EDITS} edits in ${EDITS_MS / 1000} s`;
  const { crmId } = await world.settledDeal('Hot');
  const { vendorWrites, vendorReads } = await counted(world, async () => {
    for (let edit = 1; edit <= EDITS; edit += 1) {
      const pause = new Promise((settle) => setTimeout(settle, EDITS_MS / EDITS));
      await world.user.update('Opportunity', crmId, { Vendor_Campaign_Code__c: `EDIT-${edit}` });
      await pause;
    }
    await world.quiet();
  });
  return [
    { scenario, what: 'vendor writes', measured: vendorWrites, limit: 4 },
    { scenario, what: 'vendor reads', measured: vendorReads, limit: null },
    { scenario, what: 'wrong final states', measured: await wrong(world, crmId, `EDIT-${EDITS}`), limit: 0 },
  ];
}

/** Signals one record 12,000 times; only the last signal belongs to the last edit. */
export async function manySignals(world: World): Promise<readonly Measured[]> {
  const scenario = `${SIGNALS} signals on one record`;
  const { crmId } = await world.settledDeal('Signalled');
  const before = total(await runsOf(world, crmId));
  await world.user.update('Opportunity', crmId, { Vendor_Campaign_Code__c: 'FIRST' });
  await world.wake(
    Array.from({ length: SIGNALS - 1 }, () => crmId),
    'crm',
  );
  await untold(world, () => world.user.update('Opportunity', crmId, { Vendor_Campaign_Code__c: 'LAST' }));
  await world.wake([crmId], 'crm');
  await world.quiet(120_000);
  const runs = await runsOf(world, crmId);
  return [
    {
      scenario,
      what: 'signals missing in the histories',
      measured: Math.max(0, SIGNALS - (total(runs) - before)),
      limit: 0,
    },
    { scenario, what: 'wrong final states', measured: await wrong(world, crmId, 'LAST'), limit: 0 },
    {
      scenario,
      what: 'events of the longest run',
      measured: Math.max(...runs.map(({ events }) => events)),
      limit: MAX_EVENTS,
    },
    {
      scenario,
      what: 'signals of one run',
      measured: Math.max(...runs.map(({ signals }) => signals)),
      limit: MAX_SIGNALS,
    },
    { scenario, what: 'runs', measured: runs.length, limit: null },
  ];
}

/** Runs `work` in the CRM and drops the message that the CRM would send for it. */
async function untold({ crm }: World, work: () => Promise<unknown>): Promise<void> {
  await crm.fault({ operation: 'outboundMessage', cut: 'before', times: 1 });
  await work();
  await until('the message is lost', async () => (await crm.faults()).every(({ applied }) => applied === 1));
  await crm.clearFaults();
}

function total(runs: Awaited<ReturnType<typeof runsOf>>): number {
  return runs.reduce((sum, { signals }) => sum + signals, 0);
}

async function wrong(world: World, crmId: string, value: string): Promise<number> {
  const record = await world.atVendor(crmId);
  return record?.fields['cometCampaignCode'] === value ? 0 : 1;
}
