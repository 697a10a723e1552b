import { highestKnownVersion } from '../../../src/domain/record/versions.ts';
import type { Deal } from './deal.ts';
import { comparable, FIELD_ROWS, linesKey, vendorLines } from './fields.ts';
import type { Raw } from './http.ts';
import type { People } from './people.ts';
import type { World } from './world.ts';

/**
 * Forgets vendor users' entries that a late update overwrote before anybody read them, because the vendor's API does not show this loss
 * (docs/invariants.md). Entries that were read before remain expected. `before`: the record until the update.
 */
export async function forgetOverwritten(
  { ledger, tenant, result }: World,
  { entered, leadOf }: Pick<People, 'entered' | 'leadOf'>,
  deal: Deal,
  before: Raw,
): Promise<void> {
  const link = await ledger.findLinkByIds(tenant, { vendorId: String(before['id']) });
  const newest = link?.base == null ? null : highestKnownVersion(link.base);
  // Later versions than the users' last edit are Lockstep's own updates.
  const editedMs = result.editedMs(`vendor ${deal.number}`) ?? Number.POSITIVE_INFINITY;
  const enteredMs = Math.min(editedMs, Date.parse(String(before['modifiedDate'])));
  const isRead = newest !== null && Date.parse(newest) >= enteredMs;
  const after = await leadOf(deal);
  if (isRead || after === null) return;
  const was = shownOf(before);
  for (const [field, is] of shownOf(after)) {
    const key = `${deal.number} ${field}`;
    const { vendor, ...others } = entered.get(key) ?? {};
    if (vendor !== undefined && vendor === was.get(field) && vendor !== is) entered.set(key, others);
  }
}

function shownOf(lead: Raw): ReadonlyMap<string, string> {
  return new Map([
    ...FIELD_ROWS.map(({ name, kind, vendorField }) => [name, comparable(kind, lead[vendorField])] as [string, string]),
    ['status', String(lead['status'])],
    ['offerLines', linesKey(vendorLines(lead))],
  ]);
}
