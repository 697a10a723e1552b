import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { CONNECTOR_VERBS } from '../../src/cli/connector-verbs.ts';
import { programOf, runVerbs } from '../../src/cli/run-verbs.ts';
import { loadSealingKeys } from '../../src/platform/sealing-key.ts';
import { fakeContext } from '../support/cli-context.ts';
import { freshDatabase, migratedDatabase, queryOnce } from '../support/ledger/postgres.ts';
import { env, GOOD } from '../support/stack/tenant-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Each command that changes something leaves its attempt and its end in the audit log of operators, and no other leaves anything. */

const CRM = '006Hs00001ABCDEIA5';

/** Each run that changes something, as typed, by the name that the log has for it. */
const WRITES: Readonly<Record<string, string>> = {
  'tenants add': 'tenants add FILE',
  'tenants apply': 'tenants apply FILE --yes',
  'tenants pause': 'tenants pause acme',
  'tenants resume': 'tenants resume acme',
  'tenants remove': 'tenants remove acme',
  'keys rotate': 'keys rotate acme',
  'keys confirm': 'keys confirm acme',
  'keys abort': 'keys abort acme',
  'keys set': 'keys set acme --file KEY',
  'keys reseal': 'keys reseal',
  'ledger restored': 'ledger restored',
  'notices test': 'notices test on-call',
  'load-orders pause': 'load-orders pause acme',
  'load-orders resume': 'load-orders resume acme',
  'catalog refresh': 'catalog refresh acme',
  'conflicts resolve': `conflicts resolve ${CRM} name --take the-value`,
  'inbox retry': `inbox retry ${CRM}`,
  resume: 'resume acme',
  sync: `sync ${CRM}`,
  link: `link ${CRM} LO-00000005`,
  unlink: `unlink ${CRM}`,
  relink: 'relink --field Former_Id__c --yes',
  'inbox correct': `inbox correct ${CRM} --field description --value A`,
  'find-order': `find-order --po PO-1 --link ${CRM}`,
  audit: 'audit --repair',
  'audit stop': 'audit --stop',
  backfill: 'backfill --since 2026-01-01',
  'backfill pause': 'backfill pause',
  'backfill resume': 'backfill resume',
  'backfill cancel': 'backfill cancel',
  undo: `undo ${CRM} --yes`,
  'undo cancel': 'undo cancel',
  'erase-person': 'erase-person acme --file KEY --yes',
  'mapping publish': 'mapping publish MAPPING',
  'mapping take-back': 'mapping take-back 0',
  'console link': 'console link --tenant acme',
  'console token': 'console token --name dashboard --tenant acme',
  'console revoke': 'console revoke 0123456789ab',
  migrate: 'migrate',
};

/** Runs of these that change nothing, and all commands that change nothing. */
const READS: readonly string[] = [
  ...['tenants', 'tenants list', 'tenants show acme', 'tenants apply FILE', 'tenants remove acme --erase'],
  ...['keys status acme', 'ledger', 'load-orders status acme', 'catalog status acme', 'audit --last'],
  ...[
    'conflicts',
    'inbox',
    'notices',
    'inbox retry --all --code vendor-refused',
    'backfill status',
    'undo ID',
    'undo plan ID',
    'undo status',
    'audit-log',
    'erase-person acme --file KEY',
  ],
  ...[
    'status',
    'explain ID',
    'history ID',
    'plan',
    'doctor',
    'mapping show',
    ...['mapping check', 'mapping diff MAPPING', 'mapping choices', 'mapping schema', 'mapping versions'],
    'mapping try ID',
    'find-order --po PO-1',
    'find-order --open',
    'relink --field Former_Id__c',
    'what-if --rule name=vendor --since 2026-01-01',
    'console tokens',
    'picklists',
  ],
];

/** They start a process, or print. */
const NO_OPERATORS_VERBS: readonly string[] = ['worker', 'serve', 'mcp', 'completion'];

/** A database, a tenant file and keys for one test; nothing listens where Temporal would be. */
async function installation(url: string) {
  const folder = temporaryFolder('lockstep-verbs');
  const [file, key, sealing, mapping] = ['acme.yaml', 'key.txt', 'sealing.key', 'acme.mapping.yaml'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  writeFileSync(file, GOOD);
  writeFileSync(mapping, 'fields: {}\n');
  writeFileSync(key, 'a-new-key-of-the-vendor', { mode: 0o600 });
  const all = {
    ...env,
    ...{ DATABASE_URL: url, LOCKSTEP_SEALING_KEY: `file:${sealing}`, LOCKSTEP_TENANTS: file },
    ...{ LOCKSTEP_HOME: join(folder, 'home'), TEMPORAL_ADDRESS: '127.0.0.1:1' },
  };
  const run = async (typed: string, ...more: readonly string[]) => {
    const { context, err } = fakeContext(all);
    const words = typed.split(' ').map((word) => ({ FILE: file, KEY: key, ID: CRM, MAPPING: mapping })[word] ?? word);
    return { code: await runVerbs(CONNECTOR_VERBS, [...words, ...more], context), err };
  };
  const rows = () => queryOnce(url, 'select * from operator_actions order by seq');
  return { run, rows, sealing };
}

function namesOf(command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] {
  return command.commands.flatMap((child) => {
    const name = [...path, child.name()];
    return [[name.join(' '), child] as const, ...namesOf(child, name)];
  });
}

it('knows of every command whether it changes something', async () => {
  const commands = namesOf(await programOf(CONNECTOR_VERBS, fakeContext().context));
  const isOf = (typed: string) => (name: string) => `${typed} `.startsWith(`${name} `);
  const writing = commands.filter(([, { options }]) => options.some(({ long }) => long === '--reason'));
  for (const [name] of writing)
    expect(
      Object.values(WRITES).some((typed) => isOf(typed)(name)),
      name,
    ).toBe(true);
  const reading = commands.map(([name]) => name).filter((name) => !writing.some(([one]) => one === name));
  const unlisted = reading.filter((name) => !READS.some((typed) => isOf(typed)(name)));
  expect(unlisted.filter((name) => !Object.values(WRITES).some((typed) => isOf(typed)(name)))).toEqual(
    NO_OPERATORS_VERBS,
  );
});

it('has attempt and end of each command that changes something, with who and why, and no value', async () => {
  const { run, rows, sealing } = await installation(await migratedDatabase());
  await loadSealingKeys(sealing, { create: true });
  await Promise.all(Object.values(WRITES).map((typed) => run(typed, '--reason', 'because of a test')));
  const found = await rows();
  const ends = found.filter(({ phase }) => phase !== 'attempted');
  expect(ends.map(({ verb }) => verb).toSorted()).toEqual(Object.keys(WRITES).toSorted());
  expect(new Set(found.map(({ reason }) => reason))).toEqual(new Set(['because of a test']));
  for (const { verb, tenants, action } of ends) {
    const attempt = found.find((row) => row['action'] === action && row['phase'] === 'attempted');
    expect(attempt?.['verb']).toBe(verb);
    const isWhole = /^(migrate|ledger|keys reseal|console revoke|notices test|tenants a)/.test(String(verb));
    if (!isWhole) expect(tenants, String(verb)).toEqual(['acme']);
  }
  const text = JSON.stringify(found);
  for (const value of ['the-value', 'a-new-key-of-the-vendor', ...Object.values(env)])
    expect(text).not.toContain(value);
  expect(ends.find(({ verb }) => verb === 'conflicts resolve')?.['details']).toMatchObject({
    take: 'a value',
  });
  const { code } = await run('audit-log --verify');
  expect(code).toBe(0);
}, 120_000);

it('has nothing of a run that changes nothing', async () => {
  const { run, rows, sealing } = await installation(await migratedDatabase());
  await loadSealingKeys(sealing, { create: true });
  await Promise.all(READS.filter((typed) => !typed.startsWith('doctor')).map((typed) => run(typed)));
  expect(await rows()).toEqual([]);
}, 120_000);

it('has the first migration, whose attempt could not be written before', async () => {
  const { run, rows } = await installation(await freshDatabase());
  expect(await run('migrate', '--reason', 'a new installation')).toMatchObject({ code: 0 });
  expect((await rows()).map(({ verb, phase, reason }) => [verb, phase, reason])).toEqual([
    ['migrate', 'attempted', 'a new installation'],
    ['migrate', 'succeeded', 'a new installation'],
  ]);
});

it.each([[' '], ['x'.repeat(501)], ['two\nlines']])('takes no reason %j', async (reason) => {
  const { run } = await installation('postgres://127.0.0.1:1/none');
  expect(await run('resume acme', '--reason', reason)).toMatchObject({ code: 64 });
});
