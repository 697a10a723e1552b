import type { CanonicalRecord, FieldName, Observed } from '../record/canonical.ts';
import type { CrmWrite } from '../record/crm-graph.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { MovedTo } from '../record/moved-account.ts';

/** Plain JSON of `data.leadOpportunity` of a read (sales spec 2.8). Nothing is taken for granted about its values. */
export type VendorRaw = { readonly [field: string]: unknown };

export type FieldValue = CanonicalRecord[FieldName];

export type CreateContext = {
  /** `partnerLeadOpportunityId`: the opportunity's 18-character id. */
  readonly reference: string;
  readonly config: MappingConfig;
};

export type UpdateContext = CreateContext & {
  /** The vendor's values as last read, or the base's where no read was made. */
  readonly present: Observed;
  /** The merged record as it shall be after the update. */
  readonly target: Observed;
  /** Present where the opportunity was moved to another account since both sides agreed. */
  readonly movedTo?: MovedTo | undefined;
};

/** A changed field that is not sent now. */
export type Withheld = { readonly field: FieldName; readonly issue: Issue };

export type CreateBody = { readonly intent: VendorIntent | null; readonly issues: readonly Issue[] };
export type UpdateBody = { readonly intent: VendorIntent | null; readonly withheld: readonly Withheld[] };

export type CrmWriteContext = {
  readonly config: MappingConfig;
  /** Offers that no product of the CRM carries: their lines are left out with an `unknown-offer` issue each. */
  readonly unknownOffers?: ReadonlySet<string>;
  /** What is told of those of them whose line is held back for another reason. */
  readonly heldOffers?: ReadonlyMap<string, Issue>;
};

export type CrmWriteResult = {
  /** Null when the CRM already shows the changes, or may not be given them. */
  readonly write: CrmWrite | null;
  readonly issues: readonly Issue[];
};
