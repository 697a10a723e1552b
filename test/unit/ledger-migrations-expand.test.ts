import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/ledger/migrations/index.ts';

/**
 * Older workers go on with a newer ledger (docs/operations/upgrade.md), so a migration only adds to what the release before it
 * reads and writes. What none of a release reads any more is taken away by a migration of the release after it: it stands here then.
 */
const EXCUSED: Readonly<Record<string, string>> = {
  '0003-left-at': 'before the first release',
  '0005-one-vocabulary': 'before the first release',
  '0006-stream-names': 'before the first release',
  '0007-settled-until': 'before the first release',
  '0009-seen-rows': 'before the first release',
  '0012-waiting': 'fills the column that it adds',
  '0090-former-ids': 'fills the column that it adds',
  '0015-cursors-by-stream': 'before the first release',
  '0046-journal-months': 'drops a month when its function is called, as the release before did by itself',
  '0068-journal-month-schema': 'drops a month when its function is called, as 0046 does',
  '0043-lane-order': 'an index that is not unique has nothing rest on it but how fast it goes',
  '0050-refused-claims':
    'takes apart links of which nothing was ever read, as an operator would; an older worker looks at them as new',
  '0052-report-state': 'before the first release',
  '0058-holds': 'before the first release',
  '0075-linked-by-and-api-tokens': 'lets a check allow one more value; no insert rests on a check',
  '0082-updates-in-place': 'an index that is not unique has nothing rest on it but how fast it goes',
  '0034-retention': 'puts a table of the same name and columns in the place of another, in one transaction',
};

/** What an older release would stumble over, each with the reason. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+(table|view|column|type|function|schema|sequence)\b/i, 'takes away what may be read'],
  [/\bdrop\s+(constraint|index)\b/i, 'takes away what an insert may rest on (on conflict)'],
  [/\brename\b/i, 'takes a name away'],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/i, 'changes what is read'],
  [/\bset\s+not\s+null\b/i, 'refuses rows that may be written'],
  [/\badd\s+constraint\b(?!.*\bnot\s+valid\b)/is, 'refuses rows that may be written'],
  [/\badd\s+column\b(?=[^,]*\bnot\s+null\b)(?![^,]*\b(default|generated)\b)/i, 'refuses rows without the column'],
  [/^\s*(update|delete|truncate)\b/i, 'changes rows that are read meanwhile'],
];

/** The statements of a migration, without a database. */
async function statementsOf(name: string): Promise<readonly string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (inner) => new PostgresIntrospector(inner),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await MIGRATIONS[name]?.up(db);
  return statements;
}

function problemsOf(statements: readonly string[]): readonly string[] {
  return statements.flatMap((statement) =>
    REFUSED.filter(([pattern]) => pattern.test(statement)).map(([, why]) => `${why}: ${statement}`),
  );
}

describe('every migration only adds to what the release before it reads and writes', () => {
  it.each(Object.keys(MIGRATIONS))('%s', async (name) => {
    const statements = await statementsOf(name);
    expect(statements).not.toEqual([]);
    if (name in EXCUSED) expect(problemsOf(statements), 'needs no excuse').not.toEqual([]);
    else expect(problemsOf(statements)).toEqual([]);
  });
});

it.each([
  'alter table links drop column base',
  'alter table links rename column base to agreed',
  'alter table links rename to pairs',
  'alter table links alter column base type text',
  'alter table links alter column base set data type text',
  'alter table links alter column base set not null',
  'alter table links add column later text not null',
  "alter table links add constraint short check (key <> '')",
  'drop table plans',
  'drop index links_due',
  "update links set state = 'new' where state = 'old'",
  'delete from plans',
])('refuses: %s', (statement) => {
  expect(problemsOf([statement])).toHaveLength(1);
});

it.each([
  'alter table links add column later text',
  "alter table links add column later text not null default ''",
  'alter table links add column later text, add column more integer not null default 0',
  'create table later (tenant text not null, id text not null, primary key (tenant, id))',
  'create index later_due on links (tenant) where due_since is not null',
  "alter table links add constraint short check (key <> '') not valid",
])('takes: %s', (statement) => {
  expect(problemsOf([statement])).toEqual([]);
});
