/** The `lockstep` program. */
import { processContext } from './context.ts';
import { runCli } from './program.ts';

const exitCode = await runCli(process.argv.slice(2), processContext());
// Not left to the event loop: a library's idle connection must not keep a finished command alive.
process.exit(exitCode);
