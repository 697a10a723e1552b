import type { Deal } from './deal.ts';
import { STATUS_OF_STAGE } from './fields.ts';
import type { Raw } from './http.ts';
import { isLead, leadAsOpportunity, STATUSES_BESIDE_LEADS } from './lead-rows.ts';
import type { World } from './world.ts';

export type Records = ReturnType<typeof createRecords>;

/**
 * The records of a deal in both systems. A deal may begin as a lead, which is later merged into another or converted into an opportunity.
 * The CRM's own fields say so: nothing of the engine is asked. `copies`: vendor records that vendor users made by hand, by their ids.
 */
export function createRecords(
  { vendor, crm, runtime }: World,
  deals: readonly Deal[],
  copies: ReadonlyMap<string, Deal>,
) {
  const hasLeads = runtime.tenant.mapping.leads !== undefined;

  const leadRows = async (): Promise<readonly Raw[]> => (hasLeads ? crm.list('Lead') : []);

  /** The ids that the deal had in the CRM, oldest first. */
  async function trailOf({ crmId, vendorId }: Deal): Promise<readonly string[]> {
    const leads = await leadRows();
    if (crmId !== null) return followed(crmId, leads);
    const named = [...leads, ...(await crm.list('Opportunity'))].filter((row) => row['Vendor_Id__c'] === vendorId);
    const trails = named.map((row) => followed(String(row['Id']), leads));
    const live = named.find((row) => row['IsDeleted'] !== true);
    const longest = trails.toSorted((one, other) => other.length - one.length)[0] ?? [];
    return longest.length > 1 || live === undefined ? longest : [String(live['Id'])];
  }

  async function rowNamed(id: string | undefined): Promise<Raw | null> {
    if (id === undefined) return null;
    const lead = (await leadRows()).find((row) => row['Id'] === id);
    if (lead !== undefined) return leadAsOpportunity(lead);
    const found = (await crm.list('Opportunity')).find((row) => row['Id'] === id);
    if (found === undefined) return null;
    const stage = String(found['StageName']);
    const beside = hasLeads ? STATUSES_BESIDE_LEADS[stage] : undefined;
    return { ...found, statuses: beside ?? [STATUS_OF_STAGE[stage] ?? ''] };
  }

  /** The opportunity or lead of a deal, as an opportunity; null if it was deleted, or is a lead that was converted without one. */
  async function opportunityOf(deal: Deal): Promise<Raw | null> {
    const row = await rowNamed((await trailOf(deal)).at(-1));
    return row === null || row['IsDeleted'] === true || row['IsConverted'] === true ? null : row;
  }

  /** All ids of leads that became this record, and its own. */
  async function idsOf(id: string): Promise<readonly string[]> {
    const leads = await leadRows();
    return [id, ...leads.map((row) => String(row['Id'])).filter((lead) => followed(lead, leads).includes(id))];
  }

  /** The ids of a deal's trail without the opportunity into which it was converted, if that is another deal's too. */
  async function ownIdsOf(deal: Deal, trail: readonly string[]): Promise<readonly string[]> {
    const last = trail.at(-1);
    if (trail.length < 2) return trail;
    const others = await Promise.all(deals.filter((other) => other !== deal).map(trailOf));
    return others.some((other) => other.at(-1) === last) ? trail.slice(0, -1) : trail;
  }

  /** Vendor records that name the deal, and those that name a lead which was converted into the deal's opportunity. */
  async function namedOf(deal: Deal): Promise<{ readonly own: readonly Raw[]; readonly others: readonly Raw[] }> {
    const all = await vendor.list('leadOpportunity');
    const trail = await trailOf(deal);
    const ids = trail.length === 0 ? [] : await idsOf(String(trail.at(-1)));
    const ownIds = await ownIdsOf(deal, trail);
    const isOwn = (row: Raw): boolean => (deal.crmId === null ? row['id'] === deal.vendorId : names(row, ownIds));
    return { own: all.filter(isOwn), others: all.filter((row) => !isOwn(row) && names(row, ids)) };
  }

  /** The sync rows of opportunities and leads; `Opportunity__c` is the id of either. */
  async function syncRows(): Promise<readonly Raw[]> {
    const rows = await crm.list('Lockstep_Sync__c');
    if (!hasLeads) return rows;
    const ofLeads = await crm.list('Lockstep_Lead_Sync__c');
    return [...rows, ...ofLeads.map((row) => ({ ...row, Opportunity__c: row['Lead_Key__c'] }))];
  }

  return {
    hasLeads,
    trailOf,
    opportunityOf,

    /** The deal's record in the recycle bin, if it is there and was not merged. */
    async deletedOf(deal: Deal): Promise<string | null> {
      const id = (await trailOf(deal)).at(-1);
      const row = await rowNamed(id);
      return row?.['IsDeleted'] === true ? String(id) : null;
    },

    /** The vendor ids of leads that are no opportunity yet. */
    async livingLeads(): Promise<readonly unknown[]> {
      const living = (await leadRows()).filter((row) => row['IsDeleted'] !== true && row['IsConverted'] !== true);
      return living.map((row) => row['Vendor_Id__c']).filter(Boolean);
    },

    /** The deal's vendor records; if a vendor user made one by hand, it comes last. */
    async leadsOf(deal: Deal): Promise<readonly Raw[]> {
      const { own, others } = await namedOf(deal);
      const found = own.length > 0 ? own : others;
      return found.toSorted(
        (one, other) => Number(copies.has(String(one['id']))) - Number(copies.has(String(other['id']))),
      );
    },

    /** Whether the deal's opportunity is that of another deal too, and both have vendor records. A person decides which one stays. */
    async hasRival(deal: Deal): Promise<boolean> {
      const { own, others } = await namedOf(deal);
      return own.length > 0 && others.length > 0;
    },

    syncRows,

    /** The row that shows the state of an opportunity or lead. */
    async syncRowOf(row: Raw | null): Promise<Raw | undefined> {
      return (await syncRows()).find((each) => each['Opportunity__c'] === row?.['Id'] && each['IsDeleted'] !== true);
    },
  };
}

/** The ids of a record from this one on: a merged lead goes on as its master, a converted one as its opportunity. */
function followed(id: string, leads: readonly Raw[]): readonly string[] {
  const lead = isLead(id) ? leads.find((row) => row['Id'] === id) : undefined;
  const next = lead?.['MasterRecordId'] ?? lead?.['ConvertedOpportunityId'];
  return typeof next === 'string' ? [id, ...followed(next, leads)] : [id];
}

function names(record: Raw, ids: readonly string[]): boolean {
  const reference = String(record['partnerLeadOpportunityId'] ?? '').slice(0, 15);
  return ids.some((id) => id.slice(0, 15) === reference);
}
