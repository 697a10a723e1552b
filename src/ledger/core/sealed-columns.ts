import { INSTALLATION, type Place, place } from './sealer.ts';

export type TableRow = Readonly<Record<string, unknown>> & { readonly tenant: string };

type PlaceOf = (row: TableRow) => Place;

/**
 * The encryption context of each encrypted column. A value can be decrypted only together with the tenant, table, column and row for which
 * it was encrypted. `pending` and `next` of `mirror_rows` have one context, because a statement moves values from one column to the other.
 */
export const SEALED_COLUMNS: Readonly<Record<string, Readonly<Record<string, PlaceOf>>>> = {
  links: {
    base: at('links', 'base', 'key'),
    vendor_observation: at('links', 'vendor_observation', 'key'),
    issues: at('links', 'issues', 'key'),
  },
  plans: { graph: at('plans', 'graph', 'id'), plan: at('plans', 'plan', 'id') },
  journal: { decisions: at('journal', 'decisions', 'key', 'id') },
  mirror_rows: {
    pending: at('mirror_rows', 'pending', 'object', 'row_id'),
    next: at('mirror_rows', 'pending', 'object', 'row_id'),
    state: at('mirror_rows', 'state', 'object', 'row_id'),
  },
  row_news: { news: at('row_news', 'news', 'object', 'row_id') },
  refused_rows: { row: at('refused_rows', 'row', 'stream', 'row_hash') },
  vendor_keys: {
    in_use: (row) => vendorKeyPlace('in_use', row as VendorKeyFacts),
    previous: (row) => vendorKeyPlace('previous', row as VendorKeyFacts),
    waiting: (row) => vendorKeyPlace('waiting', row as VendorKeyFacts),
  },
  tenants: { secrets: at('tenants', 'secrets') },
  mapping_versions: { content: at('mapping_versions', 'content', 'version') },
  operator_actions: { proof: (row) => actionPlace(Number(row['seq'])) },
  console_tokens: {
    identity: (row) => tokenPlace(String(row['kind']), String(row['hash']), row['expires_at'] as Date | undefined),
  },
};

/** The encryption context for the encrypted hash that proves an entry in the operators' audit log. */
export function actionPlace(seq: number): Place {
  return place(INSTALLATION, 'operator_actions', 'proof', String(seq));
}

/**
 * The unencrypted columns in a tenant's row of keys for the vendor's API. They are a part of the context of the encrypted keys: if one of
 * these columns changes, the keys cannot be decrypted.
 */
export type VendorKeyFacts = {
  readonly tenant: string;
  readonly in_use_hash: string | null;
  readonly waiting_hash: string | null;
  readonly waiting_since: Date | null;
  readonly switched_at: Date | null;
};

/**
 * The encryption context of a key for the vendor's API. It contains the key's hash and time. The key can therefore not be decrypted in
 * another column, nor after a change of the hash (which an operator sends to the vendor). A switch to a new key stores a new time. A key
 * that was in use before can then not be decrypted any more, even if an attacker with access to the database puts it back.
 */
export function vendorKeyPlace(column: 'in_use' | 'previous' | 'waiting', row: VendorKeyFacts): Place {
  const [hash, at] = {
    in_use: [row.in_use_hash, row.switched_at],
    previous: [null, row.switched_at],
    waiting: [row.waiting_hash, row.waiting_since],
  }[column] as [string | null, Date | null];
  return place(row.tenant, 'vendor_keys', column, hash ?? '', at?.toISOString() ?? '');
}

function at(table: string, column: string, ...keys: readonly string[]): PlaceOf {
  return (row) => place(row.tenant, table, column, ...keys.map((key) => String(row[key])));
}

/**
 * The encryption context of the identity of a console token's owner. It contains the token's kind and expiry, so that a change of the
 * database row cannot make a session last longer.
 */
export function tokenPlace(kind: string, hash: string, expiresAt: Date | undefined): Place {
  return place(INSTALLATION, 'console_tokens', 'identity', kind, hash, expiresAt?.toISOString() ?? '');
}
