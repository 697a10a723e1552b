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
  /** Of a dependent picklist: places of the controlling values that it goes with. */
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
  /** May be left without a value. */
  readonly nillable: boolean;
  readonly createable: boolean;
  readonly updateable: boolean;
  readonly unique: boolean;
  readonly externalId: boolean;
  readonly caseSensitive: boolean;
  /** Each change of it is kept in the history of its object. */
  readonly tracked: boolean;
  readonly picklist: readonly PicklistValue[];
  readonly restricted: boolean;
  /** The field that the values depend on. */
  readonly controller: string | null;
  readonly defaultValue: string | number | boolean | null;
  readonly calculated: boolean;
  /** The formula that works the value out; null for a field that keeps one. */
  readonly formula: FormulaDef | null;
  /** What a roll-up summary field adds up; null for all others. */
  readonly summary: SummaryDef | null;
  /** The formula of the value that a new row begins with; null where it is a plain one. */
  readonly defaultFormula: string | null;
  readonly reference: ReferenceDef | null;
};

export type FormulaDef = {
  readonly text: string;
  /** Whether a number without a value counts as 0, else as blank. */
  readonly blanksAsZero: boolean;
};

/** A roll-up over the details of a row (Metadata API: CustomField, `summary…`). */
export type SummaryDef = {
  readonly operation: 'count' | 'sum' | 'min' | 'max';
  readonly childObject: string;
  /** The detail's field that leads to the row. */
  readonly childField: string;
  /** The detail's field that is added up or compared; null for a count. */
  readonly summarized: string | null;
  readonly filters: readonly SummaryFilter[];
};

export type SummaryFilter = { readonly field: string; readonly operation: string; readonly value: string };

/** Where a lookup or master-detail field leads. */
export type ReferenceDef = {
  readonly to: string;
  /** More objects that it may lead to: such a lookup is polymorphic, and the id says which object it is. */
  readonly others: readonly string[];
  /** Name of the parent in SOQL (`Account`, `Opportunity__r`); null when it cannot be walked. */
  readonly parentName: string | null;
  /** Name of the children in a sub-query of the parent (`Contacts`); null when there is none. */
  readonly childName: string | null;
  /** Deleting the parent deletes this row. */
  readonly cascade: boolean;
  /** The parent cannot be deleted while this row points at it. */
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
  /** Format of auto-number names; null where rows are named otherwise. */
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

/** The outbound message that the CRM package declares. */
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
  /** Of an org with State and Country/Territory Picklists; none where addresses are plain texts. */
  readonly countries: readonly Country[];
  /** Of an org with several, the corporate one first; none where it has one. */
  readonly currencies: readonly Currency[];
  readonly outbound: OutboundDef | null;
  /** By name in any case; undefined when there is no such object. */
  object(name: string): ObjectDef | undefined;
  /** By the first three characters of a record id. */
  objectOfId(id: string): ObjectDef | undefined;
  children(parent: string): readonly ChildRelationship[];
}
