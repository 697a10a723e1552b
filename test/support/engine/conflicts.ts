import type { Base } from '../../../src/domain/record/base.ts';
import type { FieldName } from '../../../src/domain/record/canonical.ts';
import { isConflict } from '../../../src/domain/record/issue.ts';
import { workflowIds } from '../../../temporal.config.ts';
import type { ClosedDeals } from './closed-deals.ts';
import type { Deal } from './deal.ts';
import { comparable, FIELD_ROWS, type FieldRow, statusOf } from './fields.ts';
import type { Raw } from './http.ts';
import type { OpenPicks, Side } from './open-picks.ts';
import type { World } from './world.ts';

/** Fields whose conflicts users decide, in stories with the `manual` rule. */
export const MANUAL_FIELDS: readonly string[] = ['nextMilestone', 'reasonWonLostComment'];

export const MANUAL_RULES = { nextMilestone: 'manual', reasonWonLostComment: 'manual' } as const;

const SIDES: readonly Side[] = ['crm', 'vendor'];

const LABELS: Readonly<Record<Side, string>> = { crm: "Keep Salesforce's", vendor: "Take the vendor's" };

type Records = {
  opportunityOf(deal: Deal): Promise<Raw | null>;
  leadOf(deal: Deal): Promise<Raw | null>;
  syncRowOf(row: Raw | null): Promise<Raw | undefined>;
};

/**
 * What users know about conflicts that they must decide: conflicts from edits of both sides, and decisions. A later edit of such a field
 * replaces the decision after Lockstep has followed the pick.
 */
export function createConflicts(
  world: World,
  { opportunityOf, leadOf, syncRowOf }: Records,
  closedDeals: ClosedDeals,
  picks: OpenPicks,
) {
  /** For each deal and field, the value on each side. */
  const open = new Map<string, Readonly<Record<Side, string>>>();
  const picked = new Map<string, string>();
  /** Deals for which a user accepted the vendor's status, whatever the stage. */
  const takenOfVendor = new Set<number>();

  async function shown(deal: Deal, { kind, crmField, vendorField }: FieldRow) {
    const [crm, lead] = [await opportunityOf(deal), await leadOf(deal)];
    if (crm === null || lead === null) return null;
    return { crm: comparable(kind, crm[crmField]), vendor: comparable(kind, lead[vendorField]) };
  }

  /** The values of these fields on both sides. */
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

  /**
   * The agreed base when Lockstep last compared the sides; null if they did not agree, or if a workflow works on the deal, because a vendor
   * edit between its read and its write remains unseen (vendor updates have no condition).
   */
  async function settledBase(deal: Deal): Promise<Base | null> {
    const crmId = String((await opportunityOf(deal))?.['Id']);
    const link = await world.ledger.findLinkByIds(world.tenant, { crmId });
    if (link?.state !== 'in-sync' || link.observedGeneration < link.generation) return null;
    const isAtWork = world.scheduler.running().includes(workflowIds.syncOpportunity(world.tenant, link.key));
    return isAtWork ? null : link.base;
  }

  return {
    open,
    picked,
    takenOfVendor,

    /** Forgets conflicts of a field because a user edits it. */
    forget(deal: Deal, field: string): void {
      if (field === 'status' && picks.sideOf(deal, field) !== 'vendor') takenOfVendor.delete(deal.number);
      open.delete(`${deal.number} ${field}`);
      picked.delete(`${deal.number} ${field}`);
    },

    /** Edits both sides after they agreed, and notes whether a user must decide the conflict. */
    async editBoth(deal: Deal, field: FieldRow, edit: () => Promise<void>): Promise<void> {
      const base = await settledBase(deal);
      const before = base === null ? null : await shown(deal, field);
      await edit();
      const after = await shown(deal, field);
      if (base === null || before === null || after === null || before.crm !== before.vendor) return;
      if (new Set([before.crm, after.crm, after.vendor]).size < 3) return;
      // Users may have agreed on another value since then; re-entering the last seen value changes nothing.
      const seen = (side: Side) => comparable(field.kind, base[side][field.name as FieldName]);
      if (SIDES.some((side) => after[side] === seen(side))) return;
      open.set(`${deal.number} ${field.name}`, after);
    },

    /** Before an edit of a deal: whether the row has a pick, and what it decides now. */
    async beforeEdit(deal: Deal): Promise<void> {
      const fields = picks.fieldsOf(deal);
      if (fields.length === 0) return;
      const label = (await syncRowOf(await opportunityOf(deal)))?.['Resolve__c'];
      const side = SIDES.find((each) => LABELS[each] === label);
      if (side === undefined) picks.takenOff(deal);
      else picks.set(deal, { side, shown: await shownOf(deal, fields) });
    },

    /** A CRM user picks a side for the conflicts in the child record. */
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
        // Lockstep may follow another edit or pick before it reads this one, which then decides nothing.
        picked.delete(key);
        if (isAsShown && picks.sideOf(deal, name) !== other) picked.set(key, now[side]);
        else picks.leaveOpen(deal, name, now);
        open.delete(key);
      }
      picks.set(deal, { side, shown: values });
    },
  };
}
