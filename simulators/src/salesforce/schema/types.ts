/** Types of fields as Salesforce's describe names them. */
export type FieldType =
  | 'id'
  | 'string'
  | 'textarea'
  | 'picklist'
  | 'multipicklist'
  | 'boolean'
  | 'int'
  | 'double'
  | 'currency'
  | 'percent'
  | 'date'
  | 'datetime'
  | 'email'
  | 'phone'
  | 'url'
  | 'reference'
  | 'anyType';

export type PicklistValue = {
  readonly value: string;
  readonly label: string;
  readonly isDefault: boolean;
  /** For a value of a dependent picklist: the indexes of the controlling values for which it is offered. */
  readonly validFor?: readonly number[];
};

/** One field of an object, as much of it as the simulator acts on or describes. */
export type FieldDef = {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly custom: boolean;
  /** Greatest number of characters of a text; 0 for other types. */
  readonly length: number;
  /** Digits in all and after the point, for numbers. */
  readonly precision: number;
  readonly scale: number;
  /** Whether the field may be empty. */
  readonly nillable: boolean;
  readonly createable: boolean;
  readonly updateable: boolean;
  readonly unique: boolean;
  readonly externalId: boolean;
  readonly caseSensitive: boolean;
  /** Whether the object's field history records each change of the field. */
  readonly tracked: boolean;
  /** The help that users see beside the field; absent if it has none. */
  readonly help?: string;
  readonly picklist: readonly PicklistValue[];
  readonly restricted: boolean;
  /** The field that the values depend on. */
  readonly controller: string | null;
  readonly defaultValue: string | number | boolean | null;
  readonly calculated: boolean;
  /** The formula that computes the value; null for a stored field. */
  readonly formula: FormulaDef | null;
  /** The definition of a roll-up summary field; null for others. */
  readonly summary: SummaryDef | null;
  /** The formula of the default value; null if the default is a constant. */
  readonly defaultFormula: string | null;
  readonly reference: ReferenceDef | null;
};

export type FormulaDef = {
  readonly text: string;
  /** Whether an empty number counts as 0 instead of blank. */
  readonly blanksAsZero: boolean;
};

/** A roll-up over the details of a row (Metadata API: CustomField, `summary…`). */
export type SummaryDef = {
  readonly operation: 'count' | 'sum' | 'min' | 'max';
  readonly childObject: string;
  /** The detail's lookup to the row. */
  readonly childField: string;
  /** The detail's field that is added up or compared; null for a count. */
  readonly summarized: string | null;
  readonly filters: readonly SummaryFilter[];
};

export type SummaryFilter = { readonly field: string; readonly operation: string; readonly value: string };

/** The target of a lookup or master-detail field. */
export type ReferenceDef = {
  readonly to: string;
  /** Further target objects of a polymorphic lookup. The id's key prefix decides the object. */
  readonly others: readonly string[];
  /** Name of the parent relationship in SOQL (`Account`, `Opportunity__r`); null if SOQL cannot follow it. */
  readonly parentName: string | null;
  /** Name of the children in a sub-query of the parent (`Contacts`); null when there is none. */
  readonly childName: string | null;
  /** Whether read access to the parent of a master-detail is enough to write this row (Metadata API: `writeRequiresMasterRead`). */
  readonly readSuffices?: boolean;
  /** Deleting the parent deletes this row. */
  readonly cascade: boolean;
  /** Whether the parent cannot be deleted while this row refers to it. */
  readonly restrict: boolean;
};

export type ObjectDef = {
  readonly name: string;
  readonly label: string;
  readonly labelPlural: string;
  readonly keyPrefix: string;
  readonly custom: boolean;
  /** Whether API clients may insert, change and delete rows. */
  readonly createable: boolean;
  readonly updateable: boolean;
  readonly deletable: boolean;
  /** Format of auto-number names; null if rows get their names in another way. */
  readonly nameFormat: string | null;
  /** Fields by lower-case name, in describe order. */
  readonly fields: ReadonlyMap<string, FieldDef>;
};

/** A parent's view of a lookup that points at it. */
export type ChildRelationship = {
  readonly childObject: string;
  readonly field: string;
  readonly relationshipName: string | null;
  readonly cascadeDelete: boolean;
  readonly restrictedDelete: boolean;
};

/** An outbound message that the CRM package declares. */
export type OutboundDef = {
  readonly name: string;
  readonly object: string;
  readonly endpointUrl: string;
  readonly fields: readonly string[];
};

/** A currency of an org: its ISO code, and how much of it one unit of the corporate currency is worth. */
export type Currency = { readonly isoCode: string; readonly rate: number };

/** A country of an org with State and Country/Territory Picklists; `name` is its integration value. */
export type Country = {
  readonly code: string;
  readonly name: string;
  readonly states: readonly { readonly code: string; readonly name: string }[];
};

export interface Schema {
  readonly objects: readonly ObjectDef[];
  /** The countries of an org with State and Country/Territory Picklists; empty if addresses are plain texts. */
  readonly countries: readonly Country[];
  /** The currencies of a multi-currency org, the corporate one first; empty for an org with one currency. */
  readonly currencies: readonly Currency[];
  readonly outbound: readonly OutboundDef[];
  /** Finds an object by name, in any letter case; undefined if there is none. */
  object(name: string): ObjectDef | undefined;
  /** Finds an object by the first three characters of a record id. */
  objectOfId(id: string): ObjectDef | undefined;
  children(parent: string): readonly ChildRelationship[];
}
