import { isAddress } from '../../domain/record/person.ts';
import type { TenantWorkflows } from '../../intake/tenant-workflows.ts';
import type { PersonFound } from '../../ledger/upkeep/erase-person.ts';
import type { UpkeepLedger } from '../../ledger/upkeep/upkeep-ledger.ts';

export type ErasePersonPorts = {
  readonly ledger: Pick<UpkeepLedger, 'erasePerson'>;
  readonly workflows: Pick<TenantWorkflows, 'holding'>;
  readonly now: () => string;
};

/** A person's data in ledger and Temporal, as counted or as erased. The address is in no part of it. */
export type PersonErased = {
  readonly shape: 'person-erased/1';
  readonly tenant: string;
  /** Whether anything was erased; false for a preview. */
  readonly applied: boolean;
  /** Rows of the ledger with the person that no work needs, by table: to be erased, or erased. */
  readonly rows: Readonly<Record<string, number>>;
  /** Rows that work needs, because Salesforce or the vendor still shows the person. They are left as they are. */
  readonly live: Readonly<Record<string, number>>;
  /** Keys of the links of such rows, at most 100. */
  readonly liveKeys: readonly string[];
  /** Histories in Temporal of the records concerned: how many were read, and how many had the person. */
  readonly histories: { readonly read: number; readonly found: number };
  /** Rows that no work needs, and histories, found by a second count after the erasure; zero proves that it is complete. */
  readonly remaining: { readonly rows: number; readonly histories: number };
  /** The time of the last count, ISO. */
  readonly at: string;
};

/** The given text is no e-mail address of one person. */
export class NoAddress extends Error {
  override readonly name = 'NoAddress';
}

/**
 * Erases one person, known by e-mail address, from everything that a tenant's ledger and Temporal keep of the past; without `yes`, only
 * counts. Never changes what a running sync compares with, because the person would look removed by a user. Throws `NoAddress`.
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
    liveKeys: left.liveKeys,
    histories,
    remaining: { rows: total(left), histories: leftThere.found },
    at: now(),
  };
}

function total({ past }: PersonFound): number {
  return Object.values(past).reduce((sum, n) => sum + n, 0);
}
