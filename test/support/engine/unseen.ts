import type { LoggedRequest, Raw } from './http.ts';

/** What of a vendor's record we send whole. */
export type Whole = 'customerContacts' | 'customerLegalEntity';

type Request = LoggedRequest & {
  /** Whose it was. */
  readonly hand: string | undefined;
  /** When an update left that the vendor carried out late. */
  readonly leftMs?: number | undefined;
};

/**
 * What a vendor user entered in a part that goes whole. `takes`: what of a part that is sent takes it away.
 */
type Entry = {
  readonly part: Whole;
  readonly atMs: number;
  readonly takes: (sent: unknown) => boolean;
};

/**
 * Whether an update took away what a vendor user had entered since the reading that it rests on: nothing in the vendor's API
 * tells of that (docs/invariants.md). That reading is one of the same hand, a minute old at most, and no other update has followed it
 * but one of the same part; what anybody read after the edit was known. One that the vendor carries out late takes away what was entered
 * since the last reading before it left, whatever was read after that. Pure.
 */
export function wentUnseen(requests: readonly Request[], lead: Raw, { part, atMs, takes }: Entry): boolean {
  const ours = requests.filter(({ path }) => path.endsWith(`/${String(lead['id'])}`));
  const isLate = ({ leftMs, time }: Request): boolean =>
    leftMs !== undefined && lastReadMs(ours, leftMs) < atMs && Date.parse(time) >= atMs;
  if (ours.some((one) => isLate(one) && hasSent(one, part) && takes(partOf(one, part)))) return true;
  const place = ours.findIndex((one) => Date.parse(one.time) >= atMs && hasSent(one, part));
  const update = ours[place];
  if (update === undefined || !takes(partOf(update, part))) return false;
  const since = ours.findLastIndex(
    (one, at) => at < place && isReading(one) && one.hand === update.hand && Date.parse(one.time) < atMs,
  );
  const reading = ours[since];
  if (reading === undefined || Date.parse(update.time) > Date.parse(reading.time) + OLDEST_MS) return false;
  return ours
    .slice(since + 1, place)
    .every((one) => !(isReading(one) && Date.parse(one.time) >= atMs) && (!isUpdate(one) || hasSent(one, part)));
}

/** When the record was read last before an instant. */
function lastReadMs(ours: readonly Request[], beforeMs: number): number {
  const times = ours.filter(isReading).map(({ time }) => Date.parse(time));
  return Math.max(Number.NEGATIVE_INFINITY, ...times.filter((ms) => ms < beforeMs));
}

/** No write leaves later than this after what it rests on; and a little, for its way. */
const OLDEST_MS = 62_000;

function isReading({ operation, status, fault }: Request): boolean {
  return operation === 'readLeadOpportunity' && status === 200 && fault === null;
}

/** One that may have been carried out. */
function isUpdate({ operation, status }: Request): boolean {
  return operation === 'updateLeadOpportunity' && (status ?? 200) < 300;
}

function hasSent(request: Request, part: Whole): boolean {
  return isUpdate(request) && partOf(request, part) !== undefined;
}

function partOf({ body }: Request, part: Whole): unknown {
  return (body as Raw | null)?.[part];
}
