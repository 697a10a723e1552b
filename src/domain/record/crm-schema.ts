/** How an org describes one field to the integration user. */
export type SchemaField = {
  /** Salesforce's type, such as `string`, `picklist` or `date`. */
  readonly type: string;
  /** Characters of a text; 0 where the type has none. */
  readonly length: number;
  /** The active values of a picklist, whether or not others are taken too. */
  readonly values: readonly string[];
  /** Only these values are taken. */
  readonly isRestricted: boolean;
  readonly createable: boolean;
  readonly updateable: boolean;
  /** A formula or a summary: its value is nobody's to write. */
  readonly isCalculated: boolean;
  /** No row is made without it, and nothing fills it in. */
  readonly isRequired: boolean;
  /** What a field that names a record is called as a way to it, and the objects that it may lead to. */
  readonly lookup: { readonly name: string; readonly to: readonly string[] } | null;
};

export type SchemaObject = {
  /** By name; one that is missing is not there, or hidden from the integration user. */
  readonly fields: { readonly [name: string]: SchemaField };
  /** Developer names of the record types that the integration user may choose, the master one left out. */
  readonly recordTypes: readonly string[];
  /** The one that a row gets that is made without; null: the master one. */
  readonly defaultRecordType: string | null;
  /**
   * What each active record type offers of the picklists, by its developer name; null where the org does not tell. The master one
   * offers every value, and is left out. Empty for objects whose picklists take nothing of the vendor's.
   */
  readonly offered: { readonly [recordType: string]: OfferedValues | null };
};

/** Values of picklists, by field. */
export type OfferedValues = { readonly [field: string]: readonly string[] };

/** By object; one that is missing is not there, or hidden. */
export type CrmSchema = { readonly [object: string]: SchemaObject };
