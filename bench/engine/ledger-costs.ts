import type { World } from './world.ts';

/** What the ledger has cost PostgreSQL so far, without the bench's own statements. */
export type LedgerCosts = {
  /** The statements by kind: the verb, and the table that it changes or reads. */
  readonly kinds: ReadonlyMap<string, Statements>;
  /** Bytes of the write-ahead log, of the whole server. */
  readonly walBytes: number;
  /** Updates of rows, and those that changed no index ("heap-only tuples"), by table. */
  readonly updates: ReadonlyMap<string, Updates>;
};

/** `walBytes`: bytes that the statements wrote into the write-ahead log, without commits. */
type Statements = { readonly calls: number; readonly walBytes: number };
type Updates = { readonly all: number; readonly hot: number };

const NONE: Statements = { calls: 0, walBytes: 0 };
/** Tables whose updates are counted. */
const WATCHED = ['links', 'plans'] as const;
/** Statements of the bench itself. */
const OWN = /pg_stat_|pg_current_wal|^select key from links where due_since/;

/** Reads PostgreSQL's counters. The WAL is that of the whole server, so nothing else may use the server meanwhile. */
export async function ledgerCosts({ stack }: World): Promise<LedgerCosts> {
  const statements = await stack.ledgerQuery(`select query, calls, wal_bytes from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())`);
  const kinds = new Map<string, Statements>();
  for (const row of statements.filter(({ query }) => !OWN.test(String(query)))) {
    const kind = kindOf(String(row['query']));
    const { calls, walBytes } = kinds.get(kind) ?? NONE;
    kinds.set(kind, { calls: calls + Number(row['calls']), walBytes: walBytes + Number(row['wal_bytes']) });
  }
  const [wal] = await stack.ledgerQuery(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`);
  const tables = await stack.ledgerQuery(`select relname, n_tup_upd, n_tup_hot_upd from pg_stat_user_tables
    where relname in (${WATCHED.map((name) => `'${name}'`).join(', ')})`);
  const updates = tables.map(
    (row) => [String(row['relname']), { all: Number(row['n_tup_upd']), hot: Number(row['n_tup_hot_upd']) }] as const,
  );
  return { kinds, walBytes: Number(wal?.['bytes']), updates: new Map(updates) };
}

export function costsBetween(before: LedgerCosts, after: LedgerCosts): LedgerCosts {
  const kinds = [...after.kinds].map(([kind, { calls, walBytes }]) => {
    const since = before.kinds.get(kind) ?? NONE;
    return [kind, { calls: calls - since.calls, walBytes: walBytes - since.walBytes }] as const;
  });
  const updates = [...after.updates].map(([table, { all, hot }]) => {
    const since = before.updates.get(table) ?? { all: 0, hot: 0 };
    return [table, { all: all - since.all, hot: hot - since.hot }] as const;
  });
  return {
    kinds: new Map(kinds.filter(([, { calls }]) => calls > 0).sort(([, a], [, b]) => b.calls - a.calls)),
    walBytes: after.walBytes - before.walBytes,
    updates: new Map(updates),
  };
}

/** The verb of a statement with its table. Statements that begin `with` are named by the first row change in them. */
function kindOf(query: string): string {
  const text = query.replace(/\s+/g, ' ').replaceAll('"', '').toLowerCase().trim();
  const change = /(?:update|insert into|delete from) [a-z_]+/.exec(text.replaceAll('no key update', ''))?.[0];
  if (change !== undefined) return change;
  const table = / from ([a-z_]+)/.exec(text)?.[1];
  return table === undefined ? text.slice(0, 20) : `select ${table}`;
}
