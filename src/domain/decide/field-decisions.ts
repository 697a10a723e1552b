import type { EchoCheck } from '../base/recognise-echo.ts';
import type { Merge } from '../merge/merge.ts';
import { EMPTY_BASE } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { FieldDecision } from '../record/field-decision.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';
import type { DecideInput } from './input.ts';
import type { Outgoing } from './outgoing.ts';

type Compared = {
  readonly input: DecideInput;
  readonly crm: CrmObservation;
  /** The vendor's side as it was read; null when it was not. */
  readonly vendor: VendorObservation | null;
  readonly echo: EchoCheck | null;
  readonly merged: Merge;
  readonly outgoing: Outgoing;
  readonly cleared: readonly FieldName[];
  readonly ignoredBySide: readonly FieldName[];
};

/**
 * The journal's rows. A field that may not be sent now is told apart from one that goes out, and so is one that goes
 * out over a former value: the vendor did not take ours, or its users went back to theirs.
 */
export function fieldDecisions(compared: Compared): readonly FieldDecision[] {
  const { cleared, echo, ignoredBySide } = compared;
  const merged = compared.merged.decisions
    .filter((item) => !cleared.includes(item.field))
    .map((item) => asSent(compared, item));
  const normalised = (echo?.normalised ?? []).filter((field) => !merged.some((item) => item.field === field));
  return [
    ...merged,
    ...cleared.map((field) => rowOf(compared, field, 'cleared', 'the vendor keeps removed rows')),
    ...normalised.map((field) => rowOf(compared, field, 'same', 'in the form of the vendor')),
    ...ignoredBySide.map((field) => rowOf(compared, field, 'ignored', 'not taken by the vendor')),
  ];
}

function asSent({ outgoing, echo, vendor }: Compared, item: FieldDecision): FieldDecision {
  if (outgoing.withheld.includes(item.field))
    return { ...item, verdict: 'withheld', rule: 'not sendable now' };
  if (item.verdict === 'to-vendor' && vendor === null) return { ...item, rule: UNOBSERVED };
  if (item.verdict !== 'to-vendor' || echo?.ignoredBySide.includes(item.field) !== true) return item;
  const previousValues = vendor?.record[item.field];
  return {
    ...item,
    verdict: 'conflict-crm',
    rule: 'over the former value of the vendor',
    vendor: previousValues,
  };
}

const UNOBSERVED = 'changed in the CRM, vendor value unobserved';

function rowOf(
  { input, crm, vendor }: Compared,
  field: FieldName,
  verdict: FieldDecision['verdict'],
  rule: string,
): FieldDecision {
  const agreed = input.link.base ?? EMPTY_BASE;
  const base = { crm: agreed.crm[field], vendor: agreed.vendor[field] };
  return { field, verdict, rule, base, crm: crm.record[field], vendor: vendor?.record[field] };
}
