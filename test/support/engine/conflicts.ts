import { workflowIds } from '../../../temporal.config.ts';
import type { ClosedDeals } from './closed-deals.ts';
import type { Deal } from './deal.ts';
import { comparable, FIELD_ROWS, type FieldRow, STATUS_OF_STAGE } from './fields.ts';
import type { Raw } from './http.ts';
import type { World } from './world.ts';

/** Fields of which, in stories with a person's rule, a person decides what both sides changed. */
export const MANUAL_FIELDS: readonly string[] = ['nextMilestone', 'reasonWonLostComment'];

export const MANUAL_RULES = { nextMilestone: 'manual', reasonWonLostComment: 'manual' } as const;

export type Side = 'crm' | 'vendor';

const LABELS: Readonly<Record<Side, string>> = { crm: "Keep Salesforce's", vendor: "Take the vendor's" };

type Records = {
  opportunityOf(deal: Deal): Promise<Raw | null>;
  leadOf(deal: Deal): Promise<Raw | null>;
};

/**
 * What people know of conflicts that one of them has to decide: those that they made by editing both sides at once, and those that
 * one of them has decided. Whoever edits such a field later takes that back.
 */
export function createConflicts(world: World, { opportunityOf, leadOf }: Records, closedDeals: ClosedDeals) {
  /** By deal and field, what each side shows. */
  const open = new Map<string, Readonly<Record<Side, string>>>();
  const picked = new Map<string, string>();
  /** Deals whose status at the vendor a person has taken for right, whatever the stage. */
  const takenOfVendor = new Set<number>();

  async function shown(deal: Deal, { kind, crmField, vendorField }: FieldRow) {
    const [crm, lead] = [await opportunityOf(deal), await leadOf(deal)];
    if (crm === null || lead === null) return null;
    return { crm: comparable(kind, crm[crmField]), vendor: comparable(kind, lead[vendorField]) };
  }

  /**
   * Whether both sides agreed, and nobody was at work on it: between a reading of the vendor and the write that rests on it the vendor's
   * users edit unseen, since its updates know no condition.
   */
  async function isSettled(deal: Deal): Promise<boolean> {
    const ids = deal.crmId === null ? { vendorId: deal.vendorId ?? '' } : { crmId: deal.crmId };
    const link = await world.ledger.findLinkByIds(world.tenant, ids);
    if (link?.state !== 'in-sync' || link.doneSeq < link.dueSeq) return false;
    return !world.scheduler.running().includes(workflowIds.syncOpportunity(world.tenant, link.key));
  }

  return {
    open,
    picked,
    takenOfVendor,

    /** Somebody edits a field of a deal. */
    forget(deal: Deal, field: string): void {
      if (field === 'status') takenOfVendor.delete(deal.number);
      open.delete(`${deal.number} ${field}`);
      picked.delete(`${deal.number} ${field}`);
    },

    /** Both sides edit, where they agreed before: whether a person has to decide it. */
    async editBoth(deal: Deal, field: FieldRow, edit: () => Promise<void>): Promise<void> {
      const before = (await isSettled(deal)) ? await shown(deal, field) : null;
      await edit();
      const after = await shown(deal, field);
      if (before === null || after === null || before.crm !== before.vendor) return;
      if (new Set([before.crm, after.crm, after.vendor]).size < 3) return;
      open.set(`${deal.number} ${field.name}`, after);
    },

    /** A CRM user picks a side under the conflicts that the child record shows. */
    async pick(deal: Deal, side: Side): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const rows = await world.crm.list('Lockstep_Sync__c');
      const row = rows.find(
        (each) => each['Opportunity__c'] === opportunity?.['Id'] && each['IsDeleted'] !== true,
      );
      if (opportunity === null || row?.['Sync_State__c'] !== 'Conflict') return;
      const link = await world.ledger.findLinkByIds(world.tenant, { crmId: String(opportunity['Id']) });
      const told = link?.issues.filter(({ code }) => code === 'conflict').map(({ field }) => field) ?? [];
      await world.crm.edit(String(row['id']), { Resolve__c: LABELS[side] });
      if (told.includes('status')) {
        closedDeals.picked(deal, side, STATUS_OF_STAGE[String(opportunity['StageName'])] ?? '');
        if (side === 'vendor') takenOfVendor.add(deal.number);
      }
      for (const field of FIELD_ROWS.filter(({ name }) => told.includes(name))) {
        const key = `${deal.number} ${field.name}`;
        const values = await shown(deal, field);
        if (values !== null) picked.set(key, values[side]);
        open.delete(key);
      }
    },
  };
}
