import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CONNECTOR_VERBS } from '../../src/cli/connector-verbs.ts';
import { runVerbs } from '../../src/cli/run-verbs.ts';
import { loadSealingKeys } from '../../src/platform/sealing-key.ts';
import { fakeContext } from '../support/cli-context.ts';
import { migratedDatabase, queryOnce } from '../support/ledger/postgres.ts';
import { env, GOOD } from '../support/stack/tenant-files.ts';

/** An operator who erases a tenant that has a tenant file learns that this erases nothing, before anything is counted or written. */

const url = await migratedDatabase();
const folder = mkdtempSync(join(tmpdir(), 'lockstep-erased-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sealing = join(folder, 'sealing.key');
await loadSealingKeys(sealing, { create: true });
writeFileSync(join(folder, 'acme.yaml'), GOOD);
const settings = {
  ...{
    ...env,
    DATABASE_URL: url,
    LOCKSTEP_SEALING_KEY: `file:${sealing}`,
    LOCKSTEP_TENANTS: join(folder, 'acme.yaml'),
  },
  ...{ LOCKSTEP_HOME: join(folder, 'home'), TEMPORAL_ADDRESS: '127.0.0.1:1' },
};

async function run(typed: string) {
  const { context, out, err } = fakeContext(settings);
  const code = await runVerbs(CONNECTOR_VERBS, typed.split(' '), context);
  return { code, out: out.join('\n'), err: err.join('\n') };
}
const count = async (): Promise<unknown> =>
  (await queryOnce(url, "select count(*)::int as n from links where tenant = 'acme'"))[0]?.['n'];

await queryOnce(url, "insert into links (tenant, key, state, updated_at) values ('acme', 'k', 'in-sync', now())");

it.each(['', ' --yes', ` --export ${join(folder, 'rows.jsonl')} --yes`])('by --erase%s', async (more) => {
  const { code, out, err } = await run(`tenants remove acme --erase${more}`);
  expect(code).not.toBe(0);
  expect(err).toContain('acme has a tenant file, so --erase cannot erase it');
  expect(out).toBe('');
  expect(await count()).toBe(1);
  expect(readdirSync(folder)).not.toContain('rows.jsonl');
});
