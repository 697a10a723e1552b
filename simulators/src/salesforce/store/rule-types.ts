import type { ObjectDef } from '../schema/types.ts';
import type { Row, Value } from './row.ts';
import type { Store } from './store.ts';

/** The values of a row that is being saved. */
export type Draft = Record<string, Value>;

/** The author of a write, and the options of the write. */
export type Author = {
  readonly userId: string;
  /** The instant of the write (API form), if it is not the clock's. */
  readonly at?: string;
  /** The author's view of the org; if absent, the whole org. Written lookups must refer to a row in it. */
  readonly sees?: Store;
  /** Saves in spite of a duplicate rule that only warns. */
  readonly allowDuplicates?: boolean;
  /** Whether assignment rules choose the owner: the active ones, or the one with this id. Absent: none. */
  readonly assigns?: boolean | string;
  /** The write is part of a lead's conversion, which gives no custom field its default and checks what the org's settings say. */
  readonly conversion?: { readonly isValidated: boolean };
};

export type SaveContext = {
  readonly store: Store;
  readonly object: ObjectDef;
  readonly by: Author;
  /** The row before the save; null for a new row. */
  readonly before: Row | null;
  readonly draft: Draft;
  /** Names of the fields that were written, by the client or by an automation before the save. */
  readonly given: Set<string>;
  /** The instant of the save, as the API writes it. */
  readonly nowStamp: string;
  /** Changes another row as part of the same save, with its stamps, without further rules. */
  readonly touch: (type: string, id: string, set: Readonly<Record<string, Value>>) => void;
};

export type AfterSaveContext = Omit<SaveContext, 'given' | 'draft'> & { readonly after: Row };

/** The built-in rules of an object when a row is saved. */
export type ObjectRules = {
  /** Completes or refuses the draft. */
  readonly beforeSave?: (context: SaveContext) => void;
  /** Runs after a row was written, deleted or restored. */
  readonly afterSave?: (context: AfterSaveContext) => void;
};

/** Rules from the org's metadata and the admin surface, at their places in Salesforce's order of execution. */
export type OrgRules = {
  /** The kind of a user's new account without a record type, in an org with person accounts; business when absent. */
  readonly newAccounts?: (userId: string) => 'business' | 'person';
  /** Default values and before-save automation: may rewrite the draft. */
  readonly beforeSave?: (context: SaveContext) => void;
  /** Validation rules, then duplicate rules: refuse the draft, with every value in place. */
  readonly validate?: (context: SaveContext) => void;
  /** Assignment rules: may give the row another owner. */
  readonly assign?: (context: SaveContext) => void;
  /** Roll-ups, after a row was written, deleted or restored. */
  readonly afterSave?: (context: AfterSaveContext) => void;
};
