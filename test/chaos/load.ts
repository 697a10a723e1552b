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

/** Faults of the vendor that the load plants, one every few edits; each passes by itself. */
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

export type LoadResult = { readonly deals: readonly Deal[]; readonly edits: number; readonly faults: number };

/**
 * Imports of deals on both sides and edits by users of both sides, evenly over the given time, with faults between.
 * A deal that its other side does not have yet is edited on the side that has it.
 */
export async function runLoad({
  world,
  random,
  records,
  durationMs,
  signal,
}: LoadOptions): Promise<LoadResult> {
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
      await world.vendor.fault(random.pick(VENDOR_FAULTS));
      faults += 1;
    }
    if (random.next() < 0.01) {
      await world.crm.fault({ operation: 'outboundMessage', cut: 'before', times: 1 });
      faults += 1;
    }
    const aheadMs = ((action + 1) / total) * durationMs - (performance.now() - startedAt);
    if (aheadMs > 0) await delay(aheadMs);
  }
  return { deals, edits, faults };
}

async function enter({ user, vendor }: World, deal: Deal): Promise<Deal> {
  if (deal.origin === 'crm') {
    deal.crmId = await user.deal(deal.expected.name);
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
    await user.update('OpportunityLineItem', line.Id, { UnitPrice: Number(value) });
    return true;
  }
  const fields = field === 'status' ? { StageName: STAGE_OF[value] } : { [CRM_FIELD[field]]: value };
  await user.update('Opportunity', id, fields);
  return true;
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
