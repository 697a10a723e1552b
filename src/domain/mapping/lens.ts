import type { OffersLeftOut } from '../lines/lines-with-product.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmCreate, CrmGraph, CrmWrite } from '../record/crm-graph.ts';
import type { Issue } from '../record/issue.ts';
import { type CrmNames, crmFieldOf, lookupOf, type MappingConfig } from '../record/mapping-config.ts';
import type { MovedTo } from '../record/moved-account.ts';

/**
 * Translates one field between each side's form and the canonical form (one form for both sides). There is a lens for each kind of field
 * (`kinds/`), and for some single fields (`own-rules/`).
 */
export type Lens<V> = {
  readonly unset: V;
  /** Whether an update may overwrite the vendor's value without a read. False for lists and entities, which are sent whole. */
  readonly scalar: boolean;
  /** The CRM fields that contain the value, by object. The CRM query reads them. */
  crmFields(field: FieldName, names: CrmNames): CrmFieldNames;
  /** The field's keys and position in the vendor's requests and reads. */
  readonly vendor: VendorEnd;

  /** Reads the field's value from the opportunity with its related rows; undefined if unknown. */
  fromCrm(graph: CrmGraph, at: ReadContext): CrmValueRead<V>;
  /** Reads the value from a vendor read; undefined if the value in the read is not of this field's kind. */
  fromVendor(observed: unknown, at: ReadContext): V | undefined;
  /** The part of a CRM write that gives the value to an existing deal. `neverToCrm` for fields that only CRM users set. */
  toCrm(value: V, graph: CrmGraph, at: CrmTarget): CrmPart;
  /** The part of a CRM create that gives the value to a new deal. */
  toNewCrm(value: V, at: NewCrmTarget): NewCrmPart;
  /** The value as JSON for the vendor, or the issue that says why it cannot be sent. */
  toVendor(value: V, at: VendorTarget): ToVendor;

  /** A comparison key: equal for two values with the same meaning. The key of an unset value is the text `null`, `[]` or `""`. */
  key(value: unknown, config: MappingConfig): string;
  /** Merges the CRM's value with values that vendor users added; the result is sent. If absent, the CRM's value is sent. */
  forVendor?(crm: V, sides: { readonly agreed: V; readonly vendor: V }): V;
  /**
   * Whether `observed` is `given` as a side stores it: trimmed, shortened or rounded. If absent, sides store values of this kind unchanged.
   */
  normalised?(given: V, observed: V): boolean;
};

export type CrmFieldNames = { readonly [object: string]: readonly string[] };

export type VendorEnd = {
  /** Where a request contains the field: inside `leadOpportunity` (`core`), or next to it (sales spec 4.1). */
  readonly place: 'core' | 'beside';
  /** The key of the field in a request. If absent, the field's name. */
  readonly key?: string;
  /** The possible keys of the field in a read. The first one in the read counts. Default: the key of a request. */
  readonly readAs?: readonly string[];
};

export type ReadContext = {
  readonly field: FieldName;
  readonly config: MappingConfig;
  /** The currency in which this side states amounts. */
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
  /** The values to send. On create, the whole record. */
  readonly changes: Observed;
  /** The values that the record will have after the request. */
  readonly target: Observed;
  /** The vendor's current values; empty on create. */
  readonly present: Observed;
  /** The opportunity's new account; present if its `AccountId` changed since both sides last agreed. */
  readonly movedTo?: MovedTo | undefined;
};

export type ToVendor =
  /**
   * `value`: the JSON to send. `record`: the values as a later read will show them. `leftOut`: issues about list items that could not be
   * sent.
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
 * The opportunity fields that contain a canonical field. If the field is read through a lookup, the lookup field is included, because only
 * the lookup field shows whether the lookup is empty.
 */
export function crmFieldNames(field: FieldName, names: CrmNames): CrmFieldNames {
  const path = crmFieldOf(field, names);
  const lookup = lookupOf(path);
  return { Opportunity: lookup === null ? [path] : [path, lookup] };
}

/** The `toCrm` of a lens for a field that only CRM users set: it writes nothing. */
export const neverToCrm = (): CrmPart => ({});

/** The `toNewCrm` of a lens for a field that a new CRM deal does not get, or that another field's lens writes. */
export const notInNewCrm = (): NewCrmPart => ({});

/** What a lens returns for a field that the integration user may not see: an unknown value, and no issue. */
export const UNKNOWN: CrmValueRead<never> = { value: undefined, issues: [] };

/** What a lens returns for a CRM value that it cannot use: an unknown value, with an issue for sales persons. */
export function unknown(issue: Issue): CrmValueRead<never> {
  return { value: undefined, issues: [issue] };
}

/** What a lens returns for a CRM value that it could read, without issues. */
export function readValue<V>(value: V | undefined): CrmValueRead<V> {
  return { value, issues: [] };
}

export function withhold(issue: Issue): ToVendor {
  return { kind: 'withhold', issue };
}

/** The status that the record will have after the request. It decides whether a forecast may be sent. */
export function statusAfter({ target, present }: VendorTarget): string | null {
  return target.status ?? present.status ?? null;
}
