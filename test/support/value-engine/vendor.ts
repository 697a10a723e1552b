import { echoOfCreate, echoOfUpdate } from '../partner-api/vendor-echo.ts';

type Raw = Record<string, unknown>;

export type VendorHabits = {
  /** Whether it folds blanks in texts. */
  readonly trims?: boolean;
  /** Whether it rounds amounts to whole units. */
  readonly rounds?: boolean;
  /** Merges lists of rows and removes none, unless the sent list is empty, or not even then. */
  readonly retainsRows?: 'until cleared' | 'always';
  /** Fields of `leadOpportunity` that no request changes; a create leaves them unset. */
  readonly ignores?: readonly string[];
};

const ROWS = [
  { key: 'offerLines', id: 'offerNameId' },
  { key: 'customerContact', id: 'email' },
];

/** The vendor's side as a value with a history; its defaults on create are documented (sales spec 2.1, 2.3). */
export function createEngineVendor(habits: VendorHabits, clock: () => string) {
  const history: Raw[] = [];

  function put(raw: Raw): void {
    const shaped = { ...raw, offerLines: lines(raw['offerLines'] as Raw[]), modifiedDate: clock() };
    history.push(structuredClone(habits.trims === true ? trimmed(shaped) : shaped));
  }

  function lines(rows: readonly Raw[]): readonly Raw[] {
    if (habits.rounds !== true) return rows;
    return rows.map((row) => ({
      ...row,
      amount: typeof row['amount'] === 'number' ? Math.round(row['amount']) : row['amount'],
    }));
  }

  function keyedMerge(before: unknown, sent: unknown, id: string): unknown {
    const [own, rows] = [before ?? [], sent ?? []] as [readonly Raw[], readonly Raw[]];
    if (habits.retainsRows === undefined) return sent;
    if (rows.length === 0) return habits.retainsRows === 'always' ? before : sent;
    const left = [...rows];
    const met = own.map((row) => {
      const place = left.findIndex((one) => one[id] === row[id]);
      return place < 0 ? row : left.splice(place, 1)[0];
    });
    return [...met, ...left];
  }

  return {
    exists: (): boolean => history.length > 0,
    now: (): Raw => history.at(-1) ?? {},
    /** A read; `lateBy` versions old if there are that many. */
    read: (lateBy: number): Raw => structuredClone(history[Math.max(0, history.length - 1 - lateBy)] ?? {}),
    create(body: Raw): void {
      const core = body['leadOpportunity'] as Raw;
      const ignored = (habits.ignores ?? []).map((field) => [field, null]);
      put({ ...echoOfCreate(body), ...defaults(core), ...Object.fromEntries(ignored), createdDate: clock() });
    },
    update(body: Raw): void {
      const before = history.at(-1) ?? {};
      const after = echoOfUpdate(before, body);
      const ignored = (habits.ignores ?? []).map((field) => [field, before[field]]);
      const kept = Object.fromEntries(ROWS.map(({ key, id }) => [key, keyedMerge(before[key], after[key], id)]));
      put({ ...after, ...kept, ...Object.fromEntries(ignored) });
    },
    /** An edit by vendor users. */
    edit: (change: Raw): void => put({ ...(history.at(-1) ?? {}), ...change }),
    versions: (): number => history.length,
  };
}

function defaults(core: Raw): Raw {
  const open = !['LEAD_OPEN', 'QUALIFIED', 'ACCEPTED'].includes(String(core['status']));
  return {
    ...(core['dsOwnerEmail'] === undefined ? { dsOwnerEmail: 'primary@vendor.test' } : {}),
    ...(core['reasonWon'] === undefined ? { reasonWon: ['STRNG_VAL_PROP'] } : {}),
    ...(core['reasonLost'] === undefined ? { reasonLost: ['NO_PROJ'] } : {}),
    ...(core['forecastCategory'] === undefined && open ? { forecastCategory: 'UPSIDE' } : {}),
  };
}

function trimmed(raw: Raw): Raw {
  const fold = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value);
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, fold(value)]));
}
