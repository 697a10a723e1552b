import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { z } from 'zod';
import { recorded } from '../../operator/actions/record-action.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Identity } from '../access/identity.ts';
import { allows, type Need } from '../access/roles.ts';
import type { ConsolePorts } from '../ports.ts';
import { type Endpoint, isOfTenant } from './endpoint.ts';
import { Refusal } from './refusal.ts';

/** The resources that a call of an endpoint uses. */
export type CallContext = {
  readonly ports: ConsolePorts;
  readonly log: Logger;
  /** How the call arrived, for the audit log: through the console (its pages or its API), or from a program that speaks MCP. */
  readonly via: 'console' | 'mcp';
  /** Called with the number of opportunities that the call will change in Salesforce. Throws `Refusal` if they are too many. */
  readonly onChanges: (count: number) => void;
};

type Input = Readonly<Record<string, unknown>>;
type Answer = { readonly shape: string } & Readonly<Record<string, unknown>>;

/**
 * Checks the input and the person's right, runs the command, and returns its answer without the fields that the endpoint's schema does not
 * allow. A change or a display of values is written to the operators' audit log. Throws `Refusal` and the errors of the command.
 */
export async function callEndpoint(
  context: CallContext,
  endpoint: Endpoint,
  raw: unknown,
  identity: Identity,
): Promise<Answer> {
  const input = readInput(endpoint, raw);
  const showsValues = endpoint.showsValues?.(input) === true;
  requireRight(endpoint, identity, needOf(endpoint, input, showsValues));
  if (endpoint.changes !== undefined) context.onChanges(endpoint.changes(input));
  const run = () => endpoint.run(context.ports, input, identity.grants, identity.user, identity.by);
  const isNoted = endpoint.effect === 'writes' || showsValues;
  const answer = isNoted ? await noted(context, endpoint, { input, showsValues, identity, run }) : await run();
  return endpoint.answer.parse(answer) as Answer;
}

/** Checks the input of a request. A refusal names the fields and what is wrong with them, and repeats no value. */
export function readInput(endpoint: Endpoint, raw: unknown): Input {
  const read = endpoint.input.safeParse(raw);
  if (read.success) return read.data;
  throw new Refusal('invalid', read.error.issues.map(problemOf).join(' '));
}

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.') || 'The request'}: ${message.replace(/, received .*$/s, '')}.`.replace(/\.+$/, '.');
}

/** The right that a person needs for a call of an endpoint. */
export function needOf(endpoint: Endpoint, input: Input, showsValues: boolean): Need {
  const tenant = isOfTenant(endpoint) ? String(input['tenant']) : null;
  return { role: endpoint.role, tenant, values: showsValues };
}

function requireRight({ scope }: Endpoint, { grants }: Identity, need: Need): void {
  if (scope === 'any' || allows(grants, need)) return;
  const where = need.tenant === null ? 'the whole installation' : `the tenant ${need.tenant}`;
  const values = need.values === true ? ' and the right to see values' : '';
  throw new Refusal('not-allowed', `This needs the role ${need.role} for ${where}${values}.`);
}

type Noted = {
  readonly input: Input;
  readonly showsValues: boolean;
  readonly identity: Identity;
  readonly run: () => Promise<{ readonly shape: string }>;
};

function noted({ ports, log, via }: CallContext, endpoint: Endpoint, { input, showsValues, identity, run }: Noted) {
  const action = {
    verb: endpoint.verb,
    tenants: isOfTenant(endpoint) ? [String(input['tenant'])] : [],
    details: {
      ...endpoint.details?.(input),
      ...(showsValues ? { values: true } : {}),
      ...{ via, signIn: identity.by },
    },
    reason: typeof input['reason'] === 'string' ? input['reason'] : null,
  };
  const actionPorts = {
    log: async () => ports.ledger,
    actor: { user: identity.user, host: hostname() },
    newId: randomUUID,
    now: ports.now,
    warn: (line: string) => log.warn(line),
  };
  return recorded(actionPorts, action, run, (answer) => endpoint.outcome?.(answer) ?? { hasFailed: false });
}
