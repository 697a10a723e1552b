import { ISSUE_CATALOG, type IssueCode } from './issue-catalog.ts';

export type { IssueCode };

/**
 * Content that Lockstep must not send because of an issue. There are two cases. A side refused the content: Lockstep sends it again when it
 * changes or a user saves the opportunity. Or an import left the content out: it waits until a user enters it in the CRM.
 */
export type Hold = {
  readonly side: 'vendor' | 'crm';
  /**
   * The part of the write that was refused. `record`: the whole write. `contact-again`: a contact with a repeated address. `place`: an
   * account's country or state.
   */
  readonly part: 'record' | 'field' | 'line' | 'contact' | 'contact-again' | 'place' | 'vendor-id';
  /** Fingerprint of the content that must not be sent; for a place, the name of the account's field. */
  readonly valueFingerprint: string;
};

/** The part of an issue that says which content Lockstep must not send. */
export type Held = { readonly hold: Hold };

/** A reason why a field or a record waits, or a notice to sales persons, as data. */
export type Issue = {
  readonly code: IssueCode;
  /** The canonical field; null if the issue concerns the whole record. */
  readonly field: string | null;
  /** One sentence that names the CRM field and the repair. Contains field names and codes, no personal data. */
  readonly message: string;
  /** Ids of opportunities that may be this deal. A change of one of them wakes this record. */
  readonly candidates?: readonly string[];
  /** The content that Lockstep must not send because of this issue; absent if the issue stops no particular content. */
  readonly hold?: Hold;
  /** For an issue with a retry schedule: when the write was first refused, ISO. */
  readonly since?: string;
  /** The refusing side's own words, after the name of the side. They may quote values, so only users who may see values get them. */
  readonly said?: string;
};

export function issue(code: IssueCode, field: string | null, message: string): Issue {
  return { code, field, message };
}

const OF_RIVALS: ReadonlySet<IssueCode> = new Set(['several-candidates', 'reference-repeated']);

/** Whether the issue says that several vendor records carry the reference of this opportunity. */
export function isOfRivals({ code }: Issue): boolean {
  return OF_RIVALS.has(code);
}

const CONFLICTS: ReadonlySet<IssueCode> = new Set(['conflict', 'closed-at-vendor', 'closed-otherwise']);

/** Whether the issue is a disagreement of the two sides, so that a person must choose between them. */
export function isConflict({ code }: Pick<Issue, 'code'>): boolean {
  return CONFLICTS.has(code);
}

/** Whether the record or field waits because of the issue, for a person or for a retry. */
export function isOpen(issue: Issue): boolean {
  return ISSUE_CATALOG[issue.code].severity !== 'informs';
}

/** Whether the record or field waits for a person because of the issue. */
export function asksSomebody(issue: Issue): boolean {
  return ISSUE_CATALOG[issue.code].severity === 'waits';
}
