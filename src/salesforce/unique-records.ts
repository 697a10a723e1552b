import { idOf } from './answers.ts';
import type { HasPersonAccounts } from './business-accounts.ts';
import type { UniqueBy } from './crm.ts';
import { CrmError } from './errors.ts';
import type { RestRecord } from './options.ts';
import { rowsOfKeys } from './rows-of-keys.ts';
import type { RestCall, Session } from './session.ts';

/**
 * How long the result of a search is cached, in milliseconds, whether a record was found or not. A cached result may be outdated, for
 * example if the record was created after the search. Lockstep reads changes in periods, and successive periods overlap by more than this
 * time. So each change is read a second time after the cached result has expired. The second search then corrects the outdated result.
 */
const KEPT_FOR_MS = 10 * 60_000;
const MAX_KEPT = 50_000;
/**
 * The maximum length of all values in one query, in characters of its URL. One character of a value may take nine characters of the URL.
 */
const LONGEST_QUERY = 8_000;

export interface UniqueRecords {
  /**
   * Finds records by the value of a field. The result maps each value to the id of its record. A value that several records have is left
   * out, unless exactly one of them has it in the same letter case. With `isFresh`, the records are read again although they are cached.
   */
  find(
    of: UniqueBy,
    values: readonly string[],
    call: RestCall & { readonly isFresh: boolean },
  ): Promise<ReadonlyMap<string, string>>;
}

type Kept = { readonly id: string | null; readonly atMs: number };

/** Creates the search for records by the value of a field, such as an account by its number. Results are cached for ten minutes. */
export function createUniqueRecords(
  session: Session,
  now: () => number,
  hasPersonAccounts: HasPersonAccounts,
): UniqueRecords {
  const kept = new Map<string, Kept>();
  const absent = new Map<string, number>();
  const isFresh = (atMs: number | undefined): boolean => atMs !== undefined && now() - atMs < KEPT_FOR_MS;

  async function load(
    { object, by, isExact = false }: UniqueBy,
    values: readonly string[],
    call: RestCall,
  ): Promise<ReadonlyMap<string, string | null>> {
    const atMs = now();
    const isName = object === 'Account' && by === 'Name';
    const also = isName && (await hasPersonAccounts(call)) ? 'IsPersonAccount = false' : undefined;
    const rows = await rowsWith(session, { from: object, key: by, fields: [], also }, values, call);
    const ids = idsIn(rows, { by, isExact }, values);
    if (kept.size + values.length > MAX_KEPT) kept.clear();
    for (const [value, id] of ids) kept.set(keyOf(object, by, value), { id, atMs });
    return ids;
  }

  function cached({ object, by }: UniqueBy, values: readonly string[]): readonly (readonly [string, string | null])[] {
    return values.flatMap((value) => {
      const found = kept.get(keyOf(object, by, value));
      return found !== undefined && isFresh(found.atMs) ? [[value, found.id] as const] : [];
    });
  }

  return {
    async find(of, given, { isFresh: mustRead, ...call }) {
      const place = keyOf(of.object, of.by, '');
      if (!mustRead && isFresh(absent.get(place))) return new Map();
      // The cache may be emptied during the search, so its ids are read before.
      const ids = new Map(mustRead ? [] : cached(of, given));
      try {
        const asked = new Set(given.filter((value) => !ids.has(value)));
        for (const [value, id] of await load(of, [...asked], call)) ids.set(value, id);
      } catch (error) {
        if (!(error instanceof CrmError) || error.kind !== 'schema-mismatch') throw error;
        absent.set(place, now());
        return new Map();
      }
      return new Map([...ids].flatMap(([value, id]) => (id === null ? [] : [[value, id] as const])));
    },
  };
}

/** The id of the one record that has each value; null if none or several have it. */
function idsIn(
  rows: readonly RestRecord[],
  { by, isExact }: { readonly by: string; readonly isExact: boolean },
  values: readonly string[],
): ReadonlyMap<string, string | null> {
  // A row may come twice, because values that differ only in letter case may be in two queries.
  const records = new Map(rows.map((row) => [row['Id'], row])).values();
  const found = Map.groupBy(records, (row) => folded(row[by]));
  const ids = values.map((value) => {
    const alike = found.get(folded(value)) ?? [];
    const same = alike.filter((row) => row[by] === value);
    const [one, ...others] = same.length > 0 || isExact ? same : alike;
    return [value, one === undefined || others.length > 0 ? null : idOf(one['Id'])] as const;
  });
  return new Map(ids);
}

/** Which rows `rowsWith` reads. `also`: a further SOQL condition. */
type RowsOf = {
  readonly from: string;
  readonly key: string;
  readonly fields: readonly string[];
  readonly also?: string | undefined;
};

/** Reads all rows of an object, except deleted ones, in which a field has one of the given values. */
export async function rowsWith(
  session: Session,
  { from, key, fields, also }: RowsOf,
  values: readonly string[],
  call: RestCall,
): Promise<readonly RestRecord[]> {
  const rows: RestRecord[] = [];
  const children = {
    from,
    key,
    fields: [...new Set(['Id', key, ...fields])],
    scope: ['IsDeleted = false', ...(also ? [also] : [])].join(' AND '),
  };
  for (const some of queriesOf(values)) rows.push(...(await rowsOfKeys(session, children, some, call)));
  return rows;
}

/** Divides values into groups that are small enough for the address of one query each. */
function queriesOf(values: readonly string[]): readonly (readonly string[])[] {
  const queries: string[][] = [];
  let room = 0;
  for (const value of values) {
    const length = encodeURIComponent(`'${value}',`).length;
    if (length > room || queries.length === 0) {
      queries.push([]);
      room = LONGEST_QUERY;
    }
    queries.at(-1)?.push(value);
    room -= length;
  }
  return queries;
}

/** The value as a text in lower case, because Salesforce ignores letter case when it compares most fields. */
function folded(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}

function keyOf(object: string, by: string, value: string): string {
  return `${object}.${by}=${value}`;
}
