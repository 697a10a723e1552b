import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmCreate, CrmGraph, CrmWrite } from '../record/crm-graph.ts';
import type { Issue } from '../record/issue.ts';
import { type CrmNames, crmFieldOf, lookupOf, type MappingConfig } from '../record/mapping-config.ts';
import type { MovedTo } from '../record/moved-account.ts';

/**
 * How one field says the same on both sides: read from either, written to either, compared. One object a kind of field
 * (`kinds/`); a field whose values have rules of their own has an object of its own (`own-rules/`).
 */
export type Lens<V> = {
  /** The field's "unset". */
  readonly unset: V;
  /** One value, which may be written over one that nobody looked at; a list or an entity is sent whole. */
  readonly scalar: boolean;
  /** The CRM fields that hold it, by object: what the adapter asks for. */
  crmFields(field: FieldName, names: CrmNames): CrmFieldNames;
  /** Where the vendor has it. */
  readonly vendor: VendorEnd;

  /** The value that a CRM graph shows, undefined where it is unknown. */
  fromCrm(graph: CrmGraph, at: ReadContext): CrmValueRead<V>;
  /** The value that a vendor's read shows under the field's key; undefined where it is none of this kind. */
  fromVendor(observed: unknown, at: ReadContext): V | undefined;
  /** What to write so that an existing deal shows the value. `neverToCrm` where it is the CRM's own. */
  toCrm(value: V, graph: CrmGraph, at: CrmTarget): CrmPart;
  /** The value's part of a deal that is to be made in the CRM. */
  toNewCrm(value: V, at: NewCrmTarget): NewCrmPart;
  /** The JSON of the value, or why it does not travel now. */
  toVendor(value: V, at: VendorTarget): ToVendor;

  /** A text that is equal for two values exactly where they say the same; of an unset one `null`, `[]` or `""`. */
  key(value: unknown, config: MappingConfig): string;
  /**
   * What the vendor shall show once the CRM's value is brought to it: the vendor's people may have entered more than the
   * CRM ever had. Absent: the CRM's value as it is.
   */
  forVendor?(crm: V, sides: { readonly agreed: V; readonly vendor: V }): V;
  /** Whether what a side shows is a normalised form of what it was given. Absent: the kind has none. */
  normalised?(given: V, observed: V): boolean;
};

export type CrmFieldNames = { readonly [object: string]: readonly string[] };

export type VendorEnd = {
  /** In a request: within `leadOpportunity`, or beside it (sales spec 4.1). */
  readonly place: 'core' | 'beside';
  /** Its key in a request; absent: the field's name. */
  readonly key?: string;
  /** Its keys in a read, the first that is there; absent: as in a request. */
  readonly readAs?: readonly string[];
};

export type ReadContext = {
  readonly field: FieldName;
  readonly config: MappingConfig;
  /** The currency of the side's amounts. */
  readonly currency: string;
};

export type CrmValueRead<V> = { readonly value: V | undefined; readonly issues: readonly Issue[] };

export type CrmTarget = ReadContext & {
  /** Offers that no product of the CRM carries. */
  readonly unknownOffers?: ReadonlySet<string>;
  /** What is told of those of them whose line is held back for another reason. */
  readonly heldOffers?: ReadonlyMap<string, Issue>;
};

export type CrmPart = Partial<Pick<CrmWrite, 'opportunity' | 'lines' | 'account'>> & {
  readonly issues?: readonly Issue[];
};

export type NewCrmTarget = {
  readonly field: FieldName;
  readonly config: MappingConfig;
  readonly record: Observed;
};

export type NewCrmPart = Partial<Omit<CrmCreate, 'vendorId'>>;

export type VendorTarget = {
  readonly field: FieldName;
  readonly config: MappingConfig;
  readonly use: 'create' | 'update';
  /** What is to be sent; the whole record on create. */
  readonly changes: Observed;
  /** The record as it shall be after the request. */
  readonly target: Observed;
  /** What the vendor has; nothing on create. */
  readonly present: Observed;
  /** As of an `UpdateContext`. */
  readonly movedTo?: MovedTo | undefined;
};

export type ToVendor =
  /** `record` is what a later read shows of it; `leftOut` what of a list could not be said. */
  | {
      readonly kind: 'send';
      readonly value: unknown;
      readonly record: Observed;
      readonly leftOut?: readonly Issue[];
    }
  | { readonly kind: 'unset'; readonly leftOut?: readonly Issue[] }
  | { readonly kind: 'withhold'; readonly issue: Issue };

/** Of a field that one field of the opportunity holds, or one across a lookup, whose own field tells whether there is one. */
export function crmFieldNames(field: FieldName, names: CrmNames): CrmFieldNames {
  const path = crmFieldOf(field, names);
  const lookup = lookupOf(path);
  return { Opportunity: lookup === null ? [path] : [path, lookup] };
}

/** What only the CRM's users set. */
export const neverToCrm = (): CrmPart => ({});

/** What a deal made in the CRM does not get, or gets together with another field. */
export const notInNewCrm = (): NewCrmPart => ({});

/** A field that the CRM's user may not see. */
export const UNKNOWN: CrmValueRead<never> = { value: undefined, issues: [] };

/** The same where its users should know. */
export function unknown(issue: Issue): CrmValueRead<never> {
  return { value: undefined, issues: [issue] };
}

/** What the CRM shows of a field, with nothing to say about it. */
export function readValue<V>(value: V | undefined): CrmValueRead<V> {
  return { value, issues: [] };
}

export function withhold(issue: Issue): ToVendor {
  return { kind: 'withhold', issue };
}

/** The status that a record has once a request is applied; what may be sent of a forecast depends on it. */
export function statusAfter({ target, present }: VendorTarget): string | null {
  return target.status ?? present.status ?? null;
}
