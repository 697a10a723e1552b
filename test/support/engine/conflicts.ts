import type { Base } from '../../../src/domain/record/base.ts';
import type { FieldName } from '../../../src/domain/record/canonical.ts';
import { isConflict } from '../../../src/domain/record/issue.ts';
import { workflowIds } from '../../../temporal.config.ts';
import type { ClosedDeals } from './closed-deals.ts';
import type { Deal } from './deal.ts';
import { comparable, FIELD_ROWS, type FieldRow, STATUS_OF_STAGE } from './fields.ts';
import type { Raw } from './http.ts';
import type { OpenPicks, Side } from './open-picks.ts';
import type { World } from './world.ts';

/** Fields of which, in stories with a person's rule, a person decides what both sides changed. */
export const MANUAL_FIELDS: readonly string[] = ['nextMilestone', 'reasonWonLostComment'];

export const MANUAL_RULES = { nextMilestone: 'manual', reasonWonLostComment: 'manual' } as const;

const SIDES: readonly Side[] = ['crm', 'vendor'];

const LABELS: Readonly<Record<Side, string>> = { crm: "Keep Salesforce's", vendor: "Take the vendor's" };

type Records = {
  opportunityOf(deal: Deal): Promise<Raw | null>;
  leadOf(deal: Deal): Promise<Raw | null>;
};

/**
 * What people know of conflicts that one of them has to decide: those that they made by editing both sides at once, and those that
 * one of them has decided. Whoever edits such a field later takes that back, once the pick was followed.
 */
export function createConflicts(
  world: World,
  { opportunityOf, leadOf }: Records,
  closedDeals: ClosedDeals,
  picks: OpenPicks,
) {
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

  /** What both sides show of these fields. */
  async function shownOf(deal: Deal, names: readonly string[]) {
    const [crm, lead] = [await opportunityOf(deal), await leadOf(deal)];
    const found = new Map<string, Readonly<Record<Side, string>>>();
    if (crm === null || lead === null) return found;
    if (names.includes('status')) found.set('status', { crm: statusOf(crm), vendor: String(lead['status']) });
    for (const field of FIELD_ROWS.filter(({ name }) => names.includes(name))) {
      const values = await shown(deal, field);
      if (values !== null) found.set(field.name, values);
    }
    return found;
  }

  async function syncRowOf(opportunity: Raw | null): Promise<Raw | undefined> {
    const rows = await world.crm.list('Lockstep_Sync__c');
    return rows.find((each) => each['Opportunity__c'] === opportunity?.['Id'] && each['IsDeleted'] !== true);
  }

  /**
   * What both sides agreed on when Lockstep looked last; null where they did not, or where somebody is at work on it: between a reading of
   * the vendor and the write that rests on it the vendor's users edit unseen, since its updates know no condition.
   */
  async function settledBase(deal: Deal): Promise<Base | null> {
    const ids = deal.crmId === null ? { vendorId: deal.vendorId ?? '' } : { crmId: deal.crmId };
    const link = await world.ledger.findLinkByIds(world.tenant, ids);
    if (link?.state !== 'in-sync' || link.observedGeneration < link.generation) return null;
    const isAtWork = world.scheduler.running().includes(workflowIds.syncOpportunity(world.tenant, link.key));
    return isAtWork ? null : link.base;
  }

  return {
    open,
    picked,
    takenOfVendor,

    /** Somebody edits a field of a deal. */
    forget(deal: Deal, field: string): void {
      if (field === 'status' && picks.sideOf(deal, field) !== 'vendor') takenOfVendor.delete(deal.number);
      open.delete(`${deal.number} ${field}`);
      picked.delete(`${deal.number} ${field}`);
    },

    /** Both sides edit, where they agreed before: whether a person has to decide it. */
    async editBoth(deal: Deal, field: FieldRow, edit: () => Promise<void>): Promise<void> {
      const base = await settledBase(deal);
      const before = base === null ? null : await shown(deal, field);
      await edit();
      const after = await shown(deal, field);
      if (base === null || before === null || after === null || before.crm !== before.vendor) return;
      if (new Set([before.crm, after.crm, after.vendor]).size < 3) return;
      // Users may have agreed on another value since: whoever then enters what was seen last has changed nothing.
      const seen = (side: Side) => comparable(field.kind, base[side][field.name as FieldName]);
      if (SIDES.some((side) => after[side] === seen(side))) return;
      open.set(`${deal.number} ${field.name}`, after);
    },

    /** Somebody is about to edit a deal: whether a pick stands, and what it decides now. */
    async beforeEdit(deal: Deal): Promise<void> {
      const fields = picks.fieldsOf(deal);
      if (fields.length === 0) return;
      const label = (await syncRowOf(await opportunityOf(deal)))?.['Resolve__c'];
      const side = SIDES.find((each) => LABELS[each] === label);
      if (side === undefined) picks.takenOff(deal);
      else picks.set(deal, { side, shown: await shownOf(deal, fields) });
    },

    /** A CRM user picks a side under the conflicts that the child record shows. */
    async pick(deal: Deal, side: Side): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const row = await syncRowOf(opportunity);
      if (opportunity === null || row?.['Sync_State__c'] !== 'Conflict') return;
      const link = await world.ledger.findLinkByIds(world.tenant, { crmId: String(opportunity['Id']) });
      const result = link?.issues.filter(isConflict).map(({ field }) => field) ?? [];
      await world.crm.edit(String(row['id']), { Resolve__c: LABELS[side] });
      if (result.includes('status')) {
        closedDeals.picked(deal, side, statusOf(opportunity));
        if (side === 'vendor') takenOfVendor.add(deal.number);
      }
      const values = await shownOf(deal, result.map(String));
      for (const { name, kind } of FIELD_ROWS) {
        const key = `${deal.number} ${name}`;
        const now = values.get(name);
        if (now === undefined) continue;
        const other = side === 'crm' ? 'vendor' : 'crm';
        const isAsShown = comparable(kind, link?.base?.held?.[name as FieldName]?.[other]) === now[other];
        // Another edit, or another pick, may be followed before this one is read, which then finds nothing to decide.
        picked.delete(key);
        if (isAsShown && picks.sideOf(deal, name) !== other) picked.set(key, now[side]);
        else picks.leaveOpen(deal, name, now);
        open.delete(key);
      }
      picks.set(deal, { side, shown: values });
    },
  };
}

function statusOf(opportunity: Raw): string {
  return STATUS_OF_STAGE[String(opportunity['StageName'])] ?? '';
}
