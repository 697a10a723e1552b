import type { Command } from 'commander';
import { migrate } from '../../ledger/migrate.ts';
import type { CliContext } from '../context.ts';
import { databaseUrl } from '../runtime.ts';

const EXAMPLE = `
Example:
  DATABASE_URL=postgres://lockstep@db.example.com/lockstep lockstep migrate`;

/** `lockstep migrate`: brings the ledger's database up to this version. */
export function addMigrate(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description("bring the ledger's database up to this version (forward only, safe to repeat)")
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (options: { json?: boolean }) => {
      const applied = await migrate(databaseUrl(context.settings()));
      if (options.json === true) return context.print(JSON.stringify({ applied }));
      if (applied.length === 0) return context.print('The ledger is up to date.');
      context.print(`Applied ${applied.length} migration(s): ${applied.join(', ')}.`);
    });
}
