import { type Command, InvalidArgumentError } from 'commander';
import { readConsoleFile } from '../../console/access/read-console-file.ts';
import { EVERY_TENANT, ROLES, type Role } from '../../console/access/roles.ts';
import { ownBuild } from '../../platform/build.ts';
import { osUser } from '../../platform/os-user.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import { consoleAddress } from '../console-address.ts';
import type { CliContext } from '../context.ts';
import { followRoster, openOwnLedger, usableFiles } from '../runtime.ts';

const EXAMPLE = `
Example:
  lockstep mcp                                  for a program that speaks the Model Context Protocol on stdin and stdout
  lockstep mcp --tenant acme --role operator    may also propose changes, which a person confirms in the console

No tool changes anything. Without --values no tool shows values of fields; each look at values stands in the audit log.`;

type Options = { readonly tenant?: readonly string[]; readonly role: Role; readonly values?: true };

/** `lockstep mcp`: offers the commands to a program as tools. */
export function addMcp(program: Command, context: CliContext): void {
  program
    .command('mcp')
    .option('--tenant <name>', 'only this tenant; may be repeated', (name: string, before: readonly string[] = []) => [
      ...before,
      name,
    ])
    .option('--role <role>', `one of ${ROLES.join(', ')}`, readRole, 'viewer')
    .option('--values', 'tools may show values of fields')
    .addHelpText('after', EXAMPLE)
    .action((options: Options) => serve(context, options));
}

async function serve(context: CliContext, { tenant = [EVERY_TENANT], role, values }: Options): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { createMcpServer } = await import('../../console/mcp/mcp-server.ts');
  const { consolePorts } = await import('../console-ports.ts');
  const log = context.log('mcp');
  const ledger = await openOwnLedger(context.settings(), { isWalled: true });
  const roster = await followRoster(context, 'mcp', { files: usableFiles(context), registry: ledger });
  const { ports, close } = consolePorts(context, { ledger, roster });
  const shutdown = watchShutdown();
  const grants = tenant.map((name) => ({ tenant: name, role, values: values === true }));
  const server = createMcpServer({
    context: { ports, log, via: 'mcp' },
    identity: { user: osUser().user, by: 'command-line', grants },
    base: consoleAddress(context, readConsoleFile(context.settings().consoleFile)),
    version: (await ownBuild()).version,
  });
  const ended = new AbortController();
  process.stdin.once('end', () => ended.abort());
  await server.connect(new StdioServerTransport());
  await untilAborted(AbortSignal.any([shutdown.signal, ended.signal]));
  await server.close();
  await close();
  await ledger.close();
  shutdown.dispose();
}

function readRole(text: string): Role {
  const found = ROLES.find((role) => role === text);
  if (found === undefined) throw new InvalidArgumentError(`The roles are ${ROLES.join(', ')}.`);
  return found;
}
