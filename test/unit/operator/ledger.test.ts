import { expect, it } from 'vitest';
import { migrateLedger } from '../../../src/operator/ledger/migrate-ledger.ts';
import { noteLedgerRestored, showLedger } from '../../../src/operator/ledger/show-ledger.ts';

it('tells what the ledger takes, and which keys seal it, can go or are missing', async () => {
  const ledger = { sizeBytes: async () => 5, sealingKeysInUse: async () => ({ k2: 3, k9: 1 }) };
  expect(await showLedger(ledger, ['k2', 'k1'])).toEqual({
    ...{ shape: 'ledger/1', bytes: 5 },
    ...{ inUse: { k2: 3, k9: 1 }, canGo: ['k1'], missing: ['k9'] },
  });
});

it('notes that the ledger was restored, and how many records are looked at first', async () => {
  const noted: string[] = [];
  const noteRestored = async (at: string) => noted.push(at);
  const at = '2027-01-01T00:00:00.000Z';
  expect(await noteLedgerRestored({ noteRestored }, at)).toEqual({
    shape: 'ledger-restored/1',
    at,
    records: 1,
  });
  expect(noted).toEqual([at]);
});

it.each([
  ['makes the first sealing key after the migration', false, null, null, ['migrate', 'make'], '/sealing.key', null],
  ['leaves the sealing key that is there', true, null, null, ['migrate'], null, null],
  ['gives the roles that are asked for their rights', true, 'own', null, ['migrate', 'grant own'], null, 'own'],
  ['gives the roles that have rights theirs again', true, null, 'own', ['migrate', 'grant own'], null, 'own'],
])('%s', async (_, exists, asked, inUse, steps, madeSealingKey, prefix) => {
  const done: string[] = [];
  const migrate = async () => {
    done.push('migrate');
    return ['0001'];
  };
  const make = async () => done.push('make');
  const grant = async (name: string) => {
    done.push(`grant ${name}`);
    return { prefix: name, missing: [] };
  };
  const sealingKey = { file: '/sealing.key', exists: () => exists, make };
  const answer = await migrateLedger({ migrate, sealingKey, roles: { inUse: async () => inUse, grant } }, asked);
  const roles = prefix === null ? null : { prefix, missing: [] };
  expect([answer, done]).toEqual([{ shape: 'migrate/1', applied: ['0001'], madeSealingKey, roles }, steps]);
});
