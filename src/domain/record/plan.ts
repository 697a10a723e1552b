/** What was decided about a record at one moment, as data: JSON that the ledger keeps and activities carry out. */
import type { Base } from './base.ts';
import type { CrmCreate, CrmWrite } from './crm-graph.ts';
import type { FieldDecision } from './field-decision.ts';
import type { VendorIntent } from './intent.ts';
import type { Issue } from './issue.ts';
import type { LinkState } from './link-state.ts';

type Decided = {
  /** Why, in a few words for the operator; no business values. */
  readonly reason: string;
  readonly decisions: readonly FieldDecision[];
  readonly issues: readonly Issue[];
  readonly stateAfter: LinkState;
};

/** What is sent is stored before it leaves, together with what becomes of the base. */
type Write = Decided & {
  /** The base by what these observations have shown, whatever becomes of the write; null before the first. */
  readonly baseBefore: Base | null;
  /** The base once the write is known to be applied. */
  readonly baseAfter: Base;
};

/** Both sides agree, or what differs waits; the base takes in what was seen. */
export type NothingToWrite = Decided & { readonly next: 'nothing'; readonly baseAfter: Base };

/** Nothing is done until somebody acts, or the record is shared again. */
export type Waiting = Decided & { readonly next: 'parked' | 'detached' };

/** More has to be known before anything can be decided. */
export type LookFurther = Decided & { readonly next: 'read-vendor' | 'search-vendor' };

/** `savedAt`: the version of the opportunity that is told; a user who saves it again wants it sent again. */
type VendorWritePayload = { readonly intent: VendorIntent; readonly savedAt: string | null };

export type VendorCreate = Write & VendorWritePayload & { readonly next: 'create-at-vendor' };

export type VendorUpdate = Write &
  VendorWritePayload & { readonly next: 'update-at-vendor'; readonly vendorId: string };

export type CrmUpdate = Write & { readonly next: 'write-crm'; readonly write: CrmWrite };

/** A vendor-created deal to be made in the CRM. */
export type CrmImport = Write & { readonly next: 'create-in-crm'; readonly create: CrmCreate };

export type VendorWrite = VendorCreate | VendorUpdate;
export type WritePlan = VendorWrite | CrmUpdate | CrmImport;

/** The decision about one record at one moment: the one next thing to do. */
export type Plan = NothingToWrite | Waiting | LookFurther | WritePlan;

export type NextStep = Plan['next'];
export type WriteStep = WritePlan['next'];
