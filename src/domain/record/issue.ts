import { ISSUE_CATALOG, type IssueCode } from './issue-catalog.ts';

export type { IssueCode };

/**
 * Content of a write that Lockstep must not send because of an issue. There are two cases. If the CRM or the vendor refused the content,
 * Lockstep sends it again when it changes or when a user saves the opportunity. If an import (creation of a vendor's deal in the CRM) left
 * the content out, it waits until a user enters it in the CRM.
 */
export type Hold = {
  readonly side: 'vendor' | 'crm';
  /**
   * The part of the write that must not be sent. `record`: the whole write. `contact-again`: a further contact with an address that another
   * contact has. `place`: an account's country or state. `vendor-id`: the id in the opportunity's `Vendor_Id__c`.
   */
  readonly part: 'record' | 'field' | 'line' | 'contact' | 'contact-again' | 'place' | 'vendor-id';
  /**
   * A hash of the content that must not be sent, by which Lockstep recognises that content. For a place (country or state), the name of the
   * account's field instead: Lockstep only tests whether that field is still empty. For the vendor id, an empty text.
   */
  readonly valueFingerprint: string;
};

/** The part of an issue that says which content of a write Lockstep must not send. */
export type Held = { readonly hold: Hold };

/** A reason why a field or a record waits, or a hint to sales persons that blocks nothing. */
export type Issue = {
  readonly code: IssueCode;
  /** The field's name, normally as in `FIELDS`; null if the issue concerns the whole record. */
  readonly field: string | null;
  /** One sentence that names the CRM field and the repair. Contains field names and codes, no personal data. */
  readonly message: string;
  /**
   * Ids of opportunities that may be the counterpart of this vendor record. If one of these opportunities changes, Lockstep processes this
   * record again.
   */
  readonly candidates?: readonly string[];
  /** The content that Lockstep must not send because of this issue; absent if the issue stops no particular content. */
  readonly hold?: Hold;
  /** For an issue with a retry schedule: when the write was first refused, ISO. */
  readonly since?: string;
  /**
   * The answer of the side (CRM or vendor) that refused a write: the side's name, then the answer's text. The text may quote values, so it
   * is shown only to users who may see values.
   */
  readonly said?: string;
};

export function issue(code: IssueCode, field: string | null, message: string): Issue {
  return { code, field, message };
}

const OF_RIVALS: ReadonlySet<IssueCode> = new Set(['several-candidates', 'reference-repeated']);

/** Whether the issue says that several vendor records carry this opportunity's id as their partner reference. */
export function isOfRivals({ code }: Issue): boolean {
  return OF_RIVALS.has(code);
}

const CONFLICTS: ReadonlySet<IssueCode> = new Set(['conflict', 'closed-at-vendor', 'closed-otherwise']);

/** Whether the issue is a conflict between the values of the two sides, so that a user must choose a value. */
export function isConflict({ code }: Pick<Issue, 'code'>): boolean {
  return CONFLICTS.has(code);
}

/**
 * Whether the record or field waits because of the issue: until a user or operator acts, or until a retry. False for an issue that only
 * informs.
 */
export function isOpen(issue: Issue): boolean {
  return ISSUE_CATALOG[issue.code].severity !== 'informs';
}

/** Whether the record or field waits because of the issue until a user or operator acts. */
export function asksSomebody(issue: Issue): boolean {
  return ISSUE_CATALOG[issue.code].severity === 'waits';
}
