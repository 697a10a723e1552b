import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { ServerPrograms } from './programs.ts';
import { DATABASES } from './server-config.ts';

const run = promisify(execFile);

/** Creates a Temporal server's two databases by its own schema tool. Returns whether they are new. Rejects with the tool's own error. */
export async function prepareDatabases(postgresUrl: string, programs: ServerPrograms): Promise<boolean> {
  const missing = await missingDatabases(postgresUrl);
  for (const [schema, database] of Object.entries(DATABASES)) {
    if (!missing.has(database)) continue;
    const tool = (...verb: readonly string[]) => run(programs.sqlTool, [...toolArgs(postgresUrl, database), ...verb]);
    await tool('create-database');
    await tool('setup-schema', '--version', '0.0');
    await tool('update-schema', '--schema-dir', join(programs.schema, schema, 'versioned'));
  }
  return missing.size > 0;
}

async function missingDatabases(connectionString: string): Promise<ReadonlySet<string>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    const present = rows.map(({ datname }) => datname);
    return new Set(Object.values(DATABASES).filter((name) => !present.includes(name)));
  } finally {
    await client.end();
  }
}

function toolArgs(postgresUrl: string, database: string): readonly string[] {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const login = ['--user', username, '--password', decodeURIComponent(password)];
  return ['--plugin', 'postgres12', '--endpoint', hostname, '--port', port, ...login, '--database', database];
}
