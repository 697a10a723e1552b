import type { Link } from '../../domain/record/link.ts';

/** A link, and when an audit last found its vendor record unchanged since Lockstep's last read (ISO); null if no audit has. */
export type AuditedLink = { readonly link: Link; readonly provenAt: string | null };

/**
 * What an audit notes about a link. `vendor`: the vendor record is unchanged since its last read. `crm`: the opportunity was compared.
 * `differs`: the two sides differ.
 */
export type AuditMark = 'vendor' | 'crm' | 'differs';

export type AuditedPair = { readonly key: string; readonly crmId: string; readonly vendorId: string };

/** Notes of audits on links ("marks": what an audit found), and the queries that find links without such a note. */
export interface AuditLedger {
  /** The links of these records of one side. Records without a link are left out. */
  auditedLinks(
    tenant: string,
    ids: { readonly crmIds: readonly string[] } | { readonly vendorIds: readonly string[] },
  ): Promise<readonly AuditedLink[]>;
  /** Writes an audit's note on links. Returns how many links did not have this note yet. `at`: when the audit began. */
  noteAudited(tenant: string, keys: readonly string[], mark: AuditMark, at: string): Promise<number>;
  /** How many links the audit that began at `at` found to differ between the two sides. */
  countDiffering(tenant: string, at: string): Promise<number>;
  /**
   * Linked pairs whose record on this side the audit begun at `at` has not compared: at most `limit`, by key, beginning after the key
   * `after`.
   */
  unauditedPairs(
    tenant: string,
    side: 'vendor' | 'crm',
    at: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly AuditedPair[]>;
}
