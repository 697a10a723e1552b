import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { type PlanNode, type RowsRead, rowsOfScans } from './plan-faults.ts';

/** Statements that read rows. An insert of values only meets rows through a conflict. */
const READS = /^\s*(select|with|update|delete|insert(?!.*\bvalues\b))\b/is;

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/**
 * Records all statements that this process sends to the database from now until the test ends. Other test files may run in this process,
 * and what they left running may still read their own databases.
 */
export function recordStatements(url: string): () => readonly Statement[] {
  const database = new URL(url).pathname.slice(1);
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => spy.mockRestore());
  return () =>
    (spy.mock.calls as readonly (readonly unknown[])[]).flatMap(([query, given], call) => {
      if ((spy.mock.contexts[call] as pg.Client).database !== database) return [];
      // A prepared statement comes with its name.
      const { text, values } = typeof query === 'string' ? { text: query, values: given } : (query as Statement);
      return typeof text === 'string' ? [{ text, values: Array.isArray(values) ? values : [] }] : [];
    });
}

/** For each statement, how many rows of each table it met; see `plansOf`. */
export async function rowsReadBy(
  url: string,
  statements: readonly Statement[],
): Promise<readonly (RowsRead & { readonly statement: string })[]> {
  const plans = await plansOf(url, statements);
  return plans.flatMap(({ statement, plan }) => rowsOfScans(plan).map((read) => ({ statement, ...read })));
}

/** A plan for the given values, or for any values, as a prepared statement may get. */
export type PlanKind = 'custom' | 'generic';

/**
 * Runs each statement again under EXPLAIN ANALYZE without effect. `settings` of the session: with `enable_seqscan` off, a table that is too
 * small for an index still shows whether there is one.
 */
export async function plansOf(
  url: string,
  statements: readonly Statement[],
  settings: Readonly<Record<string, string>> = {},
  kind: PlanKind = 'custom',
): Promise<readonly { readonly statement: string; readonly plan: PlanNode }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const [name, value] of Object.entries(settings))
      await client.query('select set_config($1, $2, false)', [name, value]);
    const plans = [];
    for (const { text, values: sent } of statements) {
      if (!READS.test(text)) continue;
      const values = INSERTS_BY_ID.test(text) ? sent.map(otherId) : sent;
      await client.query('begin');
      const { rows } = await (kind === 'custom' || values.length === 0
        ? client.query(`explain (analyze, format json) ${text}`, [...values])
        : explainPrepared(client, text, values));
      await client.query('rollback');
      plans.push({ statement: text, plan: rows[0]['QUERY PLAN'][0].Plan as PlanNode });
    }
    return plans;
  } finally {
    await client.end();
  }
}

/** Inserts with an id of their own, which already exists in the second run. */
const INSERTS_BY_ID = /\binsert into \w+ \(tenant, id,/;
const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** The value with a different id for each id, equal for equal ids. */
function otherId(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherId);
  return typeof value === 'string'
    ? value.replace(UUID, (id) => `${id.startsWith('0') ? '1' : '0'}${id.slice(1)}`)
    : value;
}

async function explainPrepared(client: pg.Client, text: string, values: readonly unknown[]) {
  await client.query("set local plan_cache_mode = 'force_generic_plan'");
  await client.query(`prepare explained as ${text}`);
  const given = values.map((value) => (value == null ? 'null' : client.escapeLiteral(asText(value))));
  const result = await client.query(`explain (analyze, format json) execute explained (${given.join(', ')})`);
  await client.query('deallocate explained');
  return result;
}

/** A value as PostgreSQL reads it. */
function asText(value: unknown): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const items = value.map((item) => (item == null ? 'null' : JSON.stringify(asText(item))));
  return `{${items.join(',')}}`;
}
