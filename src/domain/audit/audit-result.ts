import type { AuditCause, Difference } from './causes.ts';

/** What an audit has found and what it has cost so far. Its history and the ledger hold it, so it holds ids and names alone. */
export type AuditTotals = {
  /** Records that differ: the drift. */
  readonly differing: number;
  readonly causes: { readonly [Cause in AuditCause]?: number };
  /** By name of the field, how many records differ in it. */
  readonly fields: Readonly<Record<string, number>>;
  /** The first of them. */
  readonly examples: readonly Difference[];
  /** Records of which something is known and not done. */
  readonly underWay: number;
  /** Records that wait for somebody as a whole, and say why. */
  readonly explained: number;
  /** Records that have no counterpart, and are not known to need one: a backfill's work. */
  readonly unlinked: { readonly crm: number; readonly vendor: number };
  /** Records that were marked due, and those that the cap left out. */
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

/** What one step of an audit adds. */
export type AuditPart = Partial<Omit<AuditTotals, 'unlinked' | 'asked'>> & {
  readonly unlinked?: Partial<AuditTotals['unlinked']>;
  readonly asked?: Partial<AuditTotals['asked']>;
};

/** Differences that are named one by one. */
export const MOST_EXAMPLES = 50;

/** The sum of two parts. Pure. */
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

/** What these differences add. */
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

/** The ledger's cursor that keeps what the last audit of a tenant came to. */
export const AUDIT_CURSOR = 'audit';

export type AuditResult = {
  readonly shape: 'audit/1';
  readonly tenant: string;
  /** ISO. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Whether what differs was to be repaired. */
  readonly repairs: boolean;
  /** Linked pairs when it began. */
  readonly pairs: number;
} & AuditTotals;

/** What the ledger keeps; `proven`: when the last audit began that has left nothing to the next. */
export type KeptAudit = { readonly last: AuditResult; readonly proven: string | null };
