import { ISSUE_CATALOG, type IssueCode } from './issue-catalog.ts';

export type { IssueCode };

/**
 * What an issue stops Lockstep from sending: content that a side refused, or that an import left out. Refused content may be sent again
 * when it changes or a user saves the opportunity. Content that an import left out waits until a user enters it in the CRM.
 */
export type Hold = {
  readonly side: 'vendor' | 'crm';
  /**
   * What is refused. `record`: the whole write. `contact-again`: a contact with a repeated address. `place`: an account's country or state.
   */
  readonly part: 'record' | 'field' | 'line' | 'contact' | 'contact-again' | 'place' | 'vendor-id';
  /** Fingerprint of the stopped content; for a place, the account's field. */
  readonly valueFingerprint: string;
};

/** An issue's hold: what the issue stops Lockstep from sending. */
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
  /** The content that Lockstep does not send because of this issue; absent if the issue stops nothing that must be remembered. */
  readonly hold?: Hold;
  /** For an issue with a retry schedule: when the write was first refused, ISO. */
  readonly since?: string;
  /** The side's own text about its refusal, and which side it was. It may quote values, so only users who may see values get it. */
  readonly said?: string;
};

export function issue(code: IssueCode, field: string | null, message: string): Issue {
  return { code, field, message };
}

const OF_RIVALS: ReadonlySet<IssueCode> = new Set(['several-candidates', 'reference-repeated']);

/** Whether the issue says that several vendor records carry this opportunity's reference. */
export function isOfRivals({ code }: Issue): boolean {
  return OF_RIVALS.has(code);
}

const CONFLICTS: ReadonlySet<IssueCode> = new Set(['conflict', 'closed-at-vendor', 'closed-otherwise']);

/** Whether the two sides disagree and a sales person or an operator has to choose. */
export function isConflict({ code }: Pick<Issue, 'code'>): boolean {
  return CONFLICTS.has(code);
}

/** Whether the issue waits for a person or for a retry. */
export function isOpen(issue: Issue): boolean {
  return ISSUE_CATALOG[issue.code].severity !== 'informs';
}

/** Whether the issue waits for a person. */
export function asksSomebody(issue: Issue): boolean {
  return ISSUE_CATALOG[issue.code].severity === 'waits';
}
