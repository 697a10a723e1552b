import type { FieldName } from '../record/canonical.ts';
import type { CrmFieldChange } from '../record/crm-graph.ts';
import { type FieldDecision, LEDGER_RESTORED } from '../record/field-decision.ts';
import type { FieldKind } from '../record/field-spec.ts';
import { FIELDS } from '../record/fields.ts';
import { type CrmNames, crmFieldOf, lookupOf } from '../record/mapping-config.ts';
import { isBefore, isNotAfter } from '../record/versions.ts';

/**
 * The interval in which a side changed a field. `after`: the version at the last agreement. `until`: the version that shows the change. A
 * version is the time of a record's last save, ISO; null if unknown. The change was made after `after`, and at `until` or earlier. Nothing
 * more exact is known, because a side has one version for a whole record, and Lockstep's own writes change it too.
 */
export type ChangeInterval = {
  readonly after: string | null;
  readonly until: string | null;
  /**
   * True if Lockstep itself may have made the save at `until`. This is the record's last save. So if a user edited the record too, the edit
   * was made at `until` or earlier.
   */
  readonly isOurs?: boolean;
  /** True if the interval is about this field alone, because it comes from the CRM's field history. */
  readonly isByField?: boolean;
};

/** The side (CRM or vendor) that changed a field later; null if the intervals of the two changes overlap or are unknown. */
export function newerSide(crm: ChangeInterval, vendor: ChangeInterval): 'crm' | 'vendor' | null {
  if (isNotAfter(crm.until, vendor.after)) return 'vendor';
  if (isNotAfter(vendor.until, crm.after)) return 'crm';
  return null;
}

/**
 * The side whose record a user saved later. If Lockstep itself made the last save of one side, this save is no user's edit, and the other
 * side wins. If Lockstep made the last save of both sides, the CRM wins. Otherwise the times decide. The CRM's times are whole seconds. If
 * both sides were saved within one second, the CRM wins. If the vendor's time is unknown, the CRM always wins.
 */
export function laterRecord(crm: ChangeInterval, vendor: ChangeInterval): 'crm' | 'vendor' {
  if (vendor.isOurs === true) return 'crm';
  if (crm.isOurs === true) return vendor.until === null ? 'crm' : 'vendor';
  return secondOf(vendor.until) > secondOf(crm.until) ? 'vendor' : 'crm';
}

/** A version's time in whole seconds; NaN if the time is unknown. */
function secondOf(stamp: string | null): number {
  return Math.floor(Date.parse(String(stamp)) / 1000);
}

/** Salesforce's times are whole seconds. A change was therefore made up to this many milliseconds after its time. */
const LAST_MS_OF_SECOND = 999;

/** For each side, the interval in which its record changed. `crmHistory`: the CRM's field history, if it was read. */
export type Changes = {
  readonly crmChange: ChangeInterval;
  readonly vendorChange: ChangeInterval;
  readonly crmHistory?: readonly CrmFieldChange[];
  /** The tenant's CRM field names, which the field history uses. */
  readonly config: CrmNames;
};

export function crmChangeOf(
  field: FieldName,
  { crmChange, crmHistory = [], config }: Omit<Changes, 'vendorChange'>,
): ChangeInterval {
  return narrowed(crmChange, crmFieldOf(field, config), crmHistory);
}

/**
 * The rule names that the journal (log of decisions) shows if the rule `newest` had to decide, but the times do not say which side changed
 * later. The keys are the tenant's choices for this case (`prefer`): the record that was saved later, the CRM, or the vendor.
 */
export const RULES_WITHOUT_TIME = {
  later: 'newest: by the later record',
  crm: 'newest: cannot tell, prefer crm',
  vendor: 'newest: cannot tell, prefer vendor',
} as const;

/**
 * Opportunity fields with a conflict in which it is unknown which side changed later. Lockstep then queries the CRM's field history, which
 * may show it. Fields of related records are left out, because the opportunity's history does not contain them.
 */
export function undatedFields(decisions: readonly FieldDecision[], mapping: CrmNames): readonly string[] {
  const rules: readonly string[] = [...Object.values(RULES_WITHOUT_TIME), LEDGER_RESTORED];
  return decisions
    .filter(({ field, rule }) => rules.includes(rule) && !HELD_ELSEWHERE.has(FIELDS[field].kind))
    .map(({ field }) => crmFieldOf(field, mapping))
    .filter((name) => lookupOf(name) === null);
}

const HELD_ELSEWHERE: ReadonlySet<FieldKind> = new Set(['lines', 'entity', 'customer-contacts', 'partner-contacts']);

/**
 * The interval in which a field last changed in the CRM. If the field history contains a change of the field since the begin of `interval`,
 * the result is the one second in which the last such change was made. Otherwise the result is `interval`.
 */
function narrowed(interval: ChangeInterval, crmField: string, history: readonly CrmFieldChange[]): ChangeInterval {
  const last = history
    .filter(({ field, at }) => field === crmField && !isBefore(at, interval.after))
    .map(({ at }) => at)
    .sort()
    .at(-1);
  if (last === undefined) return interval;
  const until = new Date(Date.parse(last) + LAST_MS_OF_SECOND).toISOString();
  return { after: last, until, isByField: true };
}
