import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { migrate } from '../../ledger/migrate.ts';
import { loadSealingKeys } from '../../platform/sealing-key.ts';
import type { CliContext } from '../context.ts';
import { databaseUrl } from '../runtime.ts';

const EXAMPLE = `
Example:
  DATABASE_URL=postgres://lockstep@db.example.com/lockstep lockstep migrate

Makes the sealing key (LOCKSTEP_SEALING_KEY) when there is none yet; give that one file to every process, and keep a copy.`;

/** `lockstep migrate`: brings the ledger's database up to this version, and makes its first sealing key. */
export function addMigrate(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description("bring the ledger's database up to this version (forward only, safe to repeat)")
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (options: { json?: boolean }) => {
      const settings = context.settings();
      const applied = await migrate(databaseUrl(settings));
      if (!existsSync(settings.sealingKeyFile)) {
        await loadSealingKeys(settings.sealingKeyFile, { create: true });
        context.tell(`Made the sealing key ${settings.sealingKeyFile}: every process needs this same file.`);
      }
      if (options.json === true) return context.print(JSON.stringify({ shape: 'migrate/1', applied }));
      if (applied.length === 0) return context.print('The ledger is up to date.');
      context.print(`Applied ${applied.length} migration(s): ${applied.join(', ')}.`);
    });
}
