import type { EchoCheck } from '../base/recognise-echo.ts';
import type { FieldDecision } from '../merge/field-decision.ts';
import type { Merge } from '../merge/merge.ts';
import type { Base } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';
import type { DecideInput } from './input.ts';

/** What the CRM's changes come to at the vendor. */
export type Outgoing = {
  readonly intent: VendorIntent | null;
  /** Changed, and not sendable now. */
  readonly withheld: readonly FieldName[];
  readonly issues: readonly Issue[];
};

/** What a look at a linked deal found; the plans are made of it. */
export type Found = {
  readonly input: DecideInput;
  readonly crm: CrmObservation;
  /** The vendor's reading as it is; null when it was not read. */
  readonly reading: VendorObservation | null;
  /** The vendor's reading without what is older than our own writes; null when it was not read. */
  readonly seen: VendorObservation | null;
  readonly echo: EchoCheck | null;
  readonly merged: Merge;
  readonly outgoing: Outgoing;
  readonly issues: readonly Issue[];
  /** The base by what both sides showed of our own writes, before the merge; null on the first look. */
  readonly known: Base | null;
  /** The base with all that is settled without a write. */
  readonly base: Base;
  /** Lists that are cleared before they are sent, because the vendor keeps removed rows. */
  readonly cleared: readonly FieldName[];
  /** Fields that we sent and the vendor did not take, and that are not sent anew now. */
  readonly notTaken: readonly FieldName[];
};

/**
 * The journal's rows. A field that may not be sent now is told apart from one that goes out, and so is one that goes
 * out over a former value: the vendor did not take ours, or its users went back to theirs.
 */
export function decisionsOf(found: Found): readonly FieldDecision[] {
  const merged = found.merged.decisions
    .filter((item) => !found.cleared.includes(item.field))
    .map((item) => asSent(found, item));
  const cleared = found.cleared.map((field) =>
    rowOf(found, field, 'cleared', 'the vendor keeps removed rows'),
  );
  const own = (found.echo?.normalised ?? []).filter((field) => !merged.some((item) => item.field === field));
  return [
    ...merged,
    ...cleared,
    ...own.map((field) => rowOf(found, field, 'same', 'in the form of the vendor')),
    ...found.notTaken.map((field) => rowOf(found, field, 'ignored', 'not taken by the vendor')),
  ];
}

function asSent({ outgoing, echo, reading }: Found, item: FieldDecision): FieldDecision {
  if (outgoing.withheld.includes(item.field))
    return { ...item, verdict: 'withheld', rule: 'not sendable now' };
  if (item.verdict === 'to-vendor' && reading === null) return { ...item, rule: UNOBSERVED };
  if (item.verdict !== 'to-vendor' || echo?.notTaken.includes(item.field) !== true) return item;
  const vendor = reading?.record[item.field];
  return { ...item, verdict: 'conflict-crm', rule: 'over the former value of the vendor', vendor };
}

const UNOBSERVED = 'changed in the CRM, vendor value unobserved';

function rowOf(
  { input, crm, reading }: Found,
  field: FieldName,
  verdict: FieldDecision['verdict'],
  rule: string,
): FieldDecision {
  const base = { crm: input.link.base?.crm[field], vendor: input.link.base?.vendor[field] };
  return { field, verdict, rule, base, crm: crm.record[field], vendor: reading?.record[field] };
}

/** The issues of a look that meets a refusal of before: what was refused stays to be seen. */
export function refusalsOf({ input, issues }: Found): readonly Issue[] {
  const told = new Set(issues.map((issue) => issue.message));
  const refusals = input.link.issues.filter((issue) => REFUSALS.has(issue.code) && !told.has(issue.message));
  return [...issues, ...refusals];
}

const REFUSALS: ReadonlySet<string> = new Set(['vendor-refused', 'crm-refused']);
