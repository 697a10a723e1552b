/** What a field of the CRM can be given, as the CRM itself describes it. */
export type FieldLimit = {
  /** Characters of a text; null where the type has no such limit. */
  readonly length: number | null;
  /** The active values of a restricted picklist; null where any is taken. */
  readonly values: readonly string[] | null;
  /** The same with their labels, where the CRM tells them. */
  readonly choices?: readonly Choice[];
  /** Whether one value holds several, parted by semicolons. */
  readonly isMulti: boolean;
  /** Whether the integration user may give it, to a new record and to one that is there. */
  readonly createable: boolean;
  readonly updateable: boolean;
};

/** `goesWith`: the values of the controlling field that it is a choice for; null where it depends on none. */
export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly goesWith: readonly string[] | null;
};

/** Why a field of the CRM cannot be given a value; `no-text`: the tenant's mapping has none for it. */
export type Misfit = 'too-long' | 'no-such-value' | 'not-writable' | 'no-text';

/** By field. One that is missing is not there for the integration user. */
export type ObjectLimits = { readonly [field: string]: FieldLimit };

/** By object. Of one that is missing nothing is known. */
export type CrmLimits = { readonly [object: string]: ObjectLimits };
