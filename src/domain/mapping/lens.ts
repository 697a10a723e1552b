import type { OffersLeftOut } from '../lines/lines-with-product.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmCreate, CrmGraph, CrmWrite } from '../record/crm-graph.ts';
import type { Issue } from '../record/issue.ts';
import { type CrmNames, crmFieldOf, lookupOf, type MappingConfig } from '../record/mapping-config.ts';
import type { MovedTo } from '../record/moved-account.ts';

/**
 * Translates one field between the CRM's form, the vendor's form and the canonical form (one form for both sides). There is a lens for each
 * kind of field (`kinds/`), and for some single fields (`own-rules/`).
 */
export type Lens<V> = {
  readonly unset: V;
  /**
   * Whether an update may overwrite the vendor's value without a new read (`decide/evidence.ts` has the exact rules). False for lists,
   * entities and parts of them: they are sent whole, so entries that vendor users added since the last read would be lost. False also for
   * the currency, because it decides what the amounts of the vendor's lines mean.
   */
  readonly scalar: boolean;
  /** The CRM fields that contain the field's value, by object. Lockstep's query of the CRM selects these fields. */
  crmFields(field: FieldName, names: CrmNames): CrmFieldNames;
  /** Where the field is in the vendor's requests and reads: the object that contains it, and its property names there. */
  readonly vendor: VendorEnd;

  /** Reads the field's value from the opportunity and its related rows. The value is undefined if it is unknown. */
  fromCrm(graph: CrmGraph, at: ReadContext): CrmValueRead<V>;
  /** Reads the field's value from the JSON of a vendor read. Undefined if the JSON has another type than this field. */
  fromVendor(observed: unknown, at: ReadContext): V | undefined;
  /**
   * The part of a CRM update that sets the field to this value. For fields that only CRM users set, the function is `neverToCrm`, which
   * writes nothing.
   */
  toCrm(value: V, graph: CrmGraph, at: CrmTarget): CrmPart;
  /** The part of a CRM create that gives a new deal this value of the field. */
  toNewCrm(value: V, at: NewCrmTarget): NewCrmPart;
  /** The field's value as JSON for the vendor, or the issue that says why the value cannot be sent. */
  toVendor(value: V, at: VendorTarget): ToVendor;

  /**
   * A text by which values are compared: two values with the same meaning have the same key. The key of an unset value is the text `null`,
   * `[]` or `""`.
   */
  key(value: unknown, config: MappingConfig): string;
  /**
   * Merges the CRM's value with entries that vendor users added, so that sending it does not remove these entries. If absent, the CRM's
   * value is sent unchanged.
   */
  forVendor?(crm: V, sides: { readonly agreed: V; readonly vendor: V }): V;
  /**
   * Whether `observed` is the sent value `given` in the form in which the vendor or the CRM stores it: trimmed, shortened or rounded. If
   * absent, both store values of this kind unchanged.
   */
  normalised?(given: V, observed: V): boolean;
};

export type CrmFieldNames = { readonly [object: string]: readonly string[] };

export type VendorEnd = {
  /** Where a request contains the field: inside `leadOpportunity` (`core`), or next to it (sales spec 4.1). */
  readonly place: 'core' | 'beside';
  /** The key of the field in a request to the vendor. If absent, the key is the field's `FieldName`. */
  readonly key?: string;
  /**
   * The possible keys of the field in the vendor's read; the first one that the read contains counts. If absent, the key is that of a
   * request.
   */
  readonly readAs?: readonly string[];
};

export type ReadContext = {
  readonly field: FieldName;
  readonly config: MappingConfig;
  /** The currency in which the side that is read (CRM or vendor) states amounts. */
  readonly currency: string;
};

export type CrmValueRead<V> = { readonly value: V | undefined; readonly issues: readonly Issue[] };

export type CrmTarget = ReadContext & OffersLeftOut;

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
  /** The values that the request must send. In a create, the whole record. */
  readonly changes: Observed;
  /** The values of the whole record after the request. */
  readonly target: Observed;
  /** The vendor's current values; empty on create. */
  readonly present: Observed;
  /** The opportunity's new account, if its `AccountId` changed since both sides last agreed; otherwise absent. */
  readonly movedTo?: MovedTo | undefined;
};

export type ToVendor =
  /**
   * The value is sent. `value`: its JSON. `record`: the values in canonical form (one form for both sides), as a later read will show them.
   * `leftOut`: issues about list items that could not be sent.
   */
  | {
      readonly kind: 'send';
      readonly value: unknown;
      readonly record: Observed;
      readonly leftOut?: readonly Issue[];
    }
  | { readonly kind: 'unset'; readonly leftOut?: readonly Issue[] }
  | { readonly kind: 'withhold'; readonly issue: Issue };

/**
 * The opportunity fields that contain the value of a field. If the value is read across a lookup (such as `Campaign.Code__c`), the lookup
 * field is included, because only the lookup field shows whether the lookup is empty.
 */
export function crmFieldNames(field: FieldName, names: CrmNames): CrmFieldNames {
  const path = crmFieldOf(field, names);
  const lookup = lookupOf(path);
  return { Opportunity: lookup === null ? [path] : [path, lookup] };
}

/** The function `toCrm` of a lens (set of translation functions) for a field that only CRM users set. It writes nothing to the CRM. */
export const neverToCrm = (): CrmPart => ({});

/**
 * A `toNewCrm` function for lenses (sets of translation functions) that add nothing to the create of a CRM deal. There are two cases: a new
 * CRM deal does not get the field, or the lens of another field writes it.
 */
export const notInNewCrm = (): NewCrmPart => ({});

/** The result of reading a CRM field that the integration user may not see: an unknown value, and no issue. */
export const UNKNOWN: CrmValueRead<never> = { value: undefined, issues: [] };

/** The result of reading a CRM value that cannot be translated: an unknown value, and an issue for sales persons. */
export function unknown(issue: Issue): CrmValueRead<never> {
  return { value: undefined, issues: [issue] };
}

/** The result of reading a CRM value without an issue. `value`: undefined if it is unknown. */
export function readValue<V>(value: V | undefined): CrmValueRead<V> {
  return { value, issues: [] };
}

export function withhold(issue: Issue): ToVendor {
  return { kind: 'withhold', issue };
}

/** The vendor status that the record will have after the request. The status decides whether the vendor accepts a forecast. */
export function statusAfter({ target, present }: VendorTarget): string | null {
  return target.status ?? present.status ?? null;
}
