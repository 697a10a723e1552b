import { fieldsInCrm } from '../mapping/index.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import type { Issue } from '../record/issue.ts';
import { type CrmNames, crmFieldOf } from '../record/mapping-config.ts';
import type { CrmImport, CrmUpdate } from '../record/plan.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { DecideInput } from './input.ts';

type Refusal = 'vendor-refused' | 'crm-refused';

/** The values that one request gives to fields, by field. */
type Sent = { readonly [F in FieldName]?: unknown };

/** A value that was refused by itself, as this version of the opportunity had it; a user who saves wants it sent again. */
export function fingerprintOf(value: unknown, savedAt: string | null): string {
  return fingerprint([value, savedAt]);
}

/** What is told of values that were refused by themselves, and that would be sent again as they are. */
export function refusedBefore(
  refusal: Refusal,
  sent: Sent,
  savedAt: string | null,
  { link, sendsRefusedAgain }: Pick<DecideInput, 'link' | 'sendsRefusedAgain'>,
): readonly Issue[] {
  if (sendsRefusedAgain) return [];
  return link.issues.filter(
    ({ code, field, fingerprint }) =>
      code === refusal && fingerprint === fingerprintOf(sent[field as FieldName], savedAt),
  );
}

/** A record without the fields that issues are about. */
export function without(record: Observed, issues: readonly Issue[]): Observed {
  const held = fieldsOf(issues);
  return Object.fromEntries(Object.entries(record).filter(([field]) => !held.has(field))) as Observed;
}

export function fieldsOf(issues: readonly Issue[]): ReadonlySet<string | null> {
  return new Set(issues.map(({ field }) => field));
}

/** What a write gives to fields of the opportunity that each hold one field of ours. */
export function sentToOpportunity(opportunity: CrmFields, mapping: CrmNames): Sent {
  const fields = fieldsInCrm(Object.keys(opportunity), mapping);
  return Object.fromEntries(fields.map((field) => [field, opportunity[crmFieldOf(field, mapping)]]));
}

/** What a plan gives to the opportunity. */
export function opportunityOf(plan: CrmUpdate | CrmImport): CrmFields {
  return plan.next === 'write-crm' ? plan.write.opportunity : plan.create.opportunity;
}
