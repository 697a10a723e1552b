import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { type PlanNode, type RowsRead, rowsOfScans } from './plan-faults.ts';

/** What an insert of values meets, it answers by a conflict. */
const READS = /^\s*(select|with|update|delete|insert(?!.*\bvalues\b))\b/is;

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** From now on until the test ends: all statements that this process has sent to PostgreSQL. */
export function recordStatements(): () => readonly Statement[] {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => spy.mockRestore());
  return () =>
    (spy.mock.calls as readonly (readonly unknown[])[]).flatMap(([text, values]) =>
      typeof text === 'string' ? [{ text, values: Array.isArray(values) ? values : [] }] : [],
    );
}

/** Each statement with how many rows of which table it met, one by one; see `plansOf`. */
export async function rowsReadBy(
  url: string,
  statements: readonly Statement[],
): Promise<readonly (RowsRead & { readonly statement: string })[]> {
  const plans = await plansOf(url, statements);
  return plans.flatMap(({ statement, plan }) => rowsOfScans(plan).map((read) => ({ statement, ...read })));
}

/**
 * Runs each statement once more, under EXPLAIN ANALYZE and without effect. `settings` of the session: `enable_seqscan` off tells of tables
 * that are still too small to be worth an index whether there is one.
 */
export async function plansOf(
  url: string,
  statements: readonly Statement[],
  settings: Readonly<Record<string, string>> = {},
): Promise<readonly { readonly statement: string; readonly plan: PlanNode }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const [name, value] of Object.entries(settings))
      await client.query('select set_config($1, $2, false)', [name, value]);
    const plans = [];
    for (const { text, values } of statements) {
      if (!READS.test(text)) continue;
      await client.query('begin');
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      await client.query('rollback');
      plans.push({ statement: text, plan: rows[0]['QUERY PLAN'][0].Plan as PlanNode });
    }
    return plans;
  } finally {
    await client.end();
  }
}
