import type { OffersLeftOut } from '../lines/lines-with-product.ts';
import type { CanonicalRecord, FieldName, Observed } from '../record/canonical.ts';
import type { CrmWrite } from '../record/crm-graph.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { MovedTo } from '../record/moved-account.ts';

/** The JSON of `data.leadOpportunity` in the vendor's answer to a read (sales spec 2.8). Its values are not checked yet. */
export type VendorRaw = { readonly [field: string]: unknown };

export type FieldValue = CanonicalRecord[FieldName];

export type CreateContext = {
  /** The partner reference (`partnerLeadOpportunityId`) to send: the 18-character id of the deal's CRM record. */
  readonly reference: string;
  readonly config: MappingConfig;
};

export type UpdateContext = CreateContext & {
  /** The vendor's values in the last read. If the vendor was not read, the vendor's values when both sides last agreed. */
  readonly present: Observed;
  /** The values of the whole record after the update: the result of merging both sides. */
  readonly target: Observed;
  /** The opportunity's new account, if its `AccountId` changed since both sides last agreed; otherwise absent or undefined. */
  readonly movedTo?: MovedTo | undefined;
};

/** A field that changed in the CRM and cannot be sent to the vendor now, with the issue that says why. */
export type Withheld = { readonly field: FieldName; readonly issue: Issue };

export type CreateBody = { readonly intent: VendorIntent | null; readonly issues: readonly Issue[] };
export type UpdateBody = { readonly intent: VendorIntent | null; readonly withheld: readonly Withheld[] };

export type CrmWriteContext = OffersLeftOut & { readonly config: MappingConfig };

export type CrmWriteResult = {
  /** The CRM write; null if the CRM already has the changed values, or cannot store them. */
  readonly write: CrmWrite | null;
  readonly issues: readonly Issue[];
};
