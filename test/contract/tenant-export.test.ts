import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CONNECTOR_VERBS } from '../../src/cli/connector-verbs.ts';
import { runVerbs } from '../../src/cli/run-verbs.ts';
import { createExport, discardExport, exportTenant } from '../../src/operator/tenants/export-tenant.ts';
import { declareText } from '../../src/platform/declared-text.ts';
import { fakeContext } from '../support/cli-context.ts';
import { openConsole, THIRD } from '../support/console.ts';
import { at, BASE } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger } = await withLedger();
const folder = mkdtempSync(join(tmpdir(), 'lockstep-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes all rows of one tenant to a file that its owner alone can read, in clear', async () => {
  for (const tenant of ['acme', 'umbrella']) {
    const keys = Array.from({ length: 1_100 }, (_, n) => ({ crmId: `C${n}` }));
    await ledger.markDue(tenant, keys, at(0));
    await ledger.settle(tenant, 'C7', { at: at(1), base: BASE });
    await ledger.setKey(tenant, 'k-of-the-vendor', at(0));
  }
  const file = join(folder, 'acme.jsonl');
  const result = await exportTenant(ledger, 'acme', await createExport(file));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });
  expect(result).toEqual({ file, rows: rows.length });
  expect(rows.filter(({ table }) => table === 'links')).toHaveLength(1_100);
  expect(new Set(rows.map(({ row }) => row['tenant']))).toEqual(new Set(['acme']));
  expect(rows.find(({ row }) => row['key'] === 'C7')?.row['base']).toEqual(BASE);
  expect(text).not.toContain('k-of-the-vendor');
});

it('writes over no file', async () => {
  const file = join(folder, 'there.jsonl');
  writeFileSync(file, 'mine');
  await expect(createExport(file)).rejects.toThrow('is there already');
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it('leaves no file of an export that did not begin', async () => {
  const file = join(folder, 'not-begun.jsonl');
  await discardExport(await createExport(file));
  expect(existsSync(file)).toBe(false);
});

it('leaves a tenant in service whose file cannot be created, and no file of a tenant that cannot be removed', async () => {
  const { ledger: own, settings } = await openConsole();
  const declared = declareText({ ...THIRD, mapping: null }, () => null, { env: {} });
  if ('problems' in declared) throw new Error(JSON.stringify(declared.problems));
  await own.declareTenant('third', declared.declaration, null, at(0));
  const remove = async (name: string, file: string) => {
    const { context, err } = fakeContext(settings);
    const code = await runVerbs(CONNECTOR_VERBS, ['tenants', 'remove', name, '--export', file], context);
    return { code, err: err.join('\n') };
  };
  const file = join(folder, 'unknown.jsonl');
  expect(await remove('third', join(folder, 'missing', 'third.jsonl'))).toEqual({
    code: 1,
    err: expect.stringContaining('cannot be made (ENOENT)'),
  });
  expect(await remove('unknown', file)).toMatchObject({ code: 1 });
  const { state } = (await own.tenantsSince(0)).find(({ tenant }) => tenant === 'third') ?? {};
  expect([state, existsSync(file)]).toEqual(['active', false]);
}, 60_000);
