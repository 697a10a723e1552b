import { log } from '@temporalio/activity';
import type { VendorKeyRow } from '../../src/ledger/tenants/key-ledger.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from './deps.ts';

/** An API key that the vendor may accept. `hashedKey`: the hash of the key if it is new and not in use yet; otherwise null. */
type Candidate = { readonly apiKey: string; readonly hashedKey: string | null };

/**
 * Sends a request with the tenant's API key. If the vendor refuses the key, sends the request once with each of the tenant's other keys in
 * the ledger (Lockstep's database), because a gateway may switch keys at different times in different places. If the vendor accepts a new
 * key that is not in use yet, the key is put in use.
 */
export async function withTenantKey<T>(deps: ActivityDeps, tenant: string, send: () => Promise<T>): Promise<T> {
  const { withKey, ledger, keySearches } = deps;
  if (withKey === undefined) return send();
  const used = inUse(deps, tenant, await ledger.vendorKeys(tenant));
  try {
    return await withKey(used, send);
  } catch (error) {
    if (!refusesTheKey(error)) throw error;
    const search = withAnother(deps, tenant, { send: (apiKey) => withKey(apiKey, send), used, error });
    keySearches?.note(tenant, search);
    return await search;
  }
}

type Refused<T> = {
  readonly send: (apiKey: string) => Promise<T>;
  /** The key that the vendor has refused. `error`: the vendor's error. */
  readonly used: string;
  readonly error: unknown;
};

async function withAnother<T>(deps: ActivityDeps, tenant: string, { send, used, error }: Refused<T>): Promise<T> {
  const { ledger } = deps;
  const row = await ledger.vendorKeys(tenant);
  for (const { apiKey, hashedKey } of candidates(deps, tenant, row).filter((one) => one.apiKey !== used)) {
    try {
      const answer = await send(apiKey);
      if (hashedKey !== null && (await ledger.switchKey(tenant, hashedKey, deps.now())))
        log.info('the new key is in use: the vendor refuses the old one', { tenant });
      return answer;
    } catch (again) {
      if (!refusesTheKey(again)) throw again;
    }
  }
  throw error;
}

/**
 * The API key with which a tenant's requests are sent now: the key that the ledger (Lockstep's database) stores (`row`), or the key in the
 * tenant file if the ledger has none.
 */
export function inUse({ runtime }: ActivityDeps, tenant: string, row: VendorKeyRow | null): string {
  return row?.inUse ?? runtime(tenant).tenant.vendor.apiKey.reveal();
}

function candidates(deps: ActivityDeps, tenant: string, row: VendorKeyRow | null): readonly Candidate[] {
  if (row === null) return [];
  const isProven = row.provenAt !== null;
  const before = isProven ? null : (row.previous ?? inUse(deps, tenant, null));
  return [
    { apiKey: inUse(deps, tenant, row), hashedKey: null },
    ...(row.waiting === null ? [] : [row.waiting]),
    ...(before === null ? [] : [{ apiKey: before, hashedKey: null }]),
  ];
}

/** Whether the vendor refused the API key: 401 or 403 (sales spec 7, order spec 7). The request was then not executed. */
export function refusesTheKey(error: unknown): boolean {
  return error instanceof PartnerApiError && (error.kind === 'authentication' || error.kind === 'scope');
}
