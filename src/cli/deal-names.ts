import type { ReadableRemotes } from './readable-remotes.ts';

/** The opportunities of a tenant that a command's answer names by id. On a terminal, the command also shows their names. */
export type ListedDeals = { readonly tenant: string; readonly crmIds: readonly string[] };

/** The names of the opportunities in a command's answer. Only a terminal shows them, so no `--json` answer, file or log contains a name. */
export type DealNames = {
  /** The opportunity's id, followed by its name if the name is known. */
  readonly named: (crmId: string) => string;
  /** Lines that say why names of deals are missing: an org cannot be read, or too many deals are listed. */
  readonly notes: readonly string[];
};

export const NO_NAMES: DealNames = { named: (crmId) => crmId, notes: [] };

/** The maximum number of deals of one tenant whose names are read. One query can read this many. */
const MOST_DEALS = 100;
const MOST_TENANTS = 5;
const PATIENCE_MS = 5_000;

/**
 * Reads the names of the deals in a command's answer: the first 100 deals of each tenant, for at most five tenants. If an org fails or
 * needs more than 5 s, the result has a note instead of the names of that org's deals.
 */
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
  const isPartial = asked.length > MOST_TENANTS || asked.some(({ crmIds }) => new Set(crmIds).size > MOST_DEALS);
  const partly = isPartial ? [`Names are shown for ${MOST_DEALS} deals of ${MOST_TENANTS} tenants at most.`] : [];
  return { named, notes: [...notes.flat(), ...partly] };
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

/** The opportunity ids among these records, without nulls. */
export function crmIdsOf(records: readonly { readonly crmId: string | null }[]): readonly string[] {
  return records.flatMap(({ crmId }) => (crmId === null ? [] : [crmId]));
}
