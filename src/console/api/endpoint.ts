import type { z } from 'zod';
import type { ActionDetails } from '../../ledger/actions/action-ledger.ts';
import type { ActionOutcome } from '../../operator/actions/record-action.ts';
import type { Identity } from '../access/identity.ts';
import type { Grant, Role } from '../access/roles.ts';
import type { ConsolePorts } from '../ports.ts';

/** Every answer of the API names its shape and version, such as `status/1`, as on the command line with `--json`. */
type Shaped = { readonly shape: string };

/** An endpoint of the API, which offers a command of the command line over HTTP. */
export type Endpoint<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodType<Shaped, Shaped> = z.ZodType<Shaped, Shaped>,
> = {
  /** The command as typed, such as `inbox retry`. */
  readonly verb: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  /** The path below `/api/v1`; segments in braces are fields of the input. */
  readonly path: string;
  /** Whether the endpoint reads or changes something. A change is a POST, has a reason, and is written to the operators' audit log. */
  readonly effect: 'reads' | 'writes';
  readonly role: Role;
  /**
   * `any`: everybody who is signed in may call the endpoint, and the answer contains only what the person may see. If absent, the person's
   * role decides.
   */
  readonly scope?: 'any';
  /** The endpoint reads the remote systems, and so uses up their quotas. */
  readonly costly?: true;
  /** The input contains a draft of a mapping, whose parsing takes the processor's time. */
  readonly takesDraft?: true;
  /** How many opportunities the call changes in Salesforce. */
  readonly changes?: (input: z.output<In>) => number;
  /** The input contains secrets. Programs that speak MCP get no tool for it, because a model's input may be stored outside Lockstep. */
  readonly takesSecrets?: true;
  readonly input: In;
  readonly answer: Out;
  /** Whether the answer to this input shows values of deals' fields (business data). */
  readonly showsValues?: (input: z.output<In>) => boolean;
  /** Ids, names of fields and options for the audit log. Never a value. */
  readonly details?: (input: z.output<In>) => ActionDetails;
  readonly outcome?: (answer: z.output<Out>) => ActionOutcome;
  /** Executes the command. `grants`, `user`: the rights and the name of the caller. `by`: how the caller signed in. */
  readonly run: (
    ports: ConsolePorts,
    input: z.output<In>,
    grants: readonly Grant[],
    user: string,
    by: Identity['by'],
  ) => Promise<z.input<Out>>;
};

/**
 * Converts an endpoint to the common type of all endpoints, so that one table can contain them all. TypeScript checks the endpoint's own
 * types first.
 */
export function endpoint<In extends z.ZodObject, Out extends z.ZodType<Shaped, Shaped>>(
  row: Endpoint<In, Out>,
): Endpoint {
  return row as unknown as Endpoint;
}

/** Whether an endpoint's path names a tenant. The tenant is then also a field of the input. */
export function isOfTenant({ path }: Pick<Endpoint, 'path'>): boolean {
  return path.startsWith('/tenants/{tenant}/');
}
