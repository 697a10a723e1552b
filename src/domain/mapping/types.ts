import type { OffersLeftOut } from '../lines/lines-with-product.ts';
import type { CanonicalRecord, FieldName, Observed } from '../record/canonical.ts';
import type { CrmWrite } from '../record/crm-graph.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { MovedTo } from '../record/moved-account.ts';

/** The JSON of `data.leadOpportunity` in a read (sales spec 2.8). Its values are not checked yet. */
export type VendorRaw = { readonly [field: string]: unknown };

export type FieldValue = CanonicalRecord[FieldName];

export type CreateContext = {
  /** The partner reference (`partnerLeadOpportunityId`): the opportunity's 18-character id. */
  readonly reference: string;
  readonly config: MappingConfig;
};

export type UpdateContext = CreateContext & {
  /** The vendor's values as last read. Without a read, the vendor's values when both sides last agreed. */
  readonly present: Observed;
  /** The values of the merged record, which it will have after the update. */
  readonly target: Observed;
  /** The opportunity's new account, if `AccountId` changed since both sides last agreed. */
  readonly movedTo?: MovedTo | undefined;
};

/** A changed field that cannot be sent now. */
export type Withheld = { readonly field: FieldName; readonly issue: Issue };

export type CreateBody = { readonly intent: VendorIntent | null; readonly issues: readonly Issue[] };
export type UpdateBody = { readonly intent: VendorIntent | null; readonly withheld: readonly Withheld[] };

export type CrmWriteContext = OffersLeftOut & { readonly config: MappingConfig };

export type CrmWriteResult = {
  /** The write; null if the CRM already shows the changes, or cannot accept them. */
  readonly write: CrmWrite | null;
  readonly issues: readonly Issue[];
};
