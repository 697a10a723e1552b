import type { FieldVerdict } from '../../domain/record/field-decision.ts';
import { type Issue, isConflict, isOpen } from '../../domain/record/issue.ts';
import type { Plan } from '../../domain/record/plan.ts';
import type { ObservedDeal, Proof } from '../../observe/observe-deal.ts';

/** What a sync would do with one record. `unknown`: the CRM or the vendor could not be read. */
export type PlannedAction =
  | 'create-at-vendor'
  | 'create-in-crm'
  | 'update-at-vendor'
  | 'update-in-crm'
  | 'update-both'
  | 'link'
  | 'conflict'
  | 'park'
  | 'not-shared'
  | 'nothing'
  | 'unknown';

export type FieldWay = 'to-vendor' | 'to-crm' | 'both' | 'held' | 'none';

export type PlannedRecord = {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly action: PlannedAction;
  /**
   * How it is known that two records which are not linked yet are one deal, so that a sync would link them. Null if they are linked, or if
   * there is only one record.
   */
  readonly linkBy: Exclude<Proof, 'linked'> | null;
  readonly reason: string;
  /**
   * The fields that would be written or would wait, each with its direction (`way`) and the rule that decided. Empty if the whole record
   * would be created.
   */
  readonly fields: readonly {
    readonly field: string;
    readonly way: FieldWay;
    readonly verdict: FieldVerdict;
    readonly rule: string;
  }[];
  readonly issues: readonly Pick<Issue, 'code' | 'field'>[];
};

const WAYS: Readonly<Partial<Record<FieldVerdict, FieldWay>>> = {
  'to-vendor': 'to-vendor',
  'conflict-crm': 'to-vendor',
  cleared: 'to-vendor',
  'undone-at-vendor': 'to-vendor',
  'undone-in-crm': 'to-crm',
  'to-crm': 'to-crm',
  'conflict-vendor': 'to-crm',
  merged: 'both',
  'conflict-held': 'held',
  withheld: 'held',
};

/** Summarises what a sync would do with a deal, without values. Pure. */
export function plannedRecord({ link, plan, proof }: Pick<ObservedDeal, 'link' | 'plan' | 'proof'>): PlannedRecord {
  const { decisions, issues, reason } = plan;
  const fields = decisions.flatMap(({ field, verdict, rule }) => {
    const way = WAYS[verdict];
    return way === undefined ? [] : [{ field, way, verdict, rule }];
  });
  const linkBy = proof === 'linked' ? null : proof;
  return {
    crmId: link.crmId,
    vendorId: link.vendorId,
    action: actionOf(plan, fields, linkBy !== null),
    linkBy,
    reason,
    fields,
    issues: issues.map(({ code, field }) => ({ code, field })),
  };
}

function actionOf(plan: Plan, fields: PlannedRecord['fields'], isNewPair: boolean): PlannedAction {
  const goes = (way: FieldWay) => fields.some((one) => one.way === way || one.way === 'both');
  switch (plan.next) {
    case 'create-at-vendor':
    case 'create-in-crm':
      return plan.next;
    case 'update-at-vendor':
      // If an update sends only our reference (the CRM's record id), it links the two records.
      if (plan.intent.fields.length === 0 && !goes('to-crm')) return isNewPair ? 'link' : 'update-at-vendor';
      return goes('to-crm') ? 'update-both' : 'update-at-vendor';
    case 'write-crm':
      return 'update-in-crm';
    case 'detached':
      return 'not-shared';
    case 'parked':
      return 'park';
    case 'read-vendor':
    case 'search-vendor':
      return 'unknown';
    case 'nothing': {
      if (plan.issues.some(isConflict)) return 'conflict';
      if (plan.issues.some(isOpen)) return 'park';
      return isNewPair ? 'link' : 'nothing';
    }
  }
}

/** The planned record if the CRM or the vendor could not be read. `reason`: the failure. */
export function unknownRecord(
  { crmId, vendorId }: Pick<PlannedRecord, 'crmId' | 'vendorId'>,
  reason: string,
): PlannedRecord {
  return { crmId, vendorId, action: 'unknown', linkBy: null, reason, fields: [], issues: [] };
}
