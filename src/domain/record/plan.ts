/** A decision about one record as JSON data. The ledger stores it, and activities execute it. */
import type { Base } from './base.ts';
import type { CrmCreate, CrmWrite } from './crm-graph.ts';
import type { FieldDecision } from './field-decision.ts';
import type { VendorIntent } from './intent.ts';
import type { Issue } from './issue.ts';
import type { LinkState } from './link-state.ts';

type Decided = {
  /** The reason in a few words, for operators. Contains no values of the record. */
  readonly reason: string;
  readonly decisions: readonly FieldDecision[];
  readonly issues: readonly Issue[];
  readonly stateAfter: LinkState;
};

/**
 * A plan that writes. Before the write is sent, the ledger stores the content of the write, and the values on which both sides agree once
 * it is applied.
 */
type Write = Decided & {
  /**
   * The base (last agreed values) that holds even if the write fails. It is computed only from what was read. Null if the sides have never
   * agreed.
   */
  readonly baseBefore: Base | null;
  /** The base (last agreed values) once the write is known to be applied. */
  readonly baseAfter: Base;
};

/** A decision to write nothing, because both sides agree or their differences wait. `baseAfter` includes the values that were read. */
export type NothingToWrite = Decided & { readonly next: 'nothing'; readonly baseAfter: Base };

/** A decision to do nothing: until a person acts (`parked`), or until the record is shared again (`detached`). */
export type Waiting = Decided & { readonly next: 'parked' | 'detached' };

/** A decision that Lockstep must read or search the vendor before it can decide what to write. */
export type LookFurther = Decided & { readonly next: 'read-vendor' | 'search-vendor' };

/**
 * The content of a vendor write (`intent`), and the version of the opportunity whose values are sent (`savedAt`). If the vendor refuses the
 * content, Lockstep sends it again once a sales person has saved the opportunity, which changes this version.
 */
type VendorWritePayload = { readonly intent: VendorIntent; readonly savedAt: string | null };

export type VendorCreate = Write & VendorWritePayload & { readonly next: 'create-at-vendor' };

export type VendorUpdate = Write &
  VendorWritePayload & { readonly next: 'update-at-vendor'; readonly vendorId: string };

export type CrmUpdate = Write & { readonly next: 'write-crm'; readonly write: CrmWrite };

/** A vendor-created deal to create in the CRM. */
export type CrmImport = Write & { readonly next: 'create-in-crm'; readonly create: CrmCreate };

export type VendorWrite = VendorCreate | VendorUpdate;
export type WritePlan = VendorWrite | CrmUpdate | CrmImport;

/** The decision about one record at one moment: the next step. */
export type Plan = NothingToWrite | Waiting | LookFurther | WritePlan;

export type NextStep = Plan['next'];
export type WriteStep = WritePlan['next'];
