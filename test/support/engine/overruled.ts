import type { LinkRow } from '../../../src/ledger/links/link-ledger.ts';
import type { Deal } from './deal.ts';
import { CLOSED, comparable, EARLY, FIELD_ROWS, type FieldRow, statusOf } from './fields.ts';
import type { Raw } from './http.ts';
import type { People } from './people.ts';
import type { World } from './world.ts';

type Seen = {
  readonly deal: Deal;
  readonly link: LinkRow;
  readonly crm: Raw;
  readonly lead: Raw;
};

/**
 * NLU: if users of both sides edited one field, the journal must name the losing value. A vendor edit between a read and Lockstep's update
 * cannot be detected; an update leaves at most a minute after the read on which it is based, unless its worker was delayed (`isSteady`:
 * none was).
 */
export async function lostUntold(
  world: World,
  people: People,
  seen: Seen,
  isSteady: boolean,
): Promise<readonly string[]> {
  const waiting = new Set(seen.link.issues.map(({ field }) => field));
  const fields = [...FIELD_ROWS, STATUS].filter(({ name }) => !waiting.has(name));
  const lost = fields.flatMap((field) => lossesOf(field, people, seen));
  if (lost.length === 0) return [];
  const journal = await world.ledger.journal(world.tenant, seen.link.key, MOST_LINES);
  const decisions = journal.flatMap((line) => line.decisions);
  const isTold = ({ field: { name, kind }, value, of }: Loss): boolean =>
    decisions.some(
      ({ field, base, ...shown }) =>
        field === name && [shown[of], base[of]].some((known) => comparable(kind, known) === value),
    );
  const untold = lost.filter((loss) => !isTold(loss));
  const overwritten = untold.some(({ of }) => of === 'vendor') ? await world.vendor.requests() : [];
  return untold
    .filter((loss) => loss.of === 'crm' || (isSteady && couldBeKnown(loss, seen, overwritten)))
    .map(({ field, value, by, of }) => {
      const what = `${field.name} of deal ${seen.deal.number}`;
      const whose = of === 'crm' ? "the CRM's" : "the vendor's";
      return `NLU: ${what}: ${whose} ${JSON.stringify(value)} went for ${JSON.stringify(by)}, and the journal does not know of it`;
    });
}

const STATUS: FieldRow = {
  name: 'status',
  kind: 'text',
  crmField: 'StageName',
  vendorField: 'status',
  values: [],
  vendorDefaults: [],
};

const MOST_LINES = 1_000;
/** The longest time between a read and the write based on it, plus some transport time. */
const OLDEST_MS = 62_000;

type Loss = {
  readonly field: FieldRow;
  readonly value: string;
  readonly by: string;
  readonly of: 'crm' | 'vendor';
  /** The time of the vendor user's edit. */
  readonly atMs: number;
};

/** The entered value of one side that is gone because the value of the other side's users replaced it. */
function lossesOf(field: FieldRow, { contests }: People, { deal, crm, lead }: Seen): readonly Loss[] {
  // The vendor sets or ignores the forecast by the status (sales spec 2.3).
  const status = String(lead['status']);
  if (field.name === 'forecastCategory' && (CLOSED.has(status) || EARLY.has(status))) return [];
  const contest = contests.of(deal, field.name);
  const mine = crm[field.crmField];
  const shown = [
    comparable(field.kind, field === STATUS ? statusOf(crm) : mine),
    comparable(field.kind, lead[field.vendorField]),
  ];
  return (['crm', 'vendor'] as const).flatMap((of) => {
    const [value, by] = of === 'crm' ? [contest.crm, contest.vendor] : [contest.vendor, contest.crm];
    if (value === undefined || by === undefined || shown.includes(value) || !shown.includes(by)) return [];
    return [{ field, value, by, of, atMs: contest.vendorMs ?? 0 }];
  });
}

/** Whether the first update that overwrote the vendor's value left so late that the read on which it is based must show that value. */
function couldBeKnown(
  { field, atMs }: Loss,
  { lead }: Seen,
  requests: readonly { readonly operation: string; readonly time: string; readonly body: unknown }[],
): boolean {
  const update = requests.find(({ operation, time, body }) => {
    if (operation !== 'updateLeadOpportunity' || Date.parse(time) < atMs) return false;
    const core = (body as { readonly leadOpportunity?: Raw } | null)?.leadOpportunity ?? {};
    return core['partnerLeadOpportunityId'] === lead['partnerLeadOpportunityId'] && field.vendorField in core;
  });
  return update !== undefined && Date.parse(update.time) > atMs + OLDEST_MS;
}
