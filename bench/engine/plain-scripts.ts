import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'jsforce';
import { foundIds, type PartnerApi, PartnerApiError } from '../../src/partner-api/index.ts';

/**
 * A typical integration script without Lockstep: it copies each side's recent changes to the other. It has no ledger, merge or condition: a
 * change on both sides is overwritten, a failed run is repeated from the start, and the echo of its own writes counts as a change. It
 * handles only the error 429.
 */
export type PlainScript = {
  readonly vendor: Pick<PartnerApi, 'searchLeadOpportunities' | 'readLeadOpportunity' | 'updateLeadOpportunity'>;
  readonly crm: Connection;
  readonly partnerId: string;
};

/** The maximum number of rows of one collection request (REST API Developer Guide, "sObject Collections"). */
const MOST_ROWS = 200;
/** How many requests the batched form sends at a time. */
const AT_ONCE = 10;

/** Polls the vendor, and reads and upserts one record after the other. */
export async function pullOneByOne(script: PlainScript, since: string): Promise<void> {
  for (const id of await changedAtVendor(script, since))
    await script.crm.sobject('Opportunity').upsert(await rowOf(script, id), 'Vendor_Id__c');
}

/** Polls the vendor in batches: one read per vendor record, two hundred rows per CRM request. */
export async function pullInBatches(script: PlainScript, since: string): Promise<void> {
  const rows: Record<string, unknown>[] = [];
  await together(await changedAtVendor(script, since), async (id) => {
    rows.push(await rowOf(script, id));
  });
  for (let start = 0; start < rows.length; start += MOST_ROWS)
    await script.crm.sobject('Opportunity').upsert(rows.slice(start, start + MOST_ROWS), 'Vendor_Id__c');
}

/** Queries the CRM, and reads and updates one record after the other. */
export async function pushOneByOne(script: PlainScript, since: string): Promise<void> {
  for (const opportunity of await changedInCrm(script, since)) {
    await retriedWhenThrottled(() => script.vendor.readLeadOpportunity({ id: String(opportunity['Vendor_Id__c']) }));
    await update(script, opportunity);
  }
}

/** Queries the CRM and updates several vendor records at a time without reading them first. */
export async function pushInBatches(script: PlainScript, since: string): Promise<void> {
  await together(await changedInCrm(script, since), (opportunity) => update(script, opportunity));
}

export async function changedAtVendor({ vendor }: PlainScript, since: string): Promise<readonly string[]> {
  const modifiedDate = { fromDate: since, toDate: new Date().toISOString() };
  const answer = await retriedWhenThrottled(() => vendor.searchLeadOpportunities({ data: [{ modifiedDate }] }));
  return foundIds(answer.data);
}

export async function rowOf({ vendor }: PlainScript, id: string): Promise<Record<string, unknown>> {
  const { leadOpportunity } = (await retriedWhenThrottled(() => vendor.readLeadOpportunity({ id }))).data;
  return { Vendor_Id__c: id, Vendor_GTM_Tactic__c: leadOpportunity.gtmTacticId };
}

type Row = Readonly<Record<string, unknown>>;

export async function changedInCrm({ crm }: PlainScript, since: string): Promise<readonly Row[]> {
  const from = `${since.slice(0, 19)}Z`;
  const soql = `SELECT Id, Vendor_Id__c, Vendor_Campaign_Code__c FROM Opportunity WHERE Vendor_Share__c = true AND SystemModstamp >= ${from}`;
  return crm
    .query(soql)
    .run({ autoFetch: true, maxFetch: 1_000_000 })
    .then(({ records }) => records);
}

export async function update({ vendor, partnerId }: PlainScript, opportunity: Row): Promise<void> {
  const { Id, Vendor_Id__c: id, Vendor_Campaign_Code__c: cometCampaignCode } = opportunity;
  const leadOpportunity = {
    partnerLeadOpportunityId: String(Id),
    cometCampaignCode: String(cometCampaignCode),
  };
  await retriedWhenThrottled(() => vendor.updateLeadOpportunity({ id: String(id), partnerId, leadOpportunity }));
}

/** Retries a request after the end of the vendor's quota window. */
async function retriedWhenThrottled<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PartnerApiError) || error.kind !== 'throttled') throw error;
      await sleep((error.resetSeconds ?? 1) * 1_000);
    }
  }
}

export async function together<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
