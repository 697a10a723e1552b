/**
 * Ends the Temporal server when the parent of this process ends, for whatever reason. Run as `node temporal-guard.ts <program> <args…>`.
 */
import { spawn } from 'node:child_process';
import { endProcess } from '../processes/os-process.ts';

const GRACE_MS = 8000;

const [program = '', ...args] = process.argv.slice(2);
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const isAlive = () => server.exitCode === null && server.signalCode === null;

async function end(): Promise<void> {
  if (server.pid !== undefined && isAlive()) await endProcess(server.pid, isAlive, GRACE_MS);
  process.exit(0);
}

for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void end());
server.once('error', () => process.exit(1));
server.once('exit', (code) => process.exit(code ?? 1));
