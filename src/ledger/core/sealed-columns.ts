import { type Place, place } from './sealer.ts';

export type TableRow = Readonly<Record<string, unknown>> & { readonly tenant: string };

type PlaceOf = (row: TableRow) => Place;

/** Where a value of each sealed column opens. Columns between which statements move a value share one place. */
export const SEALED_COLUMNS: Readonly<Record<string, Readonly<Record<string, PlaceOf>>>> = {
  links: {
    base: at('links', 'base', 'key'),
    vendor_observation: at('links', 'vendor_observation', 'key'),
    issues: at('links', 'issues', 'key'),
  },
  plans: { graph: at('plans', 'graph', 'id'), plan: at('plans', 'plan', 'id') },
  journal: { decisions: at('journal', 'decisions', 'key', 'id') },
  mirror_rows: {
    pending: at('mirror_rows', 'pending', 'object', 'row_id'),
    next: at('mirror_rows', 'pending', 'object', 'row_id'),
    state: at('mirror_rows', 'state', 'object', 'row_id'),
  },
  row_news: { news: at('row_news', 'news', 'object', 'row_id') },
  refused_rows: { row: at('refused_rows', 'row', 'stream', 'row_hash') },
  vendor_keys: {
    in_use: at('vendor_keys', 'key'),
    previous: at('vendor_keys', 'key'),
    waiting: at('vendor_keys', 'key'),
  },
  tenants: { secrets: at('tenants', 'secrets') },
};

function at(table: string, column: string, ...keys: readonly string[]): PlaceOf {
  return (row) => place(row.tenant, table, column, ...keys.map((key) => String(row[key])));
}
