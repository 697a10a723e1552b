import type { Periods } from '../../activities/streams/vendor-periods.ts';
import type { Period } from '../../src/domain/streams/period-cursor.ts';

/** A row at the vendor: `stampMs` of its last update, and when a search shows it, by the vendor's clock. */
export type VendorRow = { readonly id: string; readonly stampMs: number; readonly visibleMs: number };

type Move = { readonly place: number; readonly goes: boolean };

export type PagedVendorOptions = {
  readonly rows: readonly VendorRow[];
  /** Changes after each request: the rows at these places are updated or deleted. */
  readonly moves: readonly (readonly Move[])[];
  readonly top: number;
  /** The sort order of the search, which the documents do not define. */
  readonly order: 'oldest first' | 'newest first' | 'by id';
  /** Whether a period includes its bounds; the documents do not define that either. */
  readonly withBounds: boolean;
  readonly tellsCount: boolean;
};

const keyOf = ({ id, stampMs }: VendorRow): string => `${id} ${stampMs}`;

/** A vendor whose search pages with `skip` and `top`, and whose rows move between two requests. */
export function createPagedVendor(options: PagedVendorOptions, vendorMs: () => number) {
  let rows = [...options.rows];
  const moves = [...options.moves];
  const asked: { readonly fromMs: number; readonly toMs: number; readonly vendorMs: number }[] = [];

  function sorted(found: readonly VendorRow[]): readonly VendorRow[] {
    const byId = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    if (options.order === 'by id') return byId;
    const sign = options.order === 'oldest first' ? 1 : -1;
    return byId.sort((a, b) => sign * (a.stampMs - b.stampMs));
  }

  function move({ place, goes }: Move): void {
    const row = rows[place % Math.max(1, rows.length)];
    if (row === undefined) return;
    rows = rows.filter((other) => other !== row);
    if (!goes) rows.push({ id: row.id, stampMs: vendorMs(), visibleMs: vendorMs() });
  }

  return {
    asked,
    rows: () => rows,
    keyOf,
    search: async ({ fromDate, toDate }: Period, skip: number): ReturnType<Periods<VendorRow>['ask']> => {
      const [fromMs, toMs] = [Date.parse(fromDate), Date.parse(toDate)];
      asked.push({ fromMs, toMs, vendorMs: vendorMs() });
      const edge = options.withBounds ? 0 : 1;
      const found = rows.filter(
        ({ stampMs, visibleMs }) => visibleMs <= vendorMs() && stampMs >= fromMs + edge && stampMs <= toMs - edge,
      );
      const items = sorted(found).slice(skip, skip + options.top);
      const count = options.tellsCount ? found.length : null;
      const answer = {
        items,
        answer: {
          data: items,
          info: { timestamp: new Date(vendorMs()).toISOString(), estimatedSearchCount: count },
          date: null,
        },
        page: { keys: items.map(keyOf), top: options.top },
      };
      moves.shift()?.forEach(move);
      return answer;
    },
  };
}
