/** Finds parts of a PostgreSQL plan whose cost grows with other tenants' data, by the rows that the plan met when it ran. */

/** A node of a plan in `format json`, with its `actual` counts. */
export type PlanNode = { readonly [name: string]: unknown; readonly Plans?: readonly PlanNode[] };

/** Tables that stay small for any number of tenants and links, so that a full scan is fastest. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  pauses: 'a row a group that is stopped, and most tenants have none',
  tenant_reports: 'a row a tenant that a process cannot serve, and it goes once it can',
  restores: 'a row each time that a backup was restored',
  data_keys_in_use: 'one row',
  shard_readers: 'a row a shard, and there are sixteen shards at most',
  kysely_migration: 'a row a version of the ledger',
  kysely_migration_lock: 'one row',
};

/** Tables that monitoring reads completely, a few rows per tenant, so that a full scan is fastest. */
export const TOLD_WHOLE: Readonly<Record<string, string>> = {
  quota: 'two rows a tenant, each a metric',
  forgotten_rows: 'three rows a tenant, each a metric',
};

export type RowsRead = { readonly table: string; readonly rows: number };

/** How many rows each scan met, including rows that it discarded. */
export function rowsOfScans(plan: PlanNode): readonly RowsRead[] {
  return nodesOf(plan).flatMap((node) => {
    const table = tableOf(node);
    return table === null ? [] : [{ table, rows: rowsMet(node) }];
  });
}

/**
 * Parts of a plan whose cost grows with other tenants' rows: a full table scan, a scan of more than `mostRows` rows, or a sort or hash of
 * more rows. One sentence each. A table of at most `few` rows may be scanned completely, because an index is slower there.
 */
export function planFaults(plan: PlanNode, mostRows: number, few = -1): readonly string[] {
  return nodesOf(plan).flatMap((node) => {
    const type = String(node['Node Type']);
    const table = tableOf(node);
    if (table !== null) return scanFaults(type, table, rowsMet(node), { mostRows, few });
    if (!GATHERS.has(type) && !isHashed(node)) return [];
    const rows = Math.max(0, ...(node.Plans ?? []).map(rowsOut));
    return rows > mostRows ? [`${type} takes in ${rows} rows`] : [];
  });
}

function scanFaults(
  type: string,
  table: string,
  rows: number,
  { mostRows, few }: { readonly mostRows: number; readonly few: number },
): readonly string[] {
  if (isSmall(table)) return [];
  if (type === 'Seq Scan' && rows > few && TOLD_WHOLE[table] === undefined)
    return [`reads all of ${table}, ${rows} rows`];
  return rows > mostRows ? [`${type} meets ${rows} rows of ${table}`] : [];
}

/** A partition's name begins with its table's name. PostgreSQL's own tables do not grow with a tenant. */
function isSmall(table: string): boolean {
  return table.startsWith('pg_') || Object.hasOwn(SMALL_TABLES, table);
}

const GATHERS: ReadonlySet<string> = new Set(['Sort', 'Hash', 'Materialize']);

function isHashed(node: PlanNode): boolean {
  return node['Node Type'] === 'Aggregate' && node['Strategy'] === 'Hashed';
}

function tableOf(node: PlanNode): string | null {
  const table = node['Relation Name'] ?? node['Index Name'];
  return typeof table === 'string' && /Scan$/.test(String(node['Node Type'])) ? table : null;
}

function rowsMet(node: PlanNode): number {
  const thrown = ['Rows Removed by Filter', 'Rows Removed by Index Recheck', 'Rows Removed by Join Filter'];
  const each = thrown.reduce((sum, name) => sum + Number(node[name] ?? 0), Number(node['Actual Rows'] ?? 0));
  return Math.round(each * Number(node['Actual Loops'] ?? 1));
}

function rowsOut(node: PlanNode): number {
  return Math.round(Number(node['Actual Rows'] ?? 0) * Number(node['Actual Loops'] ?? 1));
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
