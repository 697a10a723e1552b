import type { FieldName } from '../record/canonical.ts';
import type { CrmFieldChange } from '../record/crm-graph.ts';
import { type FieldDecision, LEDGER_RESTORED } from '../record/field-decision.ts';
import type { FieldKind } from '../record/field-spec.ts';
import { FIELDS } from '../record/fields.ts';
import { type CrmNames, crmFieldOf, lookupOf } from '../record/mapping-config.ts';
import { isBefore, isNotAfter } from '../record/versions.ts';

/**
 * When a side changed. A side has one stamp for its whole record and our own writes move it, so a field's change
 * is known only to lie after the version of the base and not after the version that shows the difference.
 */
export type ChangeInterval = {
  readonly after: string | null;
  readonly until: string | null;
  /** The later stamp may be that of our own write: somebody's edit is not later than it, and more it does not tell. */
  readonly isOurs?: boolean;
  /** The interval of this field alone, by the CRM's field history. */
  readonly isByField?: boolean;
};

/** The side that changed last, or null when the intervals overlap or are not known: then nobody can tell. */
export function newerSide(crm: ChangeInterval, vendor: ChangeInterval): 'crm' | 'vendor' | null {
  if (isNotAfter(crm.until, vendor.after)) return 'vendor';
  if (isNotAfter(vendor.until, crm.after)) return 'crm';
  return null;
}

/**
 * The side whose record was saved later, by the stamps of both sides; the CRM's stamps are whole seconds, and within one
 * second the CRM's edit counts as the later one, as it does where the vendor tells no time. A stamp that may be that of
 * our own write tells none: where only the other side's is somebody's edit, that is the later one.
 */
export function laterRecord(crm: ChangeInterval, vendor: ChangeInterval): 'crm' | 'vendor' {
  if (vendor.isOurs === true) return 'crm';
  if (crm.isOurs === true) return vendor.until === null ? 'crm' : 'vendor';
  return secondOf(vendor.until) > secondOf(crm.until) ? 'vendor' : 'crm';
}

/** Not a number where it is not known. */
function secondOf(stamp: string | null): number {
  return Math.floor(Date.parse(String(stamp)) / 1000);
}

/** Salesforce's stamps are whole seconds: what happened by one may have happened until the next. */
const LAST_MS_OF_SECOND = 999;

/** When each side's record changed, and what the CRM's field history tells of single fields, where it was asked. */
export type Changes = {
  readonly crmChange: ChangeInterval;
  readonly vendorChange: ChangeInterval;
  readonly crmHistory?: readonly CrmFieldChange[];
  /** Which field of the CRM a change there is about. */
  readonly config: CrmNames;
};

/** When the CRM's users changed a field. */
export function crmChangeOf(
  field: FieldName,
  { crmChange, crmHistory = [], config }: Omit<Changes, 'vendorChange'>,
): ChangeInterval {
  return narrowed(crmChange, crmFieldOf(field, config), crmHistory);
}

/** The rules of a `newest` conflict that the two sides' times leave open, by what the tenant prefers. */
export const RULES_WITHOUT_TIME = {
  later: 'newest: by the later record',
  crm: 'newest: cannot tell, prefer crm',
  vendor: 'newest: cannot tell, prefer vendor',
} as const;

/**
 * The fields of the opportunity whose history would tell more of these decisions. Only fields that an opportunity itself
 * holds have one.
 */
export function undatedFields(decisions: readonly FieldDecision[], mapping: CrmNames): readonly string[] {
  const rules: readonly string[] = [...Object.values(RULES_WITHOUT_TIME), LEDGER_RESTORED];
  return decisions
    .filter(({ field, rule }) => rules.includes(rule) && !HELD_ELSEWHERE.has(FIELDS[field].kind))
    .map(({ field }) => crmFieldOf(field, mapping))
    .filter((name) => lookupOf(name) === null);
}

const HELD_ELSEWHERE: ReadonlySet<FieldKind> = new Set([
  'lines',
  'entity',
  'customer-contacts',
  'partner-contacts',
]);

/** The interval of one field of the CRM, where the field history knows of its last change since the base. */
function narrowed(
  interval: ChangeInterval,
  crmField: string,
  history: readonly CrmFieldChange[],
): ChangeInterval {
  const last = history
    .filter(({ field, at }) => field === crmField && !isBefore(at, interval.after))
    .map(({ at }) => at)
    .sort()
    .at(-1);
  if (last === undefined) return interval;
  const until = new Date(Date.parse(last) + LAST_MS_OF_SECOND).toISOString();
  return { after: last, until, isByField: true };
}
