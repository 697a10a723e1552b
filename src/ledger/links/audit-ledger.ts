import type { Link } from '../../domain/record/link.ts';

/** A link with the time (ISO) when an audit last found its vendor record unchanged since its last read; null if none has. */
export type AuditedLink = { readonly link: Link; readonly provenAt: string | null };

/**
 * What an audit notes about a link. `vendor`: the vendor record is unchanged since its last read. `crm`: the opportunity was compared.
 * `differs`: the sides differ.
 */
export type AuditMark = 'vendor' | 'crm' | 'differs';

export type AuditedPair = { readonly key: string; readonly crmId: string; readonly vendorId: string };

/** The marks that audits leave on links, and the queries that find links without them. */
export interface AuditLedger {
  /** The links of these records of one side. Records without a link are left out. */
  auditedLinks(
    tenant: string,
    ids: { readonly crmIds: readonly string[] } | { readonly vendorIds: readonly string[] },
  ): Promise<readonly AuditedLink[]>;
  /** Sets an audit's mark on links, and returns how many did not have it yet. `at`: when the audit began. */
  noteAudited(tenant: string, keys: readonly string[], mark: AuditMark, at: string): Promise<number>;
  /** How many links the audit that began at `at` has marked `differs`. */
  countDiffering(tenant: string, at: string): Promise<number>;
  /** Synced pairs that the audit begun at `at` has not marked on this side: by key, after the key `after`, at most `limit`. */
  unauditedPairs(
    tenant: string,
    side: 'vendor' | 'crm',
    at: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly AuditedPair[]>;
}
