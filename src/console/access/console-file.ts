import { z } from 'zod';
import { checkBaseUrl } from '../../platform/web-address.ts';
import type { Identity } from './identity.ts';
import { EVERY_TENANT, type Grant, ROLES } from './roles.ts';

const URL_TEXT = z.string().superRefine((text, context) => {
  const checked = checkBaseUrl(text);
  if ('problem' in checked) context.addIssue({ code: 'custom', message: checked.problem });
});

const PERSON = z.strictObject({
  /**
   * The user who gets the role: the name that the sign-in reports, such as an e-mail address. If `group` is given instead, all members of
   * the group get the role.
   */
  user: z.string().optional(),
  group: z.string().optional(),
  role: z.enum(ROLES),
  /** Names of the tenants to which the role applies. If absent, the role applies to all tenants and the installation. */
  tenants: z.array(z.string()).min(1).optional(),
  /**
   * Whether the person may see the values of deals' fields (business data). Each display of values is written to the operators' audit log.
   */
  values: z.boolean().default(false),
});

/** The console's file: its address, who may do what, and how people sign in. */
export const CONSOLE_FILE = z.strictObject({
  address: URL_TEXT.optional(),
  people: z
    .array(PERSON.refine((one) => (one.user === undefined) !== (one.group === undefined), 'give user or group'))
    .default([]),
  /**
   * `ledger`: administrators publish mappings in the ledger (Lockstep's database). `file`: they can only download a mapping, which is then
   * deployed as the tenant's mapping file.
   */
  mappings: z.enum(['ledger', 'file']).default('ledger'),
  proxy: z
    .strictObject({
      /** The header with the person's name. The proxy must set it on each request, and must drop it from what a browser sent. */
      userHeader: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/),
      /** The header with the person's groups, separated by commas. */
      groupsHeader: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9-]*$/)
        .optional(),
      /**
       * Addresses or networks (such as 10.0.0.0/24) of the proxy. Headers with the person's name and groups are ignored on connections from
       * any other address.
       */
      from: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).min(1),
    })
    .optional(),
  oidc: z
    .strictObject({
      issuer: URL_TEXT,
      clientId: z.string().min(1),
      /** Where the client secret is: `env:NAME` or `file:PATH`. */
      clientSecret: z.string().regex(/^(env|file):.+$/),
      /** The name of the provider's claim that contains the person's name; `groupsClaim` names the claim with the groups. */
      userClaim: z.string().default('email'),
      groupsClaim: z.string().default('groups'),
      scope: z.string().default('openid email profile'),
    })
    .optional(),
});

export type ConsoleFile = z.infer<typeof CONSOLE_FILE>;

/** The name and groups of a person, as the proxy or the OpenID Connect provider states them. */
export type Claimed = { readonly user: string; readonly groups: readonly string[] };

/** Finds the rights that the console's file gives to a person by name and groups; null if it gives none. Pure. */
export function identityOf(
  people: ConsoleFile['people'],
  by: Identity['by'],
  { user, groups }: Claimed,
): Identity | null {
  const own = people.filter((one) => (one.user === undefined ? groups.includes(one.group ?? '') : one.user === user));
  const grants = own.flatMap(({ role, values, tenants = [EVERY_TENANT] }): readonly Grant[] =>
    tenants.map((tenant) => ({ tenant, role, values })),
  );
  return grants.length === 0 ? null : { user, by, grants };
}
