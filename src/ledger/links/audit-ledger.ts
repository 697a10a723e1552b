import type { Link } from '../../domain/record/link.ts';

/**
 * A link (the stored pair of CRM record and vendor record), with the time (ISO) at which an audit last found that the vendor record has not
 * changed since Lockstep read it. The time is null if no audit has found this.
 */
export type AuditedLink = { readonly link: Link; readonly provenAt: string | null };

/**
 * The result that an audit stores about a linked pair of records. `vendor`: the vendor record has not changed since Lockstep read it.
 * `crm`: the audit has read and judged the opportunity, with any result. `differs`: the audit has found a difference between the two
 * records.
 */
export type AuditMark = 'vendor' | 'crm' | 'differs';

export type AuditedPair = { readonly key: string; readonly crmId: string; readonly vendorId: string };

/**
 * Stores the findings of audits about linked pairs of records, and finds the pairs that an audit must still check. An audit compares both
 * records of each pair with the values on which they last agreed.
 */
export interface AuditLedger {
  /** The links of these records, which are given by CRM ids or by vendor ids. Records without a link are left out. */
  auditedLinks(
    tenant: string,
    ids: { readonly crmIds: readonly string[] } | { readonly vendorIds: readonly string[] },
  ): Promise<readonly AuditedLink[]>;
  /**
   * Stores an audit's finding (`mark`) about links. Returns the number of links for which this audit stored the finding for the first time.
   * `at`: when the audit began.
   */
  noteAudited(tenant: string, keys: readonly string[], mark: AuditMark, at: string): Promise<number>;
  /** The number of links whose two records differ, according to the audit that began at `at`. */
  countDiffering(tenant: string, at: string): Promise<number>;
  /**
   * Linked pairs for which the audit has not stored the finding `side` yet: it has not judged the opportunity (`crm`), or not found the
   * vendor record unchanged (`vendor`). At most `limit`, sorted by key, beginning after the key `after`. `at`: when the audit began.
   */
  unauditedPairs(
    tenant: string,
    side: 'vendor' | 'crm',
    at: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly AuditedPair[]>;
}
