import { until } from '../../test/support/until.ts';
import { counted } from './count.ts';
import type { Measured } from './table.ts';
import type { VendorRecord, World } from './world.ts';

const LIMIT_MS = 600_000;
const AT_ONCE = 20;

/** Many records edited at the vendor, found by one poll. */
export async function bulk(world: World): Promise<readonly Measured[]> {
  const scenario = `${world.records} vendor changes in one poll`;
  const ids = await linked(world);
  const start = performance.now();
  const counts = await counted(world, async () => {
    await inParts(ids, (id) => world.vendor.edit(id, { gtmTacticId: 'BULK' }));
    await world.poll();
    await world.quiet(LIMIT_MS);
  });
  const seconds = (performance.now() - start) / 1000;
  const wrong = (await world.crm.records<VendorRecord>('Opportunity')).filter(
    ({ fields }) => String(fields['Name']).startsWith('Bulk ') && fields['Vendor_GTM_Tactic__c'] !== 'BULK',
  );
  const each = (count: number): number => count / ids.length;
  return [
    {
      scenario,
      what: 'CRM calls of any kind a change',
      measured: each(counts.crmCalls),
      limit: 0.048,
    },
    { scenario, what: 'CRM reads a change', measured: each(counts.crmReads), limit: null },
    { scenario, what: 'CRM writes a change', measured: each(counts.crmWrites), limit: null },
    { scenario, what: 'vendor reads a change', measured: each(counts.vendorReads), limit: 1 },
    { scenario, what: 'vendor writes', measured: counts.vendorWrites, limit: 0 },
    { scenario, what: 'wrong final states', measured: wrong.length, limit: 0 },
    { scenario, what: 'changes a second', measured: ids.length / seconds, limit: null },
  ];
}

/** Records that both sides have, made in the CRM; their ids at the vendor. */
export async function linked(world: World): Promise<readonly string[]> {
  const account = await world.user.create('Account', {
    Name: 'Bulk GmbH',
    BillingCity: 'Bonn',
    BillingCountry: 'DE',
  });
  const contact = await world.user.create('Contact', {
    AccountId: account,
    LastName: 'Muster',
    Email: 'muster@bulk.example',
  });
  const numbers = Array.from({ length: world.records }, (_, n) => n);
  await inParts(numbers, async (n) => {
    const id = await world.user.create('Opportunity', {
      Name: `Bulk ${n}`,
      AccountId: account,
      StageName: 'Value Proposition',
      CloseDate: '2027-03-31',
    });
    await world.user.create('OpportunityContactRole', {
      OpportunityId: id,
      ContactId: contact,
      IsPrimary: true,
    });
    await world.user.line(id);
    await world.user.share(id);
  });
  const made = await until(
    'the vendor has all',
    async () => {
      const records = await world.vendor.records<VendorRecord>('leadOpportunity');
      const bulk = records.filter(({ fields }) => String(fields['name']).startsWith('Bulk '));
      return bulk.length === world.records ? bulk : null;
    },
    LIMIT_MS,
  );
  await world.quiet(LIMIT_MS);
  await world.poll();
  await world.quiet(LIMIT_MS);
  return made.map(({ id }) => id);
}

/** Some at once, and no more. */
export async function inParts<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
  }
}
