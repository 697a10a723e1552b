import { setTimeout as delay } from 'node:timers/promises';
import type { CrmUser, Random, simulatorAdmin } from 'lockstep-simulators/testing';
import { type Deal, FIELDS, type Field, newDeal, newValue, STAGE_OF } from './deals.ts';

export type VendorAdmin = ReturnType<typeof simulatorAdmin>;

export type World = { readonly user: CrmUser; readonly vendor: VendorAdmin; readonly crm: VendorAdmin };

type LoadOptions = {
  readonly world: World;
  readonly random: Random;
  readonly records: number;
  /** How long the load lasts. */
  readonly durationMs: number;
  readonly signal: AbortSignal;
};

const EDITS_PER_RECORD = 4;

/** Vendor faults that the load plants, one every few edits; each ends automatically. */
const VENDOR_FAULTS = [
  { operation: 'updateLeadOpportunity', status: 503, times: 2 },
  { operation: 'readLeadOpportunity', status: 503, times: 2 },
  { operation: 'searchLeadOpportunities', status: 503, times: 1 },
  { operation: 'updateLeadOpportunity', status: 429, resetSeconds: 2, times: 1 },
  { operation: 'createLeadOpportunity', status: 429, resetSeconds: 2, times: 1 },
  { operation: 'createLeadOpportunity', cut: 'after', times: 1 },
  { operation: 'createLeadOpportunity', cut: 'before', times: 1 },
  { operation: 'updateLeadOpportunity', cut: 'after', times: 1 },
  { operation: 'updateLeadOpportunity', delayMs: 2_000, times: 1 },
  { operation: 'updateLeadOpportunity', cut: 'early', delayMs: 15_000, times: 1 },
] as const;

const GATEWAY = '<html><body>Request blocked</body></html>';
/** The same of what stands in front of the vendor. */
const GATEWAY_FAULTS = [
  { operation: 'updateLeadOpportunity', status: 403, body: GATEWAY, times: 1 },
  { operation: 'readLeadOpportunity', status: 404, body: GATEWAY, times: 1 },
  { operation: 'updateLeadOpportunity', status: 429, resetSeconds: 0, retryAfterSeconds: 2, times: 1 },
  { operation: 'updateLeadOpportunity', status: 423, times: 1 },
] as const;

const CONCURRENT = 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.';
/** Faults of the CRM, which pass too. */
const CRM_FAULTS = [
  { operation: 'outboundMessage', cut: 'before', times: 1 },
  { operation: 'composite', errorCode: 'REQUEST_LIMIT_EXCEEDED', message: CONCURRENT, times: 2 },
  { operation: 'composite', errorCode: 'SERVER_UNAVAILABLE', times: 1 },
  { operation: 'queryAll', errorCode: 'QUERY_TIMEOUT', times: 1 },
  { operation: 'composite', status: 429, retryAfterSeconds: 2, times: 1 },
  { operation: 'sobject.update', errorCode: 'ENTITY_IS_LOCKED', times: 2 },
  { operation: 'collections.upsert', mostRows: 2, errorCode: 'LIMIT_EXCEEDED', times: 4 },
] as const;

/** What the org refuses for its own state; its users, who save one row at a time, go on. */
const CRM_LIMITS = [
  { triggers: [{ object: 'Opportunity', queriesPerRow: 40 }] },
  { triggers: [{ object: 'Lockstep_Sync__c', cpuMsPerRow: 4_000 }] },
  { triggers: [] },
] as const;
/** How long maintenance lasts, in which the load's users wait. */
const MAINTENANCE_MS = 3_000;

/** Both systems are well again. */
export async function endFaults({ vendor, crm }: World): Promise<void> {
  await Promise.all([vendor.clearFaults(), crm.clearFaults(), crm.clearLimits()]);
}

export type LoadResult = { readonly deals: readonly Deal[]; readonly edits: number; readonly faults: number };

/**
 * Imports of deals on both sides and edits by users of both sides, evenly over the given time, with faults between.
 * A deal that its other side does not have yet is edited on the side that has it.
 */
export async function runLoad({ world, random, records, durationMs, signal }: LoadOptions): Promise<LoadResult> {
  const deals: Deal[] = [];
  const total = records * (1 + EDITS_PER_RECORD);
  const startedAt = performance.now();
  let edits = 0;
  let faults = 0;
  for (let action = 0; action < total && !signal.aborted; action += 1) {
    // Imports come first on the whole, and edits of what is there already between them.
    const imports = Math.min(records, Math.ceil((1.6 * action * records) / total) + 1);
    if (deals.length < imports) deals.push(await enter(world, newDeal(deals.length + 1, random)));
    else edits += await editOne(world, random.pick(deals), action, random);
    if (random.next() < 0.04) {
      await world.vendor.fault(random.pick([...VENDOR_FAULTS, ...GATEWAY_FAULTS]));
      faults += 1;
    }
    if (random.next() < 0.02) {
      await world.crm.fault(random.pick(CRM_FAULTS));
      faults += 1;
    }
    if (random.next() < 0.02) {
      await strain(world, random, deals);
      faults += 1;
    }
    if (random.next() < 0.02) await disturbEvents(world, random);
    const aheadMs = ((action + 1) / total) * durationMs - (performance.now() - startedAt);
    if (aheadMs > 0) await delay(aheadMs);
  }
  return { deals, edits, faults };
}

/** The next change event has no values, or the org forgets its replay ids. Nobody notices where change events are not followed. */
async function disturbEvents({ crm }: World, random: Random): Promise<void> {
  if (random.next() < 0.7) await crm.gapEvents(1);
  else await crm.forgetEvents();
}

/** An approval begins or ends, triggers get costly or cheap, or the org is in maintenance for a moment. */
async function strain({ crm }: World, random: Random, deals: readonly Deal[]): Promise<void> {
  const { crmId } = random.pick(deals);
  const what = random.next();
  if (what < 0.4 && crmId !== null) await crm.lock(crmId, random.next() < 0.6);
  else if (what < 0.8) await crm.limit(random.pick(CRM_LIMITS));
  else {
    await crm.limit({ readOnly: true });
    await delay(MAINTENANCE_MS);
    await crm.limit({ readOnly: false });
  }
}

async function enter({ user, vendor }: World, deal: Deal): Promise<Deal> {
  if (deal.origin === 'crm') {
    const id = await user.draft(deal.expected.name);
    // A fault that is meant for Lockstep may refuse its user's save, who then saves again.
    while (!(await isSaved(user.share(id))));
    deal.crmId = id;
    return deal;
  }
  const { id } = await vendor.create('leadOpportunity', {
    name: deal.expected.name,
    status: deal.expected.status,
    closeDate: `${deal.expected.closeDate}T00:00:00.000Z`,
    currency: 'EUR',
    offerLines: [offerLine(await offerOf(user), deal.expected.amount)],
    customerLegalEntity: { name: `${deal.expected.name} AG`, city: 'Bern', country: 'CH' },
  });
  deal.vendorId = id;
  return deal;
}

async function editOne(world: World, deal: Deal, edit: number, random: Random): Promise<0 | 1> {
  await meet(world, deal);
  const mine = FIELDS.filter((field) => isThere(deal, field));
  if (mine.length === 0) return 0;
  const field = random.pick(mine);
  const value = newValue(deal, field, edit, random);
  const written =
    deal.editor[field] === 'crm'
      ? await editInCrm(world.user, String(deal.crmId), field, value)
      : await editAtVendor(world, String(deal.vendorId), field, value);
  if (written) deal.expected[field] = value;
  return written ? 1 : 0;
}

function isThere(deal: Deal, field: Field): boolean {
  return (deal.editor[field] === 'crm' ? deal.crmId : deal.vendorId) !== null;
}

/** Looks whether the connector has brought the deal to its other side. */
async function meet({ user, vendor }: World, deal: Deal): Promise<void> {
  if (deal.crmId === null) {
    const [row] = await user.query<{ readonly Id: string }>(
      `SELECT Id FROM Opportunity WHERE Vendor_Id__c = '${deal.vendorId}'`,
    );
    deal.crmId = row?.Id ?? null;
  }
  if (deal.vendorId === null) {
    const records = await vendor.records<{ readonly id: string; readonly fields: Record<string, unknown> }>(
      'leadOpportunity',
    );
    const found = records.find(({ fields }) => fields['partnerLeadOpportunityId'] === deal.crmId);
    deal.vendorId = found?.id ?? null;
  }
}

const CRM_FIELD = {
  name: 'Name',
  closeDate: 'CloseDate',
  campaign: 'Vendor_Campaign_Code__c',
  milestone: 'Vendor_Next_Milestone__c',
} as const;

async function editInCrm(user: CrmUser, id: string, field: Field, value: string): Promise<boolean> {
  if (field === 'amount') {
    const lines = await user.query<{ readonly Id: string }>(
      `SELECT Id FROM OpportunityLineItem WHERE OpportunityId = '${id}'`,
    );
    const [line] = lines;
    if (line === undefined) return false;
    return isSaved(user.update('OpportunityLineItem', line.Id, { UnitPrice: Number(value) }));
  }
  const fields = field === 'status' ? { StageName: STAGE_OF[value] } : { [CRM_FIELD[field]]: value };
  return isSaved(user.update('Opportunity', id, fields));
}

/** False if the record is locked. */
async function isSaved(save: Promise<unknown>): Promise<boolean> {
  try {
    await save;
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('ENTITY_IS_LOCKED')) return false;
    throw error;
  }
}

const VENDOR_FIELD = {
  name: 'name',
  status: 'status',
  campaign: 'cometCampaignCode',
  milestone: 'nextMilestone',
} as const;

async function editAtVendor(world: World, id: string, field: Field, value: string): Promise<boolean> {
  if (field === 'amount') {
    await world.vendor.edit(id, { offerLines: [offerLine(await offerOf(world.user), value)] });
  } else if (field === 'closeDate') {
    await world.vendor.edit(id, { closeDate: `${value}T00:00:00.000Z` });
  } else {
    await world.vendor.edit(id, { [VENDOR_FIELD[field]]: value });
  }
  return true;
}

function offerLine(offerNameId: string, amount: string) {
  return { offerNameId, amount: Number(amount) };
}

/** The offer that the CRM's users sell in this load. */
async function offerOf(user: CrmUser): Promise<string> {
  const [entry] = await user.query<{ readonly Product2: { readonly Vendor_Offer_Id__c: string } }>(
    'SELECT Product2.Vendor_Offer_Id__c FROM PricebookEntry WHERE Pricebook2.IsStandard = true AND Product2.Vendor_Offer_Id__c != null AND IsActive = true ORDER BY Product2.Vendor_Offer_Id__c LIMIT 1',
  );
  if (entry === undefined) throw new Error('the org sells nothing that the vendor offers');
  return entry.Product2.Vendor_Offer_Id__c;
}
