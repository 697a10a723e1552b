import { InvalidArgumentError } from 'commander';
import { type ApiToken, createApiTokens } from '../console/access/api-tokens.ts';
import { EVERY_TENANT, ROLES, type Role } from '../console/access/roles.ts';
import { osUser } from '../platform/os-user.ts';
import type { OperatorTools } from './operator-tools.ts';
import { operatorVerb } from './operator-verb.ts';

const DAYS = 90;
const MOST_DAYS = 366;

const tokensOf = async ({ ledger, now }: OperatorTools) => createApiTokens(await ledger(), () => Date.parse(now()));

/** `lockstep console tokens`: lists the API tokens with which programs use the console's API and its MCP server. */
export const addTokens = operatorVerb({
  name: 'tokens',
  description: 'list the tokens of programs, without their secret text',
  example: `Example:
  lockstep console tokens`,
  run: async (tools) => ({ shape: 'console-tokens/1', tokens: await (await tokensOf(tools)).list() }) as const,
  effect: 'reads',
  lines: ({ tokens }) => (tokens.length === 0 ? ['There are no tokens.'] : tokens.map(lineOf)),
});

type TokenOptions = {
  readonly name: string;
  readonly role: Role;
  readonly tenant?: readonly string[];
  readonly values?: true;
  readonly days: number;
};

/** `lockstep console token`: makes an API token with which a program uses the console's API and its MCP server. */
export const addToken = operatorVerb({
  name: 'token',
  description: 'make a token with which a program uses the API and the MCP server',
  example: `Example:
  lockstep console token --name dashboard
  lockstep console token --name assistant --role operator --tenant acme --days 30

The token is printed once, and stored as a hash. The program sends it in the header Authorization: Bearer.`,
  takes: (command) =>
    command
      .requiredOption('--name <name>', 'the program, for the list and the audit log', readName)
      .option('--role <role>', `one of ${ROLES.join(', ')}`, readRole, 'viewer')
      .option(
        '--tenant <name>',
        'only this tenant; may be repeated',
        (name: string, before: readonly string[] = []) => [...before, name],
      )
      .option('--values', 'the program may see values of fields')
      .option('--days <n>', 'how long the token is valid', readDays, DAYS),
  run: async (tools, { name, role, tenant = [EVERY_TENANT], values, days }: TokenOptions) => {
    const grants = tenant.map((one) => ({ tenant: one, role, values: values === true }));
    const made = await (await tokensOf(tools)).create({ name, grants, days, madeBy: osUser().user });
    return { shape: 'console-token/1', ...made } as const;
  },
  effect: ({ name, role, tenant: tenants = [], values = false, days }) => ({
    named: tenants,
    details: { name, role, withValues: values, days },
  }),
  outcome: ({ id }) => ({ details: { id } }),
  lines: ({ token, until }) => [token, `It is not shown again. Valid until ${until}.`],
});

/** `lockstep console revoke`: ends the validity of a program's API token. */
export const addRevoke = operatorVerb({
  name: 'revoke',
  description: 'end a token of a program',
  example: `Example:
  lockstep console revoke 0123456789ab

lockstep console tokens lists the tokens. Running processes refuse the token within five seconds.`,
  takes: (command) => command.argument('<token>', 'the token, as lockstep console tokens names it', readTokenName),
  run: async (tools, id: string) =>
    ({ shape: 'console-token-revoked/1', id, revoked: await (await tokensOf(tools)).revoke(id) }) as const,
  effect: (id) => ({ details: { id } }),
  lines: ({ id, revoked }) => [revoked ? `${id} is revoked.` : `There is no token ${id}.`],
  hasFailed: ({ revoked }) => !revoked,
});

function lineOf({ id, name, grants, madeBy, until, usedAt }: ApiToken): string {
  const rights = grants.map(({ tenant, role, values }) => `${role} of ${tenant}${values ? ' with values' : ''}`);
  return `${id} ${name}: ${rights.join(', ')}, made by ${madeBy}, valid until ${until}, used ${usedAt ?? 'never'}`;
}

function readName(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= 100 && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw new InvalidArgumentError('Give one line of 1 to 100 characters.');
}

function readRole(text: string): Role {
  const found = ROLES.find((role) => role === text);
  if (found === undefined) throw new InvalidArgumentError(`The roles are ${ROLES.join(', ')}.`);
  return found;
}

function readDays(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= MOST_DAYS) return Number(text);
  throw new InvalidArgumentError(`It is no number from 1 to ${MOST_DAYS}.`);
}

function readTokenName(text: string): string {
  if (/^[0-9a-f]{12}$/.test(text)) return text;
  throw new InvalidArgumentError('It is no id of a token.');
}
