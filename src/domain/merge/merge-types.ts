import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { FieldDecision, FieldVerdict, LineConflict } from '../record/field-decision.ts';
import type { FieldSpec } from '../record/field-spec.ts';
import type { Issue } from '../record/issue.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { PickedSide } from '../record/pick.ts';
import type { Changes } from './newest.ts';

export type MergeInput = Changes & {
  /** The values on which both sides last agreed; null on the first sync of two existing records. */
  readonly base: Base | null;
  readonly crm: Observed;
  /** The vendor's values; empty if the vendor was not read. */
  readonly vendor: Observed;
  /**
   * The first values that the vendor showed in fields that it fills in after a create. Present until Lockstep has decided about these
   * fields. Lockstep uses them to distinguish the vendor's defaults from edits.
   */
  readonly filledIn?: Observed | undefined;
  /** Fields whose CRM value has no translation into a value of the vendor. Neither side gets the other side's value of such a field. */
  readonly untranslatable: ReadonlySet<FieldName>;
  /** The side that a person picked on the sync row (`Lockstep_Sync__c`) for all conflicts that wait; null if there is no pick. */
  readonly pick: PickedSide | null;
  /** The side that an operator chose for all fields on which the two sides never agreed; absent if no operator chose. */
  readonly firstPick?: PickedSide | undefined;
  readonly config: MappingConfig;
};

/** The result of the merge of one deal's fields. `held`: fields with a conflict that waits for a person. */
export type Merge = {
  readonly decisions: readonly FieldDecision[];
  /** Values to write to the vendor, by field. */
  readonly toVendor: Observed;
  readonly toCrm: Observed;
  readonly held: readonly FieldName[];
  /** Issues (reasons why a field waits) that a person has to solve. */
  readonly issues: readonly Issue[];
  /** Fields in which the CRM's value replaces a default of the vendor, which no user entered. */
  readonly overDefaults: readonly FieldName[];
};

/**
 * One field in the CRM and at the vendor, as the merge compares it. `base`: the values on which both last agreed. `crmChanged`,
 * `vendorChanged`: whether the present value differs from the last agreed value, so that a user has edited it.
 */
export type Sides = {
  readonly field: FieldName;
  readonly direction: FieldSpec['direction'];
  readonly base: { readonly crm: unknown; readonly vendor: unknown };
  readonly crm: unknown;
  readonly vendor: unknown;
  readonly crmChanged: boolean;
  readonly vendorChanged: boolean;
  /** True if the two sides have never agreed on this field, for example if the CRM shows the field for the first time. */
  readonly first: boolean;
};

/** What the merge decides about one field. `isOverDefault`: the CRM's value replaces a default of the vendor. */
export type Outcome = {
  readonly verdict: FieldVerdict;
  readonly rule: string;
  readonly toVendor?: unknown;
  readonly toCrm?: unknown;
  readonly issue?: Issue;
  readonly lines?: readonly LineConflict[];
  readonly isOverDefault?: true;
};
