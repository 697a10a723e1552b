/** The `lockstep` program. */
import { processContext } from '../src/cli/context.ts';
import { runCli } from './program.ts';

const exitCode = await runCli(process.argv.slice(2), processContext());
// An explicit exit, because a library's idle connection would otherwise keep a finished command alive.
process.exit(exitCode);
