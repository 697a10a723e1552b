import { existsSync } from 'node:fs';
import { counted } from '../../domain/values/counted.ts';
import { migrate } from '../../ledger/migrations/migrate.ts';
import { migrateLedger } from '../../operator/ledger/migrate-ledger.ts';
import { loadSealingKeys } from '../../platform/sealing-key.ts';
import { operatorVerb } from '../operator-verb.ts';
import { databaseUrl } from '../runtime.ts';

/** `lockstep migrate`: migrates the ledger's database to this version, and creates the first sealing key. */
export const addMigrate = operatorVerb({
  name: 'migrate',
  description: "bring the ledger's database up to this version (forward only, safe to repeat)",
  example: `Example:
  DATABASE_URL=postgres://lockstep@db.example.com/lockstep lockstep migrate

Makes the sealing key (LOCKSTEP_SEALING_KEY) when there is none yet; give that one file to every process, and keep a copy.`,
  run: async ({ context }) => {
    const settings = context.settings();
    const file = settings.sealingKeyFile;
    return migrateLedger({
      migrate: () => migrate(databaseUrl(settings)),
      sealingKey: {
        file,
        exists: () => existsSync(file),
        make: () => loadSealingKeys(file, { create: true }),
      },
    });
  },
  effect: () => ({ beforeMigration: true }),
  outcome: ({ applied }) => ({ details: { applied } }),
  lines: ({ applied, madeSealingKey }) => [
    ...(madeSealingKey === null
      ? []
      : [`Made the sealing key ${madeSealingKey}: every process needs this same file.`]),
    applied.length === 0
      ? 'The ledger is up to date.'
      : `Applied ${counted(applied.length, 'migration')}: ${applied.join(', ')}.`,
  ],
});
