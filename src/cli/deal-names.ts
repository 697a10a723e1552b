import type { ReadableRemotes } from './readable-remotes.ts';

/** Opportunities of a tenant that an answer lists by id. */
export type ListedDeals = { readonly tenant: string; readonly crmIds: readonly string[] };

/** Names of listed opportunities, on a terminal alone: no answer of `--json`, no file and no log has them. */
export type DealNames = {
  /** The id, with the name behind it where it is known. */
  readonly named: (crmId: string) => string;
  /** A line for each tenant whose org could not be asked, the further tenants and deals have ids alone. */
  readonly notes: readonly string[];
};

export const NO_NAMES: DealNames = { named: (crmId) => crmId, notes: [] };

/** As many as one query takes. */
const MOST_DEALS = 100;
const MOST_TENANTS = 5;
const PATIENCE_MS = 5_000;

/** Names of a tenant's first 100 deals, of five tenants at most. An org that fails or exceeds 5 s gives none, and a note. */
export async function readDealNames(
  readable: (tenant: string) => Promise<Pick<ReadableRemotes, 'crm'>>,
  listed: readonly ListedDeals[],
): Promise<DealNames> {
  const asked = listed.filter(({ crmIds }) => crmIds.length > 0);
  const names = new Map<string, string>();
  const notes = await Promise.all(
    asked.slice(0, MOST_TENANTS).map(async ({ tenant, crmIds }) => {
      const ids = [...new Set(crmIds)].slice(0, MOST_DEALS);
      const found = await namesOf(() => readable(tenant), ids);
      for (const [id, name] of found ?? []) names.set(id, name);
      return found === null ? [`Only ids are shown: the org of ${tenant} cannot be read from here.`] : [];
    }),
  );
  const named = (crmId: string): string => (names.has(crmId) ? `${crmId} "${names.get(crmId)}"` : crmId);
  return { named, notes: notes.flat() };
}

async function namesOf(
  open: () => Promise<Pick<ReadableRemotes, 'crm'>>,
  ids: readonly string[],
): Promise<readonly (readonly [string, string])[] | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const over = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  const asked = async () => {
    const { crm } = await open();
    const rows = await crm.rowsWith({ object: 'Opportunity', key: 'Id', values: ids, fields: ['Name'] }, { signal });
    return rows.map((row) => [String(row['Id']), String(row['Name'])] as const);
  };
  return Promise.race([asked().catch(() => null), over]);
}

/** Ids of opportunities among these records. */
export function crmIdsOf(records: readonly { readonly crmId: string | null }[]): readonly string[] {
  return records.flatMap(({ crmId }) => (crmId === null ? [] : [crmId]));
}
