import type { LinkRow } from '../../../src/ledger/ledger.ts';
import type { Deal } from './deal.ts';
import { CLOSED, comparable, EARLY, FIELD_ROWS, type FieldRow } from './fields.ts';
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
 * NLU: where both sides' users edited one field, and the vendor's value stays, the journal knows of the CRM's: each write there
 * rests on what was read. An edit at the vendor may fall between a reading and our update, and nothing tells of it then.
 */
export async function lostUntold(world: World, people: People, seen: Seen): Promise<readonly string[]> {
  const waiting = new Set(seen.link.issues.map(({ field }) => field));
  const lost = FIELD_ROWS.filter(({ name }) => !waiting.has(name)).flatMap((field) =>
    lossOf(field, people, seen),
  );
  if (lost.length === 0) return [];
  const journal = await world.ledger.journal(world.tenant, seen.link.key, MOST_LINES);
  const decisions = journal.flatMap((line) => line.decisions);
  const isTold = ({ field: { name, kind }, value }: Loss): boolean =>
    decisions.some(
      ({ field, crm, base }) =>
        field === name && [crm, base.crm].some((known) => comparable(kind, known) === value),
    );
  return lost
    .filter((loss) => !isTold(loss))
    .map(({ field, value, by }) => {
      const what = `${field.name} of deal ${seen.deal.number}`;
      return `NLU: ${what}: the CRM's ${JSON.stringify(value)} went for ${JSON.stringify(by)}, and the journal does not know of it`;
    });
}

const MOST_LINES = 1_000;

type Loss = { readonly field: FieldRow; readonly value: string; readonly by: string };

/** The value that the CRM's users entered and that is there no more, where the vendor's users entered what is there. */
function lossOf(field: FieldRow, { contests }: People, { deal, crm, lead }: Seen): readonly Loss[] {
  // The vendor sets or ignores the forecast by the status (sales spec 2.3).
  const status = String(lead['status']);
  if (field.name === 'forecastCategory' && (CLOSED.has(status) || EARLY.has(status))) return [];
  const { crm: value, vendor: by } = contests.of(deal, field.name);
  const shown = [
    comparable(field.kind, crm[field.crmField]),
    comparable(field.kind, lead[field.vendorField]),
  ];
  if (value === undefined || by === undefined || shown.includes(value) || !shown.includes(by)) return [];
  return [{ field, value, by }];
}
