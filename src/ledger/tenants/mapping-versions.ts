import { sql } from 'kysely';
import type { MappingPublication, MappingVersion } from '../../platform/mapping-version.ts';
import { type Place, place } from '../core/sealer.ts';
import { plainCalls, type Statement, type Store, transactionCalls } from '../core/store.ts';
import type { MappingLedger } from './mapping-ledger.ts';

type Row = { tenant: string; version: number; change: string; published_at: Date; content: Buffer };

export function mappingCalls(store: Store): MappingLedger {
  return {
    ...plainCalls(store, { mappingsSince, mappingVersions }),
    ...transactionCalls(store, { publishMapping }),
  };
}

const mappingsSince: Statement<MappingLedger, 'mappingsSince'> = async (store, change) => {
  const { rows } = await sql<Row>`
    select * from (
      select distinct on (tenant) tenant, version, change, published_at, content
      from mapping_versions where change > ${change} order by tenant, version desc
    ) newest order by change`.execute(store.db);
  const newest = await openedRows(store, rows);
  return Promise.all(newest.map((one) => (one.content === null ? withOlder(store, one) : one)));
};

/**
 * Replaces the content of a mapping version, because this content cannot be decrypted. The new content is that of the tenant's newest
 * version that can be decrypted. `openedInstead`: the number of the version whose content is used. Returns the version unchanged if no
 * version can be decrypted.
 */
async function withOlder(store: Store, newest: MappingVersion): Promise<MappingVersion> {
  const { rows } = await sql<Row>`
    select tenant, version, change, published_at, content
    from mapping_versions where tenant = ${newest.tenant} order by version desc`.execute(store.db);
  const found = (await openedRows(store, rows)).find(({ content }) => content !== null);
  return found === undefined ? newest : { ...newest, openedInstead: found.version, content: found.content };
}

const mappingVersions: Statement<MappingLedger, 'mappingVersions'> = async (store, tenant, limit) => {
  const { rows } = await sql<Row>`
    select tenant, version, change, published_at, content
    from mapping_versions where tenant = ${tenant} order by version desc limit ${limit}`.execute(store.db);
  return openedRows(store, rows);
};

async function openedRows(store: Store, rows: readonly Row[]): Promise<readonly MappingVersion[]> {
  await store.sealer.load([...new Set(rows.map(({ tenant }) => tenant))]);
  return rows.map(({ tenant, version, change, published_at, content }) => ({
    ...{ tenant, version, change: Number(change), publishedAt: published_at.toISOString() },
    content: openedContent(store, content, placeOf(tenant, version)),
  }));
}

function openedContent({ sealer }: Store, content: Buffer, where: Place): MappingPublication | null {
  try {
    return sealer.open(content, where) as MappingPublication;
  } catch {
    // A version that cannot be decrypted must not fail the call, because it affects only its own tenant.
    return null;
  }
}

const publishMapping: Statement<MappingLedger, 'publishMapping'> = async (store, tenant, content, basedOn, at) => {
  // The lock makes publications visible in the order of their numbers.
  await sql`lock table mapping_versions in share row exclusive mode`.execute(store.db);
  const { rows } = await sql<{ last: number | null; change: string | null }>`
    select (select max(version) from mapping_versions where tenant = ${tenant}) as last,
      (select max(change) from mapping_versions) as change`.execute(store.db);
  const [{ last, change } = { last: null, change: null }] = rows;
  if ((last ?? 0) !== basedOn) return null;
  const version = basedOn + 1;
  const sealed = store.sealer.seal(content, placeOf(tenant, version));
  await sql`insert into mapping_versions (tenant, version, change, published_at, content)
    values (${tenant}, ${version}, ${Number(change ?? 0) + 1}, ${at}, ${sealed})`.execute(store.db);
  return version;
};

function placeOf(tenant: string, version: number): Place {
  return place(tenant, 'mapping_versions', 'content', String(version));
}
