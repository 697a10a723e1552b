import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Identity } from '../access/identity.ts';
import { allows } from '../access/roles.ts';
import { needOf, readInput } from '../api/call-endpoint.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { ENDPOINTS, endpointOf } from '../api/endpoints.ts';
import { Refusal, refusalOf } from '../api/refusal.ts';

export type McpOptions = {
  /** Calls an endpoint of the API with the rights of `identity`. */
  readonly call: (endpoint: Endpoint, input: unknown) => Promise<object>;
  /** For whom the program acts: the person who started `lockstep mcp`, or the API token that the program sent. */
  readonly identity: Identity;
  /** The console's address without a trailing slash. The person confirms proposed changes there. */
  readonly base: string;
  readonly version: string;
};

type Result = { content: { type: 'text'; text: string }[]; isError?: true };

/**
 * Offers the commands as tools of the Model Context Protocol. A tool that reads gives the same answer as the command with `--json`. A tool
 * for a change changes nothing: its answer is a plan, and the address of the console's page on which the person makes the change. Commands
 * that take secrets are not offered.
 */
export function createMcpServer(options: McpOptions): McpServer {
  const server = new McpServer({ name: 'lockstep', version: options.version });
  for (const endpoint of ENDPOINTS.filter(({ takesSecrets }) => takesSecrets !== true)) {
    const isRead = endpoint.effect === 'reads';
    const { reason: _, ...shape } = endpoint.input.shape;
    const config = {
      title: `lockstep ${endpoint.verb}`,
      description: isRead ? endpoint.summary : `Proposes, for a person to confirm: ${endpoint.summary}`,
      inputSchema: shape,
      annotations: { readOnlyHint: true, openWorldHint: endpoint.costly === true },
    };
    const answer = isRead ? answerOf : proposalOf;
    server.registerTool(toolName(endpoint), config, (input: unknown) =>
      asResult(() => answer(options, endpoint, input)),
    );
  }
  return server;
}

/**
 * The name of an endpoint's tool, such as `inbox` or `propose_inbox_retry`. The commands `audit-log` and `notices` have two endpoints: one
 * for a tenant and one for the whole installation. The tool of the second endpoint is called `notices_of_installation`, for example. The
 * command `plan` has a second endpoint for mapping drafts; its tool is called `plan_mapping`.
 */
export function toolName({ verb, effect, path }: Endpoint): string {
  const name = verb.replaceAll(/\W+/g, '_');
  if (effect === 'writes') return `propose_${name}`;
  if (path.endsWith('/mapping/plan')) return 'plan_mapping';
  return path === '/audit-log' || path === '/notices' ? `${name}_of_installation` : name;
}

async function asResult(work: () => Promise<object>): Promise<Result> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await work()) }] };
  } catch (error) {
    const refusal = refusalOf(error);
    const text = refusal?.message ?? 'It failed; the log of lockstep mcp says more.';
    return { content: [{ type: 'text', text }], isError: true };
  }
}

function answerOf({ call }: McpOptions, endpoint: Endpoint, input: unknown): Promise<object> {
  return call(endpoint, input);
}

/** The maximum number of records whose plan a proposal reads. */
const MOST_PLANNED = 5;

/**
 * The answer to a program that proposes a change: the change that a person could confirm, and what Lockstep would do with the records that
 * the input names. Changes nothing.
 */
async function proposalOf({ call, identity, base }: McpOptions, endpoint: Endpoint, given: unknown): Promise<object> {
  const input = readInput(endpoint, { ...(given as object), reason: 'proposed' });
  if (!allows(identity.grants, needOf(endpoint, input, false)))
    throw new Refusal('not-allowed', `This needs the role ${endpoint.role} for the tenant ${String(input['tenant'])}.`);
  const ids = idsIn(input);
  const tenant = String(input['tenant'] ?? '');
  const plan = endpointOf('plan');
  const plans = await Promise.all(
    ids.slice(0, MOST_PLANNED).map((id) => call(plan, { tenant, id }).catch(planFailure)),
  );
  return {
    shape: 'proposal/1',
    command: `lockstep ${endpoint.verb}`,
    ...(endpoint.details === undefined ? {} : { with: endpoint.details(input) }),
    plans,
    isDone: false,
    confirmAt: `${base}${pageOf(endpoint, tenant, ids)}`,
  };
}

function planFailure(error: unknown): object {
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  return { failed: refusal.message };
}

function idsIn(input: Readonly<Record<string, unknown>>): readonly string[] {
  return [input['id'] ?? input['ids'] ?? []].flat().map(String);
}

/**
 * The pages on which a person runs commands that concern a whole tenant, not one record. Each row has the name of a page and the commands
 * that belong to it. An entry such as `keys` matches the command of that name and every command that begins with that word.
 */
const OWN_PAGES = [
  ['keys', ['keys']],
  ['mapping', ['mapping']],
  ['plan', ['plan start', 'plan cancel']],
  ['backfill', ['backfill']],
  ['audit', ['audit']],
  ['orders', ['load-orders', 'find-order']],
  ['catalog', ['catalog']],
  ['relink', ['relink']],
  ['undo', ['undo']],
  ['declaration', ['tenants remove']],
] as const;

/** The path of the page on which a person runs a command. */
function pageOf({ verb }: Endpoint, tenant: string, ids: readonly string[]): string {
  const own = `/tenants/${encodeURIComponent(tenant)}`;
  if (verb.startsWith('console')) return '/tokens';
  if (verb.startsWith('notices')) return '/notices';
  const [page] = OWN_PAGES.find(([, verbs]) => verbs.some((one) => verb === one || verb.startsWith(`${one} `))) ?? [];
  if (page !== undefined) return `${own}/${page}`;
  if (verb === 'inbox retry') return `${own}/inbox`;
  return ids.length === 1
    ? `${own}/records/${encodeURIComponent(ids[0] ?? '')}`
    : ids.length > 1
      ? `${own}/inbox`
      : own;
}
