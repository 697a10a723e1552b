import { isAddress } from '../../domain/record/person.ts';
import type { TenantWorkflows } from '../../intake/tenant-workflows.ts';
import type { PersonFound } from '../../ledger/upkeep/erase-person.ts';
import type { UpkeepLedger } from '../../ledger/upkeep/upkeep-ledger.ts';

export type ErasePersonPorts = {
  readonly ledger: Pick<UpkeepLedger, 'erasePerson'>;
  readonly workflows: Pick<TenantWorkflows, 'holding'>;
  readonly now: () => string;
};

/**
 * How much data of one person was counted or erased in the ledger (Lockstep's database) and in Temporal. It does not contain the person's
 * address.
 */
export type PersonErased = {
  readonly shape: 'person-erased/1';
  readonly tenant: string;
  /** Whether anything was erased; false for a preview. */
  readonly applied: boolean;
  /**
   * The number of rows by table from which the person is erased or, in a preview, would be erased. These rows contain the person's data,
   * and no later sync reads them. So the erasure changes no sync.
   */
  readonly rows: Readonly<Record<string, number>>;
  /**
   * The number of rows by table that are kept although they contain the person. The sync still needs them, because Salesforce or the vendor
   * still shows the person.
   */
  readonly live: Readonly<Record<string, number>>;
  /** Keys of the links (stored pairs of CRM record and vendor record) whose rows are counted in `live`, at most 100. */
  readonly liveKeys: readonly string[];
  /**
   * The Temporal histories of records whose ledger rows contain the person. `read`: the number of histories that were searched. `found`:
   * the number of histories in which the person was found.
   */
  readonly histories: { readonly read: number; readonly found: number };
  /**
   * How many rows and histories still contain the person. After an erasure, the data is counted again, and zero proves that the erasure is
   * complete. In a preview, nothing is erased, so these are the numbers of the only count. `rows` does not include the rows in `live`,
   * because the sync needs them and they are kept.
   */
  readonly remaining: { readonly rows: number; readonly histories: number };
  /**
   * When the person's remaining rows and histories were counted, ISO. A preview counts once. An erasure counts a second time, after it has
   * erased.
   */
  readonly at: string;
};

const MOST_SHOWN = 100;

/** Thrown if the text is not the e-mail address of one person. */
export class NoAddress extends Error {
  override readonly name = 'NoAddress';
}

/**
 * Erases one person, given by e-mail address, from a tenant's past data in the ledger and in Temporal. Without `yes`, only counts the data.
 * Values that a sync still compares are never changed, because the sync would take the missing person for a user's edit. Throws
 * `NoAddress`.
 */
export async function erasePerson(
  { ledger, workflows, now }: ErasePersonPorts,
  tenant: string,
  given: string,
  { yes }: { readonly yes: boolean },
): Promise<PersonErased> {
  const email = given.trim();
  if (!isAddress(email))
    throw new NoAddress('That is no e-mail address: give the one by which both sides know the person.');
  const found = await ledger.erasePerson(tenant, email, yes);
  const keys = [...new Set([...found.pastKeys, ...found.liveKeys])];
  const histories = await workflows.holding(tenant, keys, email, yes);
  const left = yes ? await ledger.erasePerson(tenant, email, false) : found;
  const leftThere = yes && histories.found > 0 ? await workflows.holding(tenant, keys, email, false) : histories;
  return {
    shape: 'person-erased/1',
    tenant,
    applied: yes,
    rows: found.past,
    live: left.live,
    liveKeys: left.liveKeys.slice(0, MOST_SHOWN),
    histories,
    remaining: { rows: total(left), histories: leftThere.found },
    at: now(),
  };
}

function total({ past }: PersonFound): number {
  return Object.values(past).reduce((sum, n) => sum + n, 0);
}
