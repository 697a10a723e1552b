import type { OrgReads } from '../../operator/mapping/org-reads.ts';
import { createRateLimit, RATES } from '../access/rate-limits.ts';

const KEPT_MS = 60_000;
const MOST_TENANTS = 50;

type Kept = { readonly untilMs: number; readonly answers: Map<string, Promise<unknown>> };

/**
 * Reads what the check of a mapping draft needs from an org: descriptions (objects, fields, picklist values), products, offers and shared
 * leads. Keeps each answer for at most a minute, so that a check at each key stroke does not ask the org again. Limits the requests to each
 * org, because drafts may name any number of objects.
 */
export type OrgDescriptions = { readonly of: (tenant: string, crm: OrgReads) => OrgReads };

export function createOrgDescriptions(nowMs: () => number): OrgDescriptions {
  const kept = new Map<string, Kept>();
  const limit = createRateLimit(RATES.descriptions, nowMs);
  const answersOf = (tenant: string): Kept['answers'] => {
    const known = kept.get(tenant);
    if (known !== undefined && known.untilMs > nowMs()) return known.answers;
    const answers: Kept['answers'] = new Map();
    kept.delete(tenant);
    kept.set(tenant, { untilMs: nowMs() + KEPT_MS, answers });
    const [oldest] = kept.keys();
    if (kept.size > MOST_TENANTS && oldest !== undefined) kept.delete(oldest);
    return answers;
  };
  const read = <T>(tenant: string, key: string, ask: () => Promise<T>): Promise<T> =>
    once(answersOf(tenant), key, async () => {
      limit(tenant);
      return ask();
    });
  return {
    of: (tenant, crm) => ({
      // Each object is read and kept separately, so that drafts with different lookups do not ask for one object twice.
      schema: async (objects) => {
        const found = await Promise.all(
          objects.map((object) => read(tenant, `schema ${object}`, () => crm.schema([object]))),
        );
        return Object.assign({}, ...found);
      },
      productsWithoutOffer: (...given) =>
        read(tenant, `products ${JSON.stringify(given[0])}`, () => crm.productsWithoutOffer(...given)),
      knownOffers: (...given) => read(tenant, `offers ${JSON.stringify(given[0])}`, () => crm.knownOffers(...given)),
      sharedLeadsWithout: (...given) =>
        read(tenant, `leads ${JSON.stringify(given[0])}`, () => crm.sharedLeadsWithout(...given)),
    }),
  };
}

/** Calls `ask` unless an answer is stored under this key. A failed answer is not stored. */
function once<T>(answers: Kept['answers'], key: string, ask: () => Promise<T>): Promise<T> {
  const known = answers.get(key) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const asked = ask();
  answers.set(key, asked);
  asked.catch(() => answers.delete(key));
  return asked;
}
