import pg from 'pg';
import { onTestFinished, vi } from 'vitest';

/** What an insert of values meets, it answers by a conflict. */
const READS = /^\s*(select|with|update|delete|insert(?!.*\bvalues\b))\b/is;

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** Rows that a statement met: by table, those it found and those it threw away. */
export type RowsRead = { readonly statement: string; readonly table: string; readonly rows: number };

/** From now on until the test ends: all statements that this process has sent to PostgreSQL. */
export function recordStatements(): () => readonly Statement[] {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => spy.mockRestore());
  return () =>
    (spy.mock.calls as readonly (readonly unknown[])[]).flatMap(([text, values]) =>
      typeof text === 'string' ? [{ text, values: Array.isArray(values) ? values : [] }] : [],
    );
}

/** Runs each statement once more, under EXPLAIN ANALYZE and without effect, and tells how many rows it met in each table. */
export async function rowsReadBy(
  url: string,
  statements: readonly Statement[],
): Promise<readonly RowsRead[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const read: RowsRead[] = [];
    for (const { text, values } of statements) {
      if (!READS.test(text)) continue;
      await client.query('begin');
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      await client.query('rollback');
      read.push(...nodesOf(rows[0]['QUERY PLAN'][0].Plan).flatMap((node) => rowsOf(text, node)));
    }
    return read;
  } finally {
    await client.end();
  }
}

type Node = { readonly [name: string]: unknown; readonly Plans?: readonly Node[] };

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(statement: string, node: Node): readonly RowsRead[] {
  const table = node['Relation Name'] ?? node['Index Name'];
  if (typeof table !== 'string' || !/Scan$/.test(String(node['Node Type']))) return [];
  const counts = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck'];
  const met = counts.reduce((sum, name) => sum + Number(node[name] ?? 0), 0);
  return [{ statement, table, rows: met * Number(node['Actual Loops'] ?? 1) }];
}
