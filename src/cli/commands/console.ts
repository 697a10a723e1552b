import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { readConsoleFile } from '../../console/access/read-console-file.ts';
import { EVERY_TENANT, ROLES, type Role } from '../../console/access/roles.ts';
import { ownBuild } from '../../platform/build.ts';
import { listen } from '../../platform/http-listen.ts';
import { logCrash } from '../../platform/log-crash.ts';
import { logNodeWarnings } from '../../platform/log-node-warnings.ts';
import type { Logger } from '../../platform/logger.ts';
import { osUser } from '../../platform/os-user.ts';
import { OWN_PORTS } from '../../platform/ports.ts';
import { resolveSecret } from '../../platform/secret.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import { isLoopback } from '../../platform/web-address.ts';
import { consoleAddress } from '../console-address.ts';
import { addRevoke, addToken, addTokens } from '../console-tokens.ts';
import type { CliContext } from '../context.ts';
import { CliError } from '../exit.ts';
import { operatorVerb } from '../operator-verb.ts';
import { followRoster, openOwnLedger, usableFiles } from '../runtime.ts';
import { withSubverbs } from '../with-subverbs.ts';

const EXAMPLE = `
Examples:
  LOCKSTEP_CONSOLE=console.yaml LOCKSTEP_CONSOLE_PORT=4050 lockstep console
  lockstep console link                      prints a one-time link to sign in

Serves pages and /api/v1 at LOCKSTEP_HOST and LOCKSTEP_CONSOLE_PORT, with /healthz and /readyz. The file says who may do what and
how people sign in (docs/console.md); without it only one-time links do. Beyond this machine it needs an address in the file.`;

function addServer(program: Command, context: CliContext): void {
  program
    .command('console')
    .addHelpText('after', EXAMPLE)
    .action(() => serve(context));
}

async function serve(context: CliContext): Promise<void> {
  const { createConsole } = await import('../../console/app.ts');
  const { consolePorts } = await import('../console-ports.ts');
  const settings = context.settings();
  const log = context.log('console');
  logCrash(log);
  logNodeWarnings(log);
  const file = readConsoleFile(settings.consoleFile);
  if (file.address === undefined && !isLoopback(settings.host))
    throw new CliError(
      'Beyond this machine the console needs its address: write it into the file of LOCKSTEP_CONSOLE.',
    );
  const ledger = await openOwnLedger(settings, { isWalled: true });
  const roster = await followRoster(context, 'console', { files: usableFiles(context), registry: ledger });
  const { ports, close } = consolePorts(context, { ledger, roster, mappingsIn: file.mappings });
  const shutdown = watchShutdown();
  const console = createConsole({
    ports,
    site: { origin: file.address === undefined ? null : new URL(file.address).origin },
    ...(await signInsOf(context, file, log)),
    log,
    version: (await ownBuild()).version,
    failedChecks: () =>
      ledger.ping().then(
        () => [],
        () => ['ledger'],
      ),
  });
  const server = await listen(console.app, { host: settings.host, port: settings.consolePort ?? OWN_PORTS.console });
  log.info('the console is ready', { address: server.url });
  const watching = roster.watch(shutdown.signal);
  await untilAborted(shutdown.signal);
  await watching;
  console.close();
  await server.close();
  await close();
  await ledger.close();
  shutdown.dispose();
}

/** The ways to sign in that the console's configuration file sets up. */
async function signInsOf(context: CliContext, file: ReturnType<typeof readConsoleFile>, log: Logger) {
  const { proxySignIn } = await import('../../console/access/proxy.ts');
  const proxy = proxySignIn(file);
  if (file.oidc === undefined) return { proxy, oidc: null };
  const { oidcSignIn } = await import('../../console/access/oidc.ts');
  const baseDir = dirname(context.settings().consoleFile ?? '.');
  const secret = resolveSecret(file.oidc.clientSecret, { env: context.env, baseDir });
  const { people, oidc } = file;
  return { proxy, oidc: oidcSignIn({ people, oidc, clientSecret: () => secret.reveal(), log }) };
}

type LinkOptions = {
  readonly role: Role;
  readonly tenant?: readonly string[];
  readonly values?: true;
  readonly user?: string;
};

const addLink = operatorVerb({
  name: 'link',
  description: 'print a one-time link to sign in to the console',
  example: `Example:
  lockstep console link                                       an operator of all tenants
  lockstep console link --role viewer --tenant acme --values     a viewer of one tenant, who may see values of fields
  lockstep console link --role administrator --user ada

The link is valid for ten minutes and opens one session of eight hours. Whoever opens it acts as the named person.`,
  takes: (command) =>
    command
      .option('--role <role>', `one of ${ROLES.join(', ')}`, readRole, 'operator')
      .option(
        '--tenant <name>',
        'only this tenant; may be repeated',
        (name: string, before: readonly string[] = []) => [...before, name],
      )
      .option('--values', 'the person may see values of fields')
      .option('--user <name>', 'the person’s name, for the audit log; your own by default'),
  run: async ({ context, ledger, now }, options: LinkOptions) => {
    const { consoleLink } = await import('../console-link.ts');
    const base = consoleAddress(context, readConsoleFile(context.settings().consoleFile));
    const grants = (options.tenant ?? [EVERY_TENANT]).map((tenant) => ({
      ...{ tenant, role: options.role, values: options.values === true },
    }));
    const user = options.user ?? osUser().user;
    return {
      shape: 'console-link/1',
      ...(await consoleLink(await ledger(), { base, user, grants, at: now() })),
    } as const;
  },
  effect: ({ role, tenant: tenants = [], values = false, user }) => ({
    named: tenants,
    details: { role, values, ...(user === undefined ? {} : { user }) },
  }),
  lines: ({ url, validUntil }) => [url, `Valid until ${validUntil}, and for one sign-in.`],
});

function readRole(text: string): Role {
  const found = ROLES.find((role) => role === text);
  if (found === undefined) throw new InvalidArgumentError(`The roles are ${ROLES.join(', ')}.`);
  return found;
}

/** `lockstep console` and its subcommands: the operators' pages and API, links to sign in, and tokens of programs. */
export const addConsole = withSubverbs(addServer, addLink, addTokens, addToken, addRevoke);
