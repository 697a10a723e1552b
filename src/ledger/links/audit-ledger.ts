import type { Link } from '../../domain/record/link.ts';

/** A link with when an audit last found its vendor record as it was read; null where none has. ISO. */
export type AuditedLink = { readonly link: Link; readonly provenAt: string | null };

/** What an audit notes of a link: its vendor record is as it was read, its opportunity was looked at, its sides differ. */
export type AuditMark = 'vendor' | 'crm' | 'differs';

export type AuditedPair = { readonly key: string; readonly crmId: string; readonly vendorId: string };

/** What an audit asks of the ledger, and keeps there. */
export interface AuditLedger {
  /** The links of these records of one side; those that have none are left out. */
  auditedLinks(
    tenant: string,
    ids: { readonly crmIds: readonly string[] } | { readonly vendorIds: readonly string[] },
  ): Promise<readonly AuditedLink[]>;
  /** Notes links of one audit; how many of them it had not noted so before. `at`: when that audit began. */
  noteAudited(tenant: string, keys: readonly string[], mark: AuditMark, at: string): Promise<number>;
  /** How many links the audit that began at `at` has noted as differing. */
  countDiffering(tenant: string, at: string): Promise<number>;
  /**
   * Pairs that flow, of which the audit that began at `at` has not noted a side; in the order of their keys, after one, so many
   * at most.
   */
  unauditedPairs(
    tenant: string,
    side: 'vendor' | 'crm',
    at: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly AuditedPair[]>;
}
