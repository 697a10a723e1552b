import { sql } from 'kysely';
import type { Statement } from '../core/store.ts';
import type { AuditLedger, AuditMark } from './audit-ledger.ts';
import { toLink } from './link-row.ts';

const COLUMNS = { vendor: 'vendor_at', crm: 'crm_at', differs: 'differs_at' } as const satisfies Readonly<
  Record<AuditMark, string>
>;

export const auditedLinks: Statement<AuditLedger, 'auditedLinks'> = async (store, tenant, ids) => {
  const [column, values] = 'crmIds' in ids ? ['crm_id', ids.crmIds] : ['vendor_id', ids.vendorIds];
  const rows = await store.db
    .selectFrom('links')
    .leftJoin('audit_marks', (join) =>
      join.onRef('audit_marks.tenant', '=', 'links.tenant').onRef('audit_marks.key', '=', 'links.key'),
    )
    .selectAll('links')
    .select('audit_marks.vendor_at')
    .where('links.tenant', '=', tenant)
    .where(sql<boolean>`${sql.ref(`links.${column}`)} = any(${values}::text[])`)
    .execute();
  return rows.map(({ vendor_at, ...row }) => ({
    link: toLink(row, store.sealer),
    provenAt: vendor_at?.toISOString() ?? null,
  }));
};

/** Stores an audit's finding about these links. Writes in key order, because two audits of the same links would otherwise deadlock. */
export const noteAudited: Statement<AuditLedger, 'noteAudited'> = async (store, tenant, keys, mark, at) => {
  const column = sql.ref(COLUMNS[mark]);
  const { numAffectedRows = 0n } = await sql`
    insert into audit_marks (tenant, key, ${column})
    select ${tenant}, key, ${at}::timestamptz from unnest(${[...new Set(keys)].sort()}::text[]) as key order by key
    on conflict (tenant, key) do update set ${column} = excluded.${column}
    where audit_marks.${column} is distinct from excluded.${column}`.execute(store.db);
  return Number(numAffectedRows);
};

export const countDiffering: Statement<AuditLedger, 'countDiffering'> = async ({ db }, tenant, at) => {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from audit_marks where tenant = ${tenant} and differs_at = ${at}::timestamptz`.execute(db);
  return Number(rows[0]?.count ?? 0);
};

export const unauditedPairs: Statement<AuditLedger, 'unauditedPairs'> = async (
  store,
  tenant,
  side,
  at,
  { after, limit },
) => {
  const column = sql.ref(`m.${COLUMNS[side]}`);
  const { rows } = await sql<{ key: string; crm_id: string; vendor_id: string }>`
    select l.key, l.crm_id, l.vendor_id from links l
    left join lateral (select * from audit_marks where tenant = l.tenant and key = l.key limit 1) m on true
    where l.tenant = ${tenant} and l.key > ${after} and l.crm_id is not null and l.vendor_id is not null
      and l.state not in ('detached', 'superseded', 'vendor-missing', 'elsewhere')
      and (${column} is null or ${column} < ${at}::timestamptz)
    order by l.key limit ${limit}`.execute(store.db);
  return rows.map((row) => ({ key: row.key, crmId: row.crm_id, vendorId: row.vendor_id }));
};
