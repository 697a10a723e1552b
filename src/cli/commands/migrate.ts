import { existsSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import { migrate } from '../../ledger/migrations/migrate.ts';
import { grantedPrefix, grantRoles } from '../../ledger/roles/grant-roles.ts';
import { type LedgerMigrated, migrateLedger } from '../../operator/ledger/migrate-ledger.ts';
import { loadSealingKeys } from '../../platform/sealing-key.ts';
import { operatorVerb } from '../operator-verb.ts';
import { databaseUrl } from '../runtime.ts';

/**
 * `lockstep migrate`: migrates the ledger (Lockstep's PostgreSQL database) to the schema of this version, and creates the sealing key file
 * if there is none.
 */
export const addMigrate = operatorVerb({
  name: 'migrate',
  example: `Examples:
  DATABASE_URL=postgres://lockstep@db.example.com/lockstep lockstep migrate
  DATABASE_URL=postgres://owner@db.example.com/lockstep lockstep migrate --roles

Creates the sealing key file (LOCKSTEP_SEALING_KEY) if it is missing; distribute the file to every process, and keep a copy. With
--roles each process and each operator can sign in to PostgreSQL with only the rights that it needs; later migrations renew
the rights. Exits with 2 when an administrator must create the roles first.`,
  takes: (command) =>
    command.option(
      '--roles [prefix]',
      'grant the roles <prefix>_worker, _receiver, _operator and _reader their rights; the default prefix is lockstep',
      readPrefix,
    ),
  run: async ({ context }, { roles }: { readonly roles?: string | true }) => {
    const settings = context.settings();
    const file = settings.sealingKeyFile;
    const url = databaseUrl(settings);
    const ports = {
      migrate: () => migrate(url),
      sealingKey: {
        file,
        exists: () => existsSync(file),
        make: () => loadSealingKeys(file, { create: true }),
      },
      roles: { inUse: () => grantedPrefix(url), grant: (prefix: string) => grantRoles(url, prefix) },
    };
    return migrateLedger(ports, roles === true ? 'lockstep' : (roles ?? null));
  },
  effect: () => ({ beforeMigration: true }),
  outcome: ({ applied, roles }) => ({
    details: { applied, ...(roles === null ? {} : { roles: roles.prefix }) },
  }),
  lines: ({ applied, madeSealingKey, roles }) => [
    ...(madeSealingKey === null ? [] : [`Made the sealing key ${madeSealingKey}: every process needs this same file.`]),
    applied.length === 0
      ? 'The ledger is up to date.'
      : `Applied ${counted(applied.length, 'migration')}: ${applied.join(', ')}.`,
    ...roleLines(roles),
  ],
  needsAttention: ({ roles }) => roles !== null && roles.missing.length > 0,
});

function readPrefix(text: string): string {
  if (/^[a-z][a-z0-9_]{0,40}$/.test(text)) return text;
  throw new InvalidArgumentError('It is no prefix of small letters, digits and _.');
}

function roleLines(roles: LedgerMigrated['roles']): readonly string[] {
  if (roles === null) return [];
  const { prefix, missing } = roles;
  if (missing.length === 0) return [`The roles ${prefix}_* have their rights.`];
  return [
    'This user may not make roles. Have an administrator of PostgreSQL run this, then run the command again:',
    ...missing.map((statement) => `  ${statement};`),
  ];
}
