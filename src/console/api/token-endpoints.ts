import { z } from 'zod';
import { createApiTokens } from '../access/api-tokens.ts';
import { allows, EVERY_TENANT, ROLES } from '../access/roles.ts';
import type { ConsolePorts } from '../ports.ts';
import { instant, shape } from './answers.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { FLAG, REASON, TENANT } from './input.ts';
import { Refusal } from './refusal.ts';

const GRANT = z.object({ tenant: z.string(), role: z.enum(ROLES), values: z.boolean() });
const TOKEN = z.object({
  ...{ id: z.string(), name: z.string(), grants: z.array(GRANT).readonly(), madeBy: z.string() },
  ...{ createdAt: instant, until: instant, usedAt: instant.nullable() },
});
const NAME = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u);
const NAMES = z
  .union([z.array(TENANT).max(100), z.string().transform((text) => text.split(/[\s,]+/).filter((one) => one !== ''))])
  .default([])
  .describe('only these tenants; empty for all');

const tokensOf = ({ ledger, now }: ConsolePorts) => createApiTokens(ledger, () => Date.parse(now()));

/** The endpoints about the tokens with which programs use the API and the MCP server. */
export const TOKEN_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'administrator' },
    verb: 'console tokens',
    summary: 'Lists the tokens of programs, without their secret text.',
    path: '/tokens',
    input: z.object({}),
    answer: z.object({ shape: shape('console-tokens/1'), tokens: z.array(TOKEN).readonly() }),
    run: async (ports) => ({ shape: 'console-tokens/1' as const, tokens: await tokensOf(ports).list() }),
  }),
  endpoint({
    ...{ method: 'POST', effect: 'writes', role: 'administrator' },
    verb: 'console token',
    summary: 'Makes a token for a program. Only this answer contains its text.',
    path: '/tokens',
    input: z.object({
      name: NAME.describe('the program'),
      role: z.enum(ROLES).default('viewer'),
      tenants: NAMES,
      values: FLAG.describe('may see values of fields'),
      days: z.coerce.number().int().min(1).max(366).default(90).describe('how long it is valid'),
      reason: REASON,
    }),
    answer: TOKEN.extend({ shape: shape('console-token/1'), token: z.string() }),
    details: ({ name, role, tenants, values, days }) => ({ name, role, tenants, withValues: values, days }),
    outcome: ({ id }) => ({ hasFailed: false, details: { id } }),
    run: async (ports, { name, role, tenants, values, days }, grants, user, by) => {
      if (by === 'token') throw new Refusal('not-allowed', 'A program makes no tokens: a person does.');
      if (values && !allows(grants, { role: 'administrator', tenant: null, values: true }))
        throw new Refusal('not-allowed', 'You have no right to see values, and so can give none.');
      const own = tenants.length === 0 ? [EVERY_TENANT] : tenants;
      const given = own.map((tenant) => ({ tenant, role, values }));
      const made = await tokensOf(ports).create({ name, grants: given, days, madeBy: user });
      return { shape: 'console-token/1' as const, ...made };
    },
  }),
  endpoint({
    ...{ method: 'POST', effect: 'writes', role: 'administrator' },
    verb: 'console revoke',
    summary: 'Ends a program’s token.',
    path: '/tokens/{id}/revoke',
    input: z.object({ id: z.string().regex(/^[0-9a-f]{12}$/, 'It is no id of a token.'), reason: REASON }),
    answer: z.object({ shape: shape('console-token-revoked/1'), id: z.string(), revoked: z.boolean() }),
    details: ({ id }) => ({ id }),
    run: async (ports, { id }) => ({
      ...{ shape: 'console-token-revoked/1' as const, id },
      revoked: await tokensOf(ports).revoke(id),
    }),
  }),
];
