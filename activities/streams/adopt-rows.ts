import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { CatalogMirror } from '../../src/mirror/catalog/catalog-mirror.ts';
import type { CrmError } from '../../src/salesforce/errors.ts';
import type { TenantRuntime } from '../support/deps.ts';

/** The result for a row that matches several CRM rows. Lockstep changes none of them. */
export const AMBIGUOUS = 'ambiguous';
export type Answer = CrmError | null | typeof AMBIGUOUS;

/**
 * Finds catalog rows that CRM users created before Lockstep, and sets their external ids, so that Lockstep updates these rows instead of
 * creating second ones. Returns the results of the rows found, by row index. The caller must still upsert rows without a result.
 */
export async function adoptRows(
  { crm }: TenantRuntime,
  { object, externalId, adopts, fixed = [] }: CatalogMirror,
  rows: readonly { readonly fields: CrmFields; readonly place: number }[],
): Promise<ReadonlyMap<number, Answer>> {
  if (adopts === undefined || rows.length === 0) return new Map();
  const signal = cancellationSignal();
  const values = rows.map(({ fields }) => String(fields[adopts]));
  const fields = ['Id', adopts, externalId];
  const there = await crm.rowsWith({ object, key: adopts, values, fields }, { signal });
  const found = rows.flatMap((row) => {
    const own = there.filter((one) => one[adopts] === row.fields[adopts]);
    const isOurs = own.some((one) => one[externalId] === row.fields[externalId]);
    return own.length === 0 || isOurs ? [] : [{ ...row, id: own.length === 1 ? own[0]?.['Id'] : null }];
  });
  const adopted = found.filter(({ id }) => typeof id === 'string');
  const changes = adopted.map(({ id, fields: all }) => ({
    ...Object.fromEntries(Object.entries(all).filter(([name]) => !fixed.includes(name))),
    Id: String(id),
  }));
  const errors = changes.length === 0 ? [] : await crm.updateRows(object, changes, { signal });
  const answers = new Map(adopted.map(({ place }, nth): [number, Answer] => [place, errors[nth] ?? null]));
  return new Map(found.map(({ place }) => [place, answers.has(place) ? (answers.get(place) ?? null) : AMBIGUOUS]));
}
