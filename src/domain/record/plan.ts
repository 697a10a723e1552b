/**
 * A plan: the decision about one record as JSON data, with the values to write. The ledger (Lockstep's database) stores the plan, and
 * activities execute it.
 */
import type { Base } from './base.ts';
import type { CrmCreate, CrmWrite } from './crm-graph.ts';
import type { FieldDecision } from './field-decision.ts';
import type { VendorIntent } from './intent.ts';
import type { Issue } from './issue.ts';
import type { LinkState } from './link-state.ts';

type Decided = {
  /** The reason for the decision in a few words, for operators. Contains no values of the record. */
  readonly reason: string;
  readonly decisions: readonly FieldDecision[];
  readonly issues: readonly Issue[];
  readonly stateAfter: LinkState;
};

/**
 * A plan (stored decision) with one write to the CRM or the vendor. Before the write is sent, the ledger (Lockstep's database) stores its
 * content, and the values on which both sides agree once it is applied.
 */
type Write = Decided & {
  /**
   * The base (last agreed values) that is valid even if the write fails, because it is computed only from values that were read. Null if
   * the sides have never agreed.
   */
  readonly baseBefore: Base | null;
  /** The base (last agreed values) that the ledger (Lockstep's database) stores once the write is known to be applied. */
  readonly baseAfter: Base;
};

/**
 * A decision to write nothing. Either both sides agree, or their differences wait: for a user's choice, or for a value that the other side
 * can accept. `baseAfter`: the values on which both sides agree after this read.
 */
export type NothingToWrite = Decided & { readonly next: 'nothing'; readonly baseAfter: Base };

/** A decision to do nothing until a user or operator acts (`parked`), or until the record is shared with the vendor again (`detached`). */
export type Waiting = Decided & { readonly next: 'parked' | 'detached' };

/** A decision that Lockstep must read or search the vendor before it can decide what to write. */
export type LookFurther = Decided & { readonly next: 'read-vendor' | 'search-vendor' };

/**
 * `intent`: the content of a write to the vendor. `savedAt`: the version of the opportunity whose values are sent. If the vendor refuses
 * the content, Lockstep sends it again only after a sales person has saved the opportunity, which changes this version.
 */
type VendorWritePayload = { readonly intent: VendorIntent; readonly savedAt: string | null };

export type VendorCreate = Write & VendorWritePayload & { readonly next: 'create-at-vendor' };

export type VendorUpdate = Write &
  VendorWritePayload & { readonly next: 'update-at-vendor'; readonly vendorId: string };

export type CrmUpdate = Write & { readonly next: 'write-crm'; readonly write: CrmWrite };

/** A plan to create a vendor-created deal (entered by the vendor's users) in the CRM. */
export type CrmImport = Write & { readonly next: 'create-in-crm'; readonly create: CrmCreate };

export type VendorWrite = VendorCreate | VendorUpdate;
export type WritePlan = VendorWrite | CrmUpdate | CrmImport;

/** The decision about one record. `next` names the next step: nothing, a wait, a read or search at the vendor, or a write. */
export type Plan = NothingToWrite | Waiting | LookFurther | WritePlan;

export type NextStep = Plan['next'];
export type WriteStep = WritePlan['next'];
