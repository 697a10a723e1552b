import type { ConsolePorts } from '../ports.ts';

/** The maximum number of names that one call of `Names.of` reads from a tenant's CRM. In its result, names beyond this number are null. */
const MOST_ASKED = 100;
const MOST_KEPT = 20_000;
const KEPT_MS = 10 * 60_000;
/**
 * The longest time, in ms, that a page waits for names that it does not know yet. Names that arrive later are shown when the page is loaded
 * again.
 */
const PATIENCE_MS = 1_500;

/** The name of an opportunity, a lead or a Salesforce user by its id; null if it is unknown. */
export type NameOf = (crmId: string) => string | null;

export interface Names {
  /**
   * Finds the names of opportunities, leads and Salesforce users. Waits only a short time (`PATIENCE_MS`); names that are not known by then
   * are null. Never fails.
   */
  of(tenant: string, crmIds: readonly string[]): Promise<NameOf>;
}

/** The Salesforce objects whose names pages show, each with the three characters with which its ids begin. */
const OBJECTS = [
  ['Opportunity', '006'],
  ['User', '005'],
  ['Lead', '00Q'],
] as const;

type Kept = { readonly name: string | null; readonly atMs: number };

/**
 * Reads the names of opportunities, leads and users from the orgs, and keeps them for ten minutes. Pages show them; the API and logs do
 * not.
 */
export function createNames(ports: Pick<ConsolePorts, 'tenant' | 'readable'>, nowMs: () => number): Names {
  const kept = new Map<string, Kept>();
  const placeOf = (tenant: string, id: string): string => `${tenant} ${id}`;
  const known = (tenant: string, id: string): Kept | undefined => {
    const found = kept.get(placeOf(tenant, id));
    return found !== undefined && nowMs() - found.atMs < KEPT_MS ? found : undefined;
  };
  const read = async (tenant: string, ids: readonly string[]): Promise<void> => {
    const { crm } = ports.readable(ports.tenant(tenant));
    const signal = AbortSignal.timeout(10 * PATIENCE_MS);
    const rows = await Promise.all(
      OBJECTS.map(([object, prefix]) => {
        const values = ids.filter((id) => id.startsWith(prefix));
        return values.length === 0 ? [] : crm.rowsWith({ object, key: 'Id', values, fields: ['Name'] }, { signal });
      }),
    );
    const names = new Map(rows.flat().map((row) => [String(row['Id']), String(row['Name'])]));
    if (kept.size > MOST_KEPT) kept.clear();
    for (const id of ids) kept.set(placeOf(tenant, id), { name: names.get(id) ?? null, atMs: nowMs() });
  };
  return {
    of: async (tenant, crmIds) => {
      // A read may empty the full cache.
      const before = new Map(crmIds.map((id) => [id, known(tenant, id)]));
      const missing = [...new Set(crmIds)].filter((id) => known(tenant, id) === undefined).slice(0, MOST_ASKED);
      if (missing.length > 0) {
        const over = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
        await Promise.race([read(tenant, missing).catch(() => undefined), over]);
      }
      return (id) => (known(tenant, id) ?? before.get(id))?.name ?? null;
    },
  };
}
