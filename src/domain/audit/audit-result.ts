import type { AuditCause, Difference } from './causes.ts';

/**
 * What an audit has found so far, and how many requests it has sent. The workflow history and the ledger (Lockstep's database) store these
 * totals, so they contain only ids, names and counts.
 */
export type AuditTotals = {
  /** The number of records whose sides differ although no open issue explains the difference. */
  readonly differing: number;
  readonly causes: { readonly [Cause in AuditCause]?: number };
  /** For each field, by name: the number of records that differ in it. */
  readonly fields: Readonly<Record<string, number>>;
  /** The first differing records that the audit found, at most `MOST_EXAMPLES`. */
  readonly examples: readonly Difference[];
  /** The number of records that were not compared, because Lockstep already knows that they have changed and has not synced them yet. */
  readonly underWay: number;
  /**
   * The number of records that were not compared, because an open issue makes the whole record wait for a user or operator, or because the
   * vendor's record belongs to an opportunity of another org.
   */
  readonly explained: number;
  /**
   * How many records on each side Lockstep has never linked to a counterpart on the other side. Lockstep's regular searches for changes,
   * and the CRM's change events, will not find these records; only a backfill syncs them.
   */
  readonly unlinked: { readonly crm: number; readonly vendor: number };
  /** How many differing records the audit queued for a sync (`repaired`), and how many it did not queue because of its limit (`left`). */
  readonly repaired: number;
  readonly left: number;
  readonly asked: {
    readonly vendorSearches: number;
    readonly vendorReads: number;
    readonly crmReads: number;
  };
};

export const NOTHING_FOUND: AuditTotals = {
  differing: 0,
  causes: {},
  fields: {},
  examples: [],
  underWay: 0,
  explained: 0,
  unlinked: { crm: 0, vendor: 0 },
  repaired: 0,
  left: 0,
  asked: { vendorSearches: 0, vendorReads: 0, crmReads: 0 },
};

/** The counts that one step of an audit adds to the audit's totals. */
export type AuditPart = Partial<Omit<AuditTotals, 'unlinked' | 'asked'>> & {
  readonly unlinked?: Partial<AuditTotals['unlinked']>;
  readonly asked?: Partial<AuditTotals['asked']>;
};

/** The maximum number of differing records that an audit lists one by one. All others are only counted. */
export const MOST_EXAMPLES = 50;

export function added(totals: AuditTotals, part: AuditPart): AuditTotals {
  return {
    differing: totals.differing + (part.differing ?? 0),
    causes: summed(totals.causes, part.causes),
    fields: summed(totals.fields, part.fields),
    examples: [...totals.examples, ...(part.examples ?? [])].slice(0, MOST_EXAMPLES),
    underWay: totals.underWay + (part.underWay ?? 0),
    explained: totals.explained + (part.explained ?? 0),
    unlinked: { ...totals.unlinked, ...summed(totals.unlinked, part.unlinked) },
    repaired: totals.repaired + (part.repaired ?? 0),
    left: totals.left + (part.left ?? 0),
    asked: { ...totals.asked, ...summed(totals.asked, part.asked) },
  };
}

export function partOf(differences: readonly Difference[]): AuditPart {
  const count = (names: readonly string[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  return {
    differing: differences.length,
    causes: count(differences.map(({ cause }) => cause)),
    fields: count(differences.flatMap(({ fields }) => fields)),
    examples: differences.slice(0, MOST_EXAMPLES),
  };
}

function summed(
  before: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>> = {},
): Record<string, number> {
  const sums = { ...before };
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** The name under which the ledger (Lockstep's database) stores the result of a tenant's last audit, in its table `cursors`. */
export const AUDIT_CURSOR = 'audit';

export type AuditResult = {
  readonly shape: 'audit/1';
  readonly tenant: string;
  readonly startedAt: string;
  readonly endedAt: string;
  /** Whether the audit queued differing records for a sync. If not, it only reported them. */
  readonly repairs: boolean;
  /** The number of linked pairs (CRM record and vendor record) when the audit started. */
  readonly pairs: number;
} & AuditTotals;

/**
 * The stored results of a tenant's audits. `proven`: the start of the last audit that found no difference or queued all differing records
 * for a sync, ISO; null if there was none.
 */
export type KeptAudit = { readonly last: AuditResult; readonly proven: string | null };
