/** An org's description of one field, as the integration user sees it. */
export type SchemaField = {
  /** The field's label, in the integration user's language; absent if the org shows none. */
  readonly label?: string;
  /** Salesforce's type, such as `string`, `picklist` or `date`. */
  readonly type: string;
  /** Maximal number of characters; 0 if the type has none. */
  readonly length: number;
  /** The active values of a picklist. The field may accept other values too, unless `isRestricted`. */
  readonly values: readonly string[];
  /** Whether the field accepts only the picklist's values. */
  readonly isRestricted: boolean;
  readonly createable: boolean;
  readonly updateable: boolean;
  /** Whether the field is a formula or a roll-up summary, which no user can write. */
  readonly isCalculated: boolean;
  /** Whether a new row must contain a value for the field, because the org has no default. */
  readonly isRequired: boolean;
  /** For a lookup field: the name of its relationship, and the objects to which it may refer. Null for any other field. */
  readonly lookup: { readonly name: string; readonly to: readonly string[] } | null;
};

export type SchemaObject = {
  /** The object's fields, by name. A field that is missing here does not exist, or is hidden from the integration user. */
  readonly fields: { readonly [name: string]: SchemaField };
  /** Developer names of the record types that the integration user may choose, without the master record type. */
  readonly recordTypes: readonly string[];
  /** The record type of a row that is created without a record type; null for the master record type. */
  readonly defaultRecordType: string | null;
  /**
   * For each active record type, by developer name: the picklist values that it offers, by field, or null if the org does not show these
   * values. The master record type is left out, because it offers every value. Empty for objects into whose picklists Lockstep writes no
   * vendor values.
   */
  readonly offered: { readonly [recordType: string]: OfferedValues | null };
};

export type OfferedValues = { readonly [field: string]: readonly string[] };

/** The descriptions of objects, by name. An object that is missing here does not exist, or is hidden from the integration user. */
export type CrmSchema = { readonly [object: string]: SchemaObject };

/**
 * If a read fails because of fields that are hidden from the integration user, a worker leaves these fields out of its next reads. After
 * this time, in ms, it tries all fields again.
 */
export const NARROWED_FOR_MS = 10 * 60_000;
