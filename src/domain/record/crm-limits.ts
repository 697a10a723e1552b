/** The values that a CRM field accepts, from the org's describe result. */
export type FieldLimit = {
  /** The field's label, in the integration user's language. */
  readonly label?: string;
  /** Maximal number of characters; null if the type has no limit. */
  readonly length: number | null;
  /** The active values of a restricted picklist; null if any value is accepted. */
  readonly values: readonly string[] | null;
  /** The picklist's values with their labels, if the CRM returns labels. */
  readonly choices?: readonly Choice[];
  /** Whether the field's value can contain several picklist values, separated by semicolons. */
  readonly isMulti: boolean;
  /** Whether the integration user may set the field on a new record, and on an existing record. */
  readonly createable: boolean;
  readonly updateable: boolean;
};

/**
 * One value of a picklist. `goesWith`: for a picklist that depends on a controlling field, the values of the controlling field with which
 * this value is offered; otherwise null.
 */
export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly goesWith: readonly string[] | null;
};

/** Why a CRM field cannot store a value. `no-text`: the tenant's mapping has no text for the value. */
export type Misfit = 'too-long' | 'no-such-value' | 'not-writable' | 'no-text';

/** The limits of an object's fields. A field that is missing here does not exist, or is hidden from the integration user. */
export type ObjectLimits = { readonly [field: string]: FieldLimit };

/** The limits of fields, by object and field. If an object is missing here, nothing is known about its fields. */
export type CrmLimits = { readonly [object: string]: ObjectLimits };
