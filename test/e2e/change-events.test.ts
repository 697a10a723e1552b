/** Change events on the real stack, without messages: a contact's edit is as quick as a deal's own, also over the death of the worker. */
import { expect, it } from 'vitest';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const SWEEP = '10m';
const { stack, user, salesforce, worker, atVendor } = await withStack({
  ...{ changes: 'pubsub', sweepEvery: SWEEP, leads: true },
  adapt: (file) => ({ ...file, leads: {} }),
});
// An org that may not call out.
stack.salesforce.setOutboundUrl(null);

async function contactOf(crmId: string): Promise<string> {
  const [role] = await user.query<{ readonly ContactId: string }>(
    `SELECT ContactId FROM OpportunityContactRole WHERE OpportunityId = '${crmId}'`,
  );
  return role?.ContactId ?? '';
}

/** Milliseconds until the vendor shows a text in the deal. */
async function untilAtVendor(crmId: string, text: string): Promise<number> {
  const begun = performance.now();
  await until(`the vendor has ${text}`, async () => JSON.stringify(await atVendor(crmId)).includes(text), 60_000);
  return performance.now() - begun;
}

const median = (of: readonly number[]): number => [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;

it('an edit of a contact is at the vendor within seconds, as a deal’s own is', async () => {
  await until('a stream', async () => (await salesforce.streams()) === 1, 60_000);
  const crmId = await user.deal('Streams');
  await untilAtVendor(crmId, 'Streams');
  const contact = await contactOf(crmId);
  const [own, ofContact]: [number[], number[]] = [[], []];
  for (let n = 0; n < 5; n += 1) {
    await user.update('Opportunity', crmId, { Description: `own edit ${n}` });
    own.push(await untilAtVendor(crmId, `own edit ${n}`));
    await user.update('Contact', contact, { Phone: `+49 228 100${n}` });
    ofContact.push(await untilAtVendor(crmId, `100${n}`));
  }
  // The same way but for the channel; a second is left to a busy machine.
  expect(median(ofContact)).toBeLessThan(1.5 * median(own) + 1_000);
});

it('a lead is at the vendor within seconds, and its edits too', async () => {
  const [product] = await user.query<{ readonly Id: string }>(
    'SELECT Id FROM Product2 WHERE Vendor_Offer_Id__c != null LIMIT 1',
  );
  const lead = await user.create('Lead', {
    ...{
      FirstName: 'Ida',
      LastName: 'Berg',
      Company: 'Bergwerk',
      Street: 'Marktstr. 1',
      City: 'Goslar',
      Country: 'DE',
    },
    ...{ Status: 'Open - Not Contacted', Vendor_Close_Date__c: '2027-05-31', Vendor_Offer__c: product?.Id ?? '' },
    Vendor_Share__c: true,
  });
  await untilAtVendor(lead, 'Bergwerk');
  await user.update('Lead', lead, { Description: 'They dig deeper' });
  await untilAtVendor(lead, 'They dig deeper');
});

it('what changed while no worker ran is found after the stored replay id, and not by a sweep', async () => {
  const crmId = await user.deal('Killed');
  await untilAtVendor(crmId, 'Killed');
  await worker.kill();
  await user.update('Contact', await contactOf(crmId), { Phone: '+49 228 2000' });
  const swept = () =>
    stack.ledgerQuery("select max(updated_at) as at from cursors where stream = 'sweepSalesforce:Contact'");
  const [before] = await swept();
  await stack.startWorker();
  await untilAtVendor(crmId, '2000');
  expect((await swept())[0]).toEqual(before);
});
