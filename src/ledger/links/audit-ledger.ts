import type { Link } from '../../domain/record/link.ts';

/**
 * A link with the time at which an audit last found that its vendor record has not changed since Lockstep read it (ISO); null if no audit
 * found this.
 */
export type AuditedLink = { readonly link: Link; readonly provenAt: string | null };

/**
 * What an audit stores about a link. `vendor`: the vendor record has not changed since Lockstep read it. `crm`: the opportunity was
 * compared. `differs`: the two sides differ.
 */
export type AuditMark = 'vendor' | 'crm' | 'differs';

export type AuditedPair = { readonly key: string; readonly crmId: string; readonly vendorId: string };

/** Stores what audits found about links, and finds links about which an audit has not stored anything yet. */
export interface AuditLedger {
  /** The links of these records of one side. Records without a link are left out. */
  auditedLinks(
    tenant: string,
    ids: { readonly crmIds: readonly string[] } | { readonly vendorIds: readonly string[] },
  ): Promise<readonly AuditedLink[]>;
  /**
   * Stores what an audit found (`mark`) about links. Returns the number of links for which this audit had not stored it before. `at`: when
   * the audit began.
   */
  noteAudited(tenant: string, keys: readonly string[], mark: AuditMark, at: string): Promise<number>;
  /** The number of links whose two sides differ, according to the audit that began at `at`. */
  countDiffering(tenant: string, at: string): Promise<number>;
  /**
   * Linked pairs that an audit has not compared yet on this side: at most `limit`, sorted by key, beginning after the key `after`. `at`:
   * when the audit began.
   */
  unauditedPairs(
    tenant: string,
    side: 'vendor' | 'crm',
    at: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly AuditedPair[]>;
}
