import { z } from 'zod';
import { ROLES } from './roles.ts';

/**
 * How the caller proved who they are. `link`: a person with a one-time link. `command-line`: the user of the operating system who started
 * `lockstep mcp`. `token`: a program with a token that an administrator made.
 */
export const SIGN_INS = ['link', 'proxy', 'oidc', 'command-line', 'token'] as const;

const GRANT = z.strictObject({ tenant: z.string(), role: z.enum(ROLES), values: z.boolean() });

/** A signed-in person or program. `user` is the name that the operators' audit log records. */
export const IDENTITY = z.strictObject({
  user: z.string().min(1).max(200),
  by: z.enum(SIGN_INS),
  grants: z.array(GRANT).readonly(),
});
export type Identity = z.infer<typeof IDENTITY>;
