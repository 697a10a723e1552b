import { ISSUE_CATALOG, type IssueCode } from './issue-catalog.ts';

export type { IssueCode };

/** A reason why a field or a record waits, or something that its users should know, as data. */
export type Issue = {
  readonly code: IssueCode;
  /** Canonical field, or null when the whole record is concerned. */
  readonly field: string | null;
  /** One sentence that names the CRM field and the repair. Holds field names and codes, no personal data. */
  readonly message: string;
  /** Opportunities of which one may be this deal: a change of theirs is looked at as one of it. */
  readonly candidates?: readonly string[];
  /** Of a value that was refused by itself: which one it was. */
  readonly fingerprint?: string;
  /** Of what is tried again by a retry schedule: when it was refused first, ISO. */
  readonly since?: string;
};

const OF_RIVALS: ReadonlySet<IssueCode> = new Set(['several-candidates', 'reference-repeated']);

/** Whether it tells that several vendor records carry the reference of the opportunity whose issue it is. */
export function isOfRivals({ code }: Issue): boolean {
  return OF_RIVALS.has(code);
}

const CONFLICTS: ReadonlySet<IssueCode> = new Set(['conflict', 'closed-at-vendor']);

/** Whether both sides disagree and a sales person or an operator has to choose a side. */
export function isConflict({ code }: Pick<Issue, 'code'>): boolean {
  return CONFLICTS.has(code);
}

/** Whether something of a record waits, for a person or for its next try. */
export function isOpen(issue: Issue): boolean {
  return ISSUE_CATALOG[issue.code].severity !== 'informs';
}

/** Whether a person has to act on it. */
export function asksSomebody(issue: Issue): boolean {
  return ISSUE_CATALOG[issue.code].severity === 'waits';
}
