import { type Command, InvalidArgumentError } from 'commander';
import { readConsoleFile } from '../../console/access/read-console-file.ts';
import { EVERY_TENANT, ROLES, type Role } from '../../console/access/roles.ts';
import { ownBuild } from '../../platform/build.ts';
import { listen } from '../../platform/http-listen.ts';
import { osUser } from '../../platform/os-user.ts';
import { MCP_PORT } from '../../platform/ports.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import { checkBaseUrl, isLoopback } from '../../platform/web-address.ts';
import { consoleAddress } from '../console-address.ts';
import type { CliContext } from '../context.ts';
import { CliError } from '../exit.ts';
import { followRoster, openOwnLedger, usableFiles, withoutReports } from '../runtime.ts';

const EXAMPLE = `
Example:
  lockstep mcp                                  for a program that speaks the Model Context Protocol on stdin and stdout
  lockstep mcp --tenant acme --role operator    may also propose changes, which a person confirms in the console
  lockstep mcp --http 4060                      for programs with a token, at http://127.0.0.1:4060/mcp

With --http each request needs a token that lockstep console token made, and the token's rights count instead of --role, --tenant and
--values.

No tool changes anything. Without --values no tool shows values of fields; each look at values stands in the audit log.`;

type Options = {
  readonly tenant?: readonly string[];
  readonly role: Role;
  readonly values?: true;
  readonly http?: number | true;
  readonly address?: string;
};

/**
 * `lockstep mcp`: offers commands to another program (such as an AI assistant) as tools of the Model Context Protocol. A command that only
 * reads gives its answer. A command that changes something is only proposed: a user confirms it in the console.
 */
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
    .option('--http [port]', 'serve HTTP at LOCKSTEP_HOST and this port, for programs with a token', readPort)
    .option('--address <url>', 'with --http: where programs reach it, if that is not this machine', readAddress)
    .action((options: Options) => (options.http === undefined ? serve(context, options) : serveHttp(context, options)));
}

async function serve(context: CliContext, { tenant = [EVERY_TENANT], role, values }: Options): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { createMcpServer } = await import('../../console/mcp/mcp-server.ts');
  const { callEndpoint } = await import('../../console/api/call-endpoint.ts');
  const { consolePorts } = await import('../console-ports.ts');
  const log = context.log('mcp');
  const ledger = await openOwnLedger(context.settings(), { isWalled: true });
  const roster = await followRoster(context, 'mcp', { files: usableFiles(context), registry: withoutReports(ledger) });
  const { ports, close } = consolePorts(context, { ledger, roster });
  const shutdown = watchShutdown();
  const grants = tenant.map((name) => ({ tenant: name, role, values: values === true }));
  const identity = { user: osUser().user, by: 'command-line', grants } as const;
  const server = createMcpServer({
    call: (endpoint, input) => callEndpoint({ ports, log, via: 'mcp', onChanges: () => {} }, endpoint, input, identity),
    identity,
    base: consoleAddress(context, readConsoleFile(context.settings().consoleFile)),
    version: (await ownBuild()).version,
  });
  const ended = new AbortController();
  process.stdin.once('end', () => ended.abort());
  await server.connect(new StdioServerTransport());
  const signal = AbortSignal.any([shutdown.signal, ended.signal]);
  const watching = roster.watch(signal);
  await untilAborted(signal);
  await watching;
  await server.close();
  await close();
  await ledger.close();
  shutdown.dispose();
}

async function serveHttp(context: CliContext, { http, address }: Options): Promise<void> {
  const { createMcpHttp } = await import('../../console/mcp/mcp-http.ts');
  const { consolePorts } = await import('../console-ports.ts');
  const settings = context.settings();
  if (address === undefined && !isLoopback(settings.host))
    throw new CliError('Beyond this machine the MCP server needs its address: give --address.');
  const log = context.log('mcp');
  const ledger = await openOwnLedger(settings, { isWalled: true });
  const roster = await followRoster(context, 'mcp', { files: usableFiles(context), registry: ledger });
  const { ports, close } = consolePorts(context, { ledger, roster });
  const shutdown = watchShutdown();
  const app = createMcpHttp({
    ...{ ports, log, site: { origin: address ?? null }, version: (await ownBuild()).version },
    base: consoleAddress(context, readConsoleFile(settings.consoleFile)),
  });
  const port = typeof http === 'number' ? http : MCP_PORT;
  const server = await listen(app, { host: settings.host, port });
  log.info('the MCP server is ready', { address: `${server.url}/mcp` });
  const watching = roster.watch(shutdown.signal);
  await untilAborted(shutdown.signal);
  await watching;
  await server.close();
  await close();
  await ledger.close();
  shutdown.dispose();
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It is no port.');
}

function readAddress(text: string): string {
  const checked = checkBaseUrl(text);
  if ('problem' in checked) throw new InvalidArgumentError(checked.problem);
  return new URL(checked.url).origin;
}

function readRole(text: string): Role {
  const found = ROLES.find((role) => role === text);
  if (found === undefined) throw new InvalidArgumentError(`The roles are ${ROLES.join(', ')}.`);
  return found;
}
